package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// RequestStore stores requests to join group chats. Changes fail with Conflict if
// something has changed since it was read.
type RequestStore struct{ Reader }

// notPending requires that a user has no pending request for a chat.
func notPending(tx *keyspec.Tx, m communities.MemberRef) {
	guards.Check(tx, guardKey(m)).If("attribute_not_exists(State) OR State = ?", stateCooldown)
}

// decide stores the decision on a pending request in both copies.
func decide(tx *keyspec.Tx, r *communities.Request) (first keyspec.Update) {
	by := func(u keyspec.Update) keyspec.Update {
		u.Remove("PendingId").Set("Status", r.Status).Set("DecidedAt", r.DecidedAt).If("Status = ?", communities.Pending)
		if r.DecidedBy != "" {
			u.Set("DecidedBy", r.DecidedBy)
		}
		return u
	}
	by(chatRequests.Update(tx, chatRequestKey(r.Ref())))
	return by(userRequests.Update(tx, userRequestKey(r.Ref())))
}

// decided replaces the error of a failed transaction by ErrDecided if the decision came too
// late.
func decided(err error, request keyspec.Update) error {
	return stored.Concurrent(err, stored.ByItem(userRequests, request, func(now *requestItem) error {
		switch {
		case now == nil:
			return communities.ErrNoRequest
		case now.Status != communities.Pending:
			return communities.ErrDecided
		}
		return nil
	}))
}

// Create stores a pending request for a chat as read, and the notification of those who
// decide. It replaces the guard old, which must have expired, or be nil if there is none.
func (s *RequestStore) Create(
	ctx context.Context,
	r *communities.Request,
	c *communities.Chat,
	old *communities.Guard,
	n *communities.Notification,
	last communities.Notices,
	events ...outbox.Record,
) error {
	tx := s.db.NewTx()
	userRequests.Create(tx, requestItemOf(r))
	chatRequests.Create(tx, requestItemOf(r))
	guard := guards.Put(tx, guardItemOf(r.PendingGuard()))
	if old == nil {
		guard.Absent()
	} else {
		guard.If("State = ? AND RetryAfter = ?", stateCooldown, old.RetryAfter)
	}
	groupChats.Check(tx, groupChatKey(c.ID)).If("Private = ? AND OwnerId = ?", true, c.OwnerID)
	groupMembers.Check(tx, groupMemberKey(c.ID, r.UserID)).Absent()
	inside(tx, c, r.UserID)
	alive(tx, r.UserID)
	notify(tx, n, last)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// Accept adds the requester to the chat as read. It fails with ErrDecided.
func (s *RequestStore) Accept(
	ctx context.Context,
	r *communities.Request,
	c *communities.Chat,
	m *communities.Member,
	n *communities.Notification,
	last communities.Notices,
	events ...outbox.Record,
) error {
	tx := s.db.NewTx()
	request := decide(tx, r)
	guards.Delete(tx, guardKey(m.MemberRef)).If("RequestId = ?", r.ID)
	item := groupMemberItemOf(m)
	groupMembers.Create(tx, item)
	numCounts.Moved(tx, nil, &item)
	unchangedSince(groupChats.Update(tx, groupChatKey(c.ID)), c).If("NumMembers < Capacity AND OwnerId = ?", c.OwnerID)
	inside(tx, c, r.UserID)
	users.Check(tx, userKey(r.UserID)).If("Deleted = ?", false)
	notify(tx, n, last)
	return decided(ops.Commit(ctx, tx, events...), request)
}

// End stores a rejection, with a guard that will expire, or a cancellation, with a nil
// guard. The notification may be nil. It fails with ErrDecided.
func (s *RequestStore) End(
	ctx context.Context,
	r *communities.Request,
	guard *communities.Guard,
	n *communities.Notification,
	last communities.Notices,
	events ...outbox.Record,
) error {
	tx := s.db.NewTx()
	request := decide(tx, r)
	key := guardKey(communities.MemberRef{Chat: communities.GroupRef(r.ChatID), UserID: r.UserID})
	if guard != nil {
		guards.Put(tx, guardItemOf(guard)).If("RequestId = ?", r.ID)
	} else {
		guards.Delete(tx, key).If("RequestId = ?", r.ID)
	}
	if n != nil {
		notify(tx, n, last)
	}
	return decided(ops.Commit(ctx, tx, events...), request)
}

// See stores that a user who decides has seen a request.
func (s *RequestStore) See(ctx context.Context, r *communities.Request, events ...outbox.Record) error {
	tx := s.db.NewTx()
	userRequests.Update(tx, userRequestKey(r.Ref())).Set("Seen", true).If("Status = ?", r.Status)
	chatRequests.Update(tx, chatRequestKey(r.Ref())).Set("Seen", true)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// Forget deletes both copies of requests of a deleted user, and their guards.
func (s *RequestStore) Forget(ctx context.Context, requests []*communities.Request) error {
	b := s.db.NewBulk()
	for _, r := range requests {
		chatRequests.DeleteIn(b, chatRequestKey(r.Ref()))
		guards.DeleteIn(b, guardKey(communities.MemberRef{Chat: communities.GroupRef(r.ChatID), UserID: r.UserID}))
	}
	if err := b.Run(ctx); err != nil {
		return err
	}
	b = s.db.NewBulk()
	for _, r := range requests { // last, as they are found by these rows
		userRequests.DeleteIn(b, userRequestKey(r.Ref()))
	}
	return b.Run(ctx)
}

// Of returns the requests by a user: pending ones, oldest first, or all, newest first.
func (s *RequestStore) Of(ctx context.Context, id communities.UserID, pending bool, q page.Query) (page.Page[*communities.Request], error) {
	if pending {
		return stored.List(ctx, s.db, userRequests.Begins(PendingChatRequests, string(id)), q, false, (*requestItem).request)
	}
	return stored.List(ctx, s.db, userRequests.Begins(keyspec.Primary, string(id)), q, true, (*requestItem).request)
}

// For returns the requests for a chat in the same orders.
func (s *RequestStore) For(ctx context.Context, id communities.ChatID, pending bool, q page.Query) (page.Page[*communities.Request], error) {
	if pending {
		return stored.List(ctx, s.db, chatRequests.Begins(PendingChatRequests, string(id)), q, false, (*requestItem).request)
	}
	return stored.List(ctx, s.db, chatRequests.Begins(keyspec.Primary, string(id)), q, true, (*requestItem).request)
}
