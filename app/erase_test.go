package app_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/app"
	"stoa/internal/appstore/appstoretest"
	"stoa/internal/apptest"
	"stoa/internal/operator"
	. "stoa/social/socialtest"
)

// erased add to what there is of ana in TestNothingIsLeftOfAnErasedPerson.
var erased []func(g Given) Given

// toErase declares, in an init function of a file named after an area, how ana gets items of the
// area's rows before she is erased. There are ben, cleo and a post p2 of ben.
func toErase(add func(g Given) Given) { erased = append(erased, add) }

const erase = `mutation { erasePerson(id: "{ana}", reason: "asked for it") { id systems } }`

// operator 4#4, issue Shows 3: after an erasure, no table has the id, a name, a contact or a
// text of the person.
func TestNothingIsLeftOfAnErasedPerson(t *testing.T) {
	given := Users("ana", "ben", "cleo", "mod", "ozzy").
		Follow("ana", "ben").Follow("ben", "ana").
		Post("ana", "p1").Post("ben", "p2").
		Like("ben", "p1").Like("ana", "p2").
		Comment("ben", "p1", "c1").
		Does("ana", `mutation { setUserDetails(fullName: "Anastasia Quirk", bio: "biography of hers") { userId } }`).
		Does("ana", `mutation { addComment(commentId: "c2", postId: "p2", text: "remark of hers") { commentId } }`).
		Does("ben", `mutation { addComment(commentId: "c3", postId: "p2", text: "look here @ana") { commentId } }`).
		Does("ana", `mutation { addAlbum(albumId: "a1", name: "album of hers") { albumId } }`).
		Does("ana", `mutation { createDirectChat(userId: "{ben}", chatId: "direct", messageId: "m1", messageText: "whisper of hers") { chatId } }`).
		Does("ana", `mutation { createGroupChat(userIds: ["{ben}"], chatId: "group", messageId: "m2", messageText: "speech of hers") { chatId } }`).
		Does("ben", `mutation { addChatMessage(chatId: "group", messageId: "m3", text: "answer to @ana") { messageId } }`).
		Does("ben", `mutation { flagPost(postId: "p1", reason: "bad") { postId } }`).
		Does("ana", `mutation { flagPost(postId: "p2", reason: "complaint of hers") { postId } }`).
		Does("ben", `mutation { reportUser(userId: "{ana}", reason: "rude") { userId } }`).
		Does("ana", `mutation { flagComment(commentId: "c3", reason: "complaint of hers") { commentId } }`).
		Does("ana", `mutation { flagChatMessage(messageId: "m3", reason: "complaint of hers") { messageId } }`).
		Does("ben", `mutation { createGroupChat(userIds: ["{ana}", "{cleo}"], chatId: "other", messageId: "m4", messageText: "hello") { chatId } }`).
		Does("ana", `mutation { flagChat(chatId: "other", reason: "complaint of hers") { chatId } }`).
		Does("ana", `mutation { reportChatViews(chatIds: ["group"]) }`).
		Does("ana", `mutation { reportScreenViews(screens: ["home"]) }`).
		Does("ana", `mutation { setUserAPNSToken(token: "phone of hers") { userId } }`).
		ViewPost("ana", "p2").ViewPost("ben", "p1").
		Post("ben", "s1", Lifetime("P1D")).Post("ana", "s2", Lifetime("P1D")).
		Block("ana", "cleo")
	for _, add := range erased {
		given = add(given)
	}
	TestStaffed(t, given, func(w *World) {
		before := w.Unfilled()
		signIn := withPassword(w, "ana")
		auth(w, "/auth/sign-in", signIn)
		w.Must("ana", `mutation { startChangeUserPhoneNumber(phoneNumber: "+15105550000") { userId } }`)
		sent, err := w.Host.Ops.Identities.Messages(t.Context(), w.ID("ana"), 1)
		if err != nil || len(sent) != 1 {
			t.Fatalf("%v, %v", sent, err)
		}
		w.Must("ana", `mutation { finishChangeUserPhoneNumber(verificationCode: "`+sent[0].Code+`") { userId } }`)
		w.Must("ana", `mutation { linkGoogleLogin(googleIdToken: "ana ana@example.com") { userId } }`)
		w.Must("ana", `mutation { startChangeUserEmail(email: "new.ana@example.com") { userId } }`)
		id := apptest.Vars{"i": "{ana}"}
		w.OperatorDoes("mod", `mutation($i: ID!) { noteOnPerson(id: $i, note: "note about her") { id } }`, id)
		w.OperatorDoes("ozzy", suspend, id, apptest.Vars{"r": "spam", "b": true})
		w.OperatorDoes("mod", decide, apptest.Vars{"id": w.People.Fill("social:PERSON:{ana}"), "r": 1, "v": "REMOVE"})
		w.OperatorDoes("ozzy", `query($k: String!) { items(table: "main", partitionKey: $k) { items { row } } }`, apptest.Vars{"k": w.People.Fill("user/{ana}")})
		w.Settle()
		look := w.OperatorDoes("ozzy", audited).Items("audit.items")[0]
		if look.Text("action") != "items" || look.Text("subject") != w.People.Fill("user/{ana}") {
			t.Errorf("a look at the store is logged as %v", look)
		}
		wantFilled(w, before)
		w.OperatorDoes("ozzy", erase)
		w.Settle()
		w.Left(string(w.ID("ana")), "Anastasia", "Quirk", "@ana", "ana@example.com", "15105550000", " of hers", "text of p1", "about her")
		w.OperatorAnswered("ozzy", `{ person(id: "{ana}") { id } cases { items { itemId excerpt removedBy author { id } } } }`, `{"person":null,"cases":{"items":[
			{"itemId":"p2","excerpt":"text of p2","removedBy":null,"author":{"id":"{ben}"}},
			{"itemId":"c3","excerpt":"look here @…","removedBy":null,"author":{"id":"{ben}"}},
			{"itemId":"m3","excerpt":"answer to @…","removedBy":"REPORTS","author":{"id":"{ben}"}},
			{"itemId":"other","excerpt":"","removedBy":"REPORTS","author":{"id":"{ben}"}}]}}`)
		line := w.OperatorDoes("ozzy", audited).Items("audit.items")[0]
		if line.Text("action") != "erasePerson" || !strings.HasPrefix(line.Text("subject"), "person-") {
			t.Errorf("the line is %v", line)
		}
		if status, code, _ := auth(w, "/auth/sign-in", signIn); status != http.StatusUnauthorized {
			t.Errorf("sign-in is answered %d %s", status, code)
		}
		for _, as := range []string{"ozzy", "mod"} {
			w.OperatorRefused("FORBIDDEN", as, `mutation { erasePerson(id: "{ozzy}", reason: "x") { id } }`)
		}
		w.OperatorRefused("NOT_FOUND", "ozzy", erase)
	})
}

