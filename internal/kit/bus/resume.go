package bus

import "context"

// Resume is Subscribe for a subscriber that has received all messages up to a place. If
// messages may be missing since then, it is as new as one of Subscribe.
func (b *Local) Resume(ctx context.Context, name string, from Place) (Subscription, error) {
	b.Prune()
	b.mu.Lock()
	defer b.mu.Unlock()
	since, ok := b.since(name, from)
	s := b.subscribe(ctx, name)
	if !ok {
		s.messages = make(chan Message, depth)
		return Subscription{Messages: s.messages, Place: b.place(s, b.kept.number)}, nil
	}
	s.number = from.Began
	s.messages = make(chan Message, depth+len(since))
	for _, e := range since {
		if wanted, later := s.wants(e.at); wanted {
			s.messages <- Message{Data: e.data, Later: later, Place: b.place(s, e.number)}
		}
	}
	return Subscription{s.messages, from, true}, nil
}

// since returns the messages on a subject since a place, or false if some may be missing.
func (b *Local) since(name string, from Place) ([]*entry, bool) {
	of := b.subjects[name]
	if of == nil || from.Process != b.process() || from.Number > b.kept.number || uint64(from.Began) > b.begun.Load() {
		return nil, false
	}
	return of.log.after(from.Number)
}
