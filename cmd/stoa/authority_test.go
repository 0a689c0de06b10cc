package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

const addP1 = `mutation { addPost(postId: "7f1c2c7e-52a4-4a0b-9c64-8e4e0e2d6d0f", postType: TEXT_ONLY, text: "hello") { postId } }`

// Usernames that once had power have none: their flags do not archive, their blocks do not
// disable, and nobody follows them unasked.
func TestUsernamesGiveNoPower(t *testing.T) {
	url := serve(t, "--store", "memory:")
	for _, name := range []string{"real", "ian"} {
		mighty, ana := signUp(t, url, name), signUp(t, url, "ana."+name)
		if n := at[float64](ana.ask(`{ self { followedsCount } }`, nil), "self.followedsCount"); n != 0 {
			t.Errorf("a new user follows %v, after %s signed up", n, name)
		}
		post := strings.ReplaceAll(addP1, "6d0f", map[string]string{"real": "6d01", "ian": "6d02"}[name])
		id := at[string](ana.ask(post, nil), "addPost.postId")
		mighty.ask(`mutation($id: ID!) { flagPost(postId: $id) { flagStatus } }`, map[string]any{"id": id})
		mighty.ask(`mutation($id: ID!) { blockUser(userId: $id) { userId } }`, map[string]any{"id": ana.userID})
		got := ana.ask(`query($id: ID!) { post(postId: $id) { postStatus } self { userStatus } }`, map[string]any{"id": id})
		if status, user := at[string](got, "post.postStatus"), at[string](got, "self.userStatus"); status != "COMPLETED" || user != "ACTIVE" {
			t.Errorf("after a flag and a block by %s, the post is %s and its author %s", name, status, user)
		}
	}
}

// What a moderator has removed, its author cannot restore, and nobody can take the username
// of whom everybody follows.
func TestAModeratorsRemovalSurvivesItsAuthor(t *testing.T) {
	url := serve(t, "--store", "memory:", "--moderators", "mod@example.com", "--followed-by-all", "news", "--operators", "news@example.com")
	news, mod, ana := signUp(t, url, "news"), signUp(t, url, "mod"), signUp(t, url, "ana")
	if n := at[float64](news.ask(`{ self { followersCount } }`, nil), "self.followersCount"); n != 2 {
		t.Errorf("%v follow whom everybody follows", n)
	}
	vars := map[string]any{"id": at[string](ana.ask(addP1, nil), "addPost.postId")}
	const status, restore = `query($id: ID!) { post(postId: $id) { postStatus } }`, `mutation($id: ID!) { restoreArchivedPost(postId: $id) { postStatus } }`
	mod.ask(`mutation($id: ID!) { flagPost(postId: $id) { flagStatus } }`, vars)
	answer := post(t, url+"/graphql", ana.token, http.StatusOK, map[string]any{"query": restore, "variables": vars})
	want := fmt.Sprintf("ClientError: Post `%s` was removed by a moderator", vars["id"])
	if errs, _ := answer["errors"].([]any); len(errs) != 1 || at[string](errs[0], "message") != want {
		t.Errorf("restoring is answered %v", answer)
	}
	if got := at[string](ana.ask(status, vars), "post.postStatus"); got != "ARCHIVED" {
		t.Errorf("the post is %s", got)
	}
	news.ask(`mutation { deleteUser { userId } }`, nil)
	answer = post(t, url+"/graphql", ana.token, http.StatusOK, map[string]any{"query": `mutation { setUserDetails(username: "News") { username } }`})
	if errs, _ := answer["errors"].([]any); len(errs) != 1 || !strings.Contains(at[string](errs[0], "message"), "already taken ") {
		t.Errorf("taking the name is answered %v", answer)
	}
}

// hosts finds the host names in links.
var hosts = regexp.MustCompile(`https?://[^\s/"<>]+`)

// codeIn finds the code in a mail.
var codeIn = regexp.MustCompile(`\b[0-9]{6}\b`)