// users D4 and D8: nothing but an empty identity, which lets live tokens in, is left of the account
// of a user who has deleted it; one who has reset their profile stays signed in.
func TestNothingIsLeftOfADeletedAccount(t *testing.T) {
	TestStaffed(t, Users("ana", "ben"), func(w *World) {
		refresh := map[string]string{}
		for _, name := range []string{"ana", "ben"} {
			_, _, refresh[name] = auth(w, "/auth/sign-in", withPassword(w, name))
			w.Must(name, `mutation { startChangeUserEmail(email: "new.`+name+`@example.com") { userId } }`)
		}
		w.Does("ana", `mutation { deleteUser { userId } }`)
		w.Does("ben", `mutation { resetUser { userId } }`)
		w.Settle()
		for _, row := range w.Rows()["ops"] {
			if text := fmt.Sprint(row); strings.Contains(text, string(w.ID("ana"))) && row["partitionKey"] != "identity/"+string(w.ID("ana")) {
				t.Errorf("left: %s", text)
			}
		}
		w.Left("ana@example.com")
		for name, status := range map[string]int{"ana": http.StatusUnauthorized, "ben": http.StatusOK} {
			if got, code, _ := auth(w, "/auth/refresh", map[string]string{"refreshToken": refresh[name]}); got != status {
				t.Errorf("%s refreshes: %d %s", name, got, code)
			}
		}
	})
}

