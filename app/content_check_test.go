package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/desk"
	"stoa/internal/host"
	"stoa/internal/operator"
	"stoa/internal/webhook"
	. "stoa/social/socialtest"
)

// censor answers content checks by the first word of the text.
type censor struct {
	mu    sync.Mutex
	asked []string
	media []string
}

func (c *censor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct {
		System, Kind, ItemID, Author, Text string
		Media                              []string
	}
	body, _ := io.ReadAll(r.Body)
	if err := json.Unmarshal(body, &q); err != nil {
		http.Error(w, "no JSON", http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	c.asked, c.media = append(c.asked, fmt.Sprintf("%s %s %s %q", q.Kind, q.ItemID, q.Author, q.Text)), q.Media
	c.mu.Unlock()
	word, _, _ := strings.Cut(q.Text, " ")
	switch word {
	case "hold":
		_, _ = io.WriteString(w, `{"verdict": "HOLD", "rule": "spam", "note": "looks odd"}`)
	case "remove":
		_, _ = io.WriteString(w, `{"verdict": "REMOVE", "rule": "hate", "note": null, "more": 1}`)
	case "slow":
		<-r.Context().Done()
	case "broken":
		_, _ = io.WriteString(w, `{"verdict": "PERHAPS"}`)
	default:
		_, _ = io.WriteString(w, `{"verdict": "ALLOW"}`)
	}
}

// take returns what was asked since the last call.
func (c *censor) take(w *World) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := w.People.Name(strings.Join(c.asked, ", "))
	c.asked = nil
	return text
}

// ask answers like a server at another place.
func (c *censor) ask(ctx context.Context, h webhook.Hook, _ string, _ time.Time, body []byte) ([]byte, error) {
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(body))
	answer := httptest.NewRecorder()
	c.ServeHTTP(answer, r)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return answer.Body.Bytes(), nil
}

// testChecked is TestStaffed with a content check.
func testChecked(t *testing.T, given Given, f func(w *World, c *censor), change ...func(c *host.Config)) {
	t.Helper()
	c := &censor{}
	checked := func(_ *World, config *host.Config) {
		config.Check = host.ContentCheck{At: webhook.Hook{URL: "https://app.example"}, Timeout: 2 * time.Second, Failure: desk.CheckAllow, Ask: c.ask}
		for _, f := range change {
			f(config)
		}
	}
	apptest.Test(t, Staffed, func(w *World) {
		w.Do(given...)
		c.take(w)
		f(w, c)
		w.Whole()
	}, append(StaffOptions(), checked)...)
}

func refusing(v desk.CheckVerdict) func(c *host.Config) {
	return func(c *host.Config) { c.Check.Failure = v }
}

const (
	addText  = `mutation($id: ID!, $t: String!) { addPost(postId: $id, postType: TEXT_ONLY, text: $t) { postStatus } }`
	statusOf = `query($id: ID!) { post(postId: $id) { postStatus text } }`
	checkOf  = `query($id: ID!) { case(id: $id) { status reportCount visible removedBy excerpt check { verdict rule note failed } } }`
)

func post(id, text string) apptest.Vars { return apptest.Vars{"id": id, "t": text} }
func of(id string) apptest.Vars         { return apptest.Vars{"id": id} }

// operator 3#2: a moderator's flag removes a held post once, and keeping it takes that back.
func TestFlagsOfModeratorsOnHeldPosts(t *testing.T) {
	testChecked(t, Users("ana", "mod"), func(w *World, _ *censor) {
		w.Is(w.Does("ana", addText, post("p1", "hold this")), "addPost.postStatus", `"PROCESSING"`)
		w.Does("mod", `mutation { flagPost(postId: "p1") { postId } }`)
		w.Settle()
		if n := w.Counters()["ana.postForcedArchivingCount"]; n != 1 {
			t.Errorf("%d removals count after the flag", n)
		}
		decides(w, "mod", "social:POST:p1", 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"excerpt":"hold this"}`)
		w.Is(w.Does("ana", statusOf, of("p1")), "post.postStatus", `"COMPLETED"`)
		if n := w.Counters()["ana.postForcedArchivingCount"]; n != 0 {
			t.Errorf("%d removals count after one was taken back", n)
		}
	})
}

// operator 3#2: a moderator's flag also counts if the author had archived the post, as keeping it
// takes that back.
func TestFlagsOfModeratorsOnArchivedPosts(t *testing.T) {
	testChecked(t, Users("ana", "mod").Post("ana", "p1").Archive("ana", "p1"), func(w *World, _ *censor) {
		w.Does("mod", `mutation { flagPost(postId: "p1") { postId } }`)
		w.Settle()
		if n := w.Counters()["ana.postForcedArchivingCount"]; n != 1 {
			t.Errorf("%d removals count after the flag", n)
		}
		decides(w, "mod", "social:POST:p1", 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"excerpt":"text of p1"}`)
		if n := w.Counters()["ana.postForcedArchivingCount"]; n != 0 {
			t.Errorf("%d removals count after one was taken back", n)
		}
	})
}

