package nats

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"stoa/internal/kit/bus"
)

// serve runs a NATS server in the process; port -1 picks a free one.
func serve(t *testing.T, port int) *server.Server { return serveTo(t, port, "", "") }

// serveTo is serve for clients with a name and a password.
func serveTo(t *testing.T, port int, name, password string) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, NoLog: true, NoSigs: true, Username: name, Password: password})
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

func connect(t *testing.T, s *server.Server, name string, options ...Option) *Bus {
	t.Helper()
	b, err := Connect(s.ClientURL(), name, slog.New(slog.DiscardHandler), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func subscribe(t *testing.T, b *Bus, subject string) <-chan bus.Message {
	t.Helper()
	messages, err := b.Subscribe(t.Context(), subject)
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

func publish(t *testing.T, b *Bus, subject, text string) {
	t.Helper()
	if err := b.Publish(t.Context(), subject, b.Sequence(), []byte(text)); err != nil {
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
		for c, later := range map[<-chan bus.Message]bool{here: true, there: false} {
			if got := <-c; string(got.Data) != fmt.Sprint(i) || got.Later != later {
				t.Fatalf("heard %q, want %d: lost, repeated or out of order", got.Data, i)
			}
		}
	}
	publish(t, two, subject, "back")
	if a, b := <-here, <-there; string(a.Data) != "back" || string(b.Data) != "back" {
		t.Errorf("heard %q and %q", a.Data, b.Data)
	}
	select {
	case got := <-elsewhere:
		t.Errorf("a bus of another name heard %q", got.Data)
	default:
	}
}

// A subscriber whose process was disconnected may have missed messages, and is ended once
// messages arrive again.
func TestALostConnectionHeals(t *testing.T) {
	s := serve(t, -1)
	one, two := connect(t, s, "stoa-bus"), connect(t, s, "stoa-bus")
	here, there := subscribe(t, one, "s"), subscribe(t, two, "s")
	port := portOf(s)
	s.Shutdown()
	until(t, func() bool { return one.Ready(t.Context()) != nil && two.Ready(t.Context()) != nil })
	publish(t, one, "s", "while it is away")
	if got := <-here; string(got.Data) != "while it is away" {
		t.Errorf("the publisher's own process heard %q", got.Data)
	}
	serve(t, port)
	until(t, func() bool { return one.Ready(t.Context()) == nil && two.Ready(t.Context()) == nil })
	drained(here)
	drained(there)
	there = subscribe(t, two, "s")
	for heard := ""; heard != "again"; {
		publish(t, one, "s", "again")
		select {
		case got, open := <-there:
			if heard = string(got.Data); !open { // the gap was noticed only after the new subscription began
				there = subscribe(t, two, "s")
			}
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func portOf(s *server.Server) int { return s.Addr().(*net.TCPAddr).Port }

// A server that refuses the password for some time, such as while it is being changed, is asked again
// until it accepts it. The refusal is logged once.
func TestARefusedPasswordHeals(t *testing.T) {
	s := serveTo(t, -1, "ana", "secret")
	log := &lockedText{}
	b, err := Connect("nats://ana:secret@"+s.Addr().String(), "stoa-bus", slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	port := portOf(s)
	s.Shutdown()
	s = serveTo(t, port, "ana", "another")
	until(t, func() bool {
		asked, err := s.Varz(nil)
		return err == nil && asked.TotalConnections > 3
	})
	s.Shutdown()
	serveTo(t, port, "ana", "secret")
	until(t, func() bool { return b.Ready(t.Context()) == nil })
	if told := strings.Count(log.String(), "NATS refuses the credentials: check the setting bus"); told != 1 || strings.Contains(log.String(), "secret") {
		t.Errorf("logged %s", log)
	}
}

// lockedText is a strings.Builder for several goroutines.
type lockedText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// drained waits until a subscription has ended.
func drained(c <-chan bus.Message) {
	for range c {
	}
}

// ended returns a subscription and the reason why it will have ended.
func ended(t *testing.T, b *Bus, subject string) (_ <-chan bus.Message, reason <-chan string) {
	t.Helper()
	reasons := make(chan string, 1)
	messages, err := b.Subscribe(bus.WithLoss(t.Context(), func(why string) { reasons <- why }), subject)
	if err != nil {
		t.Fatal(err)
	}
	return messages, reasons
}

// loseOne makes a process send a message that does not arrive.
func (b *Bus) loseOne(subject string) {
	b.out.mu.Lock()
	defer b.out.mu.Unlock()
	b.out.sent++
	b.out.latest[subject], b.out.quiet[subject] = b.out.sent, time.Now()
}

// A message that another process has sent and that has not arrived ends the subscriptions to
// its subject in this process, once a later one has.
func TestAGapEndsSubscriptions(t *testing.T) {
	s := serve(t, -1)
	one, two := connect(t, s, "stoa-bus"), connect(t, s, "stoa-bus")
	here := subscribe(t, one, "s")
	there, reason := ended(t, two, "s")
	other := subscribe(t, two, "of another subject")
	publish(t, one, "s", "1")
	if a, b := <-here, <-there; string(a.Data) != "1" || string(b.Data) != "1" {
		t.Fatalf("heard %q and %q", a.Data, b.Data)
	}
	one.loseOne("s")
	publish(t, one, "s", "3")
	drained(there)
	if got := <-reason; got != bus.Missed {
		t.Errorf("ended because of %q", got)
	}
	if got := <-here; string(got.Data) != "3" {
		t.Errorf("the publisher's own process heard %q", got.Data)
	}
	there = subscribe(t, two, "s")
	publish(t, one, "s", "4")
	publish(t, one, "of another subject", "5")
	if a, b := <-there, <-other; string(a.Data) != "4" || string(b.Data) != "5" {
		t.Errorf("heard %q and %q after the gap", a.Data, b.Data)
	}
}

// gate forwards connections to a server. While it is locked, what clients send does not arrive.
func gate(t *testing.T, s *server.Server) (url string, held *sync.Mutex) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	held = &sync.Mutex{}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			back, err := net.Dial("tcp", s.Addr().String())
			if err != nil {
				client.Close()
				return
			}
			go func() {
				defer client.Close()
				_, _ = io.Copy(client, back)
			}()
			go func() {
				defer back.Close()
				data := make([]byte, 1<<10)
				for {
					n, err := client.Read(data)
					held.Lock()
					_, _ = back.Write(data[:n])
					held.Unlock()
					if err != nil {
						return
					}
				}
			}()
		}
	}()
	return "nats://" + l.Addr().String(), held
}

// A subscription that the server confirms late has missed what others published until then, and
// ends.
func TestALateConfirmationEndsSubscriptions(t *testing.T) {
	s := serve(t, -1)
	url, held := gate(t, s)
	two, err := Connect(url, "stoa-bus", slog.New(slog.DiscardHandler), fast)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { two.Close() })
	one, other := connect(t, s, "stoa-bus"), subscribe(t, two, "of another subject")
	held.Lock()
	there, reason := ended(t, two, "s")
	publish(t, one, "s", "missed")
	held.Unlock()
	drained(there)
	if got := <-reason; got != bus.Missed {
		t.Errorf("ended because of %q", got)
	}
	there = subscribe(t, two, "s")
	publish(t, one, "s", "1")
	publish(t, one, "of another subject", "2")
	if a, b := <-there, <-other; string(a.Data) != "1" || string(b.Data) != "2" {
		t.Errorf("heard %q and %q afterwards", a.Data, b.Data)
	}
}

// fast makes processes give signs of life often. How long they may be silent is up to the test, since
// a busy machine can stop one for any time.
var fast = Beats(20*time.Millisecond, time.Hour)

// The last message on a subject may be lost as well, and what was being sent when a connection
// broke.
func TestALostLastMessageIsNoticed(t *testing.T) {
	for name, lose := range map[string]func(b *Bus){
		"the last one": func(b *Bus) { b.loseOne("s") },
		"what was being sent": func(b *Bus) {
			b.out.mu.Lock()
			b.out.acknowledged = b.out.sent - 1
			b.out.mu.Unlock()
			b.out.disconnected()
			b.reconnected()
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, -1)
			one, two := connect(t, s, "stoa-bus", fast), connect(t, s, "stoa-bus", fast)
			there := subscribe(t, two, "s")
			publish(t, one, "s", "1")
			if got := <-there; string(got.Data) != "1" {
				t.Errorf("heard %q", got.Data)
			}
			lose(one)
			drained(there)
		})
	}
}

// Messages that arrive faster than they are handled are dropped.
func TestASlowConsumerEndsSubscriptions(t *testing.T) {
	s := serve(t, -1)
	one, two := connect(t, s, "stoa-bus"), connect(t, s, "stoa-bus", func(b *Bus) { b.incoming = make(chan *nats.Msg, 1) })
	there := subscribe(t, two, "s")
	two.in.mu.Lock()
	for i := range 10 {
		publish(t, one, "s", fmt.Sprint(i))
	}
	drained(there)
	two.in.mu.Unlock()
}

// A process that dies ends all subscriptions elsewhere, because it may have owed a message; one
// that leaves has sent everything.
func TestADeadProcessEndsSubscriptions(t *testing.T) {
	s := serve(t, -1)
	one, two, three := connect(t, s, "stoa-bus", fast), connect(t, s, "stoa-bus", fast), connect(t, s, "stoa-bus", fast)
	there, reason := ended(t, two, "s")
	knows := func(b *Bus) bool {
		two.in.mu.Lock()
		defer two.in.mu.Unlock()
		return !two.in.beats[b.id].IsZero()
	}
	until(t, func() bool { return knows(one) && knows(three) })
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	until(t, func() bool { return !knows(one) })
	publish(t, three, "s", "1")
	if got := <-there; string(got.Data) != "1" || len(reason) > 0 {
		t.Errorf("heard %q after a process has left", got.Data)
	}
	three.conn.Close()
	two.beatOnce(time.Now().Add(2 * time.Hour))
	drained(there)
	if got := <-reason; got != bus.Missed {
		t.Errorf("ended because of %q", got)
	}
}

// A process hears what its subscribers listen to, or have lately, and nothing else.
func TestOnlyWhatIsListenedToIsHeard(t *testing.T) {
	var late atomic.Bool
	now := func() time.Time {
		if late.Load() {
			return time.Now().Add(time.Hour)
		}
		return time.Now()
	}
	s := serve(t, -1)
	one, two := connect(t, s, "stoa-bus"), connect(t, s, "stoa-bus", func(b *Bus) { b.local.Now = now })
	there := subscribe(t, two, "s")
	ctx, leave := context.WithCancel(t.Context())
	left, err := two.Subscribe(ctx, "left")
	if err != nil {
		t.Fatal(err)
	}
	leave()
	drained(left)
	before := two.conn.Stats().InMsgs
	for range 1000 {
		publish(t, one, "of nobody", "x")
	}
	publish(t, one, "s", "1")
	publish(t, one, "left", "2")
	<-there
	until(t, func() bool { return two.conn.Stats().InMsgs >= before+2 })
	if heard := two.conn.Stats().InMsgs - before; heard > 10 { // a few signs of life
		t.Errorf("%d messages were heard", heard)
	}
	late.Store(true)
	two.beatOnce(time.Now())
	two.interest.Lock()
	defer two.interest.Unlock()
	if len(two.interests) != 1 || two.interests["s"] == nil {
		t.Errorf("interested in %v", two.interests)
	}
}

// A message that is too large for NATS ends the subscriptions to its subject in other
// processes.
func TestAMessageTooLargeEndsItsSubscriptions(t *testing.T) {
	s := serve(t, -1)
	one, two := connect(t, s, "stoa-bus"), connect(t, s, "stoa-bus")
	here, there, other := subscribe(t, one, "s"), subscribe(t, two, "s"), subscribe(t, two, "of another subject")
	if err := one.Publish(t.Context(), "s", bus.Unknown, make([]byte, 2<<20)); !errors.Is(err, nats.ErrMaxPayload) {
		t.Errorf("Publish = %v", err)
	}
	drained(there)
	publish(t, one, "of another subject", "x")
	if got := <-other; string(got.Data) != "x" {
		t.Errorf("the other subject heard %q", got.Data)
	}
	if got := <-here; len(got.Data) != 2<<20 {
		t.Errorf("the publisher's own process heard %d bytes", len(got.Data))
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
	if err := one.Publish(context.Background(), "s", bus.Unknown, nil); err == nil {
		t.Error("a closed bus publishes")
	}
}

// A connection that is closed is not one that is lost.
func TestTheEndIsNoLoss(t *testing.T) {
	var log strings.Builder
	b, err := Connect(serve(t, -1).ClientURL(), "stoa-bus", slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil || log.Len() > 0 {
		t.Errorf("Close = %v, which logs %q", err, &log)
	}
}

func TestNoServer(t *testing.T) {
	_, err := Connect("nats://ana:secret@127.0.0.1:1", "stoa-bus", slog.New(slog.DiscardHandler))
	if err == nil || !strings.HasPrefix(err.Error(), "cannot connect to NATS at nats://127.0.0.1:1: ") || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
}
