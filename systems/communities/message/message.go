// Package message decides about what is written in chats: who writes, changes, deletes,
// reads and reacts.
//
// Messages of a chat are in the order of their times, which rise strictly whatever the
// clock does. How many a member has not read is kept with the membership, so that a list of
// chats shows it without reading messages: it is raised with the message itself in chats
// of up to 25 members, and behind it in larger ones.
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

// Store keeps messages. Changes fail with ErrConcurrent where something is not as read.
type Store interface {
	communities.Reader
	// Send answers with the message that has the client id already.
	Send(ctx context.Context, w communities.Sending, events ...outbox.Record) (first *communities.Moment, err error)
	Edit(ctx context.Context, m *communities.Message, events ...outbox.Record) error
	// Delete lowers the counts of members who have it unread. The chat is nil where the
	// counts are to follow.
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
	// Since lists the messages behind a key, oldest first.
	Since(ctx context.Context, c communities.ChatRef, key string, q page.Query) (page.Page[*communities.Message], error)
}

// Members lists who is in a chat.
type Members interface {
	Members(ctx context.Context, c communities.ChatRef, q page.Query) (page.Page[*communities.Member], error)
}

// Service is the area. Its fields are set once.
type Service struct {
	Store   Store
	Members Members
	Bus     outbox.Bus
	// Events also has the clock and makes ids.
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

// enter reads a chat for a viewer, who must be in it and have a permission, and messages of
// it. To others than its two users a private chat does not exist.
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

// look is enter for viewers who need not be members of a group chat.
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
		if r.member == nil || !m.At.Before(r.member.HiddenBefore) {
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
	return m.SeenBy(r.viewer, r.hidden())
}

// happened makes the event that something happened to a message.
func (r *room) happened(t communities.ChatEventType, m communities.Moment) communities.ChatHappened {
	return communities.ChatHappened{Chat: r.ChatRef, Type: t, UserID: r.viewer.ID, Message: m}
}

// counted is up to how many members unread counts change with a message.
const counted = 25

// others reads all members of a chat where there are few, and nil where there are many.
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

// upToDate reports whether all messages so far are in the counts of members.
func (r *room) upToDate(members []*communities.Member) bool {
	if r.Chat.LastMessageAt.IsZero() {
		return true
	}
	last := communities.ReadFrom(r.Chat.LastMessageAt)
	return !slices.ContainsFunc(members, func(m *communities.Member) bool { return m.Counted < last })
}

// Send writes a message.
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

// answers refuses to write to somebody who is gone or banned.
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

// again answers a repeated call with the message of the first.
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

// Edit changes what a message of the viewer's says.
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

// Delete leaves a trace of a message. Its author may, the owner of a group chat, and
// moderators, who need not be members.
func (s *Service) Delete(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, id string) (*communities.SeenMessage, error) {
	return retry.OnConflict(func() (*communities.SeenMessage, error) {
		r, err := s.look(ctx, v, ref, id)
		if err != nil {
			return nil, err
		}
		moderates := ref.Type == communities.Group && r.viewer.Role != communities.Regular
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

// Unreact takes the viewer's reaction back.
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
