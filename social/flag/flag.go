// Package flag clears flags away: those on what is gone, and those of users who are gone.
//
// Who may flag what, and what comes of it, is decided by the areas of what is flagged.
package flag

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store keeps flags.
type Store interface {
	// Of returns the flags on something as they are at this moment, in no useful order.
	Of(ctx context.Context, kind social.FlagKind, id string, q page.Query) (page.Page[social.Flag], error)
	// ByUser returns the flags of one kind by a user, in no useful order.
	ByUser(ctx context.Context, kind social.FlagKind, user social.UserID, q page.Query) (page.Page[social.Flag], error)
	// Remove removes a flag with what it counts, if it and what it is on are still there.
	Remove(ctx context.Context, flag social.Flag) error
	// RemoveLeftovers removes flags on one thing that is gone, uncounted. It leaves those on
	// a newer thing with the same id.
	RemoveLeftovers(ctx context.Context, of []social.Flag) error
}

// Service clears flags away. All fields must be set.
type Service struct{ Store Store }

// Clear removes all flags on something that is about to go, and that nobody can flag any
// more.
func (s *Service) Clear(ctx context.Context, kind social.FlagKind, id string) error {
	for q := (page.Query{First: page.Max}); ; {
		flags, err := s.Store.Of(ctx, kind, id, q)
		if err != nil {
			return err
		}
		for _, f := range flags.Items {
			if err := s.Store.Remove(ctx, f); err != nil {
				return err
			}
		}
		if q.After = flags.Next; q.After == "" {
			return nil
		}
	}
}

// clear removes a page of flags on something that is gone.
func (s *Service) clear(ctx context.Context, kind social.FlagKind, id, cursor string) (next string, rows int, err error) {
	flags, err := s.Store.Of(ctx, kind, id, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	return flags.Next, len(flags.Items), s.Store.RemoveLeftovers(ctx, flags.Items)
}

// PostMoved removes the flags on posts that were deleted, a page at a time.
func (s *Service) PostMoved(ctx context.Context, e social.PostMoved, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	if e.To != social.PostDeleting {
		return "", 0, nil
	}
	return s.clear(ctx, social.FlagOnPost, string(e.PostID), cursor)
}

// CommentDeleted removes the flags on a comment, a page at a time.
func (s *Service) CommentDeleted(ctx context.Context, e social.CommentDeleted, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	return s.clear(ctx, social.FlagOnComment, string(e.CommentID), cursor)
}

// ChatDeleted removes the flags on a chat, a page at a time.
func (s *Service) ChatDeleted(ctx context.Context, e social.ChatDeleted, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	return s.clear(ctx, social.FlagOnChat, string(e.ChatID), cursor)
}

// ChatMessageDeleted removes the flags on a message, a page at a time.
func (s *Service) ChatMessageDeleted(ctx context.Context, e social.ChatMessageDeleted, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	return s.clear(ctx, social.FlagOnChatMessage, string(e.Message.MessageID), cursor)
}