// operator 8#2: what the check allows is published as ever; what it holds is for its author alone
// until a moderator decides; what it removes, its author cannot restore.
func TestContentCheckOfPosts(t *testing.T) {
	testChecked(t, Users("ana", "ben", "mod").Follow("ben", "ana"), func(w *World, c *censor) {
		w.Is(w.Does("ana", addText, post("p1", "fine @ben")), "addPost.postStatus", `"COMPLETED"`)
		w.Is(w.Does("ana", addText, post("p2", "hold @ben")), "addPost.postStatus", `"PROCESSING"`)
		w.Is(w.Does("ana", addText, post("p3", "hold this")), "addPost.postStatus", `"PROCESSING"`)
		w.Is(w.Does("ana", addText, post("p4", "remove @ben")), "addPost.postStatus", `"ARCHIVED"`)
		if got, want := c.take(w), `POST p1 {ana} "fine @ben", POST p2 {ana} "hold @ben", POST p3 {ana} "hold this", POST p4 {ana} "remove @ben"`; got != want {
			t.Errorf("asked %s, want %s", got, want)
		}
		w.Settle()
		feed := func(want string) {
			t.Helper()
			w.Is(w.Does("ben", `{ self { feed { items { postId } } } }`), "self.feed.items", want)
		}
		feed(`[{"postId":"p1"}]`)
		for _, id := range []string{"p2", "p3", "p4"} {
			w.Is(w.Does("ben", statusOf, of(id)), "post", `null`)
			w.Is(w.Does("mod", statusOf, of(id)), "post", `null`)
		}
		w.Is(w.Does("ana", statusOf, of("p2")), "post.text", `"hold @ben"`)
		if n := w.Counters()["ben.cardCount"]; n != 2 { // one of a follower
			t.Errorf("ben has %d cards", n)
		}
		w.OperatorAnswered("mod", `{ cases { items { id } } }`, `{"cases":{"items":[{"id":"social:POST:p2"},{"id":"social:POST:p3"},{"id":"social:POST:p4"}]}}`)
		w.OperatorAnswered("mod", checkOf, `{"case":{"status":"OPEN","reportCount":0,"visible":false,"removedBy":null,"excerpt":"hold @ben",
			"check":{"verdict":"HOLD","rule":"spam","note":"looks odd","failed":false}}}`, of("social:POST:p2"))
		w.OperatorAnswered("mod", checkOf, `{"case":{"status":"OPEN","reportCount":0,"visible":false,"removedBy":"PROGRAM","excerpt":"remove @ben",
			"check":{"verdict":"REMOVE","rule":"hate","note":"","failed":false}}}`, of("social:POST:p4"))
		const restore = `mutation($id: ID!) { restoreArchivedPost(postId: $id) { postStatus } }`
		refuses := func(id, want string) {
			t.Helper()
			if a := w.Send("ana", apptest.Request{Query: restore, Variables: of(id)}); len(a.Errors) != 1 || a.Errors[0].Message != "ClientError: "+want {
				t.Errorf("restoring %s is answered %+v", id, a)
			}
		}
		refuses("p4", "Post `p4` was removed by the content check")
		refuses("p2", "Post `p2` is not archived (has status `PROCESSING`)")

		decides(w, "mod", "social:POST:p2", 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"excerpt":"hold @ben"}`)
		decides(w, "mod", "social:POST:p3", 1, "REMOVE", `{"status":"DECIDED","revision":2,"visible":false,"removedBy":"MODERATOR","excerpt":"hold this"}`)
		feed(`[{"postId":"p2"},{"postId":"p1"}]`)
		if n := w.Counters()["ben.cardCount"]; n != 3 {
			t.Errorf("ben has %d cards", n)
		}
		refuses("p3", "Post `p3` was removed by a moderator")
		if n := w.Counters()["ana.postForcedArchivingCount"]; n != 2 {
			t.Errorf("%d removals count", n)
		}
		decides(w, "mod", "social:POST:p4", 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"excerpt":"remove @ben"}`)
		if n := w.Counters()["ana.postForcedArchivingCount"]; n != 1 {
			t.Errorf("%d removals count after one was taken back", n)
		}

		// What is kept is not checked again until it is edited.
		c.take(w)
		w.Does("ana", `mutation { archivePost(postId: "p2") { postId } }`)
		w.Is(w.Does("ana", restore, of("p2")), "restoreArchivedPost.postStatus", `"COMPLETED"`)
		if got := c.take(w); got != "" {
			t.Errorf("asked %s", got)
		}
		edit := `mutation($id: ID!, $t: String!) { editPost(postId: $id, text: $t) { postStatus text } }`
		w.Is(w.Does("ana", edit, post("p1", "hold again")), "editPost", `{"postStatus":"ARCHIVED","text":"hold again"}`)
		w.Settle()
		w.Is(w.Does("ben", statusOf, of("p1")), "post", `null`)
		refuses("p1", "Post `p1` waits for a moderator")
		decides(w, "mod", "social:POST:p1", 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"excerpt":"hold again"}`)
		w.Is(w.Does("ben", statusOf, of("p1")), "post.text", `"hold again"`)
		w.Is(w.Does("ana", edit, post("p1", "remove me")), "editPost.postStatus", `"ARCHIVED"`)
		w.Is(w.Does("ben", statusOf, of("p1")), "post", `null`)
		refuses("p1", "Post `p1` was removed by the content check")

		// A text that was changed in the archive is checked when it leaves that.
		w.Does("ana", addText, post("p5", "fine"))
		w.Does("ana", `mutation { archivePost(postId: "p5") { postId } }`)
		w.Does("ana", edit, post("p5", "hold hidden"))
		w.Is(w.Does("ana", restore, of("p5")), "restoreArchivedPost.postStatus", `"ARCHIVED"`)
		w.Is(w.Does("ben", statusOf, of("p5")), "post", `null`)
		// Its author may delete what is held, and the case ends.
		w.Does("ana", `mutation { deletePost(postId: "p5") { postId } }`)
		w.Settle()
		w.Is(w.OperatorDoes("mod", checkOf, of("social:POST:p5")), "case.status", `"DECIDED"`)
	})
}

// operator 8#2: pictures are checked once they are processed, whether they come along or are uploaded, and
// moderators see those that are held.
func TestContentCheckOfPictures(t *testing.T) {
	testChecked(t, Users("ana", "ben", "mod"), func(w *World, c *censor) {
		photo := JPEG(64, 48)
		w.Is(w.Does("ana", ImagePost("p1", photo, "", `, text: "hold it"`, `postStatus image { width }`)), "addPost", `{"image":{"width":64},"postStatus":"PROCESSING"}`)
		w.Does("ana", `mutation { addPost(postId: "p2", text: "hold it @ben", setAsUserPhoto: true) { postStatus } }`)
		if got, want := c.take(w), `POST p1 {ana} "hold it"`; got != want {
			t.Errorf("asked %s, want %s", got, want)
		}
		if len(c.media) != 1 {
			t.Fatalf("asked about %v", c.media)
		}
		if status, _ := Get(w, c.media[0]); status != http.StatusOK {
			t.Errorf("the picture is answered with %d", status)
		}
		Upload(w, "ana", "p2", photo)
		w.Settle()
		if got, want := c.take(w), `POST p2 {ana} "hold it @ben"`; got != want {
			t.Errorf("asked %s, want %s", got, want)
		}
		w.Is(w.Does("ana", statusOf, of("p2")), "post.postStatus", `"PROCESSING"`)
		w.Is(w.Does("ben", statusOf, of("p2")), "post", `null`)
		if n := len(w.OperatorDoes("mod", `{ case(id: "social:POST:p2") { media } }`).At("case.media").([]any)); n != 1 {
			t.Errorf("moderators see %d pictures", n)
		}
		w.RunJob("social.resume-uploads")
		w.Is(w.Does("ana", statusOf, of("p2")), "post.postStatus", `"PROCESSING"`)
		decides(w, "mod", "social:POST:p2", 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"excerpt":"hold it @ben"}`)
		w.Is(w.Does("ben", statusOf, of("p2")), "post.postStatus", `"COMPLETED"`)
		if n := w.Counters()["ben.cardCount"]; n != 2 {
			t.Errorf("ben has %d cards", n)
		}
	})
}

