package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket/wsjson"

	"stoa/bench/cluster"
	"stoa/bench/load"
)

// history is what a subscriber has heard of the messages of a friend.
type history struct {
	user, friend *user
	heard        []heard
	// gaps are the times at which a gap was told.
	gaps []time.Time
	// resumed is the number of connections, events that of the events, and again that of those
	// that had been heard.
	resumed, events, again int
	// excused is the number of messages that a gap explains, and across that of messages in
	// another order than they were sent to different processes.
	excused, across int
	// cursor was sent by the process from, at cursorAt.
	cursor   string
	from     *cluster.Process
	cursorAt time.Time
	// log is what happened on the connections, for a look at what is lost.
	log []entry
	// why counts gaps by what explains them.
	why map[string]int
}

// entry is something that happened on a connection.
type entry struct {
	at   time.Time
	what string
}

func (h *history) note(format string, args ...any) {
	h.log = append(h.log, entry{time.Now(), fmt.Sprintf(format, args...)})
}

// around returns what happened on the connections around the time of a message.
func (h *history) around(m *message) string {
	var b strings.Builder
	fmt.Fprintf(&b, "message %d was sent to %s at %s and answered after %s", m.number, m.by, m.sent.Format(clock), m.told.Sub(m.sent))
	for _, e := range h.log {
		if e.at.After(m.sent.Add(-told)) && e.at.Before(m.told.Add(covers)) {
			fmt.Fprintf(&b, "\n   %s %s", e.at.Format(clock), e.what)
		}
	}
	return b.String()
}

const clock = "15:04:05.000"

// heard is an event about a message with a number.
type heard struct {
	number int
	at     time.Time
	// segment is the number of gaps before it.
	segment int
}

// listenAll subscribes all users until ctx is done.
func (c *chaos) listenAll(ctx context.Context) (all []*history) {
	for i, u := range c.model.users {
		h := &history{user: u, friend: c.model.users[i^1], why: map[string]int{}}
		all = append(all, h)
		random := rand.New(rand.NewPCG(*seed, 1000+uint64(i)))
		begun := make(chan struct{})
		go func() {
			at := c.some(random)
			for ctx.Err() == nil {
				if at.Ended() || random.IntN(4) == 0 {
					at = c.some(random)
				}
				h.connect(ctx, c, at, random, begun)
				pause(ctx, between(random, 50*time.Millisecond, 300*time.Millisecond))
			}
		}()
		select {
		case <-begun:
		case <-time.After(patience):
		}
	}
	return all
}

// connect listens over one connection, until it breaks or a random time has passed.
func (h *history) connect(ctx context.Context, c *chaos, at *cluster.Process, random *rand.Rand, begun chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, between(random, 2*time.Second, 20*time.Second))
	defer cancel()
	conn, err := load.Dial(ctx, "ws"+strings.TrimPrefix(at.URL, "http")+"/graphql", map[string]any{"Authorization": h.user.Token})
	if err != nil {
		return
	}
	defer conn.CloseNow()
	conn.SetReadLimit(1 << 20)
	h.resumed++
	h.note("connected to %s since %q", at.URL, h.cursor)
	const query = `subscription($me: ID!) { onChatMessageNotification(userId: $me) { type message { text } } }`
	if wsjson.Write(ctx, conn, map[string]any{"id": "1", "type": "subscribe", "payload": map[string]any{
		"query": query, "variables": map[string]any{"me": h.user.ID}, "extensions": map[string]any{"since": h.cursor},
	}}) != nil {
		return
	}
	for {
		var f struct {
			Type    string
			Payload struct {
				Data *struct {
					OnChatMessageNotification *struct {
						Type    string
						Message struct{ Text string }
					}
				}
				Errors     []any
				Extensions struct {
					Cursor string
					Gap    bool
				}
			}
		}
		_, text, err := conn.Read(ctx)
		if err == nil {
			err = json.Unmarshal(text, &f)
		}
		if err != nil {
			h.note("the connection ends: %v", err)
			return
		}
		h.note("%s", text)
		switch f.Type {
		case "ping":
			if wsjson.Write(ctx, conn, load.Frame{Type: "pong"}) != nil {
				return
			}
			continue
		case "next":
		default: // it has ended
			return
		}
		now := time.Now()
		if f.Payload.Extensions.Gap {
			h.gaps = append(h.gaps, now)
			if f.Payload.Errors != nil {
				h.why["an event could not be read"]++
			} else {
				h.why[c.reason(h, at)]++
			}
			select {
			case <-begun:
			default:
				close(begun)
			}
		} else if d := f.Payload.Data; d != nil && d.OnChatMessageNotification != nil && d.OnChatMessageNotification.Type == "ADDED" {
			if n, err := strconv.Atoi(d.OnChatMessageNotification.Message.Text); err == nil {
				h.heard = append(h.heard, heard{n, now, len(h.gaps)})
			}
		}
		if f.Payload.Extensions.Cursor != "" {
			h.cursor, h.from, h.cursorAt = f.Payload.Extensions.Cursor, at, now
		}
	}
}

// reason returns what explains that a process has told a gap to a subscriber.
func (c *chaos) reason(h *history, at *cluster.Process) string {
	switch {
	case h.cursor == "":
		return "first"
	case h.from.Ended():
		return "of a process that has ended"
	case h.from != at:
		return "moved to another process"
	case c.since(h.cursorAt, &c.killed):
		return "another process was killed"
	case c.since(h.cursorAt, &c.stopped):
		return "a process was stopped"
	default:
		return "unexplained"
	}
}

// since reports whether something has happened since a time, or shortly before it: that a process
// is silent is noticed after ten seconds.
func (c *chaos) since(at time.Time, happened *[]time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(*happened, func(t time.Time) bool { return t.After(at.Add(-told)) })
}

// happened notes that a process was killed or stopped, or that it runs again.
func (c *chaos) happened(what *[]time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*what = append(*what, time.Now())
}

// covers is how long after a message a gap may be told that concerns it: the death of a process is
// noticed after ten seconds, and a subscriber may meet stopped processes before it has connected
// again.
const covers = 45 * time.Second

// excuses reports whether a gap was told that concerns a message.
func (h *history) excuses(m *message) bool {
	return slices.ContainsFunc(h.gaps, func(gap time.Time) bool { return gap.After(m.sent) && gap.Before(m.told.Add(covers)) })
}

// judge returns an error unless a subscriber has heard all messages of the friend, in order as far
// as they were sent to one process, or was told of a gap.
func (c *chaos) judge(h *history) error {
	first := map[int]heard{}
	for _, e := range h.heard {
		h.events++
		if _, again := first[e.number]; again {
			h.again++
			continue
		}
		first[e.number] = e
	}
	var lost, swapped []int
	for i, m := range h.friend.sent {
		e, there := first[m.number]
		if !there {
			if h.friend.messages[m.id].is != present {
				continue
			}
			if h.excuses(m) {
				h.excused++
			} else {
				lost = append(lost, m.number)
				log.Print(h.around(m))
			}
			continue
		}
		for _, earlier := range h.friend.sent[max(0, i-20):i] {
			before, there := first[earlier.number]
			if !there || !before.at.After(e.at) || before.segment != e.segment {
				continue
			}
			if m.by == "" || m.by != earlier.by {
				h.across++
			} else {
				swapped = append(swapped, m.number)
			}
		}
	}
	if len(lost)+len(swapped) == 0 {
		return nil
	}
	return fmt.Errorf("%s has not heard the messages %v of %s, nor of a gap, and heard %v too early", h.user.Name, lost, h.friend.Name, swapped)
}
