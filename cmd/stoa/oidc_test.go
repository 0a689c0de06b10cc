package main

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"stoa/internal/auth/provider/providertest"
)

// Users of an external issuer have whatever ids it gives them, and are users like others.
func TestUsersOfAnotherIssuer(t *testing.T) {
	issuer := providertest.New(t, time.Now)
	url := serve(t, "--store", "memory:", "--identity", "oidc", "--oidc-issuer", issuer.Config().AppleIssuer, "--oidc-audience", providertest.Client,
		"--operators", "44c8a4b8-00a1-70d9-9a2b-1b2c3d4e5f60", "--api-keys", "page")
	join := func(subject, name string) *person {
		p := &person{t: t, url: url, userID: subject, token: issuer.Apple(subject, name+"@example.com", nil)}
		p.ask(`mutation($name: String!) { createCognitoOnlyUser(username: $name) { username } }`, map[string]any{"name": name})
		return p
	}
	ana := join("us-east-1:7f1c2c7e-52a4-4a0b-9c64-8e4e0e2d6d0f", "ana")
	for subject, name := range map[string]string{
		"44c8a4b8-00a1-70d9-9a2b-1b2c3d4e5f60": "cognito",
		"110169484474386276334":                "google",
		"auth0|5f7c8ec7c33c6c004bbafe82":       "auth0",
	} {
		t.Run(name, func(t *testing.T) {
			ben := join(subject, name)
			ben.t = t
			id := map[string]any{"id": subject}
			if got := at[string](ana.ask(`query($id: ID!) { user(userId: $id) { username } }`, id), "user.username"); got != name {
				t.Errorf("found %s", got)
			}
			if got := at[string](ana.ask(`mutation($id: ID!) { followUser(userId: $id) { followedStatus } }`, id), "followUser.followedStatus"); got != "FOLLOWING" {
				t.Errorf("follows: %s", got)
			}
			post := ben.ask(
				`mutation($id: ID!, $image: String!) { addPost(postId: $id, text: "hello", imageInput: { imageData: $image }) { postStatus postedBy { userId } image { url } } }`,
				map[string]any{"id": "by-" + name, "image": photograph(t, 50)},
			)
			if got := at[string](post, "addPost.postedBy.userId"); got != subject {
				t.Errorf("the author is %s", got)
			}
			if status, _ := get(t, at[string](post, "addPost.image.url")); status != http.StatusOK {
				t.Errorf("the image is answered %d", status)
			}
			if feed := ana.feed(); len(feed) == 0 || feed[0] != name+": hello" {
				t.Errorf("ana's feed is %q", feed)
			}
			chat := ben.ask(`mutation($chat: ID!, $to: ID!) { createDirectChat(chatId: $chat, userId: $to, messageId: $chat, messageText: "hi") { users { items { userId } } } }`,
				map[string]any{"chat": "with-" + name, "to": ana.userID})
			if users := at[[]any](chat, "createDirectChat.users.items"); len(users) != 2 {
				t.Errorf("%v are in the chat", users)
			}
		})
	}
	if status, _ := get(t, url+"/auth/me"); status != http.StatusNotFound {
		t.Errorf("/auth/me answers %d", status)
	}
	// Of the side API, pages ask for usernames as with the built-in issuer.
	for _, c := range []struct {
		method, path, key string
		status            int
		want              string
	}{
		{"GET", "/username/status?username=Ana", "page", http.StatusOK, `{"status":"NOT_AVAILABLE"}`},
		{"GET", "/username/status?username=free", "page", http.StatusOK, `{"status":"AVAILABLE"}`},
		{"GET", "/username/status", "page", http.StatusBadRequest, "{\"message\":\"Query parameter `username` is required\"}"},
		{"GET", "/username/status?username=free", "other", http.StatusForbidden, `{"message":"Forbidden"}`},
		{"POST", "/user/confirm?userId=a&code=1", "page", http.StatusNotFound, ""},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, url+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Api-Key", c.key)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if got := strings.TrimSpace(string(body)); err != nil || answer.StatusCode != c.status || c.want != "" && got != c.want {
			t.Errorf("%s %s answers %d %s %v, want %d %s", c.method, c.path, answer.StatusCode, got, err, c.status, c.want)
		}
	}
}
