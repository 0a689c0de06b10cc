package chat

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Edit changes the text of a message of the caller, who need not be a member of its chat
// any more.
func (s *Service) Edit(ctx context.Context, c social.Caller, id social.ChatMessageID, text string, d social.Detail) (*social.SeenChatMessage, error) {
	if err := social.CheckText(text); err != nil {
		return nil, err
	}
	check := desk.Checking{By: s.Checker}
	return s.change(ctx, id, func(a *decision.Attempt) (*social.SeenChatMessage, error) {
		before, in, err := s.own(ctx, c, id, "edit", d)
		if err != nil {
			return nil, err
		}
		tags, err := s.People.Tags(ctx, text)
		if err != nil {
			return nil, err
		}
		after := social.NewChatMessageFacts(c, before, d).Edited(text, tags, s.Now())
		users, err := c.With(ctx, s.People, after.Users(), d)
		if err != nil {
			return nil, err
		}
		var again *desk.CaseStep
		if after.Message.Held {
			if again, err = desk.EditedIn(ctx, s.Cases, before.CaseItem()); err != nil {
				return nil, err
			}
			if again != nil {
				a.Tell(again.Message())
			}
		} else {
			found, err := check.Of(ctx, func() desk.Draft { return draft(*after.Message) })
			if err != nil {
				return nil, err
			}
			if !found.Allows() { // the message leaves the chat, and its case keeps it as it is now
				removed, err := desk.CheckedIn(ctx, s.Cases, before.CaseItem(), c.UserID, s.Now(), found)
				if err != nil {
					return nil, err
				}
				return after.See(users, around(in)), s.forceOutAs(ctx, a, in, before, after.Message, removed, desk.RemovedByProgram, decision.Announce(a, removed)...)
			}
			after = after.Checked(found)
		}
		edited := social.ChatMessageEdited{Chat: *in.Chat, Message: *after.Message}
		return after.See(users, around(in)), s.Store.Edit(ctx, before, after.Message, again, a.Emit(edited)...)
	})
}

// Delete deletes a message of the caller, who need not be a member of its chat any more,
// and returns it as it was.
func (s *Service) Delete(ctx context.Context, c social.Caller, id social.ChatMessageID, d social.Detail) (*social.SeenChatMessage, error) {
	return s.change(ctx, id, func(a *decision.Attempt) (*social.SeenChatMessage, error) {
		m, in, err := s.own(ctx, c, id, "delete", d)
		if err != nil {
			return nil, err
		}
		step, err := s.step(ctx, in)
		if err != nil {
			return nil, err
		}
		shown := social.NewChatMessageFacts(c, m, d)
		users, err := c.With(ctx, s.People, shown.Users(), d)
		if err != nil {
			return nil, err
		}
		readers := step.Readers(c.UserID)
		if m.Held {
			readers = nil
		}
		viewedAt, err := s.Store.ViewedAt(ctx, m.ChatID, readers)
		if err != nil {
			return nil, err
		}
		step.Unsay(*m, c.User, viewedAt, s.Now())
		all := append(events(step), social.ChatMessageDeleted{Chat: *step.After, Message: *m, To: readers})
		return shown.See(users, around(step.Facts(in))), s.Store.Unsay(ctx, step, m, a.Emit(all...)...)
	})
}

// change runs a decision about a message: members hear of its changes in the order of their commits.
func (s *Service) change(
	ctx context.Context, id social.ChatMessageID, decide func(*decision.Attempt) (*social.SeenChatMessage, error),
) (m *social.SeenChatMessage, err error) {
	err = s.Events.InOrder("message "+string(id), func() (err error) {
		m, err = decision.Run(ctx, s.Frame, decide)
		return err
	})
	return m, err
}

// own returns a message of the caller with its chat.
func (s *Service) own(
	ctx context.Context, c social.Caller, id social.ChatMessageID, verb string, d social.Detail,
) (*social.ChatMessage, social.ChatFacts, error) {
	refused := refusal.Invalidf("User `%s` cannot %s message `%s`", c.UserID, verb, id)
	none := social.ChatFacts{}
	if !id.Valid() {
		return nil, none, refused
	}
	m, err := s.Store.Message(ctx, id)
	if err != nil {
		return nil, none, err
	}
	if m == nil || m.UserID != c.UserID {
		return nil, none, refused
	}
	in, err := s.facts(ctx, c.UserID, m.ChatID, d)
	if err != nil {
		return nil, none, err
	}
	if !in.Exists() { // and the message is about to be deleted with it
		return nil, none, refused
	}
	return m, in, nil
}

// around returns the chat of a message as seen by its author, who may have left it.
func around(in social.ChatFacts) *social.SeenChat {
	if chat := in.See(); chat != nil {
		return chat
	}
	return in.Chat.Glimpse(in.Viewer)
}

// MessageEdited notifies the members of the chat, except the author.
func (s *Service) MessageEdited(ctx context.Context, e social.ChatMessageEdited, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	if e.Message.Held {
		return "", 0, nil
	}
	return s.tellAll(ctx, social.ChatMessageIsEdited, e.Chat, e.Message, time.Time{}, cursor, tell)
}

// MessageDeleted notifies the members of the chat, except the author. In a large group it
// also updates their counters.
func (s *Service) MessageDeleted(ctx context.Context, e social.ChatMessageDeleted, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	if e.Forced {
		tell = func(...outbox.Message) {}
	}
	if e.Chat.Large() && !e.Message.Held {
		return s.tellAll(ctx, social.ChatMessageIsDeleted, e.Chat, e.Message, e.Chat.JournalAt, cursor, tell)
	}
	tellOf(social.ChatMessageIsDeleted, e.Chat, e.Message, e.To, tell)
	return "", 0, nil
}
