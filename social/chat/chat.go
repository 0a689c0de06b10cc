// Package chat manages chats: their members, their messages, and who has yet to view them.
//
// Every decision is a social.ChatStep, which is stored as a whole: a message is never
// stored without the counters of the members. A chat leaves this package only as a
// SeenChat, made for one of its members.
package chat

import (
	"context"
	"errors"
	"slices"
	"time"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/together"
	"stoa/internal/kit/turns"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store stores chats.
type Store interface {
	social.ChatReader
	Journals
	Places
	// Direct returns the direct chat of two users, or "" if they have none.
	Direct(ctx context.Context, pair social.ChatPair) (social.ChatID, error)
	// ByUser returns the memberships of a user, latest activity first. Those that are placed by
	// their chats are anywhere.
	ByUser(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.ChatMember], error)
	// Memberships returns the memberships of a user, latest activity last.
	Memberships(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.ChatMember], error)
	// Members returns all members of a chat.
	Members(ctx context.Context, id social.ChatID) ([]social.ChatMember, error)
	// MembersPage returns the members of a chat, newest member first.
	MembersPage(ctx context.Context, id social.ChatID, q page.Query) (page.Page[*social.ChatMember], error)
	// Messages returns the messages of a chat, oldest first or, if reverse, newest first.
	Messages(ctx context.Context, id social.ChatID, q page.Query, reverse bool) (page.Page[*social.ChatMessage], error)
	// Together runs independent reads, concurrently if these wait for a server.
	Together(ctx context.Context, reads ...together.Work) error
	// MessageFacts returns the facts of messages of a chat, with the details in d.
	MessageFacts(ctx context.Context, viewer social.UserID, chat social.ChatID, of []*social.ChatMessage, d social.Detail) ([]social.ChatMessageFacts, error)
	// Apply stores a step and e. It fails with ErrTaken if the id of a new chat is in use,
	// with ErrMessageTaken if that of a message is, and with Conflict if the chat, its
	// members or a joining user have changed.
	Apply(ctx context.Context, step *social.ChatStep, e ...outbox.Record) error
	// Remove deletes the chat of a step with its members, and stores e. It fails with
	// Conflict if the chat or its members have changed.
	Remove(ctx context.Context, step *social.ChatStep, e ...outbox.Record) error
	// RemoveLeftovers deletes messages of a deleted chat. RemoveViews deletes its views,
	// unless another chat has its id.
	RemoveLeftovers(ctx context.Context, of []*social.ChatMessage) error
	RemoveViews(ctx context.Context, id social.ChatID) error
	// ViewsByUser returns the chat views of a user. ForgetViews deletes views, unless
	// they have been replaced.
	ViewsByUser(ctx context.Context, user social.UserID, q page.Query) (page.Page[social.ChatView], error)
	ForgetViews(ctx context.Context, views []social.ChatView) error

	// AllMessages returns the messages of all chats, in no particular order.
	AllMessages(ctx context.Context, q page.Query) (page.Page[*social.ChatMessage], error)
	// Message returns a message, or nil if it does not exist.
	Message(ctx context.Context, id social.ChatMessageID) (*social.ChatMessage, error)
	// Edit replaces a message with its edited form, and stores e. It fails with Conflict if
	// the message is gone.
	Edit(ctx context.Context, before, after *social.ChatMessage, in *desk.CaseStep, e ...outbox.Record) error
	// Unsay deletes a message from the chat of a step, and stores e. It fails with Conflict
	// if the message is gone, a newer one was added, or a member has viewed the chat.
	Unsay(ctx context.Context, step *social.ChatStep, m *social.ChatMessage, e ...outbox.Record) error
	// ForceOut deletes a message from the chat of a step by moderation, and stores e. It
	// fails with Conflict like Unsay, and if flags were added or the text was edited.
	ForceOut(ctx context.Context, step *social.ChatStep, m *social.ChatMessage, e ...outbox.Record) error
	// Flag stores a flag of a chat, FlagMessage one of a message in it. They fail with
	// Conflict if either is gone, flags were added, or the members have changed.
	Flag(ctx context.Context, c *social.Chat, flag social.Flag, report desk.CaseStep, e ...outbox.Record) error
	FlagMessage(ctx context.Context, in *social.Chat, m *social.ChatMessage, flag social.Flag, report desk.CaseStep, e ...outbox.Record) error
	// Keep stores a chat that a moderator decided to keep, KeepMessage such a message, without
	// its flags, with the decision and e. They fail with Conflict if it is gone or has been flagged
	// since.
	Keep(ctx context.Context, c *social.Chat, cleared []social.Flag, decided desk.CaseStep, e ...outbox.Record) error
	KeepMessage(ctx context.Context, m *social.ChatMessage, cleared []social.Flag, decided desk.CaseStep, e ...outbox.Record) error
	// Release shows the members of the chat of a step a message that was held, and stores e. It
	// fails with Conflict like Unsay.
	Release(ctx context.Context, step *social.ChatStep, m *social.ChatMessage, e ...outbox.Record) error
	// Restore takes the forced removal of a message back, and stores e. It fails with
	// ErrMessageTaken if its id is in use, and with Conflict like Unsay.
	Restore(ctx context.Context, step *social.ChatStep, m *social.ChatMessage, e ...outbox.Record) error

	// ViewedAt returns when users last viewed a chat. Users who never did are omitted.
	ViewedAt(ctx context.Context, id social.ChatID, users []social.UserID) (map[social.UserID]time.Time, error)
	// View records that a member viewed a chat, which sets their unviewed messages to zero,
	// and stores e. Views before since are of former profiles. It fails with Conflict if a
	// message was added or deleted.
	View(ctx context.Context, c *social.Chat, m social.ChatMember, since time.Time, times int, at time.Time, e ...outbox.Record) error
}

