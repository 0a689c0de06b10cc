// Package push sends push notifications to users' devices.
//
// Each send is a single attempt. If an error wraps ErrGone, the token is permanently
// invalid and should be removed.
package push

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"stoa/internal/kit/trace"
)

// Platform is a push notification service.
type Platform string

const (
	// APNS is Apple's push notification service.
	APNS Platform = "apns"
	// FCM is Firebase Cloud Messaging.
	FCM Platform = "fcm"
)

// Device is the destination of a message.
type Device struct {
	Platform Platform
	// Token is the device token that the platform gave to the app.
	Token string
}

// Message is a notification to show.
type Message struct {
	Title string
	// Body may be empty.
	Body string
	// Action is the URL that a tap opens; it may be empty.
	Action string
	// Collapse identifies messages of which a device shows only the latest; it may be
	// empty.
	Collapse string
	// Data are passed to the app unmodified; may be nil.
	Data map[string]string
}

// Sender sends messages to devices. It is safe for concurrent use.
type Sender interface {
	Send(ctx context.Context, to Device, m Message) error
}

// ErrGone means that a token no longer refers to an installed app.
var ErrGone = errors.New("the device is gone")

// Log is a Sender that only logs messages.
type Log struct{ Logger *slog.Logger }

// Send never fails. It does not log the token, which gives access to the device.
func (l Log) Send(ctx context.Context, to Device, m Message) error {
	l.Logger.InfoContext(ctx, "push", "platform", string(to.Platform), "title", m.Title, "body", m.Body, "action", m.Action)
	return nil
}

// Platforms is a Sender that uses the platform of each device.
type Platforms map[Platform]Sender

// Send fails if there is no sender for the device's platform.
func (p Platforms) Send(ctx context.Context, to Device, m Message) error {
	sender, ok := p[to.Platform]
	if !ok {
		return fmt.Errorf("nothing sends to devices of %q", to.Platform)
	}
	ctx, span := trace.Start(ctx, trace.Called, "push", string(to.Platform))
	defer span.End()
	err := sender.Send(ctx, to, m)
	switch {
	case errors.Is(err, ErrGone):
		span.Fail("gone")
	case err != nil:
		span.Fail("failed")
	}
	return err
}

// All is a Sender that sends each message by all of several senders.
type All []Sender

// Send returns the errors of all senders.
func (a All) Send(ctx context.Context, to Device, m Message) error {
	var errs []error
	for _, sender := range a {
		errs = append(errs, sender.Send(ctx, to, m))
	}
	return errors.Join(errs...)
}

// retention is how long a platform stores a message for an unreachable device.
const retention = 24 * time.Hour

// maxAnswer is the maximum size of a platform's response, in bytes.
const maxAnswer = 64 << 10

// maxToken is the maximum size of a device token, in bytes. Current ones have up to 200.
const maxToken = 1 << 10
