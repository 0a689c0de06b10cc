package nats

import (
	"encoding/base64"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"stoa/internal/kit/bus"
)

// incoming is what this process knows of the messages of others.
type incoming struct {
	mu sync.Mutex
	// heard is the number of the latest message of each process on each subject.
	heard map[string]map[string]uint64
	// beats are the latest signs of life of the other processes that give them.
	beats map[string]time.Time
}

// receiveAll handles messages until the bus is closed.
func (b *Bus) receiveAll() {
	for {
		select {
		case m := <-b.incoming:
			b.receive(m)
		case <-b.closed:
			return
		}
	}
}

func (b *Bus) receive(m *nats.Msg) {
	name := strings.TrimPrefix(m.Subject, b.prefix)
	if name == beatSubject {
		b.beaten(m.Header)
		return
	}
	decoded, err := base64.RawURLEncoding.DecodeString(name)
	if err != nil {
		return // not one of ours
	}
	subject := string(decoded)
	if b.in.missed(subject, m.Header) {
		b.log.Warn("messages of another process have not arrived, the subscriptions to their subject end", "subject", subject)
		b.local.Lose(subject)
	}
	switch {
	case m.Header.Get(kindHeader) == tail:
	case len(m.Data) == 0:
		b.local.Lose(subject) // the message was too large to be sent
	default:
		if !b.local.Deliver(subject, bus.Unknown, m.Data) {
			b.in.leave(subject)
		}
	}
}

// missed counts a message with the given header, and reports whether any is missing before it.
func (i *incoming) missed(subject string, h nats.Header) bool {
	publisher := h.Get(publisherHeader)
	number, err := strconv.ParseUint(h.Get(numberHeader), 10, 64)
	if publisher == "" || err != nil {
		return false // from a process of an earlier version
	}
	previous, _ := strconv.ParseUint(h.Get(previousHeader), 10, 64) // 0 if it is unknown
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.heard[subject] == nil {
		i.heard[subject] = map[string]uint64{}
	}
	latest := i.heard[subject][publisher]
	i.heard[subject][publisher] = max(number, latest)
	return latest > 0 && previous > latest
}

// forget makes the next message of each process the first.
func (i *incoming) forget() {
	i.mu.Lock()
	defer i.mu.Unlock()
	clear(i.heard)
	clear(i.beats)
}

// leave forgets the numbers of a subject that is not heard any more.
func (i *incoming) leave(subject string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.heard, subject)
}

// beaten handles a message about another process.
func (b *Bus) beaten(h nats.Header) {
	publisher, kind := h.Get(publisherHeader), h.Get(kindHeader)
	if kind == "" {
		return // from a process of an earlier version, which does not repeat it
	}
	b.in.mu.Lock()
	if kind == leaves {
		delete(b.in.beats, publisher)
	} else {
		b.in.beats[publisher] = time.Now()
	}
	b.in.mu.Unlock()
	if kind == unsure {
		b.lose("another process had lost its connection to NATS", "process", publisher)
	}
}

// silent returns the processes that have given no sign of life since a time, once.
func (i *incoming) silent(since time.Time) (dead []string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for process, beat := range i.beats {
		if beat.Before(since) {
			dead = append(dead, process)
			delete(i.beats, process)
		}
	}
	return dead
}

// awake makes now the latest sign of life of all processes.
func (i *incoming) awake(now time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for process := range i.beats {
		i.beats[process] = now
	}
}

// beatAll gives signs of life and looks for those of others until the bus is closed.
func (b *Bus) beatAll() {
	every := time.NewTicker(b.beatEvery)
	defer every.Stop()
	_ = b.out.beat(b) // the next one will do
	for last := time.Now(); ; {
		select {
		case <-every.C:
		case <-b.closed:
			return
		}
		now := time.Now()
		if now.Sub(last) > b.deadAfter/2 {
			b.in.awake(now) // it is this process that was stopped
		}
		last = now
		b.beatOnce(now)
	}
}

func (b *Bus) beatOnce(now time.Time) {
	if b.conn.IsConnected() {
		_ = b.out.beat(b)
		b.out.sendTails(b, now.Add(-b.beatEvery/2))
		b.confirm()
		if dead := b.in.silent(now.Add(-b.deadAfter)); len(dead) > 0 {
			b.lose("another process has died, and may not have sent all events", "processes", dead)
		}
	}
	b.local.Prune()
	b.unlisten()
}
