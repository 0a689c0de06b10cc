// Package toy is a complete system with one noun, one table, one event and one
// subscription. It shows what a system consists of, and proves that the host depends on
// none.
package toy

//go:generate go run stoa/internal/kit/gqlplan/generate

import (
	"context"

	"stoa/internal/area"
	"stoa/internal/decision"
	"stoa/internal/host"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/internal/ops"
	"stoa/internal/outbox"
)

// Note is a text added by a user.
type Note struct {
	NoteID string
	Text   string
	Owner  viewer.UserID
}

// Subject returns the subject of the owner's subscriptions.
func (n Note) Subject() string { return subject(n.Owner) }

func subject(owner viewer.UserID) string { return "toy/" + string(owner) }

// NoteAdded is the event of a new note.
type NoteAdded struct{ Note Note }

// EventName and OrderingKey make it an event.
func (NoteAdded) EventName() string     { return "toy.note.added" }
func (e NoteAdded) OrderingKey() string { return string(e.Note.Owner) }

var table = &keyspec.Table{Name: "toy-main", PK: "partitionKey", SK: "sortKey"}

// A note, and the latest note of each owner.
var (
	notes   = keyspec.Define[noteItem](table, keyspec.Row{Key: keyspec.K("note/{noteId}", "-")})
	latests = keyspec.Define[latestItem](table, keyspec.Row{Key: keyspec.K("user/{owner}", "latest")})
)

type noteItem struct {
	NoteID string        `dynamo:"noteId"`
	Text   string        `dynamo:"text"`
	Owner  viewer.UserID `dynamo:"owner"`
}

type latestItem struct {
	Owner  viewer.UserID `dynamo:"owner"`
	NoteID string        `dynamo:"noteId"`
}

// service is the system's one area, on its store and below its resolvers.
type service struct {
	decision.Frame
	db  *keyspec.DB
	bus outbox.Bus
}

// System is the toy.
func System() host.System {
	return host.System{Name: "toy", Tables: []*keyspec.Table{table}, Join: func(_ context.Context, h *host.Host) (host.Face, error) {
		s := &service{h.Frame, h.DB, h.Bus}
		area.Register(h.Outbox, s)
		return host.Face{Schema: NewPlannedSchema(Config{Resolvers: s})}, nil
	}}
}

// Register registers what the area receives.
func (s *service) Register(r *area.Registry) { outbox.On(r.Outbox, s.noteAdded) }

// Query, Mutation and Subscription are the roots of the schema.
func (s *service) Query() QueryResolver               { return s }
func (s *service) Mutation() MutationResolver         { return s }
func (s *service) Subscription() SubscriptionResolver { return s }

// AddNote stores a note with an unused id.
func (s *service) AddNote(ctx context.Context, id, text string) (*Note, error) {
	n := Note{NoteID: id, Text: text, Owner: viewer.From(ctx).UserID}
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*Note, error) {
		tx := s.db.NewTx()
		created := notes.Create(tx, noteItem(n))
		ops.Record(tx, a.Emit(NoteAdded{n})...)
		err := tx.Run(ctx)
		if keyspec.Refused(err, created) {
			return nil, refusal.Invalidf("Note `%s` already exists", id)
		}
		return &n, err
	})
}

// noteAdded makes the note its owner's latest.
func (s *service) noteAdded(ctx context.Context, e NoteAdded, tell outbox.Tell) error {
	tx := s.db.NewTx()
	latests.Put(tx, latestItem{e.Note.Owner, e.Note.NoteID})
	if err := tx.Run(ctx); err != nil {
		return err
	}
	tell(e.Note)
	return nil
}

// Latest returns the caller's latest note.
func (s *service) Latest(ctx context.Context) (*Note, error) {
	latest, err := latests.Get(ctx, s.db, latests.Key(string(viewer.From(ctx).UserID)))
	if latest == nil || err != nil {
		return nil, err
	}
	item, err := notes.Get(ctx, s.db, notes.Key(latest.NoteID))
	return (*Note)(item), err
}

// Note returns a note of the caller, or nil.
func (s *service) Note(ctx context.Context, id string) (*Note, error) {
	item, err := notes.Get(ctx, s.db, notes.Key(id))
	if item == nil || err != nil || item.Owner != viewer.From(ctx).UserID {
		return nil, err
	}
	return (*Note)(item), nil
}

// OnNote notifies the caller of their new notes.
func (s *service) OnNote(ctx context.Context, id string) (<-chan *Note, error) {
	var refused error
	if caller := viewer.From(ctx).UserID; string(caller) != id {
		refused = refusal.Forbiddenf("Cannot listen to another user's notes")
	}
	return outbox.Listen[Note](ctx, s.bus, subject(viewer.UserID(id)), s.Now(), refused)
}
