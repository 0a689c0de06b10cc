package request

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/systems/communities"
)

// Request returns a request, or nil to those who may not see it.
func (s *Service) Request(ctx context.Context, v viewer.Viewer, id string) (*communities.SeenRequest, error) {
	o, err := s.open(ctx, v, id)
	if err == communities.ErrNoRequest {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return o.seen(o.Request), nil
}

// PendingOf returns the viewer's pending requests for chats.
func (s *Service) PendingOf(ctx context.Context, v viewer.Viewer, ids []communities.ChatID) (map[communities.ChatID]*communities.SeenRequest, error) {
	w := communities.Wanted{}
	for _, id := range ids {
		w.Guards = append(w.Guards, communities.MemberRef{Chat: communities.GroupRef(id), UserID: v.UserID})
	}
	facts, err := s.Store.Facts(ctx, w)
	if err != nil {
		return nil, err
	}
	w = communities.Wanted{}
	for _, g := range facts.Guards {
		if g.RetryAfter.IsZero() {
			w.Requests = append(w.Requests, communities.RequestRef{ChatID: g.ChatID, UserID: g.UserID, Moment: g.Request})
		}
	}
	found := map[communities.ChatID]*communities.SeenRequest{}
	if len(w.Requests) == 0 {
		return found, nil
	}
	if facts, err = s.Store.Facts(ctx, w); err != nil {
		return nil, err
	}
	for ref, r := range facts.Requests {
		if r.Status == communities.Pending {
			found[ref.ChatID] = r.SeenBy(v.UserID, false, false)
		}
	}
	return found, nil
}

type seenPage = page.Page[*communities.SeenRequest]

// Mine returns the viewer's requests.
func (s *Service) Mine(ctx context.Context, v viewer.Viewer, pending bool, args page.Args) (seenPage, error) {
	if _, err := communities.Admit(ctx, s.Store, v.UserID); err != nil {
		return seenPage{}, err
	}
	list, err := page.ListOf(args, "communities.myChatRequests", v.UserID, scope(pending))
	if err != nil {
		return seenPage{}, err
	}
	p, err := s.Store.Of(ctx, v.UserID, pending, list.Query)
	return page.Seal(list, page.Map(p, func(r *communities.Request) *communities.SeenRequest { return r.SeenBy(v.UserID, false, false) }), err)
}

// For returns the requests for a chat.
func (s *Service) For(ctx context.Context, v viewer.Viewer, id communities.ChatID, pending bool, args page.Args) (seenPage, error) {
	decides, member, err := s.mayList(ctx, v, id, pending)
	if err != nil {
		return seenPage{}, err
	}
	list, err := page.ListOf(args, "communities.groupChatRequests", v.UserID, string(id), scope(pending))
	if err != nil {
		return seenPage{}, err
	}
	return page.Fill(list, func(q page.Query) (page.Page[*communities.Request], error) {
		return s.Store.For(ctx, id, pending, q)
	}, func(some []*communities.Request) (shown []*communities.SeenRequest, err error) {
		some, err = s.existing(ctx, some)
		for _, r := range some {
			if seen := r.SeenBy(v.UserID, decides, member); seen != nil {
				shown = append(shown, seen)
			}
		}
		return shown, err
	})
}

// mayList refuses to list requests for a chat: members and deciders may list pending ones,
// deciders all. It also returns which of them the viewer is. For members who list pending
// ones, decides is always false.
func (s *Service) mayList(ctx context.Context, v viewer.Viewer, id communities.ChatID, pending bool) (decides, member bool, err error) {
	chat, own := communities.GroupRef(id), communities.MemberRef{Chat: communities.GroupRef(id), UserID: v.UserID}
	facts, self, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{Chats: []communities.ChatRef{chat}, Members: []communities.MemberRef{own}})
	if err != nil {
		return false, false, err
	}
	c, member := facts.Chats[chat], facts.Members[own] != nil
	if c == nil {
		return false, false, communities.ErrNoChat
	}
	if member && pending {
		return false, true, nil
	}
	switch decides, err := s.decides(ctx, self, c, c.CommunityID); {
	case err != nil || decides:
		return decides, member, err
	case member:
		return false, true, communities.ErrPermission
	}
	return false, false, communities.ErrNotChatMember
}

// existing returns those requests whose user exists.
func (s *Service) existing(ctx context.Context, some []*communities.Request) ([]*communities.Request, error) {
	return communities.WithUsers(ctx, s.Store, some,
		func(r *communities.Request) communities.UserID { return r.UserID },
		func(r *communities.Request, _ *communities.User) *communities.Request { return r },
	)
}

// scope returns which requests a list contains, to which its tokens are bound.
func scope(pending bool) string {
	if pending {
		return "pending"
	}
	return "all"
}
