package chat

import (
	"context"
	"maps"
	"slices"

	"stoa/internal/kit/page"
	"stoa/internal/kit/together"
	"stoa/social"
)

// Chat returns a chat as one of its members sees it, or nil to other viewers.
func (s *Service) Chat(ctx context.Context, v social.Viewer, id social.ChatID, d social.Detail) (*social.SeenChat, error) {
	f, err := s.facts(ctx, v.UserID, id, d)
	if err != nil {
		return nil, err
	}
	return f.See(), nil
}

// Direct returns the viewer's direct chat with a user, or nil if there is none.
func (s *Service) Direct(ctx context.Context, v social.Viewer, with *social.SeenUser, d social.Detail) (*social.SeenChat, error) {
	if with.IsSelf() {
		return nil, nil
	}
	id, err := s.Store.Direct(ctx, social.PairOf(v.UserID, with.UserID()))
	if id == "" || err != nil {
		return nil, err
	}
	return s.Chat(ctx, v, id, d)
}

// ByUser returns a user's chats, latest activity first, or nil to other viewers.
func (s *Service) ByUser(ctx context.Context, of *social.SeenUser, list page.Args, d social.Detail) (*page.Page[*social.SeenChat], error) {
	q, err := list.Query()
	if err != nil || !of.IsSelf() {
		return nil, err
	}
	var members page.Page[*social.ChatMember]
	var facts map[social.ChatID]social.ChatFacts
	if of.InLargeChats() {
		members, facts, err = s.merged(ctx, of.UserID(), q, d)
	} else {
		members, err = s.Store.ByUser(ctx, of.UserID(), q)
	}
	if err != nil {
		return nil, err
	}
	seen := page.Page[*social.SeenChat]{Items: make([]*social.SeenChat, 0, len(members.Items)), Next: members.Next}
	var ids, unread []social.ChatID
	for _, m := range members.Items {
		ids = append(ids, m.ChatID)
		if _, read := facts[m.ChatID]; !read {
			unread = append(unread, m.ChatID)
		}
	}
	if len(unread) > 0 {
		found, err := s.Store.Facts(ctx, of.UserID(), unread, d)
		if err != nil {
			return nil, err
		}
		if facts == nil {
			facts = found
		} else {
			maps.Copy(facts, found)
		}
	}
	for _, id := range ids {
		if chat := facts[id].See(); chat != nil {
			seen.Items = append(seen.Items, chat)
		}
	}
	return &seen, nil
}

// merged returns a page of the memberships of a user who may be in large groups, latest activity
// first, each with the time that places it, and the facts of all large groups. It is the page that
// the user's list would have if messages moved all memberships in it.
func (s *Service) merged(
	ctx context.Context, user social.UserID, q page.Query, d social.Detail,
) (p page.Page[*social.ChatMember], facts map[social.ChatID]social.ChatFacts, err error) {
	var place *social.ChatMember
	if q.After != "" {
		if place, err = s.Store.Place(user, q.After); err != nil {
			return p, nil, err
		}
	}
	large, err := s.Store.LargeChatsOf(ctx, user)
	if err != nil {
		return p, nil, err
	}
	var listed []*social.ChatMember
	err = together.Do(ctx,
		func(ctx context.Context) (err error) {
			facts, err = s.Store.Facts(ctx, user, large, d)
			return err
		},
		func(ctx context.Context) (err error) {
			listed, err = s.listed(ctx, user, q, large)
			return err
		},
	)
	if err != nil {
		return p, nil, err
	}
	for id, f := range facts {
		m := &social.ChatMember{ChatID: id, UserID: user, LastMessageActivityAt: f.Chat.LastMessageActivityAt}
		if f.Open() && (place == nil || place.Compare(m) < 0) {
			listed = append(listed, m)
		}
	}
	slices.SortFunc(listed, (*social.ChatMember).Compare)
	if p.Items = listed; len(listed) > q.First {
		p.Items = listed[:q.First]
		p.Next, err = s.Store.Token(listed[q.First-1])
	}
	return p, facts, err
}

