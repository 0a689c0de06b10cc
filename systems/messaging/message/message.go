// Package message manages messages: publishing, reading, replacing and deleting them, and
// the receipts of subscribers.
//
// Messages of a topic are numbered from 1 without gaps: a message and the last number of
// its topic are written together, and after a conflict the next number is tried. Within a
// process, publishers in a topic take turns, so that many of them do not conflict.
package message

import (
	"context"
	"slices"
	"time"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/input"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/turns"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// Store stores messages. Changes fail with a conflict if something has changed since it was
// read.
type Store interface {
	messaging.Reader
	Publish(ctx context.Context, m *messaging.Message, frame *messaging.Subscription, original *messaging.Message, events ...outbox.Record) error
	// Hold stores a message that others do not see, Withdraw deletes it, Reject leaves a stub of it,
	// and Release publishes it.
	Hold(ctx context.Context, w messaging.Holding, events ...outbox.Record) error
	Withdraw(ctx context.Context, m *messaging.Message, by *messaging.Subscription, events ...outbox.Record) error
	Reject(ctx context.Context, m, stub *messaging.Message, author *messaging.Subscription, decided desk.CaseStep, events ...outbox.Record) error
	Release(ctx context.Context, w messaging.Releasing, events ...outbox.Record) error
	Note(ctx context.Context, before, after *messaging.Subscription) error
	ClearOwn(ctx context.Context, before, after *messaging.Subscription, events ...outbox.Record) error
	Clear(ctx context.Context, t messaging.TopicID, upto int, events ...outbox.Record) error
	// Erase and Hide take at most messaging.DeletedTogether messages.
	Erase(ctx context.Context, erased []*messaging.Message, events ...outbox.Record) error
	// Report stores a report of a message.
	Report(ctx context.Context, m *messaging.Message, r desk.Reporting, events ...outbox.Record) error
	// Keep stores the decision to keep a message, EraseFor that to delete it for everybody,
	// and Restore that to bring one back that was deleted for everybody.
	Keep(ctx context.Context, m *messaging.Message, decided desk.CaseStep, events ...outbox.Record) error
	EraseFor(ctx context.Context, erased *messaging.Message, decided desk.CaseStep, events ...outbox.Record) error
	Restore(ctx context.Context, m *messaging.Message, at time.Time, decided desk.CaseStep, events ...outbox.Record) error
	// By returns messages in groups by a user, deleted ones too. Disown removes the publisher
	// from deleted ones.
	By(ctx context.Context, id messaging.UserID, q page.Query) (page.Page[*messaging.Message], error)
	Disown(ctx context.Context, deleted []*messaging.Message) error
	Hide(ctx context.Context, hidden []*messaging.Message, id messaging.UserID, events ...outbox.Record) error
	List(ctx context.Context, t messaging.TopicID, in messaging.Span, q page.Query, newestFirst bool) (page.Page[*messaging.Message], error)
}

// Service implements the message area. Its fields are set once.
type Service struct {
	decision.Frame
	Store     Store
	Lifetimes messaging.Lifetimes
	// Cases has the cases of what was reported or held.
	Cases Cases
	// Checker checks messages before others are shown them; nil if nothing is checked.
	Checker desk.Checker

	// writers serialize publishing in the same topic.
	writers *turns.Turns
}

// New returns the area.
func New(store Store, cases Cases, frame decision.Frame, lifetimes messaging.Lifetimes) *Service {
	return &Service{Store: store, Cases: cases, Frame: frame, Lifetimes: lifetimes, writers: turns.New(1)}
}

// maxRounds is how often a decision to publish is run, each time with the retry limit of the frame,
// before its conflict is returned.
const maxRounds = 8

// Publish publishes a message.
func (s *Service) Publish(ctx context.Context, v viewer.Viewer, name string, d messaging.Draft) (*messaging.SeenMessage, error) {
	return s.say(ctx, v, name, func() (*writing, error) {
		p, err := s.writes(ctx, v, name)
		if err != nil {
			return nil, err
		}
		if err := messaging.CheckClientID(d.ClientID); err != nil {
			return nil, err
		}
		head, err := messaging.ParseHead(d.Head, p.Topic.ID, v.UserID)
		if err := input.First(err, messaging.CheckSize(d.Content, head)); err != nil {
			return nil, err
		}
		if messaging.RepliedBy(head) > p.SeqID {
			return nil, messaging.ErrReference
		}
		w := &writing{Place: p, Draft: d, head: head}
		if seq := messaging.ReplacedBy(head); seq > 0 {
			w.original, err = s.own(ctx, p, seq)
		}
		return w, err
	})
}

// writing is a message as the rules allow it. original is the message that it replaces, or nil.
type writing struct {
	*messaging.Place
	messaging.Draft
	head     messaging.JSON
	original *messaging.Message
}

// say publishes what prepare returns, or holds it, as its content check says. The check is not made in
// the author's turn: others need not wait for it.
func (s *Service) say(ctx context.Context, v viewer.Viewer, name string, prepare func() (*writing, error)) (*messaging.SeenMessage, error) {
	found, err := s.check(ctx, prepare)
	if err != nil {
		return nil, err
	}
	t, _ := messaging.ParseTopic(name, v.UserID)
	done, err := s.writers.Acquire(ctx, string(t), 1)
	defer done()
	if err != nil {
		return nil, err
	}
	for attempts := 1; ; attempts++ {
		seen, err := decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*messaging.SeenMessage, error) {
			w, err := prepare()
			if err != nil {
				return nil, err
			}
			if !found.Allows() {
				return s.hold(ctx, a, w, found)
			}
			return s.store(ctx, a, w, found.Failed)
		})
		if refusal.KindOf(err) != refusal.Conflict || attempts == maxRounds {
			return seen, err
		}
	}
}

