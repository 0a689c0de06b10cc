package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// BenchmarkTwoPersonTopic is the processor time of the server for messages in a two-person
// topic, at 200 a second, that a subscriber of the topic hears, and the time until then.
func BenchmarkTwoPersonTopic(b *testing.B) {
	const rate, count = 200, 2000
	p := startProcess(b, "--systems", "messaging", "--store", "embedded:"+b.TempDir())
	url := p.url + "/messaging/graphql"
	ask := func(token, query string, variables map[string]any) map[string]any {
		return post(b, url, token, http.StatusOK, map[string]any{"query": query, "variables": variables})
	}
	account := func(login string) (token, id string) {
		made := ask("", `mutation($l: String!) { createAccount(input: {login: $l, password: "correct horse"}) { token user { id } } }`, map[string]any{"l": login})
		return at[string](made, "data.createAccount.token"), at[string](made, "data.createAccount.user.id")
	}
	ana, _ := account("anabel")
	ben, benID := account("benedict")
	topic := at[string](ask(ana, `mutation($u: ID!) { startChat(userId: $u) { id } }`, map[string]any{"u": benID}), "data.startChat.id")

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(url, "http"), &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		b.Fatal(err)
	}
	defer conn.CloseNow()
	l := &listener{t: b, ctx: ctx, conn: conn}
	l.send(frame{Type: "connection_init", Payload: map[string]any{"Authorization": ben}})
	l.expect("connection_ack", "")
	l.send(frame{ID: "events", Type: "subscribe", Payload: map[string]any{
		"query": `subscription($t: ID!) { topicEvents(topicId: $t) { kind message { seqId content createdAt from { id } } } }`, "variables": map[string]any{"t": topic},
	}})
	l.send(frame{ID: "marker", Type: "subscribe", Payload: map[string]any{"query": `{ me { id } }`}})
	l.expect("next", "marker")
	l.expect("complete", "marker")
	heard := make(chan message, count)
	go func() {
		for {
			var f frame
			if wsjson.Read(ctx, conn, &f) != nil {
				return
			}
			if f.Type == "next" {
				heard <- message{int(at[float64](f.Payload, "data.topicEvents.message.content")), time.Now()}
			}
		}
	}()
	for b.Loop() {
		sent := make([]time.Time, count)
		var mu sync.Mutex
		var all sync.WaitGroup
		before := p.processor(b)
		all.Go(func() {
			tick := time.NewTicker(time.Second / rate)
			defer tick.Stop()
			for i := range count {
				<-tick.C
				mu.Lock()
				sent[i] = time.Now()
				mu.Unlock()
				all.Go(func() {
					ask(ana, `mutation($t: ID!, $c: JSON!) { publish(topicId: $t, content: $c) { seqId } }`, map[string]any{"t": topic, "c": i})
				})
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
		b.ReportMetric((p.processor(b)-before)*1000/count, "cpu-s/1k")
	}
	p.report(b)
}

// processor is how long a process has kept processors busy, in seconds.
func (p *process) processor(b *testing.B) float64 {
	b.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		b.Skip("there is no /proc: ", err)
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	var user, system float64
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		b.Fatal(err)
	}
	const ticks = 100 // a second, on Linux
	return (user + system) / ticks
}
