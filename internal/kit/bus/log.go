package bus

import "time"

// Limits of what is kept for subscribers who come back.
const (
	// Keep is how long messages are kept, and a subject after its last subscriber has left.
	Keep = 5 * time.Minute
	// maxKeptBytes is the approximate memory of kept messages on all subjects.
	maxKeptBytes = 32 << 20
	// maxUnheard is the number of departures that are remembered. Subjects that their
	// subscribers left earlier are dropped.
	maxUnheard = 1 << 14
)

// entryBytes is the approximate memory of a kept message besides its data.
const entryBytes = 160

// entry is a message that is kept.
type entry struct {
	data   []byte
	at     Sequence
	number uint64
	time   time.Time
	of     *log
}

// log holds the latest messages of a subject in order.
type log struct {
	// from is the number since which the log has all messages.
	from    uint64
	entries []*entry
}

// after returns the entries after a number, or false if some are missing.
func (l *log) after(number uint64) ([]*entry, bool) {
	if number < l.from {
		return nil, false
	}
	first := len(l.entries)
	for first > 0 && l.entries[first-1].number > number {
		first--
	}
	return l.entries[first:], true
}

// kept are the kept messages of all subjects.
type kept struct {
	// number is that of the latest message, on any subject.
	number uint64
	// entries are in the order of their numbers, as they are in each log.
	entries []*entry
	bytes   int
	// unheard are the latest departures of last subscribers, in order.
	unheard []departure
}

// departure is when a subject lost its last subscriber, since when it may have won another.
type departure struct {
	name string
	of   *subject
	time time.Time
}

// add numbers a message and keeps it in a log.
func (k *kept) add(l *log, now time.Time, at Sequence, data []byte) *entry {
	k.number++
	e := &entry{data: data, at: at, number: k.number, time: now, of: l}
	l.entries = append(l.entries, e)
	k.entries = append(k.entries, e)
	k.bytes += e.bytes()
	for k.bytes > maxKeptBytes {
		k.removeOldest()
	}
	return e
}

func (e *entry) bytes() int { return entryBytes + len(e.data) }

func (k *kept) removeOldest() {
	e := k.entries[0]
	k.entries = pop(k.entries)
	k.bytes -= e.bytes()
	e.of.entries, e.of.from = pop(e.of.entries), e.number
}

// pop removes the first element, whose memory is not kept.
func pop[T any](queue []T) []T {
	var none T
	queue[0] = none
	if len(queue) == 1 {
		return nil
	}
	return queue[1:]
}

// leave records that a subject has lost its last subscriber, if so. The caller holds mu.
func (b *Local) leave(name string, of *subject) {
	if len(of.subscribers) == 0 {
		of.unheard = b.now()
		b.kept.unheard = append(b.kept.unheard, departure{name, of, of.unheard})
	}
}

// prune removes what is kept no longer, and returns the subjects that are gone. The caller
// holds mu and calls tellDropped once it does not.
func (b *Local) prune() (gone []string) {
	k := &b.kept
	if len(k.entries) == 0 && len(k.unheard) == 0 {
		return nil
	}
	before := b.now().Add(-Keep)
	for len(k.entries) > 0 && k.entries[0].time.Before(before) {
		k.removeOldest()
	}
	for len(k.unheard) > 0 && (k.unheard[0].time.Before(before) || len(k.unheard) > maxUnheard) {
		d := k.unheard[0]
		k.unheard = pop(k.unheard)
		if len(d.of.subscribers) == 0 && d.of.unheard.Equal(d.time) && b.subjects[d.name] == d.of {
			delete(b.subjects, d.name)
			gone = append(gone, d.name)
		}
	}
	return gone
}

func (b *Local) tellDropped(gone []string) {
	if b.Dropped != nil {
		for _, name := range gone {
			b.Dropped(name)
		}
	}
}

// Prune removes what is kept no longer. Other methods do too, when they are called.
func (b *Local) Prune() {
	b.mu.Lock()
	gone := b.prune()
	b.mu.Unlock()
	b.tellDropped(gone)
}
