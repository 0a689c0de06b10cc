package kitchen

import (
	"context"

	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/pantry"
)

// GroupChanged receives the event of its name and tells the group's members.
func (s *Service) GroupChanged(_ context.Context, e pantry.GroupChanged, tell outbox.Tell) error {
	tell(pantry.News{GroupID: e.GroupID, Changes: e.Changes})
	return nil
}

// MemberLeft receives the event of its name and ends what the user listens to.
func (s *Service) MemberLeft(_ context.Context, e pantry.MemberLeft, tell outbox.Tell) error {
	tell(pantry.News{GroupID: e.GroupID, Left: e.UserID})
	return nil
}

// Listen returns what happens in a group from now on. The channel is closed when ctx ends,
// when the viewer is no member any more, and when its reader does not keep up.
func (s *Service) Listen(ctx context.Context, v viewer.Viewer, group pantry.GroupID) (<-chan *pantry.SeenChange, error) {
	ctx, cancel := context.WithCancel(ctx)
	// First listen, then look: who leaves in between is heard of.
	news, err := outbox.Listen[pantry.News](ctx, s.Bus, pantry.NewsOf(group), s.Events.Now())
	if err != nil {
		cancel()
		return nil, err
	}
	if _, err := s.admitted(ctx, v, group); err != nil {
		cancel()
		return nil, err
	}
	changes := make(chan *pantry.SeenChange)
	go func() {
		defer cancel()
		defer close(changes)
		for n := range news {
			if n.Gone || n.Left == v.UserID || !s.hear(ctx, v, n, changes) {
				return
			}
		}
	}()
	return changes, nil
}

// hear hands changes on as the viewer sees them, and reports false when there is nobody to
// see them any more.
func (s *Service) hear(ctx context.Context, v viewer.Viewer, n *pantry.News, changes chan<- *pantry.SeenChange) bool {
	w := pantry.Wanted{Groups: []pantry.GroupID{n.GroupID}}
	for _, c := range n.Changes {
		w.Containers = append(w.Containers, c.ContainerID)
	}
	facts, err := s.Store.Facts(ctx, w)
	if err != nil {
		return false
	}
	g := facts.Groups[n.GroupID]
	if g.Admit(v.UserID) != nil {
		return false
	}
	for _, change := range n.Changes {
		var seen *pantry.SeenContainer
		if c := facts.Containers[change.ContainerID]; c != nil && c.GroupID == n.GroupID {
			seen = c.Seen(g.SeenBy(v.UserID), s.now())
		}
		select {
		case changes <- change.Seen(n.GroupID, seen):
		case <-ctx.Done():
			return false
		}
	}
	return true
}
