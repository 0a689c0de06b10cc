package notice

import (
	"context"
	"slices"

	"stoa/internal/decision"
	"stoa/internal/kit/input"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/systems/communities"
)

type seenPage = page.Page[*communities.SeenNotification]

// Prefixes of page tokens: the part of the list of all notifications that the page is in.
const (
	unreadPart = "u"
	readPart   = "r"
)

// List returns the viewer's notifications: unread ones, then read ones, newest first within
// each.
func (s *Service) List(ctx context.Context, v viewer.Viewer, filter communities.NotificationFilter, args page.Args) (seenPage, error) {
	if _, err := communities.Admit(ctx, s.Store, v.UserID); err != nil {
		return seenPage{}, err
	}
	list, err := page.ListOf(args, "communities.notifications", v.UserID, string(filter))
	if err != nil {
		return seenPage{}, err
	}
	read := func(q page.Query) (page.Page[*communities.Notification], error) {
		return s.part(ctx, v.UserID, filter, q)
	}
	live := func(some []*communities.Notification) (shown []*communities.SeenNotification, err error) {
		for _, n := range s.present(some) {
			shown = append(shown, n.SeenBy(v.UserID))
		}
		return shown, nil
	}
	p, err := page.Refill(list.Query, read, live)
	if err == nil && p.Next == readPart { // there may be nothing after it
		rest, restErr := page.Refill(page.Query{First: 1, After: readPart}, read, live)
		if err = restErr; err == nil && len(rest.Items) == 0 && rest.Next == "" {
			p.Next = ""
		}
	}
	return page.Seal(list, p, err)
}

// Texts returns the texts of notifications of the viewer, with what the messages say that
// they are about, as far as the viewer may read it.
func (s *Service) Texts(ctx context.Context, v viewer.Viewer, all []*communities.SeenNotification) (map[*communities.SeenNotification]string, error) {
	w := communities.Wanted{}
	for _, n := range all {
		if ref, ok := n.About(); ok {
			w.Messages = append(w.Messages, ref)
			w.Members = append(w.Members, communities.MemberRef{Chat: ref.Chat, UserID: v.UserID})
		}
	}
	facts, self := &communities.Facts{}, communities.Viewer{}
	if len(w.Messages) > 0 {
		var err error
		if facts, self, err = communities.Ask(ctx, s.Store, v.UserID, w); err != nil {
			return nil, err
		}
	}
	texts := make(map[*communities.SeenNotification]string, len(all))
	for _, n := range all {
		var about *communities.SeenMessage
		ref, _ := n.About()
		m, as := facts.Messages[ref], facts.Members[communities.MemberRef{Chat: ref.Chat, UserID: v.UserID}]
		if m != nil && as != nil && !as.Hides(m.At) && self.May(communities.ReadMessages) == nil {
			about = m.SeenBy(self, as)
		}
		texts[n] = n.Message(about)
	}
	return texts, nil
}

// part reads a page of the filtered notifications. Its tokens start with the part they are
// in.
func (s *Service) part(
	ctx context.Context,
	id communities.UserID,
	filter communities.NotificationFilter,
	q page.Query,
) (page.Page[*communities.Notification], error) {
	part := unreadPart
	if filter == communities.ReadOnly {
		part = readPart
	}
	if q.After != "" {
		part, q.After = q.After[:1], q.After[1:]
	}
	p, err := s.Store.List(ctx, id, part == readPart, q)
	switch {
	case err != nil:
		return p, err
	case p.Next != "":
		p.Next = part + p.Next
	case part == unreadPart && filter == communities.AllNotifications:
		p.Next = readPart
	}
	return p, nil
}

// present omits expired notifications.
func (s *Service) present(some []*communities.Notification) []*communities.Notification {
	return slices.DeleteFunc(some, func(n *communities.Notification) bool { return n.Expired(s.Now()) })
}

// maxCounted is the maximum number of pages of unread notifications that are counted.
const maxCounted = 10

// Counts returns the viewer's numbers of unread and of unseen notifications, each up to
// 100, among their newest 1,000 unread ones.
func (s *Service) Counts(ctx context.Context, v viewer.Viewer) (*communities.NotificationCounts, error) {
	if _, err := communities.Admit(ctx, s.Store, v.UserID); err != nil {
		return nil, err
	}
	c := &communities.NotificationCounts{}
	unread := func(q page.Query) (page.Page[*communities.Notification], error) {
		return s.Store.List(ctx, v.UserID, false, q)
	}
	for p, err := range page.Pages(maxCounted, unread) {
		if err != nil {
			return nil, err
		}
		for _, n := range s.present(p.Items) {
			c.Unread = min(c.Unread+1, page.Max)
			if !n.Seen {
				c.Unseen = min(c.Unseen+1, page.Max)
			}
		}
		if c.Unseen == page.Max {
			break
		}
	}
	return c, nil
}

