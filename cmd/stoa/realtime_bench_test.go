package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// BenchmarkMessages measures the time from sending a message, at 200 messages per second,
// until a subscriber receives it. It includes the mutation, because events follow the
// response.
func BenchmarkMessages(b *testing.B) {
	const rate, count = 200, 2000
	p := startProcess(b, "--store", "embedded:"+b.TempDir())
	ana, ben := signUp(b, p.url, "ana"), signUp(b, p.url, "ben")
	ana.ask(`mutation($id: ID!) { createDirectChat(chatId: "c", userId: $id, messageId: "m", messageText: "hi") { chatId } }`, map[string]any{"id": ben.userID})
	heard := subscribeToMessages(b, ben)
	for b.Loop() {
		sent := make([]time.Time, count)
		var mu sync.Mutex
		var all sync.WaitGroup
		all.Go(func() {
			tick := time.NewTicker(time.Second / rate)
			defer tick.Stop()
			for i := range count {
				<-tick.C
				mu.Lock()
				sent[i] = time.Now()
				mu.Unlock()
				all.Go(func() { ana.say("c", i) })
			}
		})
		took := make([]time.Duration, 0, count)
		for range count {
			m := <-heard
			mu.Lock()
			took = append(took, m.at.Sub(sent[m.number]))
			mu.Unlock()
		}
		all.Wait()
		report(b, took, "")
	}
	p.report(b)
}

// BenchmarkGroup measures the time from sending a message to a group until all 100
// subscribed members have received it.
func BenchmarkGroup(b *testing.B) {
	const members, count = 100, 100
	p := startProcess(b, "--store", "embedded:"+b.TempDir())
	ana := signUp(b, p.url, "ana")
	people, ids := make([]*person, members), make([]string, members)
	for i := range people {
		people[i] = signUp(b, p.url, fmt.Sprintf("member%d", i))
		ids[i] = people[i].userID
	}
	ana.ask(`mutation($ids: [ID!]!) { createGroupChat(chatId: "c", userIds: $ids, messageId: "m", messageText: "hi") { chatId } }`, map[string]any{"ids": ids})
	heard := make(chan message, members)
	for _, member := range people {
		of := subscribeToMessages(b, member)
		go func() {
			for m := range of {
				heard <- m
			}
		}()
	}
	for b.Loop() {
		var each, last []time.Duration
		for i := range count {
			sent := time.Now()
			ana.say("c", i)
			var longest time.Duration
			for range members {
				took := (<-heard).at.Sub(sent)
				each, longest = append(each, took), max(longest, took)
			}
			last = append(last, longest)
		}
		report(b, each, "")
		report(b, last, "last-")
	}
	p.report(b)
}

// BenchmarkIdleSubscriptions measures the memory of a process with 10,000 idle
// subscriptions on a hundred connections.
func BenchmarkIdleSubscriptions(b *testing.B) {
	// The limits are 1,000 per user and 100 per connection.
	const users, connections, each = 12, 108, 93
	p := startProcess(b, "--store", "embedded:"+b.TempDir())
	var people []*person
	for i := range users {
		people = append(people, signUp(b, p.url, fmt.Sprintf("user%d", i)))
	}
	for b.Loop() {
		before := p.memory(b)
		for c := range connections {
			of := people[c%users]
			l := dial(b, of)
			for i := range each {
				l.send(frame{ID: fmt.Sprint(i), Type: "subscribe", Payload: map[string]any{
					"query":     `subscription($me: ID!) { onNotification(userId: $me) { type postId userChatsWithUnviewedMessagesCount } }`,
					"variables": map[string]any{"me": of.userID},
				}})
			}
			l.send(frame{ID: "marker", Type: "subscribe", Payload: map[string]any{"query": `{ self { username } }`}})
			l.expect("next", "marker")
			l.expect("complete", "marker")
		}
		time.Sleep(5 * time.Second) // memory needed during startup is released
		b.ReportMetric(p.memory(b)-before, "MiB-more")
	}
	p.report(b)
}

