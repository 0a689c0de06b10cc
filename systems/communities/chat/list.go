package chat

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// Group returns a group chat, or nil if it does not exist.
func (s *Service) Group(ctx context.Context, v viewer.Viewer, id communities.ChatID) (*communities.SeenGroup, error) {
	seen, err := s.Known(ctx, v, []communities.ChatID{id})
	return seen[id], err
}

// Known returns those group chats that exist.
func (s *Service) Known(ctx context.Context, v viewer.Viewer, ids []communities.ChatID) (map[communities.ChatID]*communities.SeenGroup, error) {
	w := communities.Wanted{}
	for _, id := range ids {
		w.Chats = append(w.Chats, communities.GroupRef(id))
		w.Members = append(w.Members, communities.MemberRef{Chat: communities.GroupRef(id), UserID: v.UserID})
	}
	facts, self, err := communities.Ask(ctx, s.Store, v.UserID, w)
	if err != nil {
		return nil, err
	}
	seen := make(map[communities.ChatID]*communities.SeenGroup, len(ids))
	for i, id := range ids {
		if c := facts.Chats[w.Chats[i]]; c != nil {
			seen[id] = c.GroupSeenBy(self, facts.Members[w.Members[i]])
		}
	}
	return seen, nil
}

// InCommunity returns the group chats of a community, for the named operation or field.
func (s *Service) InCommunity(
	ctx context.Context,
	v viewer.Viewer,
	operation string,
	id communities.CommunityID,
	args page.Args,
) (page.Page[*communities.SeenGroup], error) {
	none := page.Page[*communities.SeenGroup]{}
	facts, _, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{Communities: []communities.CommunityID{id}})
	switch {
	case err != nil:
		return none, err
	case facts.Communities[id] == nil:
		return none, communities.ErrNoCommunity
	}
	list, err := page.ListOf(args, "communities."+operation, v.UserID, string(id))
	if err != nil {
		return none, err
	}
	return page.Fill(list, page.Of(ctx, s.Pointers.Chats, id), func(ids []communities.ChatID) (shown []*communities.SeenGroup, err error) {
		seen, err := s.Known(ctx, v, ids)
		for _, id := range ids {
			if seen[id] != nil {
				shown = append(shown, seen[id])
			}
		}
		return shown, err
	})
}

// Mine returns the viewer's group chats.
func (s *Service) Mine(ctx context.Context, v viewer.Viewer, args page.Args) (page.Page[*communities.SeenGroup], error) {
	return mine(ctx, s, v, communities.Group, "myGroupChats", args, (*communities.Chat).GroupSeenBy)
}

// MinePrivate returns the viewer's private chats.
func (s *Service) MinePrivate(ctx context.Context, v viewer.Viewer, args page.Args) (page.Page[*communities.SeenPrivate], error) {
	return mine(ctx, s, v, communities.Private, "myPrivateChats", args, (*communities.Chat).PrivateSeenBy)
}

func mine[S any](
	ctx context.Context,
	s *Service,
	v viewer.Viewer,
	t communities.ChatType,
	operation string,
	args page.Args,
	as func(*communities.Chat, communities.Viewer, *communities.Member) S,
) (page.Page[S], error) {
	list, err := page.ListOf(args, "communities."+operation, v.UserID)
	if err != nil {
		if _, refused := communities.Admit(ctx, s.Store, v.UserID); refused != nil {
			err = refused
		}
		return page.Page[S]{}, err
	}
	return page.Fill(list, func(q page.Query) (page.Page[*communities.Member], error) {
		return s.Store.Of(ctx, t, v.UserID, q)
	}, func(some []*communities.Member) (shown []S, err error) {
		w := communities.Wanted{}
		for _, m := range some {
			w.Chats, w.Members = append(w.Chats, m.Chat), append(w.Members, m.MemberRef)
		}
		facts, self, err := communities.Ask(ctx, s.Store, v.UserID, w)
		if err != nil {
			return nil, err
		}
		for i := range some {
			c, m := facts.Chats[w.Chats[i]], facts.Members[w.Members[i]]
			if c != nil && m != nil {
				shown = append(shown, as(c, self, m))
			}
		}
		return shown, nil
	})
}

// Members returns the members of a group chat to a member, for the named operation or
// field. Members whose user is gone are omitted.
func (s *Service) Members(
	ctx context.Context,
	v viewer.Viewer,
	operation string,
	id communities.ChatID,
	args page.Args,
) (page.Page[*communities.SeenChatMember], error) {
	none := page.Page[*communities.SeenChatMember]{}
	c, _, self, err := s.own(ctx, v, communities.GroupRef(id))
	if err != nil {
		return none, err
	}
	list, err := page.ListOf(args, "communities."+operation, v.UserID, string(id))
	if err != nil {
		return none, err
	}
	return page.Fill(list, page.Of(ctx, s.Store.Members, c.ChatRef), func(some []*communities.Member) ([]*communities.SeenChatMember, error) {
		return communities.WithUsers(ctx, s.Store, some, userOf, func(m *communities.Member, u *communities.User) *communities.SeenChatMember {
			return m.SeenWith(u.SeenBy(self, s.Now()))
		})
	})
}

func userOf(m *communities.Member) communities.UserID { return m.UserID }

// cleaned is the number of memberships processed at a time.
const cleaned = 25

// CommunityLeft makes a user who left a community leave its group chats, some at a time,
// except those they joined after returning to the community. It can be repeated.
func (s *Service) CommunityLeft(ctx context.Context, e communities.CommunityLeft, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	p, err := s.Store.Of(ctx, communities.Group, e.UserID, page.Query{First: cleaned, After: cursor})
	if err != nil {
		return "", 0, err
	}
	for _, m := range p.Items {
		if m.CommunityID != e.CommunityID {
			continue
		}
		in := communities.CommunityRef{CommunityID: e.CommunityID, UserID: e.UserID}
		err := decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
			facts, err := s.Store.Facts(ctx, communities.Wanted{
				Chats: []communities.ChatRef{m.Chat}, Members: []communities.MemberRef{m.MemberRef}, CommunityMembers: []communities.CommunityRef{in},
			})
			if err != nil {
				return err
			}
			c, now := facts.Chats[m.Chat], facts.Members[m.MemberRef]
			if c == nil || now == nil || !facts.CommunityMembers[in].Left(now.JoinedAt) {
				return nil // gone with the chat, or left by themselves
			}
			_, err = s.end(ctx, a, c, now)
			return err
		})
		if err != nil {
			return "", 0, err
		}
		rows++
	}
	return p.Next, rows, nil
}

// ChatDeleted removes what belonged to a deleted group chat, some at a time.
func (s *Service) ChatDeleted(ctx context.Context, e communities.ChatDeleted, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	rows, more, err := s.Store.Forget(ctx, e.ChatID)
	if err != nil {
		return "", 0, err
	}
	if cursor == "" {
		tell(communities.ChatNews{Chat: communities.GroupRef(e.ChatID), Type: communities.MemberLeft, Gone: true})
	}
	if more {
		next = "more"
	}
	return next, rows, nil
}
