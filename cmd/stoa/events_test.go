package main

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// An event that could not be delivered is shown, retried and dropped by an operator.
func TestDeadLetters(t *testing.T) {
	dir := "embedded:" + t.TempDir()
	if _, err := run(t, "tables", "apply", "--store", dir); err != nil {
		t.Fatal(err)
	}
	var storage Storage
	if err := storage.UnmarshalText([]byte(dir)); err != nil {
		t.Fatal(err)
	}
	db, _, closeStore, err := openDB(t.Context(), Settings{Store: storage, TablePrefix: "stoa-"}, nil, slog.New(slog.DiscardHandler), prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	for _, id := range []string{"e1", "e2"} {
		r := outbox.RecordOf(social.UserCreated{UserID: "us-east-1:ana"}, id, at)
		dead := outbox.DeadLetter{Lane: outbox.Lane{Record: r}, At: at.Add(time.Hour), Attempts: 19, Error: "broken"}
		if err := ops.Open(db).Outbox.Park(t.Context(), "", dead); err != nil {
			t.Fatal(err)
		}
	}
	if err := closeStore(); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		command string
		says    []string
		err     string
	}{
		{"list", []string{"e1  user.created  -        2030-01-01T13:00:00Z  19        \"broken\"", "\ne2"}, ""},
		{"show e1", []string{"broken", `{"UserID":"us-east-1:ana"}`}, ""},
		{"show e3", nil, `there is no dead letter "e3": see stoa events list`},
		{"drop e2", []string{"e2 is dropped."}, ""},
		{"drop e2", nil, `there is no dead letter "e2": see stoa events list`},
		{"retry e1", []string{"e1 will be attempted again."}, ""},
		{"retry e1", nil, `there is no dead letter "e1": see stoa events list`},
		{"list", []string{"There are no dead letters."}, ""},
	} {
		out, err := run(t, append(append([]string{"events"}, strings.Fields(step.command)...), "--store", dir)...)
		if step.err == "" && err != nil || step.err != "" && (err == nil || err.Error() != step.err) {
			t.Errorf("events %s: %v", step.command, err)
		}
		for _, text := range step.says {
			if !strings.Contains(out, text) {
				t.Errorf("events %s prints %q, want %q", step.command, out, text)
			}
		}
	}
}
