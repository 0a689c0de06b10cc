// Package notice notifies users of what concerns them: messages, requests and new
// communities near them.
//
// Notifications for many users are written after the response, in chunks. Each chunk stores
// its progress together with its notifications, so that a repeated chunk writes nothing
// twice, and notifications deleted meanwhile do not reappear.
package notice

import (
	"context"
	"strconv"
	"strings"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// Store stores notifications. Changes fail with Conflict if something has changed
// since it was read.
type Store interface {
	communities.Reader
	Spread(ctx context.Context, w communities.Spread) error
	ForgetProgress(ctx context.Context, before time.Time) (more bool, err error)
	// List returns a user's unread or read notifications, newest first.
	List(ctx context.Context, id communities.UserID, read bool, q page.Query) (page.Page[*communities.Notification], error)
	MarkRead(ctx context.Context, all []*communities.Notification) error
	MarkSeen(ctx context.Context, all []*communities.Notification) error
	Delete(ctx context.Context, n *communities.Notification) error
	Forget(ctx context.Context, id communities.UserID) (rows int, more bool, err error)
}

// Members reads the members of a chat.
type Members interface {
	Members(ctx context.Context, c communities.ChatRef, q page.Query) (page.Page[*communities.Member], error)
}

// People reads the users in a city.
type People interface {
	InCity(ctx context.Context, l communities.Location, q page.Query) (page.Page[communities.UserID], error)
}

// Service implements the notice area. Its fields are set once.
type Service struct {
	decision.Frame
	Store   Store
	Members Members
	People  People
	Bus     outbox.Bus
}

const (
	// chunk is the number of users notified in one transaction, which has up to three rows of each.
	chunk = 33
	// maxNear is the maximum number of users notified of a new community.
	maxNear = 500
	// ended is the progress of an event whose notifications have all been written.
	ended = "end"
)

// spread writes a chunk of an event's notifications, unless it was written before, and
// returns the next cursor. some returns the notifications of the chunk and the cursor after
// it.
func (s *Service) spread(
	ctx context.Context,
	event communities.Moment,
	cursor string,
	some func() ([]*communities.Notification, string, error),
	tell outbox.Tell,
) (next string, rows int, err error) {
	var written []*communities.Notification
	again := false
	next, err = decision.Run(ctx, s.Frame, func(*decision.Attempt) (string, error) {
		written = nil
		all, next, err := some()
		if err != nil {
			return "", err
		}
		if next == "" {
			next = ended
		}
		if again { // perhaps because a user is gone
			all, err = communities.WithUsers(ctx, s.Store, all,
				func(n *communities.Notification) communities.UserID { return n.UserID },
				func(n *communities.Notification, _ *communities.User) *communities.Notification { return n },
			)
			if err != nil {
				return "", err
			}
		}
		again = true
		w := communities.Wanted{Progress: []communities.Moment{event}}
		for _, n := range all {
			w.Notices = append(w.Notices, n.UserID)
		}
		facts, err := s.Store.Facts(ctx, w)
		if err != nil {
			return "", err
		}
		if progress := facts.Progress[event]; progress != cursor {
			return progress, nil
		}
		for i, n := range all {
			all[i] = n.After(facts.Notices[n.UserID].LastAt)
		}
		written = all
		return next, s.Store.Spread(ctx, communities.Spread{Event: event, From: cursor, To: next, New: all, Last: facts.Notices})
	})
	if err != nil {
		return "", 0, err
	}
	for _, n := range written {
		tell(communities.Notified{Ref: n.NotificationRef})
	}
	if next == ended {
		next = ""
	}
	return next, len(written), nil
}

// ChatHappened notifies the members of a chat of a new message, some at a time.
func (s *Service) ChatHappened(ctx context.Context, e communities.ChatHappened, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	if e.Type != communities.MessageCreated || e.Held {
		return "", 0, nil
	}
	return s.spread(ctx, e.Message, cursor, func() (all []*communities.Notification, next string, err error) {
		p, err := s.Members.Members(ctx, e.Chat, page.Query{First: chunk, After: cursor})
		for _, m := range p.Items {
			// Members who joined since have read everything before that.
			late := m.JoinedAt.After(e.Message.At) && m.Read >= communities.MessageKey(e.Message)
			if m.UserID != e.UserID && !m.Muted && !late {
				all = append(all, communities.OfMessage(m.UserID, e))
			}
		}
		return all, p.Next, err
	}, tell)
}

// CommunityFounded notifies the users in the city of a new community, at most 500 and some
// at a time. Its cursor consists of the number notified so far and the cursor of the list.
func (s *Service) CommunityFounded(ctx context.Context, e communities.CommunityFounded, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	event := communities.Moment{At: e.At, ID: string(e.CommunityID)}
	return s.spread(ctx, event, cursor, func() (all []*communities.Notification, next string, err error) {
		count, after, _ := strings.Cut(cursor, " ")
		told, _ := strconv.Atoi(count)
		p, err := s.People.InCity(ctx, e.Place, page.Query{First: chunk, After: after})
		for _, id := range p.Items {
			if id != e.FounderID && told < maxNear {
				all = append(all, communities.OfCommunity(id, e))
				told++
			}
		}
		if p.Next != "" && told < maxNear {
			next = strconv.Itoa(told) + " " + p.Next
		}
		return all, next, err
	}, tell)
}

// UserDeleted deletes the notifications of a deleted user, some at a time.
func (s *Service) UserDeleted(ctx context.Context, e communities.UserDeleted, _ string, _ outbox.Tell) (next string, rows int, err error) {
	rows, more, err := s.Store.Forget(ctx, e.UserID)
	if more {
		next = "more"
	}
	return next, rows, err
}

// progressKept is how long the progress of an event's notifications is stored, which is
// longer than any process leaves a chunk unfinished.
const progressKept = 7 * 24 * time.Hour

// Tidy deletes the progress of old events.
func (s *Service) Tidy(ctx context.Context) error {
	for {
		more, err := s.Store.ForgetProgress(ctx, s.Now().Add(-progressKept))
		if err != nil || !more {
			return err
		}
	}
}

// Listen returns a channel of the viewer's new notifications. It is closed when ctx ends,
// when the viewer is banned or gone, and when its reader falls behind.
func (s *Service) Listen(ctx context.Context, v viewer.Viewer) (<-chan *communities.SeenNotification, error) {
	admit := func(ctx context.Context) error {
		_, err := communities.Admit(ctx, s.Store, v.UserID)
		return err
	}
	show := func(ctx context.Context, n *communities.Notified) (*communities.SeenNotification, bool, error) {
		facts, _, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{Notifications: []communities.NotificationRef{n.Ref}})
		if err != nil {
			return nil, false, err
		}
		if found := facts.Notifications[n.Ref]; found != nil {
			return found.SeenBy(v.UserID), false, nil
		}
		return nil, false, nil // deleted meanwhile
	}
	return outbox.Follow(ctx, s.Bus, communities.NoticesOf(v.UserID), s.Now(), admit, show)
}
