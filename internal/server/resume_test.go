package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/bus"
	"stoa/internal/outbox"
	"stoa/internal/server/internal/testgraph"
)

// told is the message of a tick.
type told struct {
	testgraph.Tick
	UserID string `json:"-"`
}

// Subject is that of the user's ticks.
func (t told) Subject() string { return "ticks of " + t.UserID }

// listenOn makes a service show the ticks that are told on a bus.
func (s *service) listenOn(b outbox.Bus) {
	s.graph.Listen = func(ctx context.Context, userID string) (<-chan *testgraph.Tick, error) {
		return outbox.Listen[testgraph.Tick](ctx, b, told{UserID: userID}.Subject(), time.Now(), nil)
	}
}

// tellOn publishes a tick for a user.
func tellOn(b outbox.Bus, userID string, number int) error {
	return outbox.Publish(context.Background(), b, time.Now(), told{testgraph.Tick{Number: number}, userID})
}

// live is a service whose ticks are told on a bus.
type live struct {
	*service
	bus *bus.Local
}

func newLive(t *testing.T) live {
	s := live{newService(t, nil), &bus.Local{}}
	s.listenOn(s.bus)
	return s
}

func (s live) tell(t *testing.T, numbers ...int) {
	t.Helper()
	for _, n := range numbers {
		if err := tellOn(s.bus, ana, n); err != nil {
			t.Fatal(err)
		}
	}
}

// resumeMessage is subscribeMessage with a cursor, as JSON.
func resumeMessage(id, since string) string {
	return fmt.Sprintf(`{"id":%q,"type":"subscribe","payload":{"query":%s,"extensions":{"since":%s}}}`, id, quoted(onTick), since)
}

func quoted(text string) string {
	data, _ := json.Marshal(text)
	return string(data)
}

// next expects an event and returns its cursor.
func (c *wsClient) next(id, data string) (cursor string) {
	c.t.Helper()
	var m struct {
		ID, Type string
		Payload  struct {
			Data       json.RawMessage
			Errors     json.RawMessage
			Extensions map[string]any
		}
	}
	text := c.receive()
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		c.t.Fatal(err)
	}
	cursor, _ = m.Payload.Extensions["cursor"].(string)
	if m.ID != id || m.Type != "next" || string(m.Payload.Data) != data || m.Payload.Errors != nil || len(m.Payload.Extensions) != 1 || cursor == "" {
		c.t.Errorf("got %s, want the data %s and a cursor", text, data)
	}
	return cursor
}

// gap expects an empty event that tells of a gap, and returns its cursor.
func (c *wsClient) gap(id string) (cursor string) {
	c.t.Helper()
	text := c.receive()
	const cursors = `([A-Z2-7]+(\.[0-9a-z]+){4})`
	pattern := `^\{"id":"` + id + `","type":"next","payload":\{"data":null,"extensions":\{"gap":true,"cursor":"` + cursors + `"\}\}\}$`
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if found == nil {
		c.t.Fatalf("got %s, want a gap", text)
	}
	return found[1]
}

func tick(number int) string { return fmt.Sprintf(`{"onTick":{"number":%d}}`, number) }

// realtime 14#1,4,6,8: every event has a cursor; a subscription since one of them continues
// after it, and one that cannot says so first.
func TestASubscriptionResumesOverASocket(t *testing.T) {
	s := newLive(t)
	base := s.listen(t)
	first := dial(t, base+"/graphql", nil).initialise()
	first.send(subscribeMessage("s", onTick))
	<-s.graph.Subscribed
	s.tell(t, 1, 2)
	cursor := first.next("s", tick(1))
	first.next("s", tick(2))
	first.conn.CloseNow()
	s.tell(t, 3)
	second := dial(t, base+"/graphql", nil).initialise()
	second.send(resumeMessage("a", quoted(cursor)))
	for _, n := range []int{2, 3} {
		cursor = second.next("a", tick(n))
	}
	second.send(resumeMessage("b", quoted("of somebody else")))
	gap := second.gap("b")
	second.send(resumeMessage("c", `""`))
	second.gap("c")
	second.send(resumeMessage("d", quoted(cursor)))
	second.send(resumeMessage("e", `null`))
	for range "abcde" {
		<-s.graph.Subscribed
	}
	// One that has not yet looked for its cursor when everything is lost would begin with a gap.
	s.tell(t, 4)
	for range "abcde" {
		second.receive()
	}
	s.bus.LoseAll()
	second.expectClose(1013, bus.Missed)
	third := dial(t, base+"/graphql", nil).initialise()
	for _, since := range []string{cursor, gap} {
		third.send(resumeMessage("s", quoted(since)))
		third.gap("s")
		third.send(`{"id":"s","type":"complete"}`)
	}
	third.send(`{"id":"s","type":"subscribe","payload":{"query":"{__typename}","extensions":{"since":5}}}`)
	third.expectClose(4400, "`payload` of subscribe: `extensions.since` must be a string")
}

