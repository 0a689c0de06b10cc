package operator

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/desk"
)

// Eraser is implemented by People of systems that have data of a person.
type Eraser interface {
	// Erase removes everything about a person, as their own deletion does, and what that
	// leaves. It may be called again.
	Erase(ctx context.Context, id UserID) error
}

// ErasePerson deletes a person in every system with their account, and all that identifies
// them. A ban keeps keyed hashes of their contacts for a year.
func (s *Service) ErasePerson(ctx context.Context, id UserID, reason string) (*Person, error) {
	a, err := s.operator(ctx)
	if err != nil {
		return nil, err
	}
	if err := checkText("reason", reason); err != nil {
		return nil, err
	}
	p, ids, err := s.subject(ctx, a, id, "erase")
	if err != nil {
		return nil, err
	}
	// What is shown of them is gone in a moment.
	gone := &Person{ID: p.ID, Systems: []string{}}
	return gone, decision.Do(ctx, s.Frame, func(attempt *decision.Attempt) error {
		events := attempt.Emit()
		for _, id := range ids {
			events = append(events, attempt.Emit(desk.PersonErased{UserID: id, At: s.Now()})...)
		}
		line := s.line(a, act{action: "erasePerson", person: id, note: reason})
		delete(line.Meant, line.SubjectID) // nobody can tell any more
		return s.Store.SignOut(ctx, line, events...)
	})
}