// unfilled are the rows with ids of people that the test above does not store before an erasure, and why.
var unfilled = map[string]string{
	"main appStoreSub/{originalTransactionId} | -":        "takes a receipt of the App Store: social/subscription",
	"main chat/{chatId} | flag/{userId}":                  "one report removes a small chat, with its flags",
	"main chatMessage/{messageId} | flag/{userId}":        "one report removes a message of a small chat, with its flags",
	"main post/{postId} | feed/{userId}":                  "no version writes it anymore",
	"main user/{userId} | deleted":                        "the erasure writes and removes it",
	"ops chatJournal/{chatId} | {at}":                     "is removed when the message is counted",
	"ops identityClaim/{contact} | {createdAt}/{userId}":  "only with identity local: internal/identity",
	"ops largeFollow/{followerUserId} | {followedUserId}": "in TestNothingIsLeftInLargeGroupsAndFeeds",
	"ops largeMember/{userId} | {chatId}":                 "in TestNothingIsLeftInLargeGroupsAndFeeds",
	"ops webhook/{hook}/{subject} | {at}/{noticeId}":      "takes a webhook: internal/webhook",
	"desk exports | {exportId}":                           "TestNothingIsLeftInAnExport",
	"desk person/{userId} | exported":                     "TestNothingIsLeftInAnExport",
	"desk grants | {userId}":                              "TestNothingIsLeftOfAnErasedModerator",
	"desk reporter/{userId} | -":                          "only with weigh-reports: Operators.Erase removes it",
}

// wantFilled fails the test if it has stored no item of some row with ids of people, now or before.
func wantFilled(w *World, before []string) {
	w.T.Helper()
	empty := map[string]bool{}
	for _, row := range w.Unfilled() {
		if !slices.Contains(before, row) {
			continue
		}
		if empty[row] = true; unfilled[row] == "" {
			w.T.Errorf("the world has no item of the row %s: store one that is about ana, or say why none is needed", row)
		}
	}
	for row := range unfilled {
		if !empty[row] {
			w.T.Errorf("the world has items of the row %s by now", row)
		}
	}
}

// operator 4#4: nor in groups and feeds that are large.
func TestNothingIsLeftInLargeGroupsAndFeeds(t *testing.T) {
	given := Users("ana", "ben", "mod", "ozzy")
	with := []string{`"{ana}"`}
	for i := range 110 {
		name := fmt.Sprint("member", i)
		given = given.Users(name)
		with = append(with, `"{`+name+`}"`)
		if i < 3 {
			given = given.Follow(name, "ana").Follow(name, "ben")
		}
	}
	given = given.Follow("ana", "ben").Post("ana", "p1").Post("ben", "p2").
		Does("ben", `mutation { createGroupChat(userIds: [%s], chatId: "large", messageId: "l1", messageText: "hello") { chatId } }`, strings.Join(with, ", ")).
		Does("ana", `mutation { addChatMessage(chatId: "large", messageId: "l2", text: "shout of hers") { messageId } }`)
	apptest.Test(t, With(func(o *app.Options) { o.FanOutLimit = 2 }), func(w *World) {
		w.Do(given...)
		for _, row := range w.Unfilled() {
			if slices.Contains(large, row) {
				t.Errorf("the world has no item of the row %s", row)
			}
		}
		w.OperatorDoes("ozzy", erase)
		w.Settle()
		w.Left(string(w.ID("ana")), "@ana", " of hers")
	}, StaffOptions()...)
}

// large are the rows of large groups and feeds.
var large = []string{"ops largeFollow/{followerUserId} | {followedUserId}", "ops largeMember/{userId} | {chatId}"}

