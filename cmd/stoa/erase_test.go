package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"stoa/systems/messaging"
)

// operator 4#4: after an erasure, an export of the whole store, with all systems, has neither the
// id nor a name, a contact or a text of the person, in whatever table.
func TestNothingIsLeftInAnExport(t *testing.T) {
	store := []string{"--store", "embedded:" + filepath.Join(t.TempDir(), "data"), "--systems", "social,pantry,communities,messaging,archive"}
	server := startProcess(t, append([]string{"--moderators", "ben@example.com", "--weigh-reports"}, store...)...)
	ana, ben := signUp(t, server.url, "quirkana"), signUp(t, server.url, "ben")
	for _, query := range []string{
		`mutation { setUserDetails(fullName: "Anastasia Quirk", bio: "biography of hers") { userId } }`,
		`mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "post of hers") { postId } }`,
		`mutation { addAlbum(albumId: "a1", name: "album of hers") { albumId } }`,
		`mutation { createGroupChat(userIds: ["` + ben.userID + `"], chatId: "g1", messageId: "m1", messageText: "speech of hers") { chatId } }`,
	} {
		ana.ask(query, nil)
	}
	for _, query := range []string{
		`mutation { addPost(postId: "p2", postType: TEXT_ONLY, text: "look at @quirkana") { postId } }`,
		`mutation { flagPost(postId: "p1", reason: "rude") { postId } }`,
		`mutation { reportUser(userId: "` + ana.userID + `", reason: "rude") { userId } }`,
		`mutation { addComment(commentId: "c1", postId: "p1", text: "hello @quirkana") { commentId } }`,
	} {
		ben.ask(query, nil)
	}
	ana.ask(`mutation { addComment(commentId: "c2", postId: "p2", text: "remark of hers") { commentId } }`, nil)
	ana.ask(`mutation { flagPost(postId: "p2", reason: "report of hers") { postId } }`, nil)
	moderator := &person{t: t, url: server.url + "/operator", token: ben.token}
	moderator.ask(`mutation { decideCase(id: "social:POST:p1", revision: 1, verdict: REMOVE) { id } }`, nil)
	moderator.ask(`mutation { decideCase(id: "social:PERSON:`+ana.userID+`", revision: 1, verdict: REMOVE) { id } }`, nil)
	moderator.ask(`mutation { decideCase(id: "social:POST:p2", revision: 1, verdict: KEEP) { id } }`, nil)
	moderator.ask(`mutation { noteOnPerson(id: "`+ana.userID+`", note: "note on hers") { id } }`, nil)
	cook := &person{t: t, url: server.url + "/pantry", token: ana.token}
	cook.ask(`mutation { createUser(input: {name: "Anastasia Quirk"}) { id } }`, nil)
	group := at[string](cook.ask(`mutation { createGroup(name: "kitchen of hers") { id } }`, nil), "createGroup.id")
	cook.ask(`mutation($g: ID!) { createContainer(groupId: $g, name: "shelf of hers") { id } }`, map[string]any{"g": group})
	reader := &person{t: t, url: server.url + "/archive", token: ana.token}
	reader.ask(`mutation { signIn { id } }`, nil)

	own := func(system, create, path string) string {
		answer := post(t, server.url+"/"+system+"/graphql", "", http.StatusOK, map[string]string{"query": create})
		if answer["errors"] != nil {
			t.Fatal(answer)
		}
		return at[string](answer, path)
	}
	register := `mutation { register(input: {username: "quirkana", name: "Anastasia Quirk", email: "quirkana@example.com", password: "correct horse",
		location: {city: "a", state: "b", country: "c"}}) { user { id } } }`
	inCommunities := own("communities", register, "data.register.user.id")
	account := `mutation { createAccount(input: {scheme: BASIC, login: "quirkana", password: "correct horse"}) { user { id } } }`
	inMessaging := own("messaging", account, "data.createAccount.user.id")

	before := exportedText(t, store)
	for _, trace := range []string{ana.userID, "reporter/" + ana.userID, "quirkana", "Anastasia", " of hers"} {
		if !strings.Contains(before, trace) {
			t.Errorf("before, the store lacks %q", trace)
		}
	}
	erased := func(find string) {
		t.Helper()
		if out, err := run(t, append(append([]string{"person", "erase", "--reason", "asked", "--yes"}, store...), "--", find)...); err != nil {
			t.Fatalf("erase %s: %v\n%s", find, err, out)
		}
	}
	erased(ana.userID)
	erased(inCommunities)
	stored, _ := messaging.ParseUser(inMessaging) // in the form that operators see
	erased(string(stored))
	traces := []string{ana.userID, inCommunities, inMessaging, string(stored), "quirkana", "Anastasia", "Quirk", " of hers", "on hers"}
	var found []string
	defer func() { // says what a failed wait has waited for
		if t.Failed() {
			t.Log(strings.Join(found, ""))
		}
	}()
	left := func() int {
		text := exportedText(t, store)
		found = nil
		for _, trace := range traces {
			for line := range strings.Lines(text) {
				if strings.Contains(line, trace) {
					found = append(found, trace+": "+line)
				}
			}
		}
		return len(found)
	}
	waitUntil(t, "nothing is left once events are delivered", func() bool { return left() == 0 })
	server.end(syscall.SIGTERM)
	if out, err := run(t, append([]string{"check"}, store...)...); err != nil {
		t.Errorf("afterwards: %v\n%s", err, out)
	}
}

var encoded = regexp.MustCompile(`[A-Za-z0-9_-]{24,}`)

// exportedText returns an export as text, with what is in base64 in it decoded.
func exportedText(t *testing.T, store []string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "export.ndjson.gz")
	if out, err := run(t, append([]string{"export", name}, store...)...); err != nil {
		t.Fatalf("export: %v\n%s", err, out)
	}
	packed, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	return encoded.ReplaceAllStringFunc(string(text), func(s string) string {
		if plain, err := base64.RawURLEncoding.DecodeString(s); err == nil {
			return s + " " + string(plain)
		}
		return s
	})
}