const (
	comments   = `{ post(postId: "p1") { commentsCount comments { items { commentId } } } }`
	addComment = `mutation($id: ID!, $t: String!) { addComment(commentId: $id, postId: "p1", text: $t) { text } }`
)

// operator 8#2: a comment that is held is listed for its author alone, and counted nowhere else.
func TestContentCheckOfComments(t *testing.T) {
	testChecked(t, Users("ana", "ben", "cem", "mod").Post("ana", "p1"), func(w *World, c *censor) {
		sees := func(who, count, want string) {
			t.Helper()
			w.Compare(who+" sees", w.Must(who, comments).Data, `{"post":{"commentsCount":`+count+`,"comments":{"items":`+want+`}}}`)
		}
		before := w.Counters()
		for i, text := range []string{"fine", "hold @cem", "hold it", "remove @cem"} {
			w.Is(w.Does("ben", addComment, post(fmt.Sprint("c", i), text)), "addComment.text", `"`+text+`"`)
		}
		if got, want := c.take(w), `COMMENT c0 {ben} "fine", COMMENT c1 {ben} "hold @cem", COMMENT c2 {ben} "hold it", COMMENT c3 {ben} "remove @cem"`; got != want {
			t.Errorf("asked %s, want %s", got, want)
		}
		w.Settle()
		sees("ana", "1", `[{"commentId":"c0"}]`)
		sees("cem", "1", `[{"commentId":"c0"}]`)
		sees("ben", "1", `[{"commentId":"c0"},{"commentId":"c1"},{"commentId":"c2"}]`)
		after := w.Counters()
		for counter, want := range map[string]int{"p1.commentsUnviewedCount": 1, "ana.cardCount": 1, "cem.cardCount": 0, "ben.commentForcedDeletionCount": 1, "ben.commentCount": 3} {
			if n := after[counter] - before[counter]; n != want {
				t.Errorf("%s changes by %d, want %d", counter, n, want)
			}
		}
		for _, does := range []string{`mutation { flagComment(commentId: "c1") { text } }`, `mutation { deleteComment(commentId: "c1") { text } }`} {
			if a := w.Ask("ana", does); len(a.Errors) != 1 || !strings.Contains(a.Errors[0].Message, "c1") {
				t.Errorf("%s is answered %+v", does, a)
			}
		}
		w.OperatorAnswered("mod", checkOf, `{"case":{"status":"OPEN","reportCount":0,"visible":false,"removedBy":"PROGRAM","excerpt":"remove @cem",
			"check":{"verdict":"REMOVE","rule":"hate","note":"","failed":false}}}`, of("social:COMMENT:c3"))
		w.OperatorAnswered("mod", checkOf, `{"case":{"status":"OPEN","reportCount":0,"visible":false,"removedBy":null,"excerpt":"hold @cem",
			"check":{"verdict":"HOLD","rule":"spam","note":"looks odd","failed":false}}}`, of("social:COMMENT:c1"))

		decides(w, "mod", "social:COMMENT:c1", 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"excerpt":"hold @cem"}`)
		decides(w, "mod", "social:COMMENT:c2", 1, "REMOVE", `{"status":"DECIDED","revision":2,"visible":false,"removedBy":"MODERATOR","excerpt":"hold it"}`)
		sees("ana", "2", `[{"commentId":"c0"},{"commentId":"c1"}]`)
		sees("ben", "2", `[{"commentId":"c0"},{"commentId":"c1"}]`)
		after = w.Counters()
		for counter, want := range map[string]int{"p1.commentsUnviewedCount": 2, "ana.cardCount": 1, "cem.cardCount": 1, "ben.commentForcedDeletionCount": 2, "ben.commentCount": 2} {
			if n := after[counter] - before[counter]; n != want {
				t.Errorf("%s changes by %d after the decisions, want %d", counter, n, want)
			}
		}
		w.Whole()
		for i, text := range []string{"hold it", "remove @cem"} {
			decides(w, "mod", fmt.Sprint("social:COMMENT:c", i+2), 2-i, "KEEP", fmt.Sprintf(`{"status":"DECIDED","revision":%d,"visible":true,"removedBy":null,"excerpt":%q}`, 3-i, text))
		}
		sees("ana", "4", `[{"commentId":"c0"},{"commentId":"c1"},{"commentId":"c2"},{"commentId":"c3"}]`)
		w.Whole()
		// Held comments go with their authors, their posts, and by their authors' will.
		w.Does("ben", addComment, post("c5", "hold it"))
		w.Does("ben", `mutation { deleteComment(commentId: "c5") { text } }`)
		w.Does("ben", addComment, post("c6", "hold it"))
		w.Does("cem", addComment, post("c7", "hold it"))
		w.Does("ben", `mutation { deleteUser { userId } }`)
		w.Settle()
		w.Whole()
		w.Does("ana", `mutation { deletePost(postId: "p1") { postId } }`)
		w.Settle()
		w.OperatorAnswered("mod", `{ cases { items { id } } }`, `{"cases":{"items":[]}}`)
	})
}

// operator 8#2: a message that is held is listed for its author alone, and nobody is told of it.
func TestContentCheckOfMessages(t *testing.T) {
	given := Users("ana", "ben", "mod").DirectChat("ana", "ben", "g1", "m0")
	testChecked(t, given, func(w *World, c *censor) {
		say := `mutation($id: ID!, $t: String!) { addChatMessage(chatId: "g1", messageId: $id, text: $t) { text } }`
		sees := func(who, count, unviewed, want string) {
			t.Helper()
			got := w.Must(who, `{ chat(chatId: "g1") { messagesCount unviewed: messagesCount(viewedStatus: NOT_VIEWED) messages { items { messageId } } } }`)
			w.Compare(who+" sees", got.Data, `{"chat":{"messagesCount":`+count+`,"unviewed":`+unviewed+`,"messages":{"items":`+want+`}}}`)
		}
		for i, text := range []string{"fine", "hold one", "hold two", "remove it"} {
			w.Is(w.Does("ana", say, post(fmt.Sprint("m", i+1), text)), "addChatMessage.text", `"`+text+`"`)
		}
		if got, want := c.take(w), `CHAT_MESSAGE m1 {ana} "fine", CHAT_MESSAGE m2 {ana} "hold one", CHAT_MESSAGE m3 {ana} "hold two", CHAT_MESSAGE m4 {ana} "remove it"`; got != want {
			t.Errorf("asked %s, want %s", got, want)
		}
		w.Settle()
		sees("ben", "2", "2", `[{"messageId":"m0"},{"messageId":"m1"}]`)
		sees("ana", "2", "0", `[{"messageId":"m0"},{"messageId":"m1"},{"messageId":"m2"},{"messageId":"m3"}]`)
		if a := w.Ask("ben", `mutation { flagChatMessage(messageId: "m2") { text } }`); len(a.Errors) != 1 {
			t.Errorf("a flag of a message that is held is answered %+v", a)
		}
		w.OperatorAnswered("mod", checkOf, `{"case":{"status":"OPEN","reportCount":0,"visible":false,"removedBy":"PROGRAM","excerpt":"remove it",
			"check":{"verdict":"REMOVE","rule":"hate","note":"","failed":false}}}`, of("social:CHAT_MESSAGE:m4"))
		w.Whole()
		decides(w, "mod", "social:CHAT_MESSAGE:m2", 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"excerpt":"hold one"}`)
		decides(w, "mod", "social:CHAT_MESSAGE:m3", 1, "REMOVE", `{"status":"DECIDED","revision":2,"visible":false,"removedBy":"MODERATOR","excerpt":"hold two"}`)
		sees("ben", "3", "3", `[{"messageId":"m0"},{"messageId":"m1"},{"messageId":"m2"}]`)
		w.Whole()
		decides(w, "mod", "social:CHAT_MESSAGE:m4", 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"excerpt":"remove it"}`)
		decides(w, "mod", "social:CHAT_MESSAGE:m3", 2, "KEEP", `{"status":"DECIDED","revision":3,"visible":true,"removedBy":null,"excerpt":"hold two"}`)
		sees("ben", "5", "5", `[{"messageId":"m0"},{"messageId":"m1"},{"messageId":"m2"},{"messageId":"m3"},{"messageId":"m4"}]`)
		w.Whole()

		// An edit that is not allowed takes the message out of the chat.
		w.Does("ana", `mutation { editChatMessage(messageId: "m1", text: "hold back") { text } }`)
		w.Settle()
		w.OperatorAnswered("mod", checkOf, `{"case":{"status":"OPEN","reportCount":0,"visible":false,"removedBy":"PROGRAM","excerpt":"hold back",
			"check":{"verdict":"HOLD","rule":"spam","note":"looks odd","failed":false}}}`, of("social:CHAT_MESSAGE:m1"))
		sees("ben", "4", "4", `[{"messageId":"m0"},{"messageId":"m2"},{"messageId":"m3"},{"messageId":"m4"}]`)
		decides(w, "mod", "social:CHAT_MESSAGE:m1", 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"excerpt":"hold back"}`)

		// Its author can edit and delete what is held. A chat may begin with it.
		w.Does("ana", say, post("m5", "hold on"))
		w.Does("ana", `mutation { editChatMessage(messageId: "m5", text: "hold off") { text } }`)
		w.Does("ana", `mutation { deleteChatMessage(messageId: "m5") { text } }`)
		w.Does("ana", `mutation { createGroupChat(userIds: ["{ben}"], chatId: "g2", messageId: "n1", messageText: "hold the line") { chatId } }`)
		w.Does("ana", `mutation { createDirectChat(userId: "{mod}", chatId: "g3", messageId: "n2", messageText: "remove at once") { chatId } }`)
		w.Settle()
		w.Is(w.Does("ben", `{ chat(chatId: "g2") { messagesCount } }`), "chat.messagesCount", `2`)
		w.Is(w.Does("mod", `{ chat(chatId: "g3") { messages { items { messageId } } } }`), "chat.messages.items", `[]`)
	})
}