// operator 4#4: nothing is left of somebody who has decided about others, either: what they did is
// that of a pseudonym.
func TestNothingIsLeftOfAnErasedModerator(t *testing.T) {
	TestStaffed(t, Users("ana", "ben", "mod", "ozzy").Post("ana", "p1").Comment("ana", "p1", "c1"), func(w *World) {
		flags(w, "p1", "ben")
		w.Does("ben", `mutation { reportUser(userId: "{ana}", reason: "rude") { userId } }`)
		w.Settle()
		ana, p1 := apptest.Vars{"i": "{ana}"}, apptest.Vars{"id": "social:POST:p1"}
		w.OperatorDoes("mod", `mutation($id: ID!) { claimCase(id: $id) { id } }`, p1)
		w.OperatorDoes("mod", decide, p1, apptest.Vars{"r": 1, "v": "REMOVE"})
		w.Settle()
		w.Does("ana", `mutation { appealDecision(caseId: "social:POST:p1", text: "please") { status } }`)
		w.OperatorDoes("mod", `mutation($id: ID!) { replyToAppeal(id: $id, text: "perhaps") { id } }`, p1)
		w.OperatorDoes("mod", decide, apptest.Vars{"id": w.People.Fill("social:PERSON:{ana}"), "r": 1, "v": "KEEP"})
		w.OperatorDoes("mod", `mutation($i: ID!) { noteOnPerson(id: $i, note: "careful") { id } }`, ana)
		w.OperatorDoes("mod", suspend, ana, apptest.Vars{"r": "spam"})
		w.OperatorDoes("mod", `mutation { saveTemplate(title: "Hello", text: "Hello there") { id } }`)
		w.Settle()
		mine := w.OperatorDoes("ozzy", `{ audit(actor: "{mod}", limit: 50) { items { actor action } } }`).Items("audit.items")
		if len(mine) != 7 || mine[0].Text("actor") != string(w.ID("mod")) {
			t.Errorf("the moderator has done %v", mine)
		}
		w.OperatorDoes("ozzy", `mutation { erasePerson(id: "{mod}", reason: "asked") { id } }`)
		w.Settle()
		w.Left(string(w.ID("mod")), "mod@example.com")
		// What they did is still there.
		decided := w.OperatorDoes("ozzy", `query($id: ID!) { case(id: $id) { decisions { verdict } } audit(limit: 50) { items { actor action } } }`, p1)
		w.Is(decided, "case.decisions", `[{"verdict":"REMOVE"}]`)
		n := 0
		for _, line := range decided.Items("audit.items") {
			if strings.HasPrefix(line.Text("actor"), "person-") {
				n++
			}
		}
		if n != 7 {
			t.Errorf("%d lines have a pseudonym as actor", n)
		}
	})
}

// operator 4#4: a ban of an erased person holds for a year.
func TestBanOfAnErasedPerson(t *testing.T) {
	TestStaffed(t, Users("ana", "ozzy"), func(w *World) {
		w.OperatorDoes("ozzy", suspend, apptest.Vars{"i": "{ana}", "r": "spam", "b": true})
		w.OperatorDoes("ozzy", erase)
		w.Settle()
		hashes := func() (n int) {
			for _, row := range w.Rows()["ops"] {
				if row["partitionKey"] == "bannedHashes" {
					n++
				}
			}
			return n
		}
		if n := hashes(); n != 1 {
			t.Errorf("%d hashes of contacts are kept", n)
		}
		w.Advance(366 * 24 * time.Hour)
		w.RunJob("social.forget-bans")
		if n := hashes(); n != 0 {
			t.Errorf("%d hashes of contacts are kept after a year", n)
		}
	})
}

// fetch requests a file of the service.
func fetch(w *World, path, authorization string) *httptest.ResponseRecorder {
	w.T.Helper()
	r := httptest.NewRequestWithContext(w.T.Context(), http.MethodGet, path, nil)
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	answer := httptest.NewRecorder()
	w.Handler.ServeHTTP(answer, r)
	return answer
}

// unzip returns the files of an archive.
func unzip(t *testing.T, content []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	return files
}