// Journals stores the journals of large groups, and the members who derive their counters
// from them.
type Journals interface {
	// Entries returns the entries that some members of a chat have yet to count.
	// ForgetEntries deletes entries that all have counted.
	Entries(ctx context.Context, id social.ChatID) ([]social.ChatEntry, error)
	ForgetEntries(ctx context.Context, id social.ChatID, entries []social.ChatEntry) error
	// MembersFrom returns the members of a chat ordered by id, including all who joined
	// before the call. MembersAmong returns those users who are members.
	MembersFrom(ctx context.Context, id social.ChatID, q page.Query) (page.Page[*social.ChatMember], error)
	MembersAmong(ctx context.Context, id social.ChatID, users []social.UserID) ([]social.ChatMember, error)
	// CatchUp stores members after they have counted the journal, and e. It fails with
	// Conflict if one of them has changed.
	CatchUp(ctx context.Context, moves []social.ChatMove, e ...outbox.Record) error
	// Join adds members to a chat, and stores e. It fails with Conflict if the chat's
	// journal differs from that of c, or one of them is a member already or not active.
	Join(ctx context.Context, c *social.Chat, members []social.ChatMember, e ...outbox.Record) error
	// RemoveMembers deletes members of a deleted chat, and stores e. It fails with Conflict
	// if one of them has changed.
	RemoveMembers(ctx context.Context, members []social.ChatMember, e ...outbox.Record) error
}

// Places finds the large groups of a user, which messages do not move in the list of the user's
// chats.
type Places interface {
	// LargeChatsOf returns the large groups of a user, and perhaps some that they have left.
	LargeChatsOf(ctx context.Context, user social.UserID) ([]social.ChatID, error)
	// Token returns the token of the page of a user's chats after a membership, Place the
	// membership that a token follows, with its ids and its time.
	Token(m *social.ChatMember) (string, error)
	Place(user social.UserID, token string) (*social.ChatMember, error)
}

// People reads users and resolves mentions in texts.
type People interface {
	social.People
	social.Tagger
}

