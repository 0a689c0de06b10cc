// Package flag removes flags on deleted content and flags by removed users.
//
// Who may flag what, and the consequences, are decided by the areas of the flagged content.
package flag

import (
	"context"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/page"
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
	// EndCase decides the open case of an item that is gone, if there is one.
	EndCase(ctx context.Context, i desk.Item, at time.Time) error
	// KeepReports stores reports that are no longer with their item.
	KeepReports(ctx context.Context, i desk.Item, all []desk.Report) error
	// ForgetReports removes a page of the kept reports by a user, and reports whether there are
	// more.
	ForgetReports(ctx context.Context, by social.UserID) (more bool, err error)
}

// Service implements the flag area. All fields are required.
type Service struct {
	Store    Store
	Profiles social.ProfileReader
	Cases    Cases
	Now      func() time.Time
}

// Clear deletes all flags on something that is about to be deleted and can no longer be
// flagged.
func (s *Service) Clear(ctx context.Context, kind social.FlagKind, id string) error {
	list := func(q page.Query) (page.Page[social.Flag], error) { return s.Store.Of(ctx, kind, id, q) }
	for f, err := range page.All(list) {
		if err != nil {
			return err
		}
		if err := s.Store.Remove(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// clear deletes a page of flags on a deleted target.
func (s *Service) clear(ctx context.Context, kind social.FlagKind, id, cursor string) (next string, rows int, err error) {
	flags, err := s.Store.Of(ctx, kind, id, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	return flags.Next, len(flags.Items), s.Store.RemoveLeftovers(ctx, flags.Items)
}

// PostStatusChanged deletes the flags on deleted posts, a page at a time.
func (s *Service) PostStatusChanged(ctx context.Context, e social.PostStatusChanged, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	if e.To != social.PostDeleting {
		return "", 0, nil
	}
	flags, err := s.Store.Of(ctx, social.FlagOnPost, string(e.PostID), page.Query{First: page.Max, After: cursor})
	if err != nil || len(flags.Items) == 0 {
		return "", 0, err
	}
	// What is open has flags, so that posts without flags cost nothing.
	item := desk.Item{System: social.SystemName, Kind: desk.Post, ItemID: string(e.PostID)}
	var kept []desk.Report
	for _, f := range flags.Items {
		kept = append(kept, f.Report())
	}
	if err := s.Cases.KeepReports(ctx, item, kept); err != nil {
		return "", 0, err
	}
	if err := s.Cases.EndCase(ctx, item, s.Now()); err != nil {
		return "", 0, err
	}
	return flags.Next, len(flags.Items), s.Store.RemoveLeftovers(ctx, flags.Items)
}

// CommentDeleted deletes the flags on a comment, a page at a time.
func (s *Service) CommentDeleted(ctx context.Context, e social.CommentDeleted, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	return s.clear(ctx, social.FlagOnComment, string(e.CommentID), cursor)
}

// ChatDeleted deletes the flags on a chat, a page at a time.
func (s *Service) ChatDeleted(ctx context.Context, e social.ChatDeleted, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	return s.clear(ctx, social.FlagOnChat, string(e.ChatID), cursor)
}

// ChatMessageDeleted deletes the flags on a message, a page at a time.
func (s *Service) ChatMessageDeleted(ctx context.Context, e social.ChatMessageDeleted, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	return s.clear(ctx, social.FlagOnChatMessage, string(e.Message.MessageID), cursor)
}
