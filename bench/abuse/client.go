package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

var client = &http.Client{Timeout: 60 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

func do(r *http.Request) (int, []byte, error) {
	response, err := client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, body, err
}

func (t *target) post(path, token string, body any) (int, []byte, error) {
	return t.postWith(http.Header{"Authorization": {token}}, path, body)
}

func (t *target) postWith(header http.Header, path string, body any) (int, []byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	r, err := http.NewRequest(http.MethodPost, t.url+path, bytes.NewReader(text))
	if err != nil {
		return 0, nil, err
	}
	r.Header = header
	r.Header.Set("Content-Type", "application/json")
	return do(r)
}

func (t *target) ask(token, query string, variables map[string]any) (int, []byte, error) {
	return t.post("/graphql", token, map[string]any{"query": query, "variables": variables})
}

const (
	honestClients = 16
	// largePosts is the number of posts with largeText, which make up a large response.
	largePosts = 47
	largeText  = 200_000
)

// prepare signs users up: one for each honest client and, last, the attacker, whose posts
// are large.
func (t *target) prepare() error {
	for i := range honestClients + 1 {
		name := fmt.Sprintf("person%d", i)
		credentials := map[string]string{"email": name + "@example.com", "password": "a long password"}
		status, body, err := t.post("/auth/sign-up", "", credentials)
		var signedUp struct{ UserID string }
		if err != nil || status != 201 || json.Unmarshal(body, &signedUp) != nil {
			return fmt.Errorf("sign-up: %d %s %w", status, body, err)
		}
		code, err := t.mails.code(credentials["email"])
		if err != nil {
			return err
		}
		t.attackerID = signedUp.UserID // that of the last one
		if status, body, err := t.post("/auth/confirm", "", map[string]string{"userId": signedUp.UserID, "code": code}); err != nil || status >= 300 {
			return fmt.Errorf("confirm: %d %s %w", status, body, err)
		}
		_, body, err = t.post("/auth/sign-in", "", credentials)
		var signedIn struct{ AccessToken string }
		if err != nil || json.Unmarshal(body, &signedIn) != nil || signedIn.AccessToken == "" {
			return fmt.Errorf("sign-in: %s %w", body, err)
		}
		t.tokens = append(t.tokens, signedIn.AccessToken)
		if _, body, err := t.ask(
			signedIn.AccessToken,
			`mutation($n:String!){createCognitoOnlyUser(username:$n){userId}}`,
			map[string]any{"n": name},
		); err != nil ||
			bytes.Contains(body, []byte("errors")) {
			return fmt.Errorf("profile: %s %w", body, err)
		}
	}
	// Attacks use up what one address may have of them.
	_, body, err := t.post("/auth/anonymous", "", nil)
	var anonymous struct{ AccessToken string }
	if err != nil || json.Unmarshal(body, &anonymous) != nil || anonymous.AccessToken == "" {
		return fmt.Errorf("anonymous identity: %s %w", body, err)
	}
	t.anonymous = anonymous.AccessToken
	for i := range largePosts {
		if _, body, err := t.ask(
			t.attacker(),
			`mutation($id:ID!,$t:String){addPost(postId:$id,postType:TEXT_ONLY,text:$t){postId}}`,
			map[string]any{
				"id": fmt.Sprintf("00000000-0000-4000-8000-%012d", i),
				"t":  strings.Repeat("x", largeText),
			},
		); err != nil || bytes.Contains(body, []byte("errors")) {
			return fmt.Errorf("post: %.300s %w", body, err)
		}
	}
	return nil
}

// readPosts makes an honest client read the attacker's posts several times: more than the
// caches hold.
func (t *target) readPosts(times int) error {
	for range times {
		if err := t.must(
			t.tokens[0],
			`query($of:ID!){user(userId:$of){posts(limit:30){items{text}}}}`,
			map[string]any{"of": t.attackerID},
		); err != nil {
			return fmt.Errorf("posts: %w", err)
		}
	}
	return nil
}

const (
	// cachedPosts posts of each honest client, with texts of cachedText bytes, fill the cache of items, which has
	// 46 MiB and takes no larger ones, and several times the memory for recent writes.
	cachedPosts = 220
	cachedText  = 14_000
)

// fillCaches makes the honest clients write and read as much as the caches hold. Otherwise these would be filled by the
// attacks, and taken for memory that is not released.
func (t *target) fillCaches() error {
	failures := make([]error, honestClients)
	var all sync.WaitGroup
	for i := range honestClients {
		all.Go(func() { failures[i] = t.writeAndRead(i) })
	}
	all.Wait()
	return errors.Join(failures...)
}

func (t *target) writeAndRead(client int) error {
	text := strings.Repeat("y", cachedText)
	id := func(post int) string { return fmt.Sprintf("00000000-0000-4000-8001-%06d%06d", client, post) }
	const add = `mutation($id:ID!,$t:String){addPost(postId:$id,postType:TEXT_ONLY,text:$t){postId}}`
	for post := range cachedPosts {
		if err := t.must(t.tokens[client], add, map[string]any{"id": id(post), "t": text}); err != nil {
			return err
		}
	}
	for post := range cachedPosts {
		if err := t.must(t.tokens[client], `query($id:ID!){post(postId:$id){text}}`, map[string]any{"id": id(post)}); err != nil {
			return err
		}
	}
	return nil
}

// must sends an operation again while it is refused for its rate, and returns an error if it fails.
func (t *target) must(token, query string, variables map[string]any) error {
	for {
		status, body, err := t.ask(token, query, variables)
		switch {
		case err != nil:
			return err
		case status == http.StatusTooManyRequests:
			time.Sleep(100 * time.Millisecond)
		case bytes.Contains(body, []byte("errors")):
			return fmt.Errorf("%d %.300s", status, body)
		default:
			return nil
		}
	}
}

func (t *target) attacker() string { return t.tokens[honestClients] }
