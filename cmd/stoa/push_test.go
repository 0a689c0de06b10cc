package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stoa/internal/push"
)

// chats 5.4#4: pushes are off without the setting `push`.
func TestPushSender(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "key.p8")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(s *Settings)
		fault  string
		kinds  string
	}{
		{"as it comes", func(*Settings) {}, "", "push.All push.Log"},
		{"apns", func(s *Settings) {
			s.Push, s.APNSKey, s.APNSKeyID, s.APNSTeam, s.APNSTopic = []string{"apns"}, file, "K", "T", "com.example.app"
		}, "", "push.All push.Platforms"},
		{"log and apns", func(s *Settings) {
			s.Push, s.APNSKey, s.APNSKeyID, s.APNSTeam, s.APNSTopic = []string{"log", "apns"}, file, "K", "T", "com.example.app"
		}, "", "push.All push.Log push.Platforms"},
		{"apns without a key", func(s *Settings) { s.Push = []string{"apns"} }, "--apns-key-id", ""},
		{"apns with a key that is none", func(s *Settings) {
			s.Push, s.APNSKey, s.APNSKeyID, s.APNSTeam, s.APNSTopic = []string{"apns"}, "push.go", "K", "T", "com.example.app"
		}, "not PEM", ""},
		{"apns without an app", func(s *Settings) {
			s.Push, s.APNSKey, s.APNSKeyID, s.APNSTeam = []string{"apns"}, file, "K", "T"
		}, "--apns-topic", ""},
		{"fcm without credentials", func(s *Settings) { s.Push = []string{"fcm"} }, "setting fcm-credentials", ""},
		{"something else", func(s *Settings) { s.Push = []string{"pigeon"} }, `"pigeon" is not a push sender`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := defaultSettings()
			c.change(&s)
			sender, err := s.pushSender(slog.New(slog.DiscardHandler))
			switch {
			case c.fault == "" && (err != nil || sender == nil):
				t.Errorf("got %v, %v", sender, err)
			case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)):
				t.Errorf("got %v, want a mistake with %q", err, c.fault)
			}
			if err != nil {
				return
			}
			kinds := fmt.Sprintf("%T", sender)
			for _, one := range sender.(push.All) {
				kinds += fmt.Sprintf(" %T", one)
			}
			if kinds != c.kinds {
				t.Errorf("sends by %s, want %s", kinds, c.kinds)
			}
		})
	}
}

// chats 5.4#4: pushes go to the users that `push-to` lists, to nobody or to everybody.
func TestPushTo(t *testing.T) {
	s := defaultSettings()
	if to := s.pushTo(); to != nil {
		t.Errorf("by default only %q are pushed to anything", to)
	}
	if s.PushTo = nil; s.pushTo() == nil {
		t.Error("an empty list is everybody, want nobody")
	}
	if s.PushTo = []string{"ana"}; len(s.pushTo()) != 1 {
		t.Errorf("%q are pushed to, want ana", s.pushTo())
	}
	s.Push = nil
	if sender, err := s.pushSender(slog.New(slog.DiscardHandler)); sender != nil || err != nil {
		t.Errorf("an empty setting push sends by %T, %v", sender, err)
	}
}
