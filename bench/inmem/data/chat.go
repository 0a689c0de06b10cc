package data

import "context"

type Message struct {
	ID, AuthorID    int
	Text, CreatedAt string
}

// Send hands a message to those who listen to its chat.
func (s *Store) Send(author, chat int, text string) *Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	m := &Message{s.next, author, text, now()}
	s.messages[chat] = append(s.messages[chat], m)
	for listener := range s.listeners[chat] {
		select {
		case listener <- m:
		default: // it is too slow
		}
	}
	return m
}

// Listen returns the messages of a chat from now on, until ctx is done.
func (s *Store) Listen(ctx context.Context, chat int) <-chan *Message {
	listener := make(chan *Message, 16)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listeners[chat] == nil {
		s.listeners[chat] = map[chan *Message]struct{}{}
	}
	s.listeners[chat][listener] = struct{}{}
	context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.listeners[chat], listener)
		close(listener)
	})
	return listener
}
