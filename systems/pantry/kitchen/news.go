package kitchen

import (
	"context"

	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/pantry"
)

// GroupChanged publishes changes to the group's subscribers.
func (s *Service) GroupChanged(_ context.Context, e pantry.GroupChanged, tell outbox.Tell) error {
	tell(pantry.News{GroupID: e.GroupID, Changes: e.Changes})
	return nil
}

// MemberLeft ends the user's subscriptions to the group.
func (s *Service) MemberLeft(_ context.Context, e pantry.MemberLeft, tell outbox.Tell) error {
	tell(pantry.News{GroupID: e.GroupID, Left: e.UserID})
	return nil
}

// Listen returns a channel of changes in a group. It is closed when ctx ends, when the
// viewer is no longer a member, and when its reader falls behind.
func (s *Service) Listen(ctx context.Context, v viewer.Viewer, group pantry.GroupID) (<-chan *pantry.SeenChange, error) {
	admit := func(ctx context.Context) error {
		_, err := pantry.Admit(ctx, s.Store, v.UserID, group)
		return err
	}
	show := func(ctx context.Context, n *pantry.News, send func(*pantry.SeenChange) bool) (bool, error) {
		if n.Gone || n.Left == v.UserID {
			return true, nil
		}
		return s.hear(ctx, v, n, send)
	}
	return outbox.FollowEach(ctx, s.Bus, pantry.NewsOf(group), s.Now(), admit, show)
}

// hear sends changes as the viewer sees them. It reports whether the subscription must end.
func (s *Service) hear(ctx context.Context, v viewer.Viewer, n *pantry.News, send func(*pantry.SeenChange) bool) (last bool, err error) {
	w := pantry.Wanted{Groups: []pantry.GroupID{n.GroupID}}
	for _, c := range n.Changes {
		w.Containers = append(w.Containers, c.ContainerID)
	}
	facts, err := outbox.Shared(ctx, "facts", func(ctx context.Context) (*pantry.Facts, error) { return s.Store.Facts(ctx, w) })
	if err != nil {
		return false, err
	}
	g := facts.Groups[n.GroupID].SeenBy(v.UserID)
	if g == nil {
		return true, nil
	}
	for _, change := range n.Changes {
		var seen *pantry.SeenContainer
		if c := facts.Containers[change.ContainerID]; c != nil && c.GroupID == n.GroupID {
			seen = c.SeenIn(g, s.Now())
		}
		if !send(change.SeenIn(g, seen)) {
			return true, nil
		}
	}
	return false, nil
}
