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
	"time"

	"stoa/internal/kit/input"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// Store stores messages. Changes fail with ErrConcurrent if something has changed since it
// was read.
type Store interface {
	communities.Reader
	// Send returns the existing message if one has the same client id.
	Send(ctx context.Context, w communities.Sending, events ...outbox.Record) (first *communities.Moment, err error)
	Edit(ctx context.Context, m *communities.Message, events ...outbox.Record) error
	// Delete lowers the counts of the members in unread, who have not read it. c is nil if
	// the counts are updated later.
	Delete(ctx context.Context, m *communities.Message, unread []*communities.Member, c *communities.Chat, events ...outbox.Record) error
	React(ctx context.Context, m *communities.Message, r communities.Reaction, events ...outbox.Record) error
	// Unreact fails with ErrNoReaction.
	Unreact(ctx context.Context, m *communities.Message, id communities.UserID, events ...outbox.Record) error
	Reacted(ctx context.Context, id communities.UserID, q page.Query) (page.Page[communities.MessageRef], error)
	ForgetReaction(ctx context.Context, m communities.MessageRef, id communities.UserID) error
	MarkRead(ctx context.Context, read []*communities.Message, m *communities.Member, to communities.Mark, c *communities.Chat) error
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
	Store   Store
	Members Members
	Bus     outbox.Bus
	// Events also provides the clock and ids.
	Events outbox.Sender
}

func (s *Service) now() time.Time { return s.Events.Now().Truncate(time.Millisecond) }

// room is a chat with a viewer in it.
type room struct {
	*communities.Chat
	viewer   communities.Viewer
	member   *communities.Member
	messages map[string]*communities.Message
}

// enter reads a chat and messages of it for a viewer, who must be a member and have a
// permission. To others, a private chat does not exist.
func (s *Service) enter(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, p communities.Permission, messages ...string) (*room, error) {
	r, err := s.look(ctx, v, ref, messages...)
	switch {
	case err != nil:
		return nil, err
	case r.member == nil:
		return nil, communities.ErrNotChatMember
	}
	return r, r.viewer.May(p)
}

// look is like enter, but the viewer need not be a member of a group chat.
func (s *Service) look(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, messages ...string) (*room, error) {
	own := communities.MemberRef{Chat: ref, UserID: v.UserID}
	w := communities.Wanted{Chats: []communities.ChatRef{ref}, Members: []communities.MemberRef{own}}
	for _, id := range messages {
		if m, ok := communities.ParseMoment(id); ok {
			w.Messages = append(w.Messages, communities.MessageRef{Chat: ref, Moment: m})
		}
	}
	facts, self, err := communities.Ask(ctx, s.Store, v.UserID, w)
	if err != nil {
		return nil, err
	}
	r := &room{Chat: facts.Chats[ref], viewer: self, member: facts.Members[own], messages: map[string]*communities.Message{}}
	if r.Chat == nil || r.member == nil && ref.Type == communities.Private {
		return nil, communities.ErrNoChat
	}
	for _, m := range facts.Messages {
		if !r.member.Hides(m.At) {
			r.messages[m.Opaque()] = m
		}
	}
	return r, nil
}

func (r *room) hidden() time.Time {
	if r.member == nil {
		return time.Time{}
	}
	return r.member.HiddenBefore
}

func (r *room) seen(m *communities.Message) *communities.SeenMessage {
	return m.SeenBy(r.viewer, r.member)
}

// happened returns the event for a message.
func (r *room) happened(t communities.ChatEventType, m communities.Moment) communities.ChatHappened {
	return communities.ChatHappened{Chat: r.ChatRef, Type: t, UserID: r.viewer.ID, Message: m}
}

// counted is the number of members up to which unread counts are updated together with a
// message.
const counted = 25

// others reads all members of a small chat. It returns nil for a large one.
func (s *Service) others(ctx context.Context, r *room) ([]*communities.Member, error) {
	if r.NumMembers > counted {
		return nil, nil
	}
	p, err := s.Members.Members(ctx, r.ChatRef, page.Query{First: counted + 1})
	if err != nil {
		return nil, err
	}
	if r.Type == communities.Group && len(p.Items) != r.NumMembers {
		return nil, refusal.ErrConcurrent
	}
	return p.Items, nil
}

// upToDate reports whether the members' counts include all messages so far.
func (r *room) upToDate(members []*communities.Member) bool {
	if r.Chat.LastMessageAt.IsZero() {
		return true
	}
	last := communities.ReadFrom(r.Chat.LastMessageAt)
	return !slices.ContainsFunc(members, func(m *communities.Member) bool { return m.Counted < last })
}

