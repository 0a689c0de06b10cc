package server_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	natsserver "github.com/nats-io/nats-server/v2/server"

	"stoa/internal/kit/bus/nats"
	"stoa/internal/kit/viewer"
	"stoa/internal/server"
)

// Flags of TestNoEventIsLostInSilence.
var (
	liveSeed = flag.Uint64("live.seed", 1, "seed of the history of subscribers")
	liveFor  = flag.Duration("live.for", 4*time.Second, "how long events are published in the history of subscribers")
)

const (
	subscribers     = 20
	listenedTo      = 5   // subjects, with as many subscribers each
	eventsPerSecond = 200 // in all
	processes       = 3
	deathNoticed    = time.Second // after the death of a process
	eventsPerWriter = 1_000_000   // numbers of one process's events
)

// anybody lets everybody in under their own name.
type anybody struct{}

func (anybody) Authenticate(_ context.Context, authorization string) (viewer.UserID, error) {
	return viewer.UserID(authorization), nil
}

// proxy passes connections on until the process behind or before it dies.
type proxy struct {
	net.Listener
	target string

	mu    sync.Mutex
	dead  bool
	conns []net.Conn
}

func newProxy(t *testing.T, target string) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{Listener: listener, target: target}
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			if to, err := net.Dial("tcp", target); err != nil || !p.add(from, to) {
				from.Close()
			} else {
				go pass(from, to)
				go pass(to, from)
			}
		}
	}()
	t.Cleanup(p.kill)
	return p
}

func (p *proxy) add(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns = append(p.conns, conns...)
	return !p.dead
}

// pass copies until one end is closed, and closes both.
func pass(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	to.Close()
	from.Close()
}

// kill breaks all connections; there are none afterwards.
func (p *proxy) kill() {
	p.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dead = true
	for _, c := range p.conns {
		c.Close()
	}
}

// process is a server whose connections can all be broken at once, as if it had died.
type process struct {
	*service
	bus    *nats.Bus
	number int
	url    string
	inside []*proxy
	// published is the number of events of each subject.
	published [listenedTo]atomic.Int64
}

func startProcess(t *testing.T, number int, natsAddress string) *process {
	t.Helper()
	s := newService(t, func(c *server.Config) {
		c.Authenticator, c.Limits.UserSubscriptions = anybody{}, subscribers
	})
	toNATS := newProxy(t, natsAddress)
	b, err := nats.Connect("nats://"+toNATS.Addr().String(), "history", slog.New(slog.DiscardHandler), nats.Beats(100*time.Millisecond, deathNoticed))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	s.listenOn(b)
	fromClients := newProxy(t, strings.TrimPrefix(s.listen(t), "http://"))
	go func() { // nobody waits for these
		for range s.graph.Subscribed {
		}
	}()
	go func() {
		for range s.graph.Unsubscribed {
		}
	}()
	return &process{service: s, bus: b, number: number, url: "http://" + fromClients.Addr().String() + "/graphql", inside: []*proxy{fromClients, toNATS}}
}

func (p *process) kill() {
	for _, each := range p.inside {
		each.kill()
	}
}

// publish publishes the next event of a subject, whose number says who has published it.
func (p *process) publish(t *testing.T, subject int) {
	n := p.published[subject].Add(1)
	if err := tellOn(p.bus, nameOf(subject), p.number*eventsPerWriter+int(n)); err != nil && t.Context().Err() == nil {
		t.Log(err)
	}
}

func nameOf(subject int) string { return fmt.Sprint("user-", subject) }

// follower is a client that resumes a subscription again and again.
type follower struct {
	subject int
	random  *rand.Rand
	living  func(*rand.Rand) *process

	cursor string
	// latest are the numbers of the latest events of each process, and torn those of which
	// some may be missing since, because a gap has been told.
	latest [processes]int
	// at is the process of the latest connection, nil for any.
	at   *process
	torn [processes]bool
	// resumed, gaps and heard count.
	resumed, gaps, heard, twice int
	problems                    []string
}

// run follows until done.
func (f *follower) run(ctx context.Context, done func(f *follower) bool) {
	for ctx.Err() == nil && !done(f) {
		f.connect(ctx, done)
		rest(ctx, time.Duration(f.random.IntN(150))*time.Millisecond)
	}
}

func rest(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// connect follows for a while on one connection.
func (f *follower) connect(ctx context.Context, done func(f *follower) bool) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(50+f.random.IntN(600))*time.Millisecond)
	defer cancel()
	// A proxy mostly sends a client to the process where it was. Elsewhere there is a gap.
	if f.at == nil || f.random.IntN(8) == 0 {
		f.at = f.living(f.random)
	}
	conn, _, err := websocket.Dial(ctx, f.at.url, &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		f.at = nil
		return
	}
	defer conn.CloseNow()
	name := nameOf(f.subject)
	for _, message := range []string{
		`{"type":"connection_init","payload":{"Authorization":"` + name + `"}}`,
		`{"id":"s","type":"subscribe","payload":{"query":"subscription{onTick(userId:\"` + name + `\"){number}}","extensions":{"since":"` + f.cursor + `"}}}`,
	} {
		if conn.Write(ctx, websocket.MessageText, []byte(message)) != nil {
			return
		}
	}
	f.resumed++
	for !done(f) {
		_, text, err := conn.Read(ctx)
		if err != nil {
			return
		}
		f.receive(text)
	}
}