// Service implements the chat area. All fields but LargeChat are required.
type Service struct {
	decision.Frame
	Store  Store
	People People
	Users  social.ProfileReader
	Flags  social.Flags
	// Cases has the cases of what was flagged.
	Cases social.Cases
	// BadWords are the words for which messages are removed.
	BadWords social.BadWordList
	// Checker checks messages before others are shown them; nil if nothing is checked.
	Checker desk.Checker
	Bus     outbox.Bus
	// Turns lets one decision of members at a time run in a chat of those that have lost a race.
	Turns *turns.Turns
	// LargeChat is the largest number of members of a regular group; 0 means social.LargeChat.
	LargeChat int
}

// apply stores a step and its events, as a decision of its own: members hear of messages in
// the order of their times, which is that of the commits (realtime 3#4). The decision of a
// ends when the time of the newest message has passed, so that the client never holds a
// message from the future.
func (s *Service) apply(ctx context.Context, a *decision.Attempt, step *social.ChatStep) error {
	a.Until(step.After.LastMessageActivityAt)
	err := s.Events.InOrder(string(step.After.ChatID), func() error {
		return decision.DoOnce(ctx, s.Frame, func(a *decision.Attempt) error {
			e := a.Emit(events(step)...)
			if step.Case != nil { // of a message that is held
				e = slices.Concat(e, decision.Announce(a, *step.Case))
			}
			return s.Store.Apply(ctx, step, e...)
		})
	})
	switch {
	case errors.Is(err, refusal.ErrTaken):
		return refusal.Invalidf("Unable to add chat with id `%s`... id already used?", step.After.ChatID)
	case errors.Is(err, social.ErrMessageTaken):
		return refusal.Invalidf("Unable to add message... id already used?")
	default:
		return err
	}
}

func events(step *social.ChatStep) []outbox.Event {
	added, unviewed := step.MessagesAdded()
	var all []outbox.Event
	if len(step.Later) > 0 { // first, as new members receive the messages that follow
		all = append(all, social.ChatJoined{ChatID: step.After.ChatID, CreatedAt: step.After.CreatedAt, UserIDs: step.Later, At: step.JoinedAt})
	}
	for _, e := range added {
		all = append(all, e)
	}
	if m := step.Refused(); m != nil {
		all = append(all, social.ChatMessageRefused{ChatID: m.ChatID, MessageID: m.MessageID})
	}
	return append(all, unviewedChanged(step.After.ChatID, unviewed)...)
}

// unviewedChanged returns the event that users' numbers of unviewed chats changed, if there
// are any.
func unviewedChanged(id social.ChatID, users []social.UserID) []outbox.Event {
	if len(users) == 0 {
		return nil
	}
	return []outbox.Event{social.UnviewedChatsChanged{ChatID: id, UserIDs: users}}
}

// inTurn runs a decision of a member that changes a chat. If it loses a race, it is repeated in turn with
// others, and while nobody views the chat: many members who write and view at the same time would
// otherwise keep each other from it.
func inTurn[T any](ctx context.Context, s *Service, id social.ChatID, decide func(a *decision.Attempt) (T, error)) (T, error) {
	attempts, end := 0, func() {}
	defer func() { end() }()
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (done T, err error) {
		if attempts++; attempts == 2 {
			if end, err = s.Turns.Acquire(ctx, string(id), 1); err != nil {
				return done, err
			}
		}
		return decide(a)
	})
}

// mine returns the facts of a chat of the caller, or an error if they are not a member.
func (s *Service) mine(ctx context.Context, c social.Caller, id social.ChatID, d social.Detail) (social.ChatFacts, error) {
	f, err := s.facts(ctx, c.UserID, id, d)
	if err == nil && !f.Open() {
		err = refusal.NotFoundf("User `%s` is not a member of chat `%s`", c.UserID, id)
	}
	return f, err
}

// facts returns the facts of a chat for the viewer, empty if it does not exist.
func (s *Service) facts(ctx context.Context, viewer social.UserID, id social.ChatID, d social.Detail) (social.ChatFacts, error) {
	if !id.Valid() {
		return social.ChatFacts{}, nil
	}
	facts, err := s.Store.Facts(ctx, viewer, []social.ChatID{id}, d)
	return facts[id], err
}

// step returns an empty step of a chat with all its members, or, for a large group, with
// the viewer if they are a member.
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
