// Package message manages messages: sending, editing, deleting, reading and reacting to
// them.
//
// Messages of a chat are ordered by their times, which increase strictly, regardless of the
// clock. The number of unread messages is stored with the membership, so that a list of
// chats displays it without reading messages. It is updated in the transaction of a message
// in chats of up to 25 members, and afterwards in larger ones.
package message

import (
	"context"
	"slices"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// Store stores messages. Changes fail with Conflict if something has changed since it
// was read.
type Store interface {
	communities.Reader
	// Send fails with Sent if there is a message with the same client id.
	Send(ctx context.Context, w communities.Sending, events ...outbox.Record) error
	// Edit takes the step of the case of a message that is held; in is nil otherwise.
	Edit(ctx context.Context, m *communities.Message, in *desk.CaseStep, events ...outbox.Record) error
	// Delete lowers the counts of the members in unread, who have not read it. c is nil if
	// the counts are updated later, and decided unless a moderator of the service decided it.
	Delete(
		ctx context.Context, m *communities.Message, unread []*communities.Member, c *communities.Chat, decided *desk.CaseStep, events ...outbox.Record,
	) error
	Return(ctx context.Context, w communities.Returning, events ...outbox.Record) error
	// Report stores a report of a message, Keep the decision to keep one.
	Report(ctx context.Context, m *communities.Message, r desk.Reporting, events ...outbox.Record) error
	Keep(ctx context.Context, m *communities.Message, decided desk.CaseStep, events ...outbox.Record) error
	// By returns messages in group chats by an author, deleted ones too. Disown removes the
	// author from a deleted one.
	By(ctx context.Context, author communities.UserID, q page.Query) (page.Page[*communities.Message], error)
	Disown(ctx context.Context, m *communities.Message) error
	React(ctx context.Context, m *communities.Message, r communities.Reaction, events ...outbox.Record) error
	// Unreact fails with ErrNoReaction.
	Unreact(ctx context.Context, m *communities.Message, id communities.UserID, events ...outbox.Record) error
	Reacted(ctx context.Context, id communities.UserID, q page.Query) (page.Page[communities.MessageRef], error)
	ForgetReaction(ctx context.Context, m communities.MessageRef, id communities.UserID) error
	// MarkRead fails with Conflict if the member's position has changed, or messages
	// counted as unread were deleted, but not because of new messages.
	MarkRead(ctx context.Context, read []*communities.Message, m *communities.Member, to communities.Mark) error
	Count(ctx context.Context, m *communities.Message, members []*communities.Member) error
	Recount(ctx context.Context, members []*communities.Member, unread []int) error
	List(ctx context.Context, c communities.ChatRef, in communities.Span, q page.Query, newestFirst bool) (page.Page[*communities.Message], error)
	// Since returns the messages after a key, oldest first.
	Since(ctx context.Context, c communities.ChatRef, key string, q page.Query) (page.Page[*communities.Message], error)
}

// Members reads the members of a chat.
type Members interface {
	Members(ctx context.Context, c communities.ChatRef, q page.Query) (page.Page[*communities.Member], error)
}

// Service implements the message area. Its fields are set once.
type Service struct {
	decision.Frame
	Store   Store
	Members Members
	// Cases has the cases of what was reported.
	Cases Cases
	// Checker checks messages before others are shown them; nil if nothing is checked.
	Checker desk.Checker
	Bus     outbox.Bus
}

// Edit changes the content of a message by the viewer.
func (s *Service) Edit(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, id, content string) (*communities.SeenMessage, error) {
	check := desk.Checking{By: s.Checker}
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*communities.SeenMessage, error) {
		r, err := s.enter(ctx, v, ref, communities.WriteMessages, id)
		if err != nil {
			return nil, err
		}
		m := r.messages[id]
		switch {
		case m == nil || m.Deleted:
			return nil, communities.ErrNoMessage
		case m.AuthorID != v.UserID:
			return nil, communities.ErrPermission
		}
		edited := *m
		edited.Edited, edited.EditedAt = true, s.Now()
		if edited.Content, err = communities.CheckContent(content); err != nil {
			return nil, err
		}
		if m.Held {
			return r.seen(&edited), s.editHeld(ctx, a, r, &edited)
		}
		found, err := check.Of(ctx, func() desk.Draft { return draft(&edited) })
		if err != nil {
			return nil, err
		}
		if !found.Allows() {
			return r.seen(&edited), s.takeOut(ctx, a, r, m, &edited, found)
		}
		edited.Unchecked = found.Failed
		return r.seen(&edited), s.Store.Edit(ctx, &edited, nil, a.Emit(r.happened(communities.MessageEdited, m.Moment))...)
	})
}

// Delete replaces a message by a tombstone. Its author, the owner of a group chat, and
// moderators, who need not be members, may do so.
func (s *Service) Delete(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, id string) (*communities.SeenMessage, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*communities.SeenMessage, error) {
		r, err := s.look(ctx, v, ref, id)
		if err != nil {
			return nil, err
		}
		moderates := r.viewer.Moderates(ref)
		if r.member == nil && !moderates {
			return nil, communities.ErrNotChatMember
		}
		m := r.messages[id]
		switch {
		case m == nil || m.Deleted:
			return nil, communities.ErrNoMessage
		case m.AuthorID != v.UserID && r.OwnerID != v.UserID && !moderates:
			return nil, communities.ErrPermission
		}
		return r.seen(m.Tombstone()), s.erase(ctx, a, r, m, v.UserID, nil)
	})
}

// erase replaces a message by a tombstone, with the decision about its case, if any.
func (s *Service) erase(
	ctx context.Context, a *decision.Attempt, r *room, m *communities.Message, by communities.UserID, c *desk.CaseStep, e ...outbox.Record,
) error {
	gone := communities.ChatHappened{
		Chat: r.ChatRef, Type: communities.MessageDeleted, UserID: by, Message: m.Moment, AuthorID: m.AuthorID, Held: m.Held, Cased: c != nil,
	}
	if m.Held {
		return s.Store.Delete(ctx, m, nil, nil, c, slices.Concat(a.Emit(gone), e)...)
	}
	unread, chat, err := s.unreadBy(ctx, r, m)
	if err != nil {
		return err
	}
	gone.Uncounted = chat == nil
	return s.Store.Delete(ctx, m, unread, chat, c, slices.Concat(a.Emit(gone), e)...)
}

// unreadBy returns the members of a small chat who have not read a message that they count,
// and the chat. The chat is nil if it is large: the counts are then updated later.
func (s *Service) unreadBy(ctx context.Context, r *room, m *communities.Message) ([]*communities.Member, *communities.Chat, error) {
	members, err := s.others(ctx, r)
	if members == nil || err != nil {
		return nil, nil, err
	}
	key := communities.MessageKey(m.Moment)
	return slices.DeleteFunc(members, func(member *communities.Member) bool {
		return member.UserID == m.AuthorID || member.Read >= key || member.Counted < key
	}), r.Chat, nil
}