func (f *follower) receive(text []byte) {
	var m struct {
		Type    string
		Payload struct {
			Data       *struct{ OnTick struct{ Number int } }
			Extensions struct {
				Cursor string
				Gap    bool
			}
		}
	}
	if err := json.Unmarshal(text, &m); err != nil || m.Type != "next" && m.Type != "connection_ack" {
		f.problem("received %s", text)
	}
	if m.Type != "next" {
		return
	}
	if m.Payload.Extensions.Gap {
		if f.cursor != "" {
			f.gaps++
		}
		f.torn = [processes]bool{true, true, true}
	} else {
		f.count(m.Payload.Data.OnTick.Number)
	}
	if f.cursor = m.Payload.Extensions.Cursor; f.cursor == "" {
		f.problem("received %s without a cursor", text)
	}
}

// count checks an event against the latest one of the same process.
func (f *follower) count(number int) {
	f.heard++
	by, n := number/eventsPerWriter, number%eventsPerWriter
	switch before := f.latest[by]; {
	case n <= before:
		f.twice++
		return
	case n > before+1 && !f.torn[by]:
		f.problem("event %d of process %d after event %d without a gap", n, by, before)
	}
	f.latest[by], f.torn[by] = n, false
}

func (f *follower) problem(format string, args ...any) {
	f.problems = append(f.problems, fmt.Sprintf(format, args...))
}

// realtime 14#3-4,7-8: connections break at random and resume in any process, and a process
// dies. Each subscriber has every event of each process in order, or has been told of a gap. (-live.for 60s -live.seed N)
func TestNoEventIsLostInSilence(t *testing.T) {
	ns, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	go ns.Start()
	t.Cleanup(ns.Shutdown)
	if !ns.ReadyForConnections(10 * time.Second) {
		t.Fatal("the NATS server does not start")
	}
	var all []*process
	for i := range processes {
		all = append(all, startProcess(t, i, ns.Addr().String()))
	}
	var dead atomic.Bool // the last process is
	living := func(random *rand.Rand) *process {
		if dead.Load() {
			return all[random.IntN(processes-1)]
		}
		return all[random.IntN(processes)]
	}
	t.Logf("-live.seed=%d", *liveSeed)
	followers := make([]*follower, subscribers)
	ctx, cancel := context.WithTimeout(t.Context(), *liveFor+20*time.Second)
	defer cancel()
	var following sync.WaitGroup
	var ended atomic.Bool
	for i := range followers {
		f := &follower{subject: i % listenedTo, random: rand.New(rand.NewPCG(*liveSeed, uint64(i))), living: living}
		followers[i] = f
		following.Go(func() {
			f.run(ctx, func(f *follower) bool { return ended.Load() && f.complete(all) })
		})
	}

	random := rand.New(rand.NewPCG(*liveSeed, subscribers))
	began := time.Now()
	tick := time.NewTicker(time.Second / eventsPerSecond)
	defer tick.Stop()
	for time.Since(began) < *liveFor {
		<-tick.C
		p := all[random.IntN(processes)]
		if dead.Load() && p == all[processes-1] {
			p = all[0]
		}
		p.publish(t, random.IntN(listenedTo))
		if !dead.Load() && time.Since(began) > *liveFor/2 {
			last := all[processes-1]
			last.kill()
			for s := range listenedTo { // what it may have committed without anybody else's knowledge
				last.publish(t, s)
			}
			dead.Store(true)
		}
	}
	ended.Store(true)
	following.Wait()

	resumed, gaps, heard, twice, published := 0, 0, 0, 0, 0
	for i, f := range followers {
		for _, problem := range f.problems {
			t.Errorf("subscriber %d: %s", i, problem)
		}
		if !f.complete(all) {
			t.Errorf("subscriber %d has %v of %v", i, f.latest, f.want(all))
		}
		resumed, gaps, heard, twice = resumed+f.resumed, gaps+f.gaps, heard+f.heard, twice+f.twice
		for _, n := range f.want(all) {
			published += n
		}
	}
	t.Logf("%d of %d events heard on %d connections, %d of them twice, with %d gaps", heard, published, resumed, twice, gaps)
	if 100*twice > resumed {
		t.Errorf("%d events were heard twice", twice) // see docs/live.md
	}
	if resumed < 3*subscribers || gaps == 0 || gaps > 3*subscribers || heard < published/2 {
		t.Error("that is too little for a proof")
	}
}

// want returns the number of events of each process on the follower's subject.
func (f *follower) want(all []*process) (want [processes]int) {
	for i, p := range all {
		want[i] = int(p.published[f.subject].Load())
	}
	return want
}

// complete reports whether the follower has the last event of each process, or has been told
// that there may be more.
func (f *follower) complete(all []*process) bool {
	for i, n := range f.want(all) {
		if f.latest[i] < n && !f.torn[i] {
			return false
		}
	}
	return true
}