// listed returns the memberships of a page of a user's chats without large groups, and the one that
// follows.
func (s *Service) listed(ctx context.Context, user social.UserID, q page.Query, large []social.ChatID) (listed []*social.ChatMember, err error) {
	for after := q.After; ; {
		members, err := s.Store.ByUser(ctx, user, page.Query{First: q.First + 1, After: after})
		if err != nil {
			return nil, err
		}
		for _, m := range members.Items {
			if !slices.Contains(large, m.ChatID) {
				listed = append(listed, m)
			}
		}
		if after = members.Next; after == "" || len(listed) > q.First {
			return listed, nil
		}
	}
}

// Members returns the members of a chat, newest member first, omitting the user without.
// Viewers who may not read the chat get none.
func (s *Service) Members(ctx context.Context, in *social.SeenChat, list page.Args, without social.UserID) (*page.Page[social.UserID], error) {
	q, err := list.Query()
	if err != nil {
		return nil, err
	}
	if !in.Open() {
		return &page.Page[social.UserID]{Items: []social.UserID{}}, nil
	}
	ids, err := s.memberIDs(ctx, in, q)
	if err != nil {
		return nil, err
	}
	ids.Items = slices.DeleteFunc(ids.Items, func(id social.UserID) bool { return id == without })
	return &ids, nil
}

func (s *Service) memberIDs(ctx context.Context, in *social.SeenChat, q page.Query) (page.Page[social.UserID], error) {
	if r := in.Remains(); r != nil {
		return page.Page[social.UserID]{Items: slices.Clone(r.Members[:min(q.First, len(r.Members))])}, nil
	}
	members, err := s.Store.MembersPage(ctx, in.ChatID(), q)
	return page.Map(members, userOf), err
}

func userOf(m *social.ChatMember) social.UserID { return m.UserID }

// Messages returns the messages of a chat, oldest first or, if reverse, newest first.
// Viewers who may not read the chat get none.
func (s *Service) Messages(
	ctx context.Context,
	v social.Viewer,
	in *social.SeenChat,
	list page.Args,
	reverse bool,
	d social.Detail,
) (*page.Page[*social.SeenChatMessage], error) {
	q, err := list.Query()
	if err != nil {
		return nil, err
	}
	seen := page.Page[*social.SeenChatMessage]{Items: []*social.SeenChatMessage{}}
	if !in.Open() {
		return &seen, nil
	}
	facts, users, next, err := s.messageFacts(ctx, v, in, q, reverse, d)
	if err != nil {
		return nil, err
	}
	seen.Next = next
	for _, f := range facts {
		if !f.Message.HiddenFrom(v.UserID) {
			seen.Items = append(seen.Items, f.See(users, in))
		}
	}
	return &seen, nil
}

// messageFacts returns a page of the messages of a chat, with their users.
func (s *Service) messageFacts(
	ctx context.Context,
	v social.Viewer,
	in *social.SeenChat,
	q page.Query,
	reverse bool,
	d social.Detail,
) (facts []social.ChatMessageFacts, users social.SeenUsers, next string, err error) {
	var userIDs []social.UserID
	if r := in.Remains(); r != nil {
		facts = r.Oldest
		if reverse {
			facts = r.Newest
		}
		facts = facts[:min(q.First, len(facts))]
		for _, f := range facts {
			userIDs = append(userIDs, f.Users()...)
		}
		users, err = s.People.Visible(ctx, v, userIDs, d)
		return facts, users, "", err
	}
	messages, err := s.Store.Messages(ctx, in.ChatID(), q, reverse)
	if len(messages.Items) == 0 || err != nil {
		return nil, nil, messages.Next, err
	}
	for _, m := range messages.Items {
		userIDs = append(userIDs, m.Users(d)...)
	}
	err = s.Store.Together(ctx, func(ctx context.Context) (err error) {
		facts, err = s.Store.MessageFacts(ctx, v.UserID, in.ChatID(), messages.Items, d)
		return err
	}, func(ctx context.Context) (err error) {
		users, err = s.People.Visible(ctx, v, userIDs, d)
		return err
	})
	return facts, users, messages.Next, err
}

// Of returns the chat of a message that the viewer sees.
func (s *Service) Of(ctx context.Context, v social.Viewer, m *social.SeenChatMessage, d social.Detail) (*social.SeenChat, error) {
	if m.In().Shows(d) && m.In().Open() {
		return m.In(), nil
	}
	chat, err := s.Chat(ctx, v, m.In().ChatID(), d)
	if err != nil || chat != nil {
		return chat, err
	}
	return m.In().Unread(), nil
}
