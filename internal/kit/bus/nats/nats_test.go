package nats

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// serve runs a NATS server in the process; port -1 picks a free one.
func serve(t *testing.T, port int) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the NATS server does not start")
	}
	t.Cleanup(s.Shutdown)
	return s
}

func connect(t *testing.T, s *server.Server, name string) *Bus {
	t.Helper()
	b, err := Connect(s.ClientURL(), name, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func subscribe(t *testing.T, b *Bus, subject string) <-chan []byte {
	t.Helper()
	messages, err := b.Subscribe(t.Context(), subject)
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

func publish(t *testing.T, b *Bus, subject, text string) {
	t.Helper()
	if err := b.Publish(t.Context(), subject, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func TestEveryProcessHearsEverything(t *testing.T) {
	s := serve(t, -1)
	one, two, stranger := connect(t, s, "stoa-bus"), connect(t, s, "stoa-bus"), connect(t, s, "other.bus")
	const subject = "notification/us-east-1:aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa *.>"
	here, there, elsewhere := subscribe(t, one, subject), subscribe(t, two, subject), subscribe(t, stranger, subject)
	const count = 200
	for i := range count {
		publish(t, one, "of nobody", "x")
		publish(t, one, subject, fmt.Sprint(i))
		for _, c := range []<-chan []byte{here, there} {
			if got := <-c; string(got) != fmt.Sprint(i) {
				t.Fatalf("heard %q, want %d: lost, repeated or out of order", got, i)
			}
		}
	}
	publish(t, two, subject, "back")
	if a, b := string(<-here), string(<-there); a != "back" || b != "back" {
		t.Errorf("heard %q and %q", a, b)
	}
	select {
	case got := <-elsewhere:
		t.Errorf("a bus of another name heard %q", got)
	default:
	}
}

func TestALostConnectionHeals(t *testing.T) {
	s := serve(t, -1)
	one, two := connect(t, s, "stoa-bus"), connect(t, s, "stoa-bus")
	here, there := subscribe(t, one, "s"), subscribe(t, two, "s")
	port := s.Addr().String()[strings.LastIndex(s.Addr().String(), ":")+1:]
	s.Shutdown()
	until(t, func() bool { return one.Ready(t.Context()) != nil && two.Ready(t.Context()) != nil })
	publish(t, one, "s", "while it is away")
	if got := <-here; string(got) != "while it is away" {
		t.Errorf("the publisher's own process heard %q", got)
	}
	var number int
	fmt.Sscan(port, &number)
	serve(t, number)
	until(t, func() bool { return one.Ready(t.Context()) == nil && two.Ready(t.Context()) == nil })
	// Subscriptions are restored after a reconnect.
	for heard := ""; heard != "again"; {
		publish(t, one, "s", "again")
		select {
		case got := <-there:
			heard = string(got)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// until waits for an asynchronous effect of NATS.
func until(t *testing.T, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it does not come about")
		}
	}
}

func TestWhatWasPublishedLeavesBeforeTheEnd(t *testing.T) {
	s := serve(t, -1)
	one, two := connect(t, s, "stoa-bus"), connect(t, s, "stoa-bus")
	there := subscribe(t, two, "s")
	for range 100 {
		publish(t, one, "s", "last words")
	}
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		<-there
	}
	if err := one.Publish(context.Background(), "s", nil); err == nil {
		t.Error("a closed bus publishes")
	}
}

func TestNoServer(t *testing.T) {
	_, err := Connect("nats://ana:secret@127.0.0.1:1", "stoa-bus", slog.New(slog.DiscardHandler))
	if err == nil || !strings.HasPrefix(err.Error(), "cannot connect to NATS at nats://127.0.0.1:1: ") || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
}