// own reads notifications of the viewer by id, omitting those that do not exist.
func (s *Service) own(ctx context.Context, v viewer.Viewer, ids ...string) ([]*communities.Notification, error) {
	w := communities.Wanted{}
	for _, id := range ids {
		if m, ok := communities.ParseMoment(id); ok {
			w.Notifications = append(w.Notifications, communities.NotificationRef{UserID: v.UserID, Moment: m})
		}
	}
	facts, _, err := communities.Ask(ctx, s.Store, v.UserID, w)
	if err != nil {
		return nil, err
	}
	var all []*communities.Notification
	known := map[communities.NotificationRef]bool{}
	for _, ref := range w.Notifications {
		if n := facts.Notifications[ref]; n != nil && !known[ref] && !n.Expired(s.Now()) {
			known[ref] = true
			all = append(all, n)
		}
	}
	return all, nil
}

// MarkRead marks a notification as read. It has no effect if it was read before.
func (s *Service) MarkRead(ctx context.Context, v viewer.Viewer, id string) (*communities.SeenNotification, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*communities.SeenNotification, error) {
		all, err := s.own(ctx, v, id)
		switch {
		case err != nil:
			return nil, err
		case len(all) == 0:
			return nil, communities.ErrNoNotification
		}
		n := *all[0]
		if !n.Read {
			if err := s.Store.MarkRead(ctx, all); err != nil {
				return nil, err
			}
			n.Read, n.Seen = true, true
		}
		return n.SeenBy(v.UserID), nil
	})
}

// MarkAllRead marks the viewer's newest 100 unread notifications as read, and returns their
// number.
func (s *Service) MarkAllRead(ctx context.Context, v viewer.Viewer) (int, error) {
	if _, err := communities.Admit(ctx, s.Store, v.UserID); err != nil {
		return 0, err
	}
	moved := 0
	for moved < page.Max {
		n, err := decision.Run(ctx, s.Frame, func(*decision.Attempt) (int, error) {
			p, err := s.Store.List(ctx, v.UserID, false, page.Query{First: min(chunk, page.Max-moved)})
			all := s.present(p.Items)
			if err != nil || len(all) == 0 {
				return 0, err
			}
			return len(all), s.Store.MarkRead(ctx, all)
		})
		if err != nil || n == 0 {
			return moved, err
		}
		moved += n
	}
	return moved, nil
}

// MarkSeen marks notifications of the viewer as seen, without ids the newest 100 unseen
// ones, and returns the number of those that were unseen.
func (s *Service) MarkSeen(ctx context.Context, v viewer.Viewer, ids []string) (int, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (int, error) {
		all, err := s.own(ctx, v, ids[:min(len(ids), page.Max)]...)
		if err != nil {
			return 0, err
		}
		if len(ids) > page.Max {
			return 0, input.Count("notifications", len(ids), page.Max)
		}
		unseen := slices.DeleteFunc(all, func(n *communities.Notification) bool { return n.Seen })
		if ids == nil {
			if unseen, err = s.newestUnseen(ctx, v); err != nil {
				return 0, err
			}
		}
		if len(unseen) == 0 {
			return 0, nil
		}
		return len(unseen), s.Store.MarkSeen(ctx, unseen)
	})
}

// newestUnseen returns up to 100 notifications that the viewer has not seen.
func (s *Service) newestUnseen(ctx context.Context, v viewer.Viewer) ([]*communities.Notification, error) {
	p, err := page.Refill(page.Query{First: page.Max}, func(q page.Query) (page.Page[*communities.Notification], error) {
		return s.Store.List(ctx, v.UserID, false, q)
	}, func(some []*communities.Notification) ([]*communities.Notification, error) {
		return slices.DeleteFunc(s.present(some), func(n *communities.Notification) bool { return n.Seen }), nil
	})
	return p.Items, err
}

// Delete deletes a notification of the viewer.
func (s *Service) Delete(ctx context.Context, v viewer.Viewer, id string) error {
	return decision.Do(ctx, s.Frame, func(*decision.Attempt) error {
		all, err := s.own(ctx, v, id)
		switch {
		case err != nil:
			return err
		case len(all) == 0:
			return communities.ErrNoNotification
		}
		return s.Store.Delete(ctx, all[0])
	})
}
