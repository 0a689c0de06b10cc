package chat

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// CreateDirect creates the direct chat of the caller and another user with its first
// message.
func (s *Service) CreateDirect(
	ctx context.Context, c social.Caller, id social.ChatID, with social.UserID, messageID social.ChatMessageID, text string, d social.Detail,
) (*social.SeenChat, error) {
	if err := checkNew(id, messageID, text); err != nil {
		return nil, err
	}
	check := desk.Checking{By: s.Checker}
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenChat, error) {
		users, err := c.With(ctx, s.People, []social.UserID{with}, social.BlockedTie|social.MatchTie)
		if err != nil {
			return nil, err
		}
		other := users[with]
		if other == nil {
			return nil, refusal.NotFoundf("User `%s` does not exist", with)
		}
		if err := other.CheckDirect(); err != nil {
			return nil, err
		}
		pair := social.PairOf(c.UserID, with)
		present, err := s.present(ctx, c.UserID, pair)
		if err != nil {
			return nil, err
		}
		if present {
			return nil, refusal.Invalidf("Chat already exists between user `%s` and user `%s`", c.UserID, with)
		}
		if err := other.CheckChattable(); err != nil {
			return nil, err
		}
		now := other.NotBefore(c.User.NotBefore(s.Now()))
		if err := other.CheckChatLock(now); err != nil {
			return nil, err
		}
		tags, err := s.People.Tags(ctx, text)
		if err != nil {
			return nil, err
		}
		chat := social.Chat{ChatID: id, Type: social.ChatDirect, CreatedByUserID: c.UserID, CreatedAt: now, Pair: pair}
		step := social.NewDirectChat(chat, other.NotBefore(c.User.SignedUpAt))
		step.Join(c.UserID, now)
		step.Join(with, now)
		err = s.say(ctx, &check, step, social.ChatMessage{MessageID: messageID, UserID: c.UserID, CreatedAt: now, Text: text, TextTags: tags})
		if err != nil {
			return nil, err
		}
		return step.Facts(social.NewChatFacts(c, d)).See(), s.apply(ctx, a, step)
	})
}

// present reports whether the pair, of which user is one, has a direct chat. A chat of a
// removed user is deleted first.
func (s *Service) present(ctx context.Context, user social.UserID, pair social.ChatPair) (bool, error) {
	id, err := s.Store.Direct(ctx, pair)
	if id == "" || err != nil {
		return false, err
	}
	f, err := s.facts(ctx, user, id, 0)
	if err != nil || len(f.Gone) == 0 {
		return true, err
	}
	return decision.Once(ctx, s.Frame, func(a *decision.Attempt) (present bool, err error) { return false, s.end(ctx, a, f, nil) })
}

func checkNew(id social.ChatID, messageID social.ChatMessageID, text string) error {
	if err := id.Check(); err != nil {
		return err
	}
	return checkMessage(messageID, text)
}

func checkMessage(id social.ChatMessageID, text string) error {
	if err := id.Check(); err != nil {
		return err
	}
	return social.CheckText(text)
}

// Add adds a message to a chat of the caller.
func (s *Service) Add(
	ctx context.Context, c social.Caller, id social.ChatID, messageID social.ChatMessageID, text string, d social.Detail,
) (*social.SeenChatMessage, error) {
	if err := checkMessage(messageID, text); err != nil {
		return nil, err
	}
	check := desk.Checking{By: s.Checker}
	return inTurn(ctx, s, id, func(a *decision.Attempt) (*social.SeenChatMessage, error) {
		f, err := s.mine(ctx, c, id, d)
		if err != nil {
			return nil, err
		}
		step, err := s.step(ctx, f)
		if err != nil {
			return nil, err
		}
		tags, err := s.People.Tags(ctx, text)
		if err != nil {
			return nil, err
		}
		err = s.say(ctx, &check, step, social.ChatMessage{
			MessageID: messageID, UserID: c.UserID, CreatedAt: step.NextMessageAt(c.User.NotBefore(s.Now())), Text: text, TextTags: tags,
		})
		if err != nil {
			return nil, err
		}
		message := social.NewChatMessageFacts(c, step.Added[0], d)
		users, err := c.With(ctx, s.People, message.Users(), d)
		if err != nil {
			return nil, err
		}
		return message.See(users, step.Facts(f).See()), s.apply(ctx, a, step)
	})
}
