// Package push tells people on their devices what happened while they were away.
//
// Sending is one attempt. An error wraps ErrGone when the device will never be reached
// again by that token, which should be forgotten then.
package push

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Platform is who carries messages to a device.
type Platform string

const (
	// APNS is Apple's push notification service.
	APNS Platform = "apns"
	// FCM is Firebase Cloud Messaging.
	FCM Platform = "fcm"
)

// Device is where a message goes.
type Device struct {
	Platform Platform
	// Token is what the app got from the platform.
	Token string
}

// Message is what is shown.
type Message struct {
	Title string
	// Body may be empty.
	Body string
	// Action is the address that a tap opens; it may be empty.
	Action string
	// Collapse names messages of which a device shows only the latest; it may be empty.
	Collapse string
	// Data go to the app as they are; there may be none.
	Data map[string]string
}

// Sender hands messages to devices. It is safe for concurrent use.
type Sender interface {
	Send(ctx context.Context, to Device, m Message) error
}

// ErrGone means that a token is no longer that of an app on a device.
var ErrGone = errors.New("the device is gone")

// Log is the Sender that tells the log instead.
type Log struct{ Logger *slog.Logger }

// Send never fails. The token, which would reach the device, is not told.
func (l Log) Send(ctx context.Context, to Device, m Message) error {
	l.Logger.InfoContext(ctx, "push", "platform", string(to.Platform), "title", m.Title, "body", m.Body, "action", m.Action)
	return nil
}

// Platforms sends over the platform of each device.
type Platforms map[Platform]Sender

// Send fails when there is no sender for the device's platform.
func (p Platforms) Send(ctx context.Context, to Device, m Message) error {
	sender, ok := p[to.Platform]
	if !ok {
		return fmt.Errorf("nothing sends to devices of %q", to.Platform)
	}
	return sender.Send(ctx, to, m)
}

// retention is how long a platform keeps a message for a device that is off.
const retention = 24 * time.Hour

// maxAnswer bounds what a platform may answer, in bytes.
const maxAnswer = 64 << 10

// maxToken bounds a device's token, in bytes. Those of today have up to 200.
const maxToken = 1 << 10
