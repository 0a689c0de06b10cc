package identity

import (
	"context"
	"time"

	"stoa/internal/kit/slice"
	"stoa/internal/kit/viewer"
)

// Outbox is the Mailer of dev. It delivers nothing, but stores every message for GET
// /auth/dev/outbox.
type Outbox struct{ Store Store }

// Reaches returns true.
func (Outbox) Reaches(string) bool { return true }

// Send stores m, which can be read once Send has returned.
func (o Outbox) Send(ctx context.Context, m Message) error {
	return o.Store.AddMessage(ctx, m)
}

// outboxSize is the number of messages shown per user.
const outboxSize = 50

// outboxMessage is a message in the form of the API.
type outboxMessage struct {
	Channel string    `json:"channel"`
	To      string    `json:"to"`
	Subject *string   `json:"subject"`
	Text    string    `json:"text"`
	Code    string    `json:"code"`
	Link    *string   `json:"link"`
	SentAt  time.Time `json:"sentAt"`
}

// outbox returns the latest messages to a user, newest first.
func (s *Issuer) outbox(ctx context.Context, id viewer.UserID) ([]outboxMessage, error) {
	stored, err := s.Store.Messages(ctx, id, outboxSize)
	if err != nil {
		return nil, err
	}
	shown := slice.Map(stored, func(m Message) outboxMessage {
		return outboxMessage{m.Channel, m.To, orNull(m.Subject), m.Text, m.Code, orNull(m.Link), m.SentAt}
	})
	return shown, nil
}

// orNull converts an empty text to the null that clients expect.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
