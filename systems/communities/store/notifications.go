package store

import (
	"context"
	"strconv"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stamp"
	"stoa/internal/kit/stored"
	"stoa/systems/communities"
)

// NoticeStore stores notifications.
type NoticeStore struct{ Reader }

// notify adds a notification that is later than the user's last one, which must be as read. That
// is the first to go with the user; one who has none must exist.
func notify(tx *keyspec.Tx, n *communities.Notification, last communities.Notices) {
	unread.Create(tx, notificationItemOf(n))
	w := notices.Put(tx, noticesItem{UserID: n.UserID, LastAt: n.At})
	if last.LastAt.IsZero() {
		w.Absent()
		users.Check(tx, userKey(n.UserID)).If("Deleted = ?", false)
	} else {
		w.If("lastAt = ?", last.LastAt)
	}
}

// Spread stores notifications together with their progress. It fails with Conflict if
// the progress has changed, or a user was notified of something else.
func (s *NoticeStore) Spread(ctx context.Context, w communities.Spread) error {
	tx := s.db.NewTx()
	for _, n := range w.New {
		notify(tx, n, w.Last[n.UserID])
	}
	if w.From == "" {
		fanOuts.Create(tx, fanOutItem{fanOutShard(w.Event), w.Event.At, w.Event.ID, w.To})
	} else {
		fanOuts.Update(tx, fanOutKey(w.Event)).Set("cursor", w.To).If("cursor = ?", w.From)
	}
	return stored.Concurrent(tx.Run(ctx))
}

// ForgetProgress deletes the progress of events before the given time, some at a time. more
// is false if none is left.
func (s *NoticeStore) ForgetProgress(ctx context.Context, before time.Time) (more bool, err error) {
	for shard := range fanOutShards {
		r := fanOuts.Begins(keyspec.Primary, strconv.Itoa(shard)).To(stamp.MilliOf(before))
		p, err := stored.List(ctx, s.db, r, page.Query{First: page.Max}, false, func(i *fanOutItem) keyspec.Key { return fanOuts.KeyOf(i) })
		if err != nil {
			return false, err
		}
		b := s.db.NewBulk()
		for _, key := range p.Items {
			fanOuts.DeleteIn(b, key)
		}
		if err := b.Run(ctx); err != nil {
			return false, err
		}
		more = more || p.Next != ""
	}
	return more, nil
}

// List returns a user's unread or read notifications, newest first.
func (s *NoticeStore) List(ctx context.Context, id communities.UserID, seenRead bool, q page.Query) (page.Page[*communities.Notification], error) {
	from := unread
	if seenRead {
		from = read
	}
	return stored.List(ctx, s.db, from.Begins(keyspec.Primary, string(id)), q, true, (*notificationItem).notification)
}

// MarkRead moves unread notifications to the read ones. It fails with Conflict if one
// has changed.
func (s *NoticeStore) MarkRead(ctx context.Context, all []*communities.Notification) error {
	tx := s.db.NewTx()
	for _, n := range all {
		moved := *n
		moved.Read, moved.Seen = true, true
		unread.Delete(tx, unreadKey(n.NotificationRef)).Exists()
		read.Create(tx, notificationItemOf(&moved))
	}
	return stored.Concurrent(tx.Run(ctx))
}

// MarkSeen stores that unread notifications were seen.
func (s *NoticeStore) MarkSeen(ctx context.Context, all []*communities.Notification) error {
	tx := s.db.NewTx()
	for _, n := range all {
		unread.Update(tx, unreadKey(n.NotificationRef)).Set("Seen", true).If("Seen = ?", false)
	}
	return stored.Concurrent(tx.Run(ctx))
}

// Delete deletes a notification from where it was read.
func (s *NoticeStore) Delete(ctx context.Context, n *communities.Notification) error {
	tx := s.db.NewTx()
	if n.Read {
		read.Delete(tx, readKey(n.NotificationRef)).Exists()
	} else {
		unread.Delete(tx, unreadKey(n.NotificationRef)).Exists()
	}
	return stored.Concurrent(tx.Run(ctx))
}

// Forget deletes notifications of a deleted user, some at a time. more is false if none is
// left.
func (s *NoticeStore) Forget(ctx context.Context, id communities.UserID) (rows int, more bool, err error) {
	b := s.db.NewBulk()
	notices.DeleteIn(b, noticesKey(id))
	if err := b.Run(ctx); err != nil {
		return 0, false, err
	}
	b = s.db.NewBulk()
	for _, from := range []*keyspec.Entity[notificationItem]{unread, read} {
		p, err := stored.List(ctx, s.db, from.Begins(keyspec.Primary, string(id)), page.Query{First: page.Max}, false,
			func(i *notificationItem) keyspec.Key { return from.KeyOf(i) })
		if err != nil {
			return 0, false, err
		}
		for _, key := range p.Items {
			from.DeleteIn(b, key)
		}
		rows, more = rows+len(p.Items), more || p.Next != ""
	}
	return rows, more, b.Run(ctx)
}
