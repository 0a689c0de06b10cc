package messaging

import (
	"fmt"
	"slices"
)

// SeqRange is a range of message numbers, with both ends inclusive.
type SeqRange struct{ Low, High int }

// Deletion selects messages to be deleted: those up to Before, or single ones.
type Deletion struct {
	Before *int
	Seqs   []int
	Ranges []SeqRange
	Hard   bool
}

// Numbers returns the numbers of single messages, sorted and distinct, or an error if there
// are none, too many, or Before is also set.
func (d Deletion) Numbers() ([]int, error) {
	listed := d.Seqs != nil || d.Ranges != nil
	if listed == (d.Before != nil) {
		return nil, badInput("ONE_OF", "Give before, or seqIds and ranges")
	}
	if !listed {
		return nil, nil
	}
	numbers := slices.Clone(d.Seqs)
	for _, r := range d.Ranges {
		if r.Low < 1 || r.High < r.Low {
			return nil, badInput("INVALID_RANGE", "ranges: from low, at least 1, to high: not %d to %d", r.Low, r.High)
		}
		if r.High-r.Low >= MaxDeleted {
			return nil, tooMany()
		}
		for n := r.Low; n <= r.High; n++ {
			numbers = append(numbers, n)
		}
		if len(numbers) > (1+len(d.Seqs)+len(d.Ranges))*MaxDeleted {
			return nil, tooMany()
		}
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	switch {
	case len(numbers) > MaxDeleted:
		return nil, tooMany()
	case len(numbers) == 0:
		return nil, badInput("INVALID_RANGE", "seqIds and ranges name no message")
	case numbers[0] < 1:
		return nil, badInput("INVALID_RANGE", "seqIds: numbers begin with 1, not %d", numbers[0])
	}
	return numbers, nil
}

// Single returns the number of the message if the deletion is about a single one.
func (d Deletion) Single() (seq int, is bool) {
	if len(d.Seqs) != 1 || len(d.Ranges) > 0 || d.Before != nil {
		return 0, false
	}
	return d.Seqs[0], true
}

func tooMany() error {
	return badInput("TOO_MANY", "One call deletes %d messages by their numbers at most", MaxDeleted)
}

// CheckBefore refuses a number outside those of the topic's messages.
func CheckBefore(before int, t *Topic) error {
	if before < 1 || before > t.SeqID {
		return badInput("INVALID_RANGE", "before lies between 1 and %d, not %d", t.SeqID, before)
	}
	return nil
}

// BeyondEnd returns the error for a number beyond the topic's last message.
func BeyondEnd(n int, t *Topic) error {
	return badInput("INVALID_RANGE", "The last message of the topic is %d, there is no %d", t.SeqID, n)
}

// Deleted is the result of a deletion.
type Deleted struct {
	Topic   TopicID
	ClearID int
	SeqIds  []int
	Hard    bool
	Changed bool
}

func (d *Deleted) TopicID() string { return string(d.Topic) }

// String returns a text that identifies the span.
func (s Span) String() string { return fmt.Sprint(s.Since, " ", s.Before) }

// Span is a range of message numbers from Since, inclusive, to Before, exclusive; 0 means
// unbounded.
type Span struct{ Since, Before int }