// A subscription without cursors cannot be resumed.
func TestASubscriptionWithoutCursorsHasGapsOnly(t *testing.T) {
	s := newService(t, nil)
	c := dial(t, s.listen(t)+"/graphql", nil).initialise()
	c.send(resumeMessage("s", `"x"`))
	c.expect(`{"id":"s","type":"next","payload":{"data":null,"extensions":{"gap":true}}}`)
	c.send(`{"id":"q","type":"subscribe","payload":{"query":"{greeting(name:\"ben\")}","extensions":{"since":"x"}}}`)
	c.expect(`{"id":"q","type":"next","payload":{"data":{"greeting":"Hello ben"}}}`)
}

// realtime 14#8: slow clients are closed; what they have missed is there when they come back.
func TestAClientThatWasTooSlowMissesNothing(t *testing.T) {
	s := newLive(t)
	base := s.listen(t)
	c := dial(t, base+"/graphql", nil).initialise()
	c.send(subscribeMessage("s", onTick))
	<-s.graph.Subscribed
	const all = 100_000
	told := 1
	s.tell(t, told)
	cursor := c.next("s", tick(told)) // what follows may be lost with the connection
	for flooded := false; !flooded && told < all; {
		told++
		s.tell(t, told)
		select {
		case <-s.graph.Unsubscribed:
			flooded = true
		default:
		}
	}
	last := 1
	for {
		_, message, err := c.conn.Read(t.Context())
		if err != nil {
			break
		}
		last++
		if _, cursor, _ = strings.Cut(string(message), `"cursor":"`); cursor == "" || !strings.Contains(string(message), tick(last)) {
			t.Fatalf("got %s, want tick %d", message, last)
		}
		cursor, _, _ = strings.Cut(cursor, `"`)
	}
	if told == all || last == told {
		t.Fatalf("%d of %d events were read", last, told)
	}
	again := dial(t, base+"/graphql", nil).initialise()
	again.send(resumeMessage("s", quoted(cursor)))
	for n := last + 1; n <= min(told, last+1000); n++ {
		again.next("s", tick(n))
	}
}

// realtime 14#2,4: the cursor is the id of an event, and browsers send the last one.
func TestASubscriptionResumesAsAnEventStream(t *testing.T) {
	s := newLive(t)
	target := s.listen(t) + "/graphql"
	get := func(last string) *eventReader {
		stream := openStream(t, http.DefaultClient, call(t, "GET", target+"?query="+url.QueryEscape(onTick), "", "Last-Event-ID", last))
		stream.expect(alive)
		<-s.graph.Subscribed
		return stream
	}
	event := func(stream *eventReader, data string) (id string) {
		t.Helper()
		block := stream.block()
		found := regexp.MustCompile(`^id: (\S+)\nevent: next\ndata: (.*)\n$`).FindStringSubmatch(block)
		if found == nil || found[2] != data {
			t.Fatalf("got %q, want %s", block, data)
		}
		return found[1]
	}
	stream := get("")
	s.tell(t, 1, 2)
	id := event(stream, `{"data":`+tick(1)+`}`)
	event(stream, `{"data":`+tick(2)+`}`)
	stream.response.Body.Close()
	s.tell(t, 3)
	event(get(id), `{"data":`+tick(2)+`}`)
	body := fmt.Sprintf(`{"query":%s,"extensions":{"since":%s}}`, quoted(onTick), quoted(id))
	posted := openStream(t, http.DefaultClient, call(t, "POST", target, body))
	posted.expect(alive)
	event(posted, `{"data":`+tick(2)+`}`)
	event(posted, `{"data":`+tick(3)+`}`)
	const gap = `{"data":null,"extensions":{"gap":true}}`
	after := event(get("17"), gap)
	s.tell(t, 4)
	resumed := get(after)
	event(resumed, `{"data":`+tick(4)+`}`)
}

// realtime 14#9: an event that could not be read is told as a gap, a refusal is not.
func TestAnEventThatCannotBeReadIsAGap(t *testing.T) {
	s := newLive(t)
	base := s.listen(t)
	const labels = `subscription{onTick(userId:"` + ana + `"){label}}`
	socket := dial(t, base+"/graphql", nil).initialise()
	socket.send(subscribeMessage("s", labels))
	<-s.graph.Subscribed
	stream := openStream(t, http.DefaultClient, call(t, "GET", base+"/graphql?query="+url.QueryEscape(labels), ""))
	stream.expect(alive)
	<-s.graph.Subscribed
	for number, gap := range map[int]bool{1: false, 13: false, 31: true} {
		s.tell(t, number)
		_, data, _ := strings.Cut(stream.block(), "data: ")
		for _, result := range []string{data, socket.receive()} {
			if strings.Contains(result, `"gap":true`) != gap {
				t.Errorf("event %d: %s, want a gap: %t", number, result, gap)
			}
		}
	}
}

// AppSync's clients see what they always have (realtime 14#6).
func TestAppSyncHasNoCursors(t *testing.T) {
	s := newLive(t)
	c := dialAppSync(t, s.listen(t)+"/graphql/realtime", "ana", nil).acknowledge()
	c.send(startMessage("s", onTick, "ana"))
	c.expect(`{"type":"start_ack","id":"s"}`)
	s.tell(t, 1)
	c.expect(`{"id":"s","type":"data","payload":{"data":` + tick(1) + `}}`)
}