// operator 4#5: what an export contains, and who can fetch it how often.
func TestExport(t *testing.T) {
	given := Users("ana", "ben", "mod", "ozzy").Follow("ana", "ben").Post("ana", "p1").Post("ben", "p2").Comment("ana", "p2", "c1").
		Does("ana", `mutation { addPost(postId: "x1", postType: TEXT_ONLY, text: "<b>bold</b>") { postId } }`).
		Does("ben", `mutation { createDirectChat(userId: "{ana}", chatId: "direct", messageId: "m1", messageText: "hi ana") { chatId } }`)
	TestStaffed(t, given, func(w *World) {
		const ask = `mutation { exportPerson(id: "{ana}", reason: "asked by mail") { id url expiresAt } }`
		w.OperatorRefused("FORBIDDEN", "mod", ask)
		w.OperatorRefused("NOT_FOUND", "ozzy", `mutation { exportPerson(id: "nobody", reason: "x") { id } }`)
		url := w.OperatorDoes("ozzy", ask).Text("exportPerson.url")
		w.OperatorRefused("RATE_LIMITED", "ozzy", ask)
		path := url[strings.Index(url, operator.ExportPath):]
		answer := fetch(w, path, "")
		if answer.Code != http.StatusOK || answer.Header().Get("Content-Type") != "application/zip" {
			t.Fatalf("answer %d %s", answer.Code, answer.Body)
		}
		files := unzip(t, answer.Body.Bytes())
		for name, want := range map[string]string{
			"account.json": `"email": "ana@example.com"`, "social/user.json": `"username": "ana"`, "social/posts.json": `"text":"text of p1"`,
			"social/comments.json": `"commentId":"c1"`, "social/followedUsers.json": `"username":"ben"`, "social/chatMessages.json": `"author":"ben"`,
			"index.html": "&lt;b&gt;bold&lt;/b&gt;",
		} {
			if !strings.Contains(files[name], want) {
				t.Errorf("%s lacks %s: %s", name, want, files[name])
			}
		}
		for name, text := range files {
			if strings.HasSuffix(name, ".json") && !json.Valid([]byte(text)) {
				t.Errorf("%s is no JSON: %s", name, text)
			}
			if strings.Contains(text, "ben@example.com") || strings.Contains(text, "text of p2") {
				t.Errorf("%s has data of another user: %s", name, text)
			}
		}
		if again := fetch(w, path, ""); again.Code != http.StatusNotFound {
			t.Errorf("the second fetch answers %d", again.Code)
		}
		w.Is(w.OperatorDoes("ozzy", audited), "audit.items.0.action", `"exportPerson"`)

		w.Advance(time.Hour)
		url = w.OperatorDoes("ozzy", ask).Text("exportPerson.url")
		w.Advance(11 * time.Minute)
		if late := fetch(w, url[strings.Index(url, operator.ExportPath):], ""); late.Code != http.StatusNotFound {
			t.Errorf("a late fetch answers %d", late.Code)
		}
	})
}

// operator 4#5: an export has, in the words of the API, what a person has chosen about themselves and what they look for,
// and whom they match.
func TestExportOfADater(t *testing.T) {
	given := Daters("ana", "ben").Users("ozzy").Approve("ana", "ben").Details("ana", `likesDisabled: false, location: {latitude: 40, longitude: -75.5, accuracy: 3}`)
	TestStaffed(t, given, func(w *World) {
		url := w.OperatorDoes("ozzy", `mutation { exportPerson(id: "{ana}", reason: "asked by mail") { url } }`).Text("exportPerson.url")
		files := unzip(t, fetch(w, url[strings.Index(url, operator.ExportPath):], "").Body.Bytes())
		var profile map[string]any
		if err := json.Unmarshal([]byte(files["social/user.json"]), &profile); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{
			"location": "map[accuracy:3 latitude:40 longitude:-75.5]", "matchAgeRange": "map[max:100 min:18]", "matchHeightRange": "map[max:117 min:0]",
			"matchLocationRadius": "50", "likesDisabled": "false", "commentsDisabled": "<nil>", "height": "66",
		} {
			if got := fmt.Sprint(profile[name]); got != want {
				t.Errorf("%s is %s, want %s", name, got, want)
			}
		}
		if got := files["social/matchedUsers.json"]; !strings.Contains(got, `"username":"ben","matchStatus":"APPROVED"`) {
			t.Errorf("the matches are %s", got)
		}
	})
}

