package main

import (
	"log/slog"
	"net/http"
	"os"
	"slices"
	"time"

	"stoa/internal/push"
)

// Values of the setting push.
const (
	logPush  = "log"
	apnsPush = "apns"
	fcmPush  = "fcm"
)

// pushSender returns the configured sender of push notifications. It is nil if none is
// configured.
func (s *Settings) pushSender(log *slog.Logger) (push.Sender, error) {
	if len(s.Push) == 0 {
		return nil, nil
	}
	var all push.All
	platforms := push.Platforms{}
	for _, name := range s.Push {
		var err error
		switch name {
		case logPush:
			all = append(all, push.Log{Logger: log})
		case apnsPush:
			platforms[push.APNS], err = s.apns()
		case fcmPush:
			platforms[push.FCM], err = s.fcm()
		default:
			err = usage("setting push: %q is not a push sender: write one or more of %s, %s and %s, separated by commas", name, logPush, apnsPush, fcmPush)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(platforms) > 0 {
		all = append(all, platforms)
	}
	return all, nil
}

// everybody is the value of the setting push-to for all users.
const everybody = "*"

// pushTo returns the usernames that receive push notifications; nil means everybody.
func (s *Settings) pushTo() []string {
	if slices.Contains(s.PushTo, everybody) {
		return nil
	}
	return append([]string{}, s.PushTo...)
}

// pushClient returns a client that supports HTTP/2, which one of the platforms requires.
func pushClient() *http.Client { return &http.Client{Timeout: 10 * time.Second} }

func (s *Settings) apns() (push.Sender, error) {
	if s.APNSKeyID == "" || s.APNSTeam == "" {
		return nil, usage("push by apns needs a key: set --apns-key, --apns-key-id and --apns-team")
	}
	if s.APNSTopic == "" {
		return nil, usage("push by apns needs the bundle id of the app: set --apns-topic")
	}
	key, err := os.ReadFile(s.APNSKey)
	if err != nil {
		return nil, usage("setting apns-key: %v", err)
	}
	sender, err := push.NewAPNS(push.APNSConfig{
		Address: s.APNSAddress, Key: key, KeyID: s.APNSKeyID, TeamID: s.APNSTeam, Topic: s.APNSTopic,
		Client: pushClient(), Now: time.Now,
	})
	if err != nil {
		return nil, usage("setting apns-key: %v", err)
	}
	return sender, nil
}

func (s *Settings) fcm() (push.Sender, error) {
	credentials, err := os.ReadFile(s.FCMCredentials)
	if err != nil {
		return nil, usage("setting fcm-credentials: %v", err)
	}
	sender, err := push.NewFCM(push.FCMConfig{Address: s.FCMAddress, Credentials: credentials, Client: pushClient(), Now: time.Now})
	if err != nil {
		return nil, usage("setting fcm-credentials: %v", err)
	}
	return sender, nil
}
