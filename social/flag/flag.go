// Package flag removes flags on deleted content and flags by removed users.
//
// Who may flag what, and the consequences, are decided by the areas of the flagged content.
package flag

import (
	"cmp"
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/slice"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store stores flags.
type Store interface {
	// Of returns the flags on something, read consistently, in no particular order.
	Of(ctx context.Context, kind social.FlagKind, id string, q page.Query) (page.Page[social.Flag], error)
	// ByUser returns the flags of one kind by a user, in no particular order.
	ByUser(ctx context.Context, kind social.FlagKind, user social.UserID, q page.Query) (page.Page[social.Flag], error)
	// Remove deletes a flag and updates the counter, if both the flag and its target still
	// exist.
	Remove(ctx context.Context, flag social.Flag) error
	// RemoveLeftovers deletes flags on a single deleted target without updating counters.
	// It leaves those on a newer target with the same id.
	RemoveLeftovers(ctx context.Context, of []social.Flag) error
}

// Cases has the cases of what was flagged.
type Cases interface {
	// EndCases decides the open cases of items that are gone, with the events of that. It fails
	// with a Conflict if one of them changes at that moment.
	EndCases(ctx context.Context, items []desk.Item, at time.Time, events func(desk.CaseStep) []outbox.Record) error
	// CasesOf returns the cases of an author, newest first.
	CasesOf(ctx context.Context, author social.UserID, q page.Query) (page.Page[*desk.Case], error)
	// Decide stores a step of a case whose item is gone.
	Decide(ctx context.Context, step desk.CaseStep, e ...outbox.Record) error
	// KeepReports stores reports that are no longer with their item, DropReports removes them.
	KeepReports(ctx context.Context, i desk.Item, all []desk.Report) error
	DropReports(ctx context.Context, i desk.Item, all []desk.Report) error
	// Case returns the case of an item, or nil, and Reports the reports that are no longer with the
	// item.
	Case(ctx context.Context, i desk.Item) (*desk.Case, error)
	Reports(ctx context.Context, i desk.Item, q page.Query) (page.Page[desk.Report], error)
	// Reporters returns how the reports of users have been decided, without those of whom none was.
	// SaveReporter fails with a Conflict if that is not as before.
	Reporters(ctx context.Context, ids []social.UserID) (map[social.UserID]*desk.Reporter, error)
	SaveReporter(ctx context.Context, before int, r desk.Reporter) error
	ForgetReporter(ctx context.Context, id social.UserID) error
	// ForgetReports removes a page of the kept reports by a user, and reports whether there are
	// more.
	ForgetReports(ctx context.Context, by social.UserID) (more bool, err error)
}

// Service implements the flag area.
type Service struct {
	Store    Store
	Profiles social.ProfileReader
	Cases    Cases
	// Weighs is set if reports of those against whom moderators mostly decide weigh less.
	Weighs bool
	decision.Frame
}

// MakeRoom removes a flag that a former profile has left. It fails with Conflict once it has.
func (s *Service) MakeRoom(ctx context.Context, former social.Flag) error {
	return cmp.Or(s.Store.Remove(ctx, former), refusal.Conflictf("the flag of a former profile is gone"))
}

// Clear deletes all flags on things that are about to be deleted and can no longer be
// flagged, keeps them with their cases, and decides those.
func (s *Service) Clear(ctx context.Context, kind social.FlagKind, all ...social.FlaggedItem) error {
	for _, f := range all {
		if f.Count == 0 {
			continue
		}
		if err := s.Drop(ctx, kind, f.ID); err != nil {
			return err
		}
	}
	return s.endOpen(ctx, kind, slice.Map(all, func(f social.FlaggedItem) string { return f.ID })...)
}

// endOpen decides the open cases of what its authors have deleted. Such a case may have no flags:
// those who placed them may be gone, or the content check opened it.
func (s *Service) endOpen(ctx context.Context, kind social.FlagKind, ids ...string) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		return s.Cases.EndCases(ctx, slice.Map(ids, kind.CaseItem), s.Now(), func(step desk.CaseStep) []outbox.Record { return decision.Announce(a, step) })
	})
}