// writes reads a topic for a viewer who may publish there, or returns an error.
func (s *Service) writes(ctx context.Context, v viewer.Viewer, name string) (*messaging.Place, error) {
	p, err := messaging.Look(ctx, s.Store, v.UserID, name, "", messaging.Wanted{})
	switch {
	case err != nil:
		return nil, err
	case p.IsOwn():
		return nil, messaging.ErrReadOnly
	case !p.Mine.May(messaging.Write):
		return nil, messaging.ErrNoWrite
	}
	return p, nil
}

// own reads a message by the viewer that has not been deleted.
func (s *Service) own(ctx context.Context, p *messaging.Place, seq int) (*messaging.Message, error) {
	if slices.Contains(p.Mine.Held, seq) {
		return nil, messaging.ErrHeld
	}
	m, err := s.message(ctx, p, seq)
	switch {
	case err != nil:
		return nil, err
	case !m.Exists(s.Now()) || seq <= p.Mine.Cleared(p.Topic) || m.DeletedBy(p.Viewer.ID):
		return nil, messaging.ErrNoMessage
	case m.From != p.Viewer.ID:
		return nil, messaging.ErrNotAuthor
	}
	return m, nil
}

// message returns a message with a number, or one that is held for the viewer, or nil.
func (s *Service) message(ctx context.Context, p *messaging.Place, seq int) (*messaging.Message, error) {
	if seq < 1 && !slices.Contains(p.Mine.Held, seq) {
		return nil, nil
	}
	ref := messaging.MessageRef{Topic: p.Topic.ID, Seq: seq}
	facts, err := s.Store.Facts(ctx, messaging.Wanted{Messages: []messaging.MessageRef{ref}})
	if err != nil {
		return nil, err
	}
	if m := facts.Messages[ref]; seq > 0 || p.Mine.Holds(m, s.Now()) {
		return m, nil
	}
	return nil, nil
}

// message returns the message at a time, without its number.
func (w *writing) message(now time.Time, lifetimes messaging.Lifetimes) *messaging.Message {
	m := &messaging.Message{
		From: w.Viewer.ID, CreatedAt: now, Head: w.head, Content: w.Content, Expires: now.Add(lifetimes.Of(w.Topic.ID)).Truncate(time.Second),
	}
	if w.ClientID != nil {
		m.ClientID = *w.ClientID
	}
	return m
}

// store stores a message under the next number of its topic.
func (s *Service) store(ctx context.Context, a *decision.Attempt, w *writing, unchecked bool) (*messaging.SeenMessage, error) {
	p, m := w.Place, w.message(s.Now(), s.Lifetimes)
	m.MessageRef, m.Unchecked = messaging.MessageRef{Topic: p.Topic.ID, Seq: p.SeqID + 1}, unchecked
	records := a.Emit(messaging.PublishedFor(m, p.Peer, w.NoEcho))
	return m.SeenBy(p.Viewer.ID, p.Mine), s.Store.Publish(ctx, m, p.Mine, w.original, records...)
}

// Edit publishes a message that replaces one of the viewer's.
func (s *Service) Edit(ctx context.Context, v viewer.Viewer, name string, seq int, content messaging.JSON) (*messaging.SeenMessage, error) {
	return s.say(ctx, v, name, func() (*writing, error) {
		p, err := s.writes(ctx, v, name)
		if err != nil {
			return nil, err
		}
		original, err := s.own(ctx, p, seq)
		if err != nil {
			return nil, err
		}
		head := messaging.Replacing(seq, original.Head)
		if err := messaging.CheckSize(content, head); err != nil {
			return nil, err
		}
		return &writing{p, messaging.Draft{Content: content}, head, original}, nil
	})
}

// Note stores the viewer's receipts, or notifies others that they are typing. Neither has an
// event: typing is transient, and receipts can be read.
func (s *Service) Note(ctx context.Context, v viewer.Viewer, name string, kind messaging.NoteKind, seq *int) (*messaging.SeenSubscription, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*messaging.SeenSubscription, error) {
		p, err := messaging.Look(ctx, s.Store, v.UserID, name, "", messaging.Wanted{})
		switch {
		case err != nil:
			return nil, err
		case kind == messaging.NoteTyping && p.IsOwn():
			return nil, messaging.ErrReadOnly
		case kind == messaging.NoteTyping && !p.Mine.May(messaging.Write):
			return nil, messaging.ErrNoWrite
		case kind == messaging.NoteTyping:
			a.Tell(messaging.InTopic{News: messaging.News{Kind: messaging.TypingEvent, Topic: p.Topic.ID, User: v.UserID}})
			return p.Seen().MySubscription(), nil
		}
		if err := p.Reads(); err != nil {
			return nil, err
		}
		if seq == nil {
			return nil, messaging.ErrNoSeq
		}
		before := p.Mine
		after := before.Noted(kind, *seq, p.SeqID)
		if after == nil {
			return p.Seen().MySubscription(), nil
		}
		if err := s.Store.Note(ctx, before, after); err != nil {
			return nil, err
		}
		p.Mine = after
		what := messaging.ReceivedEvent
		if kind == messaging.NoteRead {
			what = messaging.ReadEvent
		}
		a.Tell(messaging.InTopic{News: messaging.News{Kind: what, Topic: p.Topic.ID, User: v.UserID, Seq: *seq}})
		return p.Seen().MySubscription(), nil
	})
}
