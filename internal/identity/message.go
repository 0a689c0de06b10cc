package identity

import (
	"context"
	"fmt"
	"time"

	"stoa/internal/kit/viewer"
)

// Channels of a message, each for one contact of an identity.
const (
	ViaEmail = "email"
	ViaSMS   = "sms"
)

// Mailer delivers messages. Send may return before delivery, so that response times do not
// reveal whether a message was sent.
type Mailer interface {
	// Reaches reports whether messages can be sent over "email" or "sms".
	Reaches(channel string) bool
	Send(ctx context.Context, m Message) error
}

// Post stores messages with the changes that they announce, and sends them from then on.
type Post interface {
	// SaveAndSend is Store.SaveIdentity with messages in the same transaction. It does not wait
	// until they are sent.
	SaveAndSend(ctx context.Context, before, after Identity, messages []Message) error
}

// changeAndSend is change for a change that causes messages, which decide returns.
func (s *Issuer) changeAndSend(ctx context.Context, id viewer.UserID, decide func(i *Identity) ([]Message, error)) error {
	var sent []Message
	var save Save
	if s.Post != nil {
		save = func(ctx context.Context, c Change) error { return s.Post.SaveAndSend(ctx, c.Before, c.After, sent) }
	}
	_, err := s.changeWith(ctx, id, save, func(i *Identity) (err error) {
		sent, err = decide(i)
		return err
	})
	if err == nil && s.Post == nil {
		s.send(ctx, sent)
	}
	return err
}

// send passes messages to the mailer. Failures are only logged: the changes they announce
// are already stored, and the messages can be requested again.
func (s *Issuer) send(ctx context.Context, messages []Message) {
	for _, m := range messages {
		if err := s.Mailer.Send(ctx, m); err != nil {
			s.Log.ErrorContext(ctx, "message not sent", "userId", string(m.UserID), "channel", m.Channel, "error", err)
		}
	}
}

// confirmation returns the message with the code that verifies a contact.
func (s *Issuer) confirmation(id viewer.UserID, channel, to, code string, expiresAt time.Time) Message {
	return s.message(id, channel, to, code, expiresAt, message{
		subject: "Confirm your e-mail address",
		purpose: "confirm your " + map[string]string{ViaEmail: "e-mail address", ViaSMS: "phone number"}[channel],
		path:    "confirm/email",
	})
}

// resetMessage returns the message with the code that resets a password.
func (s *Issuer) resetMessage(id viewer.UserID, channel, to, code string, expiresAt time.Time) Message {
	return s.message(id, channel, to, code, expiresAt, message{
		subject: "Choose a new password",
		purpose: "choose a new password",
		path:    "confirm/forgot",
	})
}

// message holds the differences between kinds of messages.
type message struct{ subject, purpose, path string }

func (s *Issuer) message(id viewer.UserID, channel, to, code string, expiresAt time.Time, kind message) Message {
	m := Message{
		MessageID: s.NewID(),
		UserID:    id,
		Channel:   channel,
		To:        to,
		Text:      fmt.Sprintf("Your %s code to %s: %s", s.AppName, kind.purpose, code),
		Code:      code,
		SentAt:    s.now(),
	}
	if channel == ViaSMS {
		return m
	}
	m.Link = fmt.Sprintf("%s/%s/%s/%s", s.AppURL, kind.path, id, code)
	m.Subject = s.AppName + ": " + kind.subject
	m.Text += fmt.Sprintf("\n\nOr open %s\n\nThe code is good for %d minutes. If you did not ask for it, ignore this message.\n",
		m.Link, int(expiresAt.Sub(m.SentAt).Round(time.Minute).Minutes()))
	return m
}
