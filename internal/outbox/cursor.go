package outbox

import (
	"context"
	"strconv"
	"strings"
	"time"

	"stoa/internal/kit/bus"
)

// cursor is what a client knows of its place in a subscription: as much as another
// subscription needs to go on there. It grants nothing: what a client has not seen is shown to
// it as to any other subscriber.
type cursor struct {
	bus.Place
	// skip is the number of events of the message after the place that have been sent.
	skip int
	// began is when the first subscription started, in milliseconds.
	began time.Time
}

// String returns the cursor as the client's text: five fields separated by dots, of which all
// but the process are numbers in base 36.
func (c cursor) String() string {
	text := append(make([]byte, 0, 48), c.Process...)
	for _, n := range [...]uint64{c.Number, uint64(c.skip), uint64(c.Began), uint64(c.began.UnixMilli())} {
		text = strconv.AppendUint(append(text, '.'), n, 36)
	}
	return string(text)
}

// parseCursor returns false for what is no cursor of ours.
func parseCursor(text string) (c cursor, ok bool) {
	const longest = 128
	fields := strings.Split(text, ".")
	if len(text) > longest || len(fields) != 5 || !isProcess(fields[0]) {
		return c, false
	}
	var numbers [4]uint64
	for i := range numbers {
		n, err := strconv.ParseUint(fields[i+1], 36, 64)
		if err != nil {
			return c, false
		}
		numbers[i] = n
	}
	const mostEvents = 1 << 20
	if numbers[1] >= mostEvents {
		return c, false
	}
	place := bus.Place{Process: fields[0], Number: numbers[0], Began: bus.Sequence(numbers[2])}
	return cursor{place, int(numbers[1]), time.UnixMilli(int64(numbers[3]))}, true
}

// isProcess reports whether a text has the form of the id of a process, which becomes part of
// subjects.
func isProcess(text string) bool {
	return text != "" && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// progress is how far a subscription has come. It is used by one goroutine at a time.
type progress struct {
	trail *bus.Trail
	// began is when the first subscription started.
	began time.Time
	// several is set if messages may have several events.
	several bool
	// resumed is the place where this subscription resumes, and skip the number of events of
	// the message after it that the client has received.
	resumed bus.Place
	skip    int
	// place is that after the message whose events are being sent, and sent is the number of
	// events so far.
	place bus.Place
	sent  int
}

// begin subscribes, and resumes an earlier subscription if the client of ctx asks for that.
func begin(ctx context.Context, b Bus, subject string, now time.Time, several bool) (*progress, <-chan bus.Message, error) {
	p := &progress{trail: bus.TrailOf(ctx), began: now, several: several}
	since, asked := p.trail.Since()
	if !asked {
		messages, err := b.Subscribe(ctx, subject)
		return p, messages, err
	}
	from, _ := parseCursor(since) // the zero place is in no process
	s, err := b.Resume(ctx, subject, from.Place)
	if err != nil {
		return p, nil, err
	}
	if s.Continuous {
		p.resumed, p.skip = from.Place, from.skip
		if from.began.Before(now) {
			p.began = from.began
		}
		p.trail.Start(since, true)
	} else {
		p.trail.Start(cursor{s.Place, 0, now}.String(), false)
	}
	return p, s.Messages, nil
}

// enter begins with the events of a message.
func (p *progress) enter(m bus.Message) { p.place, p.sent = m.Place, 0 }

// leave counts an event that is about to be sent, and gives the client its cursor. It returns
// false for an event that the client has received.
func (p *progress) leave() bool {
	p.sent++
	if p.sent <= p.skip && p.place.Process == p.resumed.Process && p.place.Number == p.resumed.Number+1 {
		return false
	}
	if p.trail == nil {
		return true
	}
	after := cursor{p.place, 0, p.began}
	if p.several { // more may follow
		after.Number, after.skip = p.place.Number-1, p.sent
	}
	p.trail.Leave(after.String())
	return true
}
