// Package request manages requests to join closed group chats. The owner of the chat, the
// founder of its community and administrators accept or reject them.
//
// Each request is decided once. A concurrent decision by another decider, by the requester
// or by the removal of the chat finds it decided.
package request

import (
	"context"
	"errors"
	"slices"
	"time"

	"stoa/internal/kit/input"
	"stoa/internal/kit/page"
	"stoa/internal/kit/retry"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// Store stores requests. Changes fail with ErrConcurrent if something has changed since it
// was read, and decisions with ErrDecided.
type Store interface {
	communities.Reader
	Create(ctx context.Context, r *communities.Request, c *communities.Chat, old *communities.Guard, n *communities.Notification, last communities.Notices, events ...outbox.Record) error
	Accept(ctx context.Context, r *communities.Request, c *communities.Chat, m *communities.Member, n *communities.Notification, last communities.Notices, events ...outbox.Record) error
	// End stores a rejection, with a guard, or a cancellation, with a nil guard.
	End(ctx context.Context, r *communities.Request, guard *communities.Guard, n *communities.Notification, last communities.Notices, events ...outbox.Record) error
	See(ctx context.Context, r *communities.Request, events ...outbox.Record) error
	Forget(ctx context.Context, requests []*communities.Request) error
	Of(ctx context.Context, id communities.UserID, pending bool, q page.Query) (page.Page[*communities.Request], error)
	For(ctx context.Context, id communities.ChatID, pending bool, q page.Query) (page.Page[*communities.Request], error)
}

// Service implements the request area. Its fields are set once.
type Service struct {
	Store Store
	Bus   outbox.Bus
	// Events also provides the clock and ids.
	Events outbox.Sender
}

func (s *Service) now() time.Time { return s.Events.Now().Truncate(time.Millisecond) }

// Ask creates a request of the viewer to join a chat.
func (s *Service) Ask(ctx context.Context, v viewer.Viewer, id communities.ChatID, note *string) (*communities.SeenRequest, error) {
	requestID := s.Events.NewID()
	return retry.OnConflict(func() (*communities.SeenRequest, error) {
		chat, own := communities.GroupRef(id), communities.MemberRef{Chat: communities.GroupRef(id), UserID: v.UserID}
		facts, self, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{
			Chats: []communities.ChatRef{chat}, Members: []communities.MemberRef{own}, Guards: []communities.MemberRef{own},
		})
		if err != nil {
			return nil, err
		}
		c := facts.Chats[chat]
		if c == nil {
			return nil, communities.ErrNoChat
		}
		if err := input.First(self.May(communities.JoinGroupChat), communities.CheckNote(note)); err != nil {
			return nil, err
		}
		in := communities.CommunityRef{CommunityID: c.CommunityID, UserID: v.UserID}
		more, err := s.Store.Facts(ctx, communities.Wanted{CommunityMembers: []communities.CommunityRef{in}, Notices: []communities.UserID{c.OwnerID}})
		if err != nil {
			return nil, err
		}
		now, guard := s.now(), facts.Guards[own]
		member := more.CommunityMembers[in]
		if err := input.First(c.Asks(member != nil, facts.Members[own] != nil), guard.Allows(now)); err != nil {
			return nil, err
		}
		r := &communities.Request{
			Moment: communities.Moment{At: member.Since(now), ID: requestID}, ChatID: id, UserID: v.UserID, CommunityID: c.CommunityID,
			Status: communities.Pending, Note: note,
		}
		last := more.Notices[c.OwnerID]
		n := communities.OfRequest(r, c, self.User).After(last.LastAt)
		records := s.Events.New(ctx, communities.RequestChanged{Ref: r.Ref(), Notified: &n.NotificationRef})
		if err := s.Store.Create(ctx, r, c, guard, n, last, records...); err != nil {
			return nil, err
		}
		s.Events.Committed(ctx, records...)
		return r.SeenBy(v.UserID, false, false), nil
	})
}

// file is a request with everything that decides what a viewer may do with it.
type file struct {
	*communities.Request
	viewer communities.Viewer
	chat   *communities.Chat
	// member is the viewer's membership of the chat, requester that of the requester.
	member, requester *communities.Member
	last              communities.Notices
	decides           bool
}

// seen returns r, which is the request or what it has become, as the viewer sees it.
func (f *file) seen(r *communities.Request) *communities.SeenRequest {
	return r.SeenBy(f.viewer.ID, f.decides, f.chat != nil && f.member != nil)
}

