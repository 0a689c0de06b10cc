package identity

import (
	"context"
	"time"

	"stoa/internal/kit/viewer"
)

// Outbox is the Mailer of dev: it delivers nothing and keeps every message where
// GET /auth/dev/outbox shows it.
type Outbox struct{ Store Store }

// Reaches is true for every channel.
func (Outbox) Reaches(string) bool { return true }

// Send keeps m. It can be read as soon as Send has returned.
func (o Outbox) Send(ctx context.Context, m Message) error {
	return o.Store.AddMessage(ctx, m)
}

// outboxSize is how many messages of a user are shown.
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
	shown := make([]outboxMessage, len(stored))
	for i, m := range stored {
		shown[i] = outboxMessage{m.Channel, m.To, orNull(m.Subject), m.Text, m.Code, orNull(m.Link), m.SentAt}
	}
	return shown, nil
}

// orNull makes an empty text the null that clients expect in its place.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