// Drop moves the flags on something that was removed to its case.
func (s *Service) Drop(ctx context.Context, kind social.FlagKind, id string) error {
	_, err := s.move(ctx, kind, id, 0)
	return err
}

// maxCleared is the number of flags that are taken off content in the transaction of a
// decision. Those beyond it go in transactions of their own.
const maxCleared = 30

// Cleared returns the flags to take off something with a decision. If there are too many for
// one transaction, it moves some to the case before.
func (s *Service) Cleared(ctx context.Context, kind social.FlagKind, id string) ([]social.Flag, error) {
	return s.move(ctx, kind, id, maxCleared)
}

// move moves the flags on something to its case, but for some that are left. It returns those
// that are left, or that it has moved if none are to be.
func (s *Service) move(ctx context.Context, kind social.FlagKind, id string, left int) (flags []social.Flag, err error) {
	list := func(q page.Query) (page.Page[social.Flag], error) { return s.Store.Of(ctx, kind, id, q) }
	for f, err := range page.All(list) {
		if err != nil {
			return nil, err
		}
		flags = append(flags, f)
		if left > 0 && len(flags) <= left {
			continue
		}
		if err := s.keep(ctx, kind.CaseItem(id), []social.Flag{f}); err != nil {
			return nil, err
		}
		if err := s.Store.Remove(ctx, f); err != nil {
			return nil, err
		}
	}
	if left > 0 && len(flags) > left {
		flags = flags[:left]
	}
	return flags, nil
}

// keep stores flags with the case of an item, but for those of users who are gone. Those who go
// after that remove their own.
func (s *Service) keep(ctx context.Context, i desk.Item, flags []social.Flag) error {
	if err := s.Cases.KeepReports(ctx, i, social.Reports(flags)); err != nil {
		return err
	}
	var gone []social.Flag
	for _, f := range flags {
		u, err := s.Profiles.Profile(ctx, f.UserID)
		if err != nil {
			return err
		}
		if u == nil || u.Former(f.CreatedAt) {
			gone = append(gone, f)
		}
	}
	return s.Cases.DropReports(ctx, i, social.Reports(gone))
}

// clear moves a page of flags on something that is gone to its case, which is decided with it
// if its author deleted it.
func (s *Service) clear(ctx context.Context, kind social.FlagKind, id, cursor string, forced bool) (next string, rows int, err error) {
	flags, err := s.Store.Of(ctx, kind, id, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	if len(flags.Items) > 0 {
		if err := s.keep(ctx, kind.CaseItem(id), flags.Items); err != nil {
			return "", 0, err
		}
	}
	if !forced && cursor == "" {
		if err := s.endOpen(ctx, kind, id); err != nil {
			return "", 0, err
		}
	}
	return flags.Next, len(flags.Items), s.Store.RemoveLeftovers(ctx, flags.Items)
}

// PostStatusChanged deletes the flags on deleted posts, a page at a time.
func (s *Service) PostStatusChanged(ctx context.Context, e social.PostStatusChanged, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	if e.To != social.PostDeleting {
		return "", 0, nil
	}
	return s.clear(ctx, social.FlagOnPost, string(e.PostID), cursor, false)
}

// CommentDeleted deletes the flags on a comment, a page at a time.
func (s *Service) CommentDeleted(ctx context.Context, e social.CommentDeleted, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	return s.clear(ctx, social.FlagOnComment, string(e.CommentID), cursor, e.Forced)
}

// ChatDeleted deletes the flags on a chat, a page at a time.
func (s *Service) ChatDeleted(ctx context.Context, e social.ChatDeleted, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	return s.clear(ctx, social.FlagOnChat, string(e.ChatID), cursor, e.Forced)
}

// ChatMessageDeleted deletes the flags on a message, a page at a time.
func (s *Service) ChatMessageDeleted(ctx context.Context, e social.ChatMessageDeleted, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	return s.clear(ctx, social.FlagOnChatMessage, string(e.Message.MessageID), cursor, e.Forced)
}