// BenchmarkExportBesideServing measures by how much the resident memory of a process grows while it
// writes the export of a person, at most. STOA_EXPORT_SHARE is the share of 10,000 posts and 100,000 messages that the
// person has, by default a hundredth.
func BenchmarkExportBesideServing(b *testing.B) {
	share := 0.01
	if s, err := strconv.ParseFloat(os.Getenv("STOA_EXPORT_SHARE"), 64); err == nil {
		share = s
	}
	const chats = 5
	p := startProcess(b, "--store", "embedded:"+b.TempDir())
	ana := signUp(b, p.url, "ana")
	var all sync.WaitGroup
	all.Go(func() {
		for i := range int(10_000 * share) {
			ana.ask(`mutation($p: ID!) { addPost(postId: $p, postType: TEXT_ONLY, text: "a text of some words about nothing") { postId } }`,
				map[string]any{"p": fmt.Sprint("p", i)})
		}
	})
	for c := range chats {
		of, chat := signUp(b, p.url, fmt.Sprint("ben", c)), fmt.Sprint("c", c)
		all.Go(func() {
			of.ask(`mutation($id: ID!, $c: ID!) { createDirectChat(chatId: $c, userId: $id, messageId: $c, messageText: "hi") { chatId } }`,
				map[string]any{"id": ana.userID, "c": chat})
			for i := range int(100_000*share) / chats {
				of.say(chat, c*100_000+i)
			}
		})
	}
	all.Wait()
	time.Sleep(5 * time.Second) // events are delivered
	exported := false
	for b.Loop() {
		if exported {
			continue // once an hour
		}
		exported = true
		idle := p.memory(b)
		peak, stop, stopped := idle, make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for {
				select {
				case <-stop:
					return
				case <-time.After(20 * time.Millisecond):
					peak = max(peak, p.memory(b))
				}
			}
		}()
		r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, p.url+"/auth/me/export", nil)
		if err != nil {
			b.Fatal(err)
		}
		r.Header.Set("Authorization", ana.token)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			b.Fatal(err)
		}
		n, err := io.Copy(io.Discard, answer.Body)
		if answer.Body.Close(); err != nil || answer.StatusCode != http.StatusOK {
			b.Fatal(answer.Status, err)
		}
		close(stop)
		<-stopped
		b.ReportMetric(peak-idle, "MiB-above-idle")
		b.ReportMetric(float64(n)/(1<<20), "MiB-written")
	}
	p.report(b)
}

// message is a message that a subscriber received.
type message struct {
	number int
	at     time.Time
}

func (p *person) say(chat string, i int) {
	p.ask(`mutation($chat: ID!, $id: ID!, $text: String!) { addChatMessage(chatId: $chat, messageId: $id, text: $text) { messageId } }`,
		map[string]any{"chat": chat, "id": fmt.Sprint("m", i), "text": fmt.Sprint(i)})
}

// dial opens a socket for a person.
func dial(b *testing.B, p *person) *listener {
	b.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	b.Cleanup(cancel)
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(p.url, "http")+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { conn.CloseNow() })
	l := &listener{t: b, ctx: ctx, conn: conn}
	l.send(frame{Type: "connection_init", Payload: map[string]any{"Authorization": p.token}})
	l.expect("connection_ack", "")
	return l
}

// subscribeToMessages subscribes to a person's messages, whose texts are numbers, and
// returns those that arrive.
func subscribeToMessages(b *testing.B, p *person) <-chan message {
	b.Helper()
	l := dial(b, p)
	l.send(frame{ID: "events", Type: "subscribe", Payload: map[string]any{
		"query": `subscription($me: ID!) { onChatMessageNotification(userId: $me) { type message { messageId text createdAt authorUserId author { userId username } ` +
			`chat { chatId } textTaggedUsers { tag } } } }`,
		"variables": map[string]any{"me": p.userID},
	}})
	l.send(frame{ID: "marker", Type: "subscribe", Payload: map[string]any{"query": `{ self { username } }`}})
	l.expect("next", "marker")
	l.expect("complete", "marker")
	heard := make(chan message, 100)
	go func() {
		defer close(heard)
		for {
			var f frame
			if wsjson.Read(l.ctx, l.conn, &f) != nil {
				return
			}
			if f.Type != "next" {
				continue
			}
			m := message{at: time.Now()}
			if _, err := fmt.Sscan(at[string](f.Payload, "data.onChatMessageNotification.message.text"), &m.number); err == nil {
				heard <- m
			}
		}
	}()
	return heard
}

func report(b *testing.B, took []time.Duration, name string) {
	slices.Sort(took)
	for _, p := range []int{50, 99} {
		b.ReportMetric(float64(took[(len(took)-1)*p/100])/float64(time.Millisecond), fmt.Sprintf("%sp%d-ms", name, p))
	}
}

// memory returns the resident memory of a process, in MiB.
func (p *process) memory(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		b.Skip("there is no /proc: ", err)
	}
	_, rest, _ := bytes.Cut(status, []byte("VmRSS:"))
	var kib float64
	if _, err := fmt.Sscan(string(rest), &kib); err != nil {
		b.Fatal(err)
	}
	return kib / 1024
}

func (p *process) report(b *testing.B) { b.ReportMetric(p.memory(b), "MiB") }
