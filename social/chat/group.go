package chat

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// CreateGroup creates a group of the caller and those others who can be added, with its
// first message. The message is a millisecond later than the chat, the smallest difference
// that clients can see.
func (s *Service) CreateGroup(
	ctx context.Context, c social.Caller, id social.ChatID, name string, others []social.UserID, messageID social.ChatMessageID, text string, d social.Detail,
) (*social.SeenChat, error) {
	if err := checkNew(id, messageID, text); err != nil {
		return nil, err
	}
	if err := social.CheckText(name); err != nil {
		return nil, err
	}
	check := desk.Checking{By: s.Checker}
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenChat, error) {
		now := c.User.NotBefore(s.Now())
		step := social.NewChat(social.Chat{ChatID: id, Type: social.ChatGroup, Name: name, CreatedByUserID: c.UserID, CreatedAt: now})
		step.Join(c.UserID, now)
		if err := s.announce(ctx, c, step, social.GroupCreatedText(c.User.Username, name), name, now); err != nil {
			return nil, err
		}
		if err := s.bringIn(ctx, c, step, others, now.Add(time.Microsecond)); err != nil {
			return nil, err
		}
		tags, err := s.People.Tags(ctx, text)
		if err != nil {
			return nil, err
		}
		at := step.NextMessageAt(now.Add(time.Millisecond))
		err = s.say(ctx, &check, step, social.ChatMessage{MessageID: messageID, UserID: c.UserID, CreatedAt: at, Text: text, TextTags: tags})
		if err != nil {
			return nil, err
		}
		return step.Facts(social.NewChatFacts(c, d)).See(), s.apply(ctx, a, step)
	})
}

// AddToGroup adds those users who can be added to a group of the caller.
func (s *Service) AddToGroup(ctx context.Context, c social.Caller, id social.ChatID, others []social.UserID, d social.Detail) (*social.SeenChat, error) {
	return s.group(ctx, c, id, "Cannot add users to non-GROUP chat `%s`", d, func(step *social.ChatStep) error {
		return s.bringIn(ctx, c, step, others, step.NextMessageAt(s.Now()))
	})
}

// EditGroup changes the name of a group of the caller, or removes it.
func (s *Service) EditGroup(ctx context.Context, c social.Caller, id social.ChatID, name string, d social.Detail) (*social.SeenChat, error) {
	if err := social.CheckText(name); err != nil {
		return nil, err
	}
	return s.group(ctx, c, id, "Cannot edit non-GROUP chat `%s`", d, func(step *social.ChatStep) error {
		step.Rename(name)
		return s.announce(ctx, c, step, social.GroupNamedText(c.User.Username, name), name, step.NextMessageAt(s.Now()))
	})
}

// LeaveGroup makes the caller leave a group and returns the group. When its last member
// leaves, it is deleted.
func (s *Service) LeaveGroup(ctx context.Context, c social.Caller, id social.ChatID, d social.Detail) (*social.SeenChat, error) {
	return s.group(ctx, c, id, "Cannot leave non-GROUP chat `%s`", d, func(step *social.ChatStep) error {
		step.Leave(c.UserID)
		if step.After.UserCount == 0 {
			return nil
		}
		return s.announce(ctx, c, step, social.GroupLeftText(c.User.Username), "", step.NextMessageAt(s.Now()))
	})
}

// group changes a group of the caller. A step without a message changes nothing, unless no
// member is left.
func (s *Service) group(
	ctx context.Context, c social.Caller, id social.ChatID, direct string, d social.Detail, change func(*social.ChatStep) error,
) (*social.SeenChat, error) {
	return inTurn(ctx, s, id, func(a *decision.Attempt) (*social.SeenChat, error) {
		f, err := s.mine(ctx, c, id, d)
		if err != nil {
			return nil, err
		}
		if f.Chat.Type != social.ChatGroup {
			return nil, refusal.Invalidf(direct, id)
		}
		step, err := s.step(ctx, f)
		if err != nil {
			return nil, err
		}
		if err := change(step); err != nil {
			return nil, err
		}
		switch {
		case step.After.UserCount == 0:
			err = s.remove(ctx, a, step)
		case len(step.Added) > 0:
			err = s.apply(ctx, a, step)
		}
		return step.Facts(f).See(), err
	})
}

// bringIn adds those users who exist, are active, are not members, and neither have a block
// nor a locked match with the caller, and a system message if there are any.
func (s *Service) bringIn(ctx context.Context, c social.Caller, step *social.ChatStep, ids []social.UserID, at time.Time) error {
	if len(ids) > social.MaxJoins {
		return refusal.Invalidf("A max of %d users may be added at a time", social.MaxJoins)
	}
	users, err := c.With(ctx, s.People, ids, social.BlockedTie|social.MatchTie)
	if err != nil {
		return err
	}
	if step.After.Large() {
		members, err := s.Store.MembersAmong(ctx, step.After.ChatID, slices.Collect(maps.Keys(users)))
		if err != nil {
			return err
		}
		step.Know(members)
	}
	var joining []*social.SeenUser
	asked := map[social.UserID]bool{}
	for _, id := range ids {
		if u := users[id]; !asked[id] && u != nil && u.Groupable(at) && step.Member(id) == nil {
			joining = append(joining, u)
		}
		asked[id] = true
	}
	if len(joining) == 0 {
		return nil
	}
	for _, u := range joining {
		at = u.NotBefore(at)
	}
	step.Grow(len(joining), cmp.Or(s.LargeChat, social.LargeChat), at)
	names, tags := make([]string, len(joining)), []social.TextTag{c.See().Tag()}
	for i, u := range joining {
		if step.After.Large() && i >= social.MaxJoinsAtOnce {
			step.JoinLater(u.UserID(), at)
		} else {
			step.Join(u.UserID(), at)
		}
		names[i], tags = u.Username(), append(tags, u.Tag())
	}
	s.system(step, social.GroupJoinedText(c.User.Username, names), tags, at)
	return nil
}

// announce adds a system message that mentions the caller, by the name that they had when they
// were admitted, and whomever the name of the group mentions.
func (s *Service) announce(ctx context.Context, c social.Caller, step *social.ChatStep, text, name string, at time.Time) error {
	tags, err := s.People.Tags(ctx, name)
	if err != nil {
		return err
	}
	me := c.See().Tag()
	others := slices.DeleteFunc(tags, func(t social.TextTag) bool { return t.Tag == me.Tag })
	s.system(step, text, append([]social.TextTag{me}, others...), at)
	return nil
}

func (s *Service) system(step *social.ChatStep, text string, tags []social.TextTag, at time.Time) {
	step.Say(social.ChatMessage{MessageID: social.ChatMessageID(s.NewID()), CreatedAt: at, Text: text, TextTags: tags})
}
