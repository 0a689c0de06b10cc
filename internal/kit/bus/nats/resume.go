package nats

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"stoa/internal/kit/bus"
)

// questionMark begins the subjects of questions to a process, and of answers to it.
const questionMark = "@"

// questionsTo returns the subject of a question to a process, or of its answers to the process.
func (b *Bus) questionsTo(process, token string) string {
	return b.prefix + questionMark + process + "." + token
}

// asked is what a process is asked for: the messages on a subject since a place there.
type asked struct {
	Subject string
	From    bus.Place
}

// answer is a part of the answer, of which more may follow.
type answer struct {
	bus.Rest
	More bool `json:",omitempty"`
	OK   bool
}

// Limits of an answer, in bytes of data.
const (
	mostInPart   = 256 << 10
	mostAnswered = 4 << 20
)

// question is a subscription that waits for messages of another process.
type question struct {
	held *bus.Held
	from bus.Place
	// rest is what the parts so far have. It is used by the receiving goroutine.
	rest bus.Rest
	// once releases the subscription, which is then sent.
	once     sync.Once
	released chan bus.Subscription
}

func (q *question) release(ok bool) {
	q.once.Do(func() {
		if ok {
			q.released <- q.held.Release(q.from, q.rest, true)
		} else {
			q.released <- q.held.Release(q.from, bus.Rest{}, false)
		}
	})
}

// Resume is Subscribe for a subscriber that has received all messages up to a place. If that
// is in another process, it is asked for what it has kept; what is published meanwhile is
// held back. Messages may be missing if it does not answer in time.
func (b *Bus) Resume(ctx context.Context, subject string, from bus.Place) (bus.Subscription, error) {
	if from.Process == b.id || from.Process == "" || !b.conn.IsConnected() {
		return listen(b, subject, func() (bus.Subscription, error) { return b.local.Resume(ctx, subject, from) })
	}
	_, held, err := begin(b, subject, func() (*bus.Held, error) { return b.local.Hold(ctx, subject), nil })
	if err != nil {
		return bus.Subscription{}, err
	}
	q := &question{held: held, from: from, released: make(chan bus.Subscription, 1)}
	token := rand.Text()
	b.in.mu.Lock()
	b.in.questions[token] = q
	b.in.mu.Unlock()
	defer func() {
		b.in.mu.Lock()
		defer b.in.mu.Unlock()
		delete(b.in.questions, token)
	}()
	// The server has the subscription before the question, and therefore before the answer.
	data, err := json.Marshal(asked{subject, from})
	if err == nil {
		b.out.mu.Lock() // what this process has kept but not held back has been sent
		err = b.conn.PublishMsg(&nats.Msg{Subject: b.questionsTo(from.Process, token), Reply: b.questionsTo(b.id, token), Data: data})
		b.out.mu.Unlock()
	}
	if err != nil {
		q.release(false)
		return <-q.released, nil
	}
	timer := time.AfterFunc(answerTime, func() { q.release(false) })
	defer timer.Stop()
	return <-q.released, nil
}

// answered handles a question to this process, or a part of an answer to it.
func (b *Bus) answered(m *nats.Msg) {
	if m.Reply != "" {
		b.answer(m)
		return
	}
	b.in.mu.Lock()
	q := b.in.questions[m.Subject[strings.LastIndexByte(m.Subject, '.')+1:]]
	b.in.mu.Unlock()
	if q == nil {
		return // too late
	}
	var part answer
	if json.Unmarshal(m.Data, &part) != nil || !part.OK { // without data if there is no such process
		q.release(false)
		return
	}
	q.rest.Messages = append(q.rest.Messages, part.Messages...)
	if part.Before != nil {
		q.rest.Before = part.Before
	}
	if !part.More {
		q.release(true)
	}
}

// answer sends what this process has kept. It has sent all of its own messages before.
func (b *Bus) answer(m *nats.Msg) {
	var a asked
	if json.Unmarshal(m.Data, &a) != nil {
		return
	}
	b.out.mu.Lock()
	defer b.out.mu.Unlock()
	rest, ok := b.local.Since(a.Subject, a.From)
	kept := rest.Messages
	if size(kept) > mostAnswered {
		kept, rest.Before, ok = nil, nil, false
	}
	for first := true; first || len(kept) > 0; first = false {
		n := 0
		for bytes := 0; n < len(kept) && bytes <= mostInPart; n++ {
			bytes += len(kept[n].Data)
		}
		data, err := json.Marshal(answer{bus.Rest{Messages: kept[:n], Before: rest.Before}, n < len(kept), ok})
		if err == nil {
			err = b.conn.PublishMsg(&nats.Msg{Subject: m.Reply, Data: data})
		}
		if err != nil {
			b.log.Warn("a subscription cannot be resumed in another process", "error", err)
			return
		}
		kept = kept[n:]
	}
}

func size(messages []bus.Kept) (bytes int) {
	for _, m := range messages {
		bytes += len(m.Data)
	}
	return bytes
}