// operator 8#2: in large groups too.
func TestContentCheckInLargeGroups(t *testing.T) {
	names := []string{"ana", "mod"}
	list := ""
	for i := range 50 {
		names = append(names, fmt.Sprint("member", i))
		list += fmt.Sprintf(`"{member%d}",`, i)
	}
	given := Users(names...).
		Does("ana", `mutation { createGroupChat(chatId: "g1", userIds: [%s], messageId: "m1", messageText: "hello") { chatId } }`, list)
	testChecked(t, given, func(w *World, c *censor) {
		count := func(want string) {
			t.Helper()
			w.Settle()
			w.Is(w.Does("member7", `{ chat(chatId: "g1") { messagesCount(viewedStatus: NOT_VIEWED) } }`), "chat.messagesCount", want)
		}
		count(`2`)
		for _, id := range []string{"m2", "m3", "m4"} {
			w.Does("ana", `mutation($id: ID!) { addChatMessage(chatId: "g1", messageId: $id, text: "hold it") { text } }`, of(id))
		}
		count(`2`)
		w.Listen("member7", `subscription { onChatMessageNotification(userId: "{member7}") { type message { messageId } } }`)
		decides(w, "mod", "social:CHAT_MESSAGE:m2", 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"excerpt":"hold it"}`)
		w.Settle()
		if heard := fmt.Sprint(w.TakeHeard()["member7"]); strings.Count(heard, `"m2"`) != 1 || !strings.Contains(heard, "ADDED") {
			t.Errorf("a member hears %s of a message that is kept", heard)
		}
		decides(w, "mod", "social:CHAT_MESSAGE:m3", 1, "REMOVE", `{"status":"DECIDED","revision":2,"visible":false,"removedBy":"MODERATOR","excerpt":"hold it"}`)
		w.Does("ana", `mutation { deleteChatMessage(messageId: "m4") { text } }`)
		count(`3`)
	})
}

// operator 8#2 and 3#4: what its author edits while it is held is decided by whoever has seen that.
func TestContentCheckOfWhatIsEditedMeanwhile(t *testing.T) {
	testChecked(t, Users("ana", "ben", "mod").DirectChat("ana", "ben", "g1", "m0"), func(w *World, c *censor) {
		w.Does("ana", addText, post("p1", "hold it"))
		w.Does("ana", `mutation { addChatMessage(chatId: "g1", messageId: "m1", text: "hold it") { text } }`)
		w.Does("ana", `mutation { editPost(postId: "p1", text: "worse") { text } }`)
		w.Does("ana", `mutation { editChatMessage(messageId: "m1", text: "worse") { text } }`)
		for _, id := range []string{"social:POST:p1", "social:CHAT_MESSAGE:m1"} {
			_, err := w.Host.Desk.Service.DecideCase(w.OperatorContext("mod"), id, 1, operator.Ruling{Verdict: desk.Keep})
			if err == nil || !strings.Contains(err.Error(), "changed meanwhile") {
				t.Errorf("%s of before the edit is decided: %v", id, err)
			}
			decides(w, "mod", id, 2, "KEEP", `{"status":"DECIDED","revision":3,"visible":true,"removedBy":null,"excerpt":"worse"}`)
		}
	})
}

// operator 8#2: without an answer, the setting decides, and a case says so.
func TestContentCheckThatFails(t *testing.T) {
	for _, text := range []string{"slow text", "broken text"} {
		why := map[string]string{"slow text": "no answer within 2s", "broken text": "the answer has no verdict of [ALLOW HOLD REMOVE]"}[text]
		given := Users("ana", "ben", "mod")
		testChecked(t, given, func(w *World, c *censor) {
			w.Is(w.Does("ana", addText, post("p1", text)), "addPost.postStatus", `"COMPLETED"`)
			w.Is(w.Does("ben", addComment, post("c1", text)), "addComment.text", `"`+text+`"`)
			w.Does("ana", `mutation { createDirectChat(userId: "{ben}", chatId: "g1", messageId: "m1", messageText: "`+text+`") { chatId } }`)
			w.OperatorAnswered("mod", `{ cases { items { id } } }`, `{"cases":{"items":[]}}`)
			w.Does("ben", `mutation { flagPost(postId: "p1") { postId } }`)
			w.Does("ana", `mutation { flagComment(commentId: "c1") { text } }`)
			w.Does("ben", `mutation { flagChatMessage(messageId: "m1") { text } }`)
			for _, id := range []string{"social:POST:p1", "social:COMMENT:c1", "social:CHAT_MESSAGE:m1"} {
				w.Is(w.OperatorDoes("mod", checkOf, of(id)), "case.check", `{"failed":true,"note":"","rule":"","verdict":"ALLOW"}`)
			}
		}, refusing(desk.CheckAllow))
		testChecked(t, given, func(w *World, c *censor) {
			w.Is(w.Does("ana", addText, post("p1", text)), "addPost.postStatus", `"PROCESSING"`)
			w.OperatorAnswered("mod", checkOf, `{"case":{"status":"OPEN","reportCount":0,"visible":false,"removedBy":null,"excerpt":"`+text+`",
				"check":{"verdict":"HOLD","rule":"","note":"`+why+`","failed":true}}}`, of("social:POST:p1"))
		}, refusing(desk.CheckHold))
		testChecked(t, given, func(w *World, c *censor) {
			w.Is(w.Does("ana", addText, post("p1", text)), "addPost.postStatus", `"ARCHIVED"`)
		}, refusing(desk.CheckRemove))
	}
}

// operator 8#2: without the setting, nothing is asked.
func TestContentCheckIsOff(t *testing.T) {
	testChecked(t, Users("ana"), func(w *World, c *censor) {
		if w.Host.Checker() != nil {
			t.Error("there is a checker")
		}
		w.Is(w.Does("ana", addText, post("p1", "remove it")), "addPost.postStatus", `"COMPLETED"`)
		if got := c.take(w); got != "" {
			t.Errorf("asked %s", got)
		}
	}, func(c *host.Config) { c.Check = host.ContentCheck{} })
}

// operator 8#2: what is refused is not checked, and what is decided again is not checked again.
func TestContentCheckIsAskedOnce(t *testing.T) {
	testChecked(t, Users("ana", "ben", "mod").Post("ana", "p1", "commentsDisabled: true"), func(w *World, c *censor) {
		if a := w.Send("ben", apptest.Request{Query: addComment, Variables: post("c1", "hold")}); len(a.Errors) != 1 {
			t.Errorf("answered %+v", a)
		}
		if got := c.take(w); got != "" {
			t.Errorf("asked %s", got)
		}
	})
}