// open reads a request that the viewer may see. To others, it does not exist.
func (s *Service) open(ctx context.Context, v viewer.Viewer, id string) (*file, error) {
	ref, ok := communities.ParseRequestRef(id)
	chat := communities.GroupRef(ref.ChatID)
	w := communities.Wanted{}
	own, theirs := communities.MemberRef{Chat: chat, UserID: v.UserID}, communities.MemberRef{Chat: chat, UserID: ref.UserID}
	if ok {
		w = communities.Wanted{
			Requests: []communities.RequestRef{ref}, Chats: []communities.ChatRef{chat}, Members: []communities.MemberRef{own, theirs},
			Notices: []communities.UserID{ref.UserID},
		}
	}
	facts, self, err := communities.Ask(ctx, s.Store, v.UserID, w)
	if err != nil {
		return nil, err
	}
	f := &file{
		Request: facts.Requests[ref], viewer: self, chat: facts.Chats[chat], member: facts.Members[own], requester: facts.Members[theirs],
		last: facts.Notices[ref.UserID],
	}
	if f.Request == nil {
		return nil, communities.ErrNoRequest
	}
	if f.decides, err = s.decides(ctx, self, f.chat, f.CommunityID); err != nil {
		return nil, err
	}
	if f.seen(f.Request) == nil {
		return nil, communities.ErrNoRequest
	}
	return f, nil
}

// decides reports whether a viewer decides on requests for a chat, which may be gone.
func (s *Service) decides(ctx context.Context, v communities.Viewer, c *communities.Chat, in communities.CommunityID) (bool, error) {
	if v.IsAdmin() || c != nil && c.OwnerID == v.ID {
		return true, nil
	}
	facts, err := s.Store.Facts(ctx, communities.Wanted{Communities: []communities.CommunityID{in}})
	if err != nil {
		return false, err
	}
	community := facts.Communities[in]
	return community != nil && community.FounderID == v.ID, nil
}

// forDecision reads a pending request for a viewer who decides on it.
func (s *Service) forDecision(ctx context.Context, v viewer.Viewer, id string) (*file, error) {
	f, err := s.open(ctx, v, id)
	switch {
	case err != nil:
		return nil, err
	case !f.decides:
		return nil, communities.ErrPermission
	case f.Status != communities.Pending:
		return nil, communities.ErrDecided
	case f.chat == nil: // the request is about to be rejected
		return nil, communities.ErrNoChat
	}
	return f, nil
}

// Accept accepts a request, which makes the requester a member.
func (s *Service) Accept(ctx context.Context, v viewer.Viewer, id string) (*communities.SeenRequest, error) {
	first := true
	return retry.OnConflict(func() (*communities.SeenRequest, error) {
		f, err := s.forDecision(ctx, v, id)
		if err != nil {
			return nil, err
		}
		// The transaction requires that the requester is in the community. It is read only
		// to explain a failure.
		inside := true
		if !first {
			in := communities.CommunityRef{CommunityID: f.CommunityID, UserID: f.UserID}
			facts, err := s.Store.Facts(ctx, communities.Wanted{CommunityMembers: []communities.CommunityRef{in}})
			if err != nil {
				return nil, err
			}
			inside = facts.CommunityMembers[in] != nil
		}
		first = false
		if err := f.chat.Admits(inside, f.requester != nil); err != nil {
			return nil, err
		}
		r, err := f.Decided(communities.Accepted, v.UserID, s.now())
		if err != nil {
			return nil, err
		}
		m := f.chat.Joining(r.UserID, communities.PlainGuest, communities.Later(r.DecidedAt, r.At))
		n := communities.OfDecision(r, f.chat).After(f.last.LastAt)
		records := s.Events.New(ctx, communities.RequestChanged{Ref: r.Ref(), Notified: &n.NotificationRef},
			communities.ChatHappened{Chat: f.chat.ChatRef, Type: communities.MemberJoined, UserID: r.UserID})
		if err := s.Store.Accept(ctx, r, f.chat, m, n, f.last, records...); err != nil {
			return nil, err
		}
		s.Events.Committed(ctx, records...)
		return f.seen(r), nil
	})
}

