package nats

import (
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// Headers of messages. Processes that do not know them ignore them.
const (
	publisherHeader = "Stoa-Publisher"
	numberHeader    = "Stoa-Number"
	// previousHeader is the number of the publisher's previous message on the subject, if it
	// remembers one.
	previousHeader = "Stoa-Previous"
	// kindHeader is the kind of a message without data.
	kindHeader = "Stoa-Kind"
)

// Kinds of messages without data.
const (
	// tail follows the last message on a subject, so that others notice if it is lost.
	tail = "tail"
	// alive and leaves tell that a process is there and that it ends. unsure also tells that
	// its messages may have been lost.
	alive  = "alive"
	leaves = "leaves"
	unsure = "unsure"
)

// beatSubject is the subject of messages about processes. It is not the encoding of any subject.
const beatSubject = "!"

// nothing is the data of messages without any: versions before would otherwise take them for
// one that was too large.
var nothing = []byte("{}")

// outgoing is what this process has sent.
type outgoing struct {
	mu   sync.Mutex
	sent uint64
	// acknowledged is the number up to which the server has all messages.
	acknowledged uint64
	// latest are the numbers of the latest message on each subject, of which former are
	// forgotten next.
	latest, former map[string]uint64
	// unsure is set if messages may be lost of which the others have not been told.
	unsure bool
	// quiet is when the latest message was sent on the subjects that need a tail.
	quiet map[string]time.Time
	// left is set once the others have been told that this process ends. A beat after that would
	// make them believe, in the end, that it has died.
	left bool
}

// maxLatest is the number of subjects after which those of before are forgotten.
const maxLatest = 1 << 16

// send sends a numbered message. If it cannot be sent, its number shows that to the others,
// except for a message that is too large: the caller knows what to do. The caller holds mu.
func (o *outgoing) send(b *Bus, subject string, data []byte) error {
	err := o.number(b, b.subjectOf(subject), subject, data, "")
	if !errors.Is(err, nats.ErrMaxPayload) {
		o.quiet[subject] = time.Now()
	}
	return err
}

func (o *outgoing) number(b *Bus, to, subject string, data []byte, kind string) error {
	o.sent++
	header := nats.Header{publisherHeader: {b.id}, numberHeader: {strconv.FormatUint(o.sent, 10)}}
	if previous := max(o.latest[subject], o.former[subject]); previous > 0 {
		header[previousHeader] = []string{strconv.FormatUint(previous, 10)}
	}
	if kind != "" {
		header[kindHeader] = []string{kind}
	}
	err := b.conn.PublishMsg(&nats.Msg{Subject: to, Data: data, Header: header})
	if errors.Is(err, nats.ErrMaxPayload) {
		o.sent--
		return err
	}
	o.latest[subject] = o.sent
	if len(o.latest) > maxLatest {
		o.latest, o.former = map[string]uint64{}, o.latest
	}
	return err
}

// disconnected notes whether messages may be lost that were being sent.
func (o *outgoing) disconnected() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.unsure = o.unsure || o.sent > o.acknowledged
}

// beat tells other processes that this one is there, and once whether they may have missed
// messages.
func (o *outgoing) beat(b *Bus) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.left {
		return nil
	}
	kind := alive
	if o.unsure {
		kind = unsure
	}
	err := o.number(b, b.prefix+beatSubject, beatSubject, nothing, kind)
	o.unsure = o.unsure && err != nil
	return err
}

// leave tells other processes that this one has sent everything.
func (o *outgoing) leave(b *Bus) {
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = o.number(b, b.prefix+beatSubject, beatSubject, nothing, leaves) // otherwise they find out
	o.left = true
}

// sendTails sends the tails of subjects without a message since a time.
func (o *outgoing) sendTails(b *Bus, before time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for subject, at := range o.quiet {
		if at.Before(before) {
			delete(o.quiet, subject)
			_ = o.number(b, b.subjectOf(subject), subject, nothing, tail) // the next message tells as well
		}
	}
}

// confirm waits until the server has all messages sent so far.
func (o *outgoing) confirm(b *Bus) error {
	o.mu.Lock()
	sent, unsure := o.sent, o.unsure
	o.mu.Unlock()
	if err := b.conn.FlushTimeout(answerTime); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.unsure == unsure { // on the same connection
		o.acknowledged = max(o.acknowledged, sent)
	}
	return nil
}
