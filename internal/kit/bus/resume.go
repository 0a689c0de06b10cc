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

// Rest is what a subscriber that resumes in another process has not received.
type Rest struct {
	Messages []Kept
	// Before are the numbers of the latest message of each process among those that it has
	// received, as far as they are kept.
	Before map[string]uint64
}

// Kept is a message for a subscriber that resumes in another process.
type Kept struct {
	ID    ID
	Data  []byte
	Later bool
	// Number is the message's in the process that has kept it.
	Number uint64
}

// Since returns what a subscriber with a place in this process has not received, or false if
// some may be missing.
func (b *Local) Since(name string, from Place) (rest Rest, ok bool) {
	b.Prune()
	b.mu.Lock()
	defer b.mu.Unlock()
	since, ok := b.since(name, from)
	s := subscriber{number: from.Began}
	for _, e := range since {
		if wanted, later := s.wants(e.at); wanted {
			rest.Messages = append(rest.Messages, Kept{e.id, e.data, later, e.number})
		}
	}
	if ok {
		rest.Before = b.subjects[name].log.before(from.Number)
	}
	return rest, ok
}

// Held is a subscription whose messages are held back until it is known which ones the
// subscriber receives from another process.
type Held struct {
	bus  *Local
	name string
	*subscriber
	// number and place are those of a new subscription.
	number Sequence
	place  Place
}

// Hold is Subscribe for a subscriber with a place in another process.
func (b *Local) Hold(ctx context.Context, name string) *Held {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.subscribe(ctx, name)
	h := &Held{b, name, s, s.number, b.place(s, b.kept.number)}
	s.holding, s.number = true, Unknown
	return h
}

// Release starts the subscription with what the other process has kept since the place, unless
// some may be missing there. Those that have been held back as well come in the
// order of this process, so that the place after each is one among all of its messages.
func (h *Held) Release(from Place, rest Rest, ok bool) Subscription {
	h.bus.mu.Lock()
	defer h.bus.mu.Unlock()
	s, since := h.subscriber, rest.Messages
	if s.before = rest.Before; !ok {
		s.number, s.before, since = h.number, nil, nil
	}
	s.messages = make(chan Message, depth+len(since)+len(s.held))
	held := make(map[ID]struct{}, len(s.held))
	for _, e := range s.held {
		held[e.id] = struct{}{}
	}
	s.skip = make(map[ID]struct{}, len(since))
	for _, m := range since {
		if _, follows := held[m.ID]; follows && m.ID != (ID{}) {
			continue
		}
		s.messages <- Message{Data: m.Data, Later: m.Later, Place: Place{from.Process, m.Number, from.Began}}
		s.skip[m.ID] = struct{}{}
	}
	delete(s.skip, ID{})
	s.holding = false
	for _, e := range s.held {
		h.bus.offer(s, e, nil) // there is room for all
	}
	s.held = nil
	if of := h.bus.subjects[h.name]; of == nil || !of.has(s) {
		s.close() // it has ended or missed messages meanwhile
	}
	if !ok {
		return Subscription{Messages: s.messages, Place: h.place}
	}
	return Subscription{s.messages, from, true}
}

func (s *subject) has(subscriber *subscriber) bool {
	_, there := s.subscribers[subscriber]
	return there
}
