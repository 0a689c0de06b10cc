// Package chat decides about chats: who talks with whom, what is said, and who has yet to
// read it.
//
// Whatever a decision makes of a chat is a social.ChatStep, which is stored as a whole: a
// message never stands without what it counts for each member. A chat leaves this package
// as a SeenChat only, made for one of its members.
package chat

import (
	"context"
	"errors"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store keeps chats.
type Store interface {
	social.ChatReader
	Journals
	// Direct returns the direct chat of two users, "" when they have none.
	Direct(ctx context.Context, pair social.ChatPair) (social.ChatID, error)
	// ByUser returns the memberships of a user, latest activity first.
	ByUser(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.ChatMember], error)
	// Memberships returns the memberships of a user, the latest activity last.
	Memberships(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.ChatMember], error)
	// Members returns everybody in a chat.
	Members(ctx context.Context, id social.ChatID) ([]social.ChatMember, error)
	// MembersPage returns the members of a chat, those who joined last first.
	MembersPage(ctx context.Context, id social.ChatID, q page.Query) (page.Page[*social.ChatMember], error)
	// Messages returns the messages of a chat, oldest first or newest first.
	Messages(ctx context.Context, id social.ChatID, q page.Query, reverse bool) (page.Page[*social.ChatMessage], error)
	// MessageFacts adds the details that d asks for to messages of a chat.
	MessageFacts(ctx context.Context, viewer social.UserID, chat social.ChatID, of []*social.ChatMessage, d social.Detail) ([]social.ChatMessageFacts, error)
	// Take stores what a step makes of a chat, and e. It fails with ErrTaken when the id of
	// a new chat is in use, with ErrMessageTaken when that of a message is, and with
	// Conflict when the chat, its members or a user who joins are not as they were.
	Take(ctx context.Context, step *social.ChatStep, e ...outbox.Record) error
	// Remove removes the chat of a step with its members, and stores e. It fails with
	// Conflict when the chat or its members are not as they were.
	Remove(ctx context.Context, step *social.ChatStep, e ...outbox.Record) error
	// RemoveLeftovers removes messages of a chat that is gone; RemoveViews removes its
	// views, unless there is another with its id.
	RemoveLeftovers(ctx context.Context, of []*social.ChatMessage) error
	RemoveViews(ctx context.Context, id social.ChatID) error
	// ViewsByUser returns the views of a user, and ForgetViews removes some.
	ViewsByUser(ctx context.Context, user social.UserID, q page.Query) (page.Page[social.ChatView], error)
	ForgetViews(ctx context.Context, views []social.ChatView) error

	// AllMessages returns the messages of all chats, in no useful order.
	AllMessages(ctx context.Context, q page.Query) (page.Page[*social.ChatMessage], error)
	// Message returns a message, nil when there is none.
	Message(ctx context.Context, id social.ChatMessageID) (*social.ChatMessage, error)
	// Edit stores an edited message in place of before, and e. It fails with Conflict when
	// the message is gone.
	Edit(ctx context.Context, before, after *social.ChatMessage, e ...outbox.Record) error
	// Unsay removes a message from the chat of a step, and stores e. It fails with Conflict
	// when the message is gone, a newer one has come, or a member has viewed the chat.
	Unsay(ctx context.Context, step *social.ChatStep, m *social.ChatMessage, e ...outbox.Record) error
	// ForceOut removes a message from the chat of a step against its author, and stores e. It
	// fails with Conflict as Unsay does, and when flags have come.
	ForceOut(ctx context.Context, step *social.ChatStep, m *social.ChatMessage, e ...outbox.Record) error
	// Flag stores a flag of a chat, FlagMessage one of a message in it. They fail with Conflict
	// when either is gone, flags have come, or members have come or gone.
	Flag(ctx context.Context, c *social.Chat, flag social.Flag) error
	FlagMessage(ctx context.Context, in *social.Chat, m *social.ChatMessage, flag social.Flag) error

	// ViewedAt returns when users last viewed a chat, for those who ever did.
	ViewedAt(ctx context.Context, id social.ChatID, users []social.UserID) (map[social.UserID]time.Time, error)
	// View records that a member viewed a chat, has no messages to view any more, and
	// stores e. It fails with Conflict when a message has come or gone.
	View(ctx context.Context, c *social.Chat, m social.ChatMember, times int, at time.Time, e ...outbox.Record) error
}

