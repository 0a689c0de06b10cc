package main

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"
)

// testdata/former.ndjson.gz has the rows of a process of an earlier version (c2f00f72), which was
// killed while 48 people used it. Posts are missing in most feeds, and a message in a group of 47 is
// still in its journal. Keys and sessions of the identity service are left out, and dates are earlier
// than they were.
const formerRows = "testdata/former.ndjson.gz"

// Rows of the version before are served, its events are delivered, and nothing is
// wrong with them afterwards.
func TestRowsOfTheVersionBefore(t *testing.T) {
	file, err := filepath.Abs(formerRows)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	data := "embedded:" + dir
	mustRun(t, "import", file, "--store", data)
	var waiting int
	damage(t, dir, func(table func(string) dynamo.Table) { waiting = len(eventsIn(t, table)) })
	if waiting == 0 {
		t.Fatal("no event of the version before waits")
	}

	s := startProcess(t, "--store", data)
	signIn := func(name string) *person {
		credentials := map[string]string{"email": name + "@example.com", "password": "correct horse battery"}
		return &person{t: t, url: s.url, token: post(t, s.url+"/auth/sign-in", "", http.StatusOK, credentials)["accessToken"].(string)}
	}
	ana, ben, cleo := signIn("ana"), signIn("ben"), signIn("cleo")

	// Posts that the killed process had acknowledged get into the feeds of followers.
	var texts []string
	for until := time.Now().Add(patience); len(texts) < 10 && time.Now().Before(until); time.Sleep(50 * time.Millisecond) {
		texts = ben.feed()
	}
	if got := slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return text != "ana: burst @cleo" }); len(got) != 8 || len(texts) != 10 {
		t.Errorf("ben reads %q", texts)
	}
	// A message in the group, whose members the version before moved in their lists, comes first
	// in these; one in the direct chat then does.
	chats := func(p *person, want string) {
		t.Helper()
		var ids []string
		for _, c := range at[[]any](p.ask(`{ self { chats { items { chatId } } } }`, nil), "self.chats.items") {
			ids = append(ids, at[string](c, "chatId"))
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("the chats are %q, want %q", got, want)
		}
	}
	chats(ben, "g d")
	ben.ask(`mutation { addChatMessage(chatId: "d", messageId: "n1", text: "hello") { messageId } }`, nil)
	chats(ana, "d g")
	cleo.ask(`mutation { addChatMessage(chatId: "g", messageId: "n2", text: "hello") { messageId } }`, nil)
	chats(ana, "g d")
	chats(ben, "g d")
	for what, c := range map[string]struct {
		query, path string
		want        float64
	}{
		"messages to view: two of the system and four of cleo": {`{ chat(chatId: "g") { messagesCount(viewedStatus: NOT_VIEWED) } }`, "chat.messagesCount", 6},
		"messages in the group":                                {`{ chat(chatId: "g") { messagesCount } }`, "chat.messagesCount", 7},
		"members of the group":                                 {`{ chat(chatId: "g") { usersCount } }`, "chat.usersCount", 47},
		"posts":                                                {`{ self { postCount } }`, "self.postCount", 9},
		"comments on a post":                                   {`{ post(postId: "b1") { commentsCount } }`, "post.commentsCount", 8},
		"likes of a post":                                      {`{ post(postId: "a1") { onymousLikeCount } }`, "post.onymousLikeCount", 1},
		"followers":                                            {`{ self { followersCount } }`, "self.followersCount", 22},
		"chats with messages":                                  {`{ self { chatsWithUnviewedMessagesCount } }`, "self.chatsWithUnviewedMessagesCount", 2},
		"cards, one of each kind":                              {`{ self { cardCount } }`, "self.cardCount", 4},
	} {
		if got := at[float64](ana.ask(c.query, nil), c.path); got != c.want {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
	if state := s.end(syscall.SIGTERM); !state.Success() {
		t.Fatalf("the process ended with %s:\n%s", state, s.log)
	}
	if printed := mustRun(t, "check", "--store", data); printed != "No problems found.\n" {
		t.Errorf("check: %s", printed)
	}
	damage(t, dir, func(table func(string) dynamo.Table) {
		if left := eventsIn(t, table); len(left) > 0 {
			t.Errorf("events wait: %v", left)
		}
	})
}

// eventsIn returns the keys of events and lanes that have not been delivered.
func eventsIn(t *testing.T, table func(string) dynamo.Table) (keys []string) {
	t.Helper()
	var items []struct {
		Key string `dynamo:"partitionKey"`
	}
	if err := table("ops").Scan().All(t.Context(), &items); err != nil {
		t.Fatal(err)
	}
	for _, i := range items {
		for _, prefix := range []string{"outbox/", "lane/", "deadLetters"} {
			if strings.HasPrefix(i.Key, prefix) {
				keys = append(keys, i.Key)
			}
		}
	}
	return keys
}