// Reject rejects a request. The requester must wait before asking again.
func (s *Service) Reject(ctx context.Context, v viewer.Viewer, id string) (*communities.SeenRequest, error) {
	return retry.OnConflict(func() (*communities.SeenRequest, error) {
		f, err := s.forDecision(ctx, v, id)
		if err != nil {
			return nil, err
		}
		r, err := f.Decided(communities.Rejected, v.UserID, s.now())
		if err != nil {
			return nil, err
		}
		return f.seen(r), s.end(ctx, r, r.CooldownGuard(), communities.OfDecision(r, f.chat).After(f.last.LastAt), f.last)
	})
}

func (s *Service) end(ctx context.Context, r *communities.Request, guard *communities.Guard, n *communities.Notification, last communities.Notices) error {
	e := communities.RequestChanged{Ref: r.Ref()}
	if n != nil {
		e.Notified = &n.NotificationRef
	}
	records := s.Events.New(ctx, e)
	if err := s.Store.End(ctx, r, guard, n, last, records...); err != nil {
		return err
	}
	s.Events.Committed(ctx, records...)
	return nil
}

// Cancel cancels a request of the viewer.
func (s *Service) Cancel(ctx context.Context, v viewer.Viewer, id string) (*communities.SeenRequest, error) {
	return retry.OnConflict(func() (*communities.SeenRequest, error) {
		f, err := s.open(ctx, v, id)
		switch {
		case err != nil:
			return nil, err
		case f.UserID != v.UserID:
			return nil, communities.ErrNoRequest
		}
		r, err := f.Decided(communities.Cancelled, v.UserID, s.now())
		if err != nil {
			return nil, err
		}
		return f.seen(r), s.end(ctx, r, nil, nil, communities.Notices{})
	})
}

// See records that a viewer who decides on a request has seen it.
func (s *Service) See(ctx context.Context, v viewer.Viewer, id string) (*communities.SeenRequest, error) {
	return retry.OnConflict(func() (*communities.SeenRequest, error) {
		f, err := s.open(ctx, v, id)
		switch {
		case err != nil:
			return nil, err
		case !f.decides:
			return nil, communities.ErrPermission
		case f.Seen:
			return f.seen(f.Request), nil
		}
		records := s.Events.New(ctx, communities.RequestChanged{Ref: f.Ref()})
		if err := s.Store.See(ctx, f.Request, records...); err != nil {
			return nil, err
		}
		s.Events.Committed(ctx, records...)
		seen := *f.Request
		seen.Seen = true
		return f.seen(&seen), nil
	})
}