// Journals keeps the journals of large groups, and who counts by them.
type Journals interface {
	// Entries returns what has not been counted by all members of a chat, and ForgetEntries
	// removes what has been.
	Entries(ctx context.Context, id social.ChatID) ([]social.ChatEntry, error)
	ForgetEntries(ctx context.Context, id social.ChatID, entries []social.ChatEntry) error
	// MembersFrom returns the members of a chat in the order of their ids, everybody who joined
	// before the call, and MembersAmong those users who are members.
	MembersFrom(ctx context.Context, id social.ChatID, q page.Query) (page.Page[*social.ChatMember], error)
	MembersAmong(ctx context.Context, id social.ChatID, users []social.UserID) ([]social.ChatMember, error)
	// CatchUp stores members as they are when they have counted the journal, and e. It fails
	// with Conflict when one of them is not as they were.
	CatchUp(ctx context.Context, moves []social.ChatMove, e ...outbox.Record) error
	// Join makes users members of a chat, which must have the journal that c has, and stores e.
	// It fails with Conflict when it has not, or one of them is a member already or not active.
	Join(ctx context.Context, c *social.Chat, members []social.ChatMember, e ...outbox.Record) error
	// RemoveMembers removes members of a chat that is gone, and stores e. It fails with Conflict
	// when one of them is not as they were.
	RemoveMembers(ctx context.Context, members []social.ChatMember, e ...outbox.Record) error
}

// People knows users and the names in texts.
type People interface {
	social.People
	social.Tagger
}

// Users knows profiles.
type Users interface {
	// Profile returns a profile, nil when there is none.
	Profile(ctx context.Context, id social.UserID) (*social.User, error)
}

// Service decides about chats. All fields must be set.
type Service struct {
	Store  Store
	People People
	Users  Users
	Flags  social.FlagClearer
	// BadWords are those for which messages are removed.
	BadWords social.BadWordList
	Events   outbox.Sender
	Bus      outbox.Bus
}

// take makes a step and tells of it. It returns when the time of the newest message has
// come: no clock may show an earlier one to whoever has the answer.
func (s *Service) take(ctx context.Context, step *social.ChatStep) error {
	e := s.Events.New(ctx, events(step)...)
	err := s.Store.Take(ctx, step, e...)
	switch {
	case errors.Is(err, refusal.ErrTaken):
		return refusal.Invalidf("Unable to add chat with id `%s`... id already used?", step.After.ChatID)
	case errors.Is(err, social.ErrMessageTaken):
		return refusal.Invalidf("Unable to add message... id already used?")
	case err != nil:
		return err
	}
	s.Events.Committed(ctx, e...)
	s.Events.Await(step.After.LastMessageActivityAt)
	return nil
}

func events(step *social.ChatStep) []outbox.Event {
	added, unviewed := step.Told()
	var all []outbox.Event
	if len(step.Later) > 0 { // first: who joins hears what is said then
		all = append(all, social.ChatJoined{ChatID: step.After.ChatID, CreatedAt: step.After.CreatedAt, UserIDs: step.Later, At: step.JoinedAt})
	}
	for _, e := range added {
		all = append(all, e)
	}
	if len(unviewed) > 0 {
		all = append(all, social.UnviewedChatsMoved{ChatID: step.After.ChatID, UserIDs: unviewed})
	}
	return all
}

// mine returns a chat that the caller is in.
func (s *Service) mine(ctx context.Context, c social.Caller, id social.ChatID, d social.Detail) (social.ChatFacts, error) {
	f, err := s.facts(ctx, c.UserID, id, d)
	if err == nil && !f.Open() {
		err = refusal.NotFoundf("User `%s` is not a member of chat `%s`", c.UserID, id)
	}
	return f, err
}

// facts returns a chat as the viewer knows it, none of one that does not exist.
func (s *Service) facts(ctx context.Context, viewer social.UserID, id social.ChatID, d social.Detail) (social.ChatFacts, error) {
	if !id.Valid() {
		return social.ChatFacts{}, nil
	}
	facts, err := s.Store.Facts(ctx, viewer, []social.ChatID{id}, d)
	return facts[id], err
}

// step begins a change of a chat with all its members; of a large group with the viewer,
// if they are one.
func (s *Service) step(ctx context.Context, f social.ChatFacts) (*social.ChatStep, error) {
	if f.Chat.Large() {
		var known []social.ChatMember
		if f.Member != nil {
			known = append(known, *f.Member)
		}
		return f.Chat.Step(known), nil
	}
	members, err := s.Store.Members(ctx, f.Chat.ChatID)
	if err != nil {
		return nil, err
	}
	return f.Chat.Step(members), nil
}

// others reads those users among ids that are not the caller, with the ties that d asks
// for, and adds the caller, who is known.
func (s *Service) others(ctx context.Context, c social.Caller, ids []social.UserID, d social.Detail) (social.SeenUsers, error) {
	var unknown []social.UserID
	for _, id := range ids {
		if id != c.UserID {
			unknown = append(unknown, id)
		}
	}
	users := social.SeenUsers{}
	if len(unknown) > 0 {
		var err error
		if users, err = s.People.Visible(ctx, c.Viewer, unknown, d); err != nil {
			return nil, err
		}
	}
	users[c.UserID] = c.See()
	return users, nil
}
