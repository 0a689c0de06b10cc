package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Two processes serve one store behind an endpoint, and share events over NATS. Subscribers
// of one receive the events of the other, and the death of either loses nothing that had
// been acknowledged (realtime 3#6 and service E5).
func TestTwoProcessesOnOneStore(t *testing.T) {
	if testing.Short() {
		t.Skip("starts five processes")
	}
	bus, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	go bus.Start()
	if !bus.ReadyForConnections(patience) {
		t.Fatal("the NATS server does not start")
	}
	t.Cleanup(bus.Shutdown)
	t.Setenv("AWS_ACCESS_KEY_ID", "any")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "any")
	t.Setenv("AWS_REGION", "us-east-1")
	tables := start(t, "dynamodb", "--store", "embedded:"+t.TempDir())
	if _, err := run(t, "tables", "apply", "--store", tables); err != nil {
		t.Fatal(err)
	}
	join := func() *process {
		return startProcess(t, "--store", tables, "--bus", bus.ClientURL())
	}
	one, two := join(), join()

	ana, ben := signUp(t, one.url, "ana"), signUp(t, two.url, "ben")
	ben.ask(`mutation($id: ID!) { followUser(userId: $id) { followedStatus } }`, map[string]any{"id": ana.userID})
	events := ben.listen()
	ana.ask(`mutation($id: ID!) { createDirectChat(chatId: "c", userId: $id, messageId: "m0", messageText: "hi") { chatId } }`, map[string]any{"id": ben.userID})
	if got := events.event(); got != "USER_CHATS_WITH_UNVIEWED_MESSAGES_COUNT_CHANGED" {
		t.Errorf("ben hears %s of a chat opened at the other process", got)
	}
	ana.ask(`mutation { addPost(postId: "p0", postType: TEXT_ONLY, text: "post 0") { postId } }`, nil)
	if got := events.event(); got != "USER_FEED_CHANGED" {
		t.Errorf("ben hears %s of a post at the other process", got)
	}

	// Each dies in turn, right after a response, and the other takes over its pending work.
	const rounds = 3
	for round := 1; round <= rounds; round++ {
		dies, lives := one, two
		if round%2 == 0 {
			dies, lives = two, one
		}
		doing := ana.from(dies)
		doing.ask(fmt.Sprintf(`mutation { addPost(postId: "p%d", postType: TEXT_ONLY, text: "post %d with @ben") { postId } }`, round, round), nil)
		doing.ask(fmt.Sprintf(`mutation { addChatMessage(chatId: "c", messageId: "m%d", text: "message %d") { messageId } }`, round, round), nil)
		dies.end(syscall.SIGKILL)
		reader := ben.from(lives)
		self := reader.ask(
			`{ self { chatsWithUnviewedMessagesCount cardCount cards { items { title } } chats { items { messagesCount unviewed: messagesCount(viewedStatus: NOT_VIEWED) } } } }`,
			nil,
		)
		// The cards are for a photo, the chat, and a mention in each post so far.
		if cards := at[float64](self, "self.cardCount"); cards != float64(2+round) {
			t.Errorf("ben has %v cards, want %d: %v", cards, 2+round, at[any](self, "self.cards.items"))
		}
		if n := at[float64](self, "self.chatsWithUnviewedMessagesCount"); n != 1 {
			t.Errorf("ben has %v chats to view, want 1", n)
		}
		chat := at[[]any](self, "self.chats.items")[0]
		if n := at[float64](chat, "unviewed"); n != float64(1+round) {
			t.Errorf("ben has %v messages to view, want %d", n, 1+round)
		}
		if feed := reader.feed(); len(feed) != 1+round {
			t.Errorf("ben's feed is %q, want %d posts", feed, 1+round)
		}
		if round%2 == 0 {
			two = join()
		} else {
			one = join()
		}
	}

	// An interrupted mutation is stored as a whole or not at all; if it is stored, all of
	// its effects follow, because the other process delivers what was committed.
	posting := ana.from(one)
	sent := make(chan int)
	go func() {
		n := 0
		defer func() { sent <- n }()
		for ; n < 500; n++ {
			if !posting.tries(fmt.Sprintf(`mutation { addPost(postId: "q%d", postType: TEXT_ONLY, text: "hello @ben") { postId } }`, n)) {
				return
			}
		}
	}()
	time.Sleep(300 * time.Millisecond)
	one.end(syscall.SIGKILL)
	answered := <-sent
	if answered == 0 || answered == 500 {
		t.Fatalf("%d posts were answered, want some", answered)
	}
	reader, author := ben.from(two), ana.from(two)
	for giveUp := time.Now().Add(patience); ; time.Sleep(200 * time.Millisecond) {
		posts := at[float64](author.ask(`{ self { postCount } }`, nil), "self.postCount")
		cards := at[float64](reader.ask(`{ self { cardCount } }`, nil), "self.cardCount")
		feed := reader.feedCount()
		if posts < float64(1+rounds+answered) {
			t.Fatalf("%v posts are left of %d answered", posts, 1+rounds+answered)
		}
		// The first post has no mention.
		if feed == int(posts) && cards == 2+posts-1 {
			break
		}
		if time.Now().After(giveUp) {
			t.Fatalf("of %v posts ben has %d in the feed and %v cards", posts, feed, cards)
		}
	}
}

// from returns the person as connected to another process.
func (p *person) from(at *process) *person {
	return &person{t: p.t, url: at.url, userID: p.userID, token: p.token}
}

// tries runs an operation and reports whether it succeeded.
func (p *person) tries(query string) bool {
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		return false
	}
	request, err := http.NewRequest(http.MethodPost, p.url+"/graphql", bytes.NewReader(body))
	if err != nil {
		return false
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", p.token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	var answer struct{ Errors []any }
	return json.NewDecoder(response.Body).Decode(&answer) == nil && len(answer.Errors) == 0
}

// feedCount returns the number of posts in the person's feed, read in pages.
func (p *person) feedCount() (n int) {
	p.t.Helper()
	for token := any(nil); ; {
		data := p.ask(`query($token: String) { self { feed(limit: 100, nextToken: $token) { items { postId } nextToken } } }`, map[string]any{"token": token})
		feed := at[map[string]any](data, "self.feed")
		n += len(feed["items"].([]any))
		if token = feed["nextToken"]; token == nil {
			return n
		}
	}
}