// Mails and cards name the app of the settings and its host, and no other.
func TestMailsNameOnlyTheirOwnHost(t *testing.T) {
	mails := newMailbox(t)
	server := serve(t, "--store", "memory:", "--identity", "local", "--mailer", "smtp://"+mails.address, "--mail-from", "no-reply@chirp.example",
		"--app-url", "https://chirp.example", "--app-name", "Chirp")
	user := map[string]string{"email": "ana@example.com", "password": "correct horse battery"}
	id := post(t, server+"/auth/sign-up", "", http.StatusCreated, user)["userId"].(string)
	first := mails.next(t)
	code := codeIn.FindString(first)
	post(t, server+"/auth/confirm", "", http.StatusOK, map[string]string{"userId": id, "code": code})
	post(t, server+"/auth/forgot", "", http.StatusAccepted, map[string]string{"email": "ana@example.com"})
	token := post(t, server+"/auth/sign-in", "", http.StatusOK, user)["accessToken"].(string)
	ana := &person{t: t, url: server, token: token, userID: id}
	ana.ask(`mutation { createCognitoOnlyUser(username: "ana") { userId } }`, nil)
	card := at[string](ana.ask(`{ self { cards { items { action } } } }`, nil)["self"].(map[string]any)["cards"].(map[string]any)["items"].([]any)[0], "action")
	for _, text := range []string{first, mails.next(t), card} {
		found := hosts.FindAllString(text, -1)
		for _, host := range found {
			if u, err := url.Parse(host); err != nil || u.Host != "chirp.example" {
				t.Errorf("%s is named in\n%s", host, text)
			}
		}
		if len(found) == 0 || text != card && !strings.Contains(text, "Chirp") || strings.Contains(strings.ToLower(text), "real") {
			t.Errorf("not the app's own:\n%s", text)
		}
	}
}

// Without settings, links lead to the server itself.
func TestCardsOfAFreshServerLinkToIt(t *testing.T) {
	url := serve(t, "--store", "memory:")
	ana := signUp(t, url, "ana")
	card := ana.ask(`{ self { cards { items { action } } } }`, nil)["self"].(map[string]any)["cards"].(map[string]any)["items"].([]any)[0]
	if action := at[string](card, "action"); !strings.HasPrefix(action, url+"/user/") {
		t.Errorf("the card links to %s", action)
	}
}

// What needs a setting that has no default says so.
func TestUnsetAppsAreRefusedByName(t *testing.T) {
	url := serve(t, "--store", "memory:")
	ana := signUp(t, url, "ana")
	for query, setting := range map[string]string{
		`mutation { linkAppleLogin(appleIdToken: "x.y.z") { userId } }`: "apple-clients",
		`mutation { addAppStoreReceipt(receiptData: "r") }`:             "app-store-bundle",
	} {
		answer := post(t, url+"/graphql", ana.token, http.StatusOK, map[string]string{"query": query})
		errs, _ := answer["errors"].([]any)
		if len(errs) != 1 || at[string](errs[0], "errorType") != "ClientError" || !strings.Contains(at[string](errs[0], "message"), setting) {
			t.Errorf("%s is answered %v", query, answer)
		}
	}
	key := t.TempDir() + "/key.p8"
	_, err := run(t, "serve", "--listen", "127.0.0.1:0", "--store", "memory:", "--push", "apns", "--apns-key", key, "--apns-key-id", "K", "--apns-team", "T")
	if err == nil || err.Error() != "push by apns needs the bundle id of the app: set --apns-topic" || exitCode(err) != 2 {
		t.Errorf("push without an app: %v", err)
	}
	s := defaultSettings()
	if unset := strings.Join(s.unset(), "\n"); !strings.Contains(unset, "apple-clients: ") || !strings.Contains(unset, "app-store-bundle: ") {
		t.Errorf("the start says %q", unset)
	}
}

// mailbox is a mail server that keeps what it gets.
type mailbox struct {
	address string
	mails   chan string
}

func newMailbox(t *testing.T) *mailbox {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	b := &mailbox{listener.Addr().String(), make(chan string, 9)}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go b.receive(conn)
		}
	}()
	return b
}

// receive speaks as much SMTP as is needed to get mails.
func (b *mailbox) receive(conn net.Conn) {
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	fmt.Fprint(conn, "220 mailbox\r\n")
	for lines.Scan() {
		switch command, _, _ := strings.Cut(strings.ToUpper(lines.Text()), " "); command {
		case "DATA":
			fmt.Fprint(conn, "354 go on\r\n")
			var mail strings.Builder
			for lines.Scan() && lines.Text() != "." {
				mail.WriteString(lines.Text() + "\n")
			}
			b.mails <- mail.String()
			fmt.Fprint(conn, "250 kept\r\n")
		case "QUIT":
			fmt.Fprint(conn, "221 bye\r\n")
			return
		default:
			fmt.Fprint(conn, "250 fine\r\n")
		}
	}
}

// next returns the next mail.
func (b *mailbox) next(t *testing.T) string {
	t.Helper()
	select {
	case mail := <-b.mails:
		return mail
	case <-t.Context().Done():
		t.Fatal("no mail")
		return ""
	}
}