// Send sends a message.
func (s *Service) Send(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, d communities.Draft) (*communities.SeenMessage, error) {
	id := s.Events.NewID()
	return retry.OnConflict(func() (*communities.SeenMessage, error) {
		var replyTo []string
		if d.ReplyTo != nil {
			replyTo = append(replyTo, *d.ReplyTo)
		}
		r, err := s.enter(ctx, v, ref, communities.WriteMessages, replyTo...)
		if err != nil {
			return nil, err
		}
		content, err := communities.CheckContent(d.Content)
		if err := input.First(err, communities.CheckClientID(d.ClientID)); err != nil {
			return nil, err
		}
		m := &communities.Message{
			MessageRef: communities.MessageRef{Chat: ref, Moment: communities.Moment{At: r.Next(s.now()), ID: id}},
			AuthorID:   v.UserID, Content: content,
		}
		if d.ClientID != nil {
			m.ClientID = *d.ClientID
		}
		if d.ReplyTo != nil {
			to := r.messages[*d.ReplyTo]
			if to == nil {
				return nil, communities.ErrNoMessage
			}
			m.ReplyTo = to.Moment
		}
		if err := s.answers(ctx, r); err != nil {
			return nil, err
		}
		members, err := s.others(ctx, r)
		if err != nil {
			return nil, err
		}
		e := r.happened(communities.MessageCreated, m.Moment)
		e.UserName, e.ChatName, e.Preview = r.viewer.Name, r.Name, m.Content
		if members == nil || !r.upToDate(members) {
			members, e.Uncounted = nil, true
		}
		records := s.Events.New(ctx, e)
		first, err := s.Store.Send(ctx, communities.Sending{Message: m, Chat: r.Chat, Members: members}, records...)
		switch {
		case err != nil:
			return nil, err
		case first != nil:
			return s.again(ctx, r, *first)
		}
		s.Events.Committed(ctx, records...)
		return r.seen(m), nil
	})
}

// answers refuses messages to a private chat whose other user is gone or banned.
func (s *Service) answers(ctx context.Context, r *room) error {
	if r.Type != communities.Private {
		return nil
	}
	other := r.Other(r.viewer.ID)
	facts, err := s.Store.Facts(ctx, communities.Wanted{Users: []communities.UserID{other}})
	if err != nil {
		return err
	}
	if u := facts.Users[other]; !u.Lives() || u.Banned {
		return communities.ErrNoUser
	}
	return nil
}

// again returns the message sent by an earlier call with the same client id.
func (s *Service) again(ctx context.Context, r *room, first communities.Moment) (*communities.SeenMessage, error) {
	ref := communities.MessageRef{Chat: r.ChatRef, Moment: first}
	facts, err := s.Store.Facts(ctx, communities.Wanted{Messages: []communities.MessageRef{ref}})
	if err != nil {
		return nil, err
	}
	if facts.Messages[ref] == nil {
		return nil, communities.ErrNoMessage
	}
	return r.seen(facts.Messages[ref]), nil
}

// Edit changes the content of a message by the viewer.
func (s *Service) Edit(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, id, content string) (*communities.SeenMessage, error) {
	return retry.OnConflict(func() (*communities.SeenMessage, error) {
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
		edited.Edited, edited.EditedAt = true, s.now()
		if edited.Content, err = communities.CheckContent(content); err != nil {
			return nil, err
		}
		records := s.Events.New(ctx, r.happened(communities.MessageEdited, m.Moment))
		if err := s.Store.Edit(ctx, &edited, records...); err != nil {
			return nil, err
		}
		s.Events.Committed(ctx, records...)
		return r.seen(&edited), nil
	})
}

// Delete replaces a message by a tombstone. Its author, the owner of a group chat, and
// moderators, who need not be members, may do so.
func (s *Service) Delete(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, id string) (*communities.SeenMessage, error) {
	return retry.OnConflict(func() (*communities.SeenMessage, error) {
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
		e := r.happened(communities.MessageDeleted, m.Moment)
		members, err := s.others(ctx, r)
		if err != nil {
			return nil, err
		}
		chat := r.Chat
		if members == nil {
			chat, e.Uncounted = nil, true
		}
		key := communities.MessageKey(m.Moment)
		unread := slices.DeleteFunc(members, func(member *communities.Member) bool {
			return member.UserID == m.AuthorID || member.Read >= key || member.Counted < key
		})
		records := s.Events.New(ctx, e)
		if err := s.Store.Delete(ctx, m, unread, chat, records...); err != nil {
			return nil, err
		}
		s.Events.Committed(ctx, records...)
		gone := *m
		gone.Deleted, gone.Content, gone.Reactions = true, "", nil
		return r.seen(&gone), nil
	})
}

// React sets the viewer's reaction to a message.
func (s *Service) React(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, id string, t communities.ReactionType) (*communities.SeenMessage, error) {
	return retry.OnConflict(func() (*communities.SeenMessage, error) {
		r, err := s.enter(ctx, v, ref, communities.ReadMessages, id)
		if err != nil {
			return nil, err
		}
		m := r.messages[id]
		if m == nil || m.Deleted {
			return nil, communities.ErrNoMessage
		}
		reaction := communities.Reaction{UserID: v.UserID, Type: t, At: s.now()}
		e := r.happened(communities.ReactionSet, m.Moment)
		e.React = &reaction
		records := s.Events.New(ctx, e)
		if err := s.Store.React(ctx, m, reaction, records...); err != nil {
			return nil, err
		}
		s.Events.Committed(ctx, records...)
		m.Reactions[v.UserID] = reaction
		return r.seen(m), nil
	})
}

// Unreact removes the viewer's reaction.
func (s *Service) Unreact(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, id string) (*communities.SeenMessage, error) {
	return retry.OnConflict(func() (*communities.SeenMessage, error) {
		r, err := s.enter(ctx, v, ref, communities.ReadMessages, id)
		if err != nil {
			return nil, err
		}
		m := r.messages[id]
		if m == nil || m.Deleted {
			return nil, communities.ErrNoMessage
		}
		if _, reacted := m.Reactions[v.UserID]; !reacted {
			return nil, communities.ErrNoReaction
		}
		records := s.Events.New(ctx, r.happened(communities.ReactionRemoved, m.Moment))
		if err := s.Store.Unreact(ctx, m, v.UserID, records...); err != nil {
			return nil, err
		}
		s.Events.Committed(ctx, records...)
		delete(m.Reactions, v.UserID)
		return r.seen(m), nil
	})
}