// operator 4#5: an export has the reports and appeals of a person, and the answers to these without who wrote them.
func TestExportOfReportsAndAppeals(t *testing.T) {
	staffed(t, Users("ana", "ben", "mod", "ozzy").Post("ana", "p1").Post("ben", "p2").FlagPost("ana", "p2"), func(w *World) {
		flags(w, "p1", "ben")
		w.Does("ana", `mutation { reportUser(userId: "{ben}", reason: "fake") { userId } }`)
		w.OperatorDoes("mod", ruled, p1, apptest.Vars{"r": 1, "v": "REMOVE"})
		w.OperatorDoes("mod", ruled, apptest.Vars{"id": "social:POST:p2", "r": 1, "v": "KEEP"})
		w.Does("ana", appeals, p1, apptest.Vars{"t": "It was a joke"})
		w.OperatorDoes("ozzy", `mutation { replyToAppeal(id: "social:POST:p1", text: "Which one?") { id } }`)
		w.Does("ana", replies, p1, apptest.Vars{"t": "That one"})
		url := w.OperatorDoes("ozzy", `mutation { exportPerson(id: "{ana}", reason: "asked by mail") { url } }`).Text("exportPerson.url")
		files := unzip(t, fetch(w, url[strings.Index(url, operator.ExportPath):], "").Body.Bytes())
		for name, want := range map[string][]string{
			"appeals.json": {`"fromAuthor":true`, "It was a joke", `"fromAuthor":false`, "Which one?", "That one"},
			"reports.json": {`"kind":"PERSON"`, `"why":"fake"`, `"kind":"POST","itemId":"p2"`},
		} {
			for _, text := range want {
				if !strings.Contains(files[name], text) {
					t.Errorf("%s lacks %s: %s", name, text, files[name])
				}
			}
			if strings.Contains(files[name], string(w.ID("ozzy"))) {
				t.Errorf("%s says who answers: %s", name, files[name])
			}
		}
	})
}

// operator 4#5: an export has what is only known about a person: what the team has noted, without who has, what they
// bought, which screens they viewed, and a photo whose post is gone.
func TestExportOfWhatIsKnown(t *testing.T) {
	given := Users("ana", "mod", "ozzy").Image("ana", "p1", 40, 30).Details("ana", `photoPostId: "p1"`).DeletePost("ana", "p1").
		Receipt("r1", appstoretest.Receipt{OriginalTransactionID: "t1"}).Buy("ana", "r1").
		Does("ana", `mutation { reportScreenViews(screens: ["Settings"]) }`)
	TestStaffed(t, given, func(w *World) {
		w.OperatorDoes("mod", `mutation { noteOnPerson(id: "{ana}", note: "kind so far") { id } }`)
		url := w.OperatorDoes("ozzy", `mutation { exportPerson(id: "{ana}", reason: "asked by mail") { url } }`).Text("exportPerson.url")
		files := unzip(t, fetch(w, url[strings.Index(url, operator.ExportPath):], "").Body.Bytes())
		for name, want := range map[string]string{
			"notes.json": "kind so far", "social/appStoreReceipts.json": `"originalTransactionId":"t1"`, "social/screenViews.json": `"screen":"Settings"`,
			"social/user.json": "profile-photo.jpg", "social/media/profile-photo.jpg": "\xff\xd8",
		} {
			if !strings.Contains(files[name], want) {
				t.Errorf("%s lacks %s: %.300s", name, want, files[name])
			}
		}
		if strings.Contains(files["notes.json"], string(w.ID("mod"))) {
			t.Errorf("the notes say who wrote them: %s", files["notes.json"])
		}
	})
}

// operator 4#5: people fetch their own data, once an hour.
func TestOwnExport(t *testing.T) {
	TestStaffed(t, Users("ana").Post("ana", "p1"), func(w *World) {
		if answer := fetch(w, "/auth/me/export", ""); answer.Code != http.StatusUnauthorized {
			t.Errorf("nobody is answered %d", answer.Code)
		}
		_, tokens, err := w.Host.Issuer.Mint(t.Context(), string(w.ID("ana")))
		if err != nil {
			t.Fatal(err)
		}
		answer := fetch(w, "/auth/me/export", tokens.AccessToken)
		if files := unzip(t, answer.Body.Bytes()); !strings.Contains(files["social/posts.json"], "text of p1") {
			t.Errorf("posts %s", files["social/posts.json"])
		}
		if answer := fetch(w, "/auth/me/export", tokens.AccessToken); answer.Code != http.StatusTooManyRequests || answer.Header().Get("Retry-After") == "" {
			t.Errorf("the second request is answered %d %s", answer.Code, answer.Body)
		}
	})
}