// Request returns a request, or nil to those who may not see it.
func (s *Service) Request(ctx context.Context, v viewer.Viewer, id string) (*communities.SeenRequest, error) {
	f, err := s.open(ctx, v, id)
	if err == communities.ErrNoRequest {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return f.seen(f.Request), nil
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

// existing returns those requests whose user exists.
func (s *Service) existing(ctx context.Context, some []*communities.Request) ([]*communities.Request, error) {
	w := communities.Wanted{}
	for _, r := range some {
		w.Users = append(w.Users, r.UserID)
	}
	facts, err := s.Store.Facts(ctx, w)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(some, func(r *communities.Request) bool { return !facts.Users[r.UserID].Lives() }), nil
}

func word(yes bool) string {
	if yes {
		return "pending"
	}
	return "all"
}

// Mine returns the viewer's requests.
func (s *Service) Mine(ctx context.Context, v viewer.Viewer, pending bool, args page.Args) (seenPage, error) {
	if _, _, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{}); err != nil {
		return seenPage{}, err
	}
	list, err := page.ListOf(args, "communities.myChatRequests", v.UserID, word(pending))
	if err != nil {
		return seenPage{}, err
	}
	p, err := s.Store.Of(ctx, v.UserID, pending, list.Query)
	return page.Seal(list, page.Map(p, func(r *communities.Request) *communities.SeenRequest { return r.SeenBy(v.UserID, false, false) }), err)
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

// For returns the requests for a chat.
func (s *Service) For(ctx context.Context, v viewer.Viewer, id communities.ChatID, pending bool, args page.Args) (seenPage, error) {
	decides, member, err := s.mayList(ctx, v, id, pending)
	if err != nil {
		return seenPage{}, err
	}
	list, err := page.ListOf(args, "communities.groupChatRequests", v.UserID, string(id), word(pending))
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

// closed is the number of requests closed at a time.
const closed = 25

// closing closes a pending request after its user or chat was deleted, without a
// notification. A concurrent decision is not an error.
func (s *Service) closing(ctx context.Context, r *communities.Request, to communities.RequestStatus, by communities.UserID) error {
	return retry.Run(func() error {
		ended, err := r.Decided(to, by, s.now())
		if err == nil {
			err = s.end(ctx, ended, nil, nil, communities.Notices{})
		}
		if errors.Is(err, communities.ErrDecided) || errors.Is(err, communities.ErrNoRequest) {
			err = nil
		}
		return err
	})
}

// CommunityLeft cancels the requests of a user who left a community, some at a time.
func (s *Service) CommunityLeft(ctx context.Context, e communities.CommunityLeft, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	p, err := s.Store.Of(ctx, e.UserID, true, page.Query{First: closed, After: cursor})
	if err != nil {
		return "", 0, err
	}
	in := communities.CommunityRef{CommunityID: e.CommunityID, UserID: e.UserID}
	facts, err := s.Store.Facts(ctx, communities.Wanted{CommunityMembers: []communities.CommunityRef{in}})
	if err != nil {
		return "", 0, err
	}
	for _, r := range p.Items {
		if r.CommunityID == e.CommunityID && facts.CommunityMembers[in].Left(r.At) {
			if err := s.closing(ctx, r, communities.Cancelled, e.UserID); err != nil {
				return "", 0, err
			}
			rows++
		}
	}
	return p.Next, rows, nil
}

// ChatDeleted rejects the pending requests for a deleted chat, some at a time.
func (s *Service) ChatDeleted(ctx context.Context, e communities.ChatDeleted, _ string, _ outbox.Tell) (next string, rows int, err error) {
	p, err := s.Store.For(ctx, e.ChatID, true, page.Query{First: closed})
	if err != nil {
		return "", 0, err
	}
	for _, r := range p.Items {
		if err := s.closing(ctx, r, communities.Rejected, e.By); err != nil {
			return "", 0, err
		}
	}
	if p.Next != "" {
		next = "more"
	}
	return next, len(p.Items), nil
}

// UserDeleted deletes the requests of a deleted user, some at a time.
func (s *Service) UserDeleted(ctx context.Context, e communities.UserDeleted, _ string, _ outbox.Tell) (next string, rows int, err error) {
	p, err := s.Store.Of(ctx, e.UserID, false, page.Query{First: closed})
	if err != nil {
		return "", 0, err
	}
	for _, r := range p.Items {
		if r.Status == communities.Pending {
			if err := s.closing(ctx, r, communities.Cancelled, e.UserID); err != nil {
				return "", 0, err
			}
		}
	}
	if p.Next != "" {
		next = "more"
	}
	return next, len(p.Items), s.Store.Forget(ctx, p.Items)
}

// RequestChanged publishes a change to the requester and to those who decide, and the
// notification, if any, to its user.
func (s *Service) RequestChanged(_ context.Context, e communities.RequestChanged, tell outbox.Tell) error {
	tell(communities.RequestNews{Ref: e.Ref}, communities.RequestNews{Ref: e.Ref, ToDecider: true})
	if e.Notified != nil {
		tell(communities.Notified{Ref: *e.Notified})
	}
	return nil
}

// Listen returns a channel of changed requests: the viewer's own, or, with a chat, those
// for it, to viewers who decide. It is closed when ctx ends, when the viewer no longer
// decides, and when its reader falls behind.
func (s *Service) Listen(ctx context.Context, v viewer.Viewer, id *communities.ChatID) (<-chan *communities.SeenRequest, error) {
	subject := communities.RequestsBy(v.UserID)
	if id != nil {
		subject = communities.RequestsFor(*id)
	}
	admit := func(ctx context.Context) error {
		if id != nil {
			_, _, err := s.mayList(ctx, v, *id, false)
			return err
		}
		_, _, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{})
		return err
	}
	return outbox.Follow(ctx, s.Bus, subject, s.Events.Now(), admit, func(ctx context.Context, n *communities.RequestNews) (*communities.SeenRequest, bool) {
		f, err := s.open(ctx, v, n.Ref.Opaque())
		if err == communities.ErrNoRequest && id == nil {
			return nil, false // gone with its user
		}
		if err != nil || id != nil && !f.decides {
			return nil, true
		}
		return f.seen(f.Request), false
	})
}
