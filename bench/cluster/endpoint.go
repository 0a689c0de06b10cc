package cluster

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"time"

	"stoa/internal/kit/engine"
	"stoa/internal/kit/engine/wire"
)

// Faults are how often a call of the store suffers what, from 0 to 1.
type Faults struct {
	// Throttle refuses the call.
	Throttle float64
	// Slow delays it by up to a second.
	Slow float64
	// Duplicate carries it out twice, as if its first answer had been lost.
	Duplicate float64
	// Reset breaks the connection before or after it is carried out.
	Reset float64
	// Hang leaves it without an answer, carried out or not.
	Hang float64
}

// Endpoint serves the store over HTTP.
type Endpoint struct {
	// URL is the faulty endpoint, and Calm one that is neither slow nor faulty.
	URL, Calm string

	servers []*http.Server
	store   http.Handler
	latency atomic.Int64
	stop    chan struct{}

	mu     sync.Mutex
	faults Faults
	random *rand.Rand
	counts map[string]int
}

func newEndpoint(e *engine.Engine) (*Endpoint, error) {
	p := &Endpoint{store: wire.NewHandler(e, slog.New(slog.DiscardHandler)), stop: make(chan struct{}), counts: map[string]int{}}
	for url, handler := range map[*string]http.Handler{&p.URL: http.HandlerFunc(p.serve), &p.Calm: p.store} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			p.close()
			return nil, err
		}
		*url = "http://" + l.Addr().String()
		s := &http.Server{Handler: handler, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}
		p.servers = append(p.servers, s)
		go s.Serve(l)
	}
	return p, nil
}

func (p *Endpoint) close() {
	close(p.stop)
	for _, s := range p.servers {
		s.Close()
	}
}

// SetLatency sets how far away the store is: what a call takes there and back.
func (p *Endpoint) SetLatency(d time.Duration) { p.latency.Store(int64(d)) }

// SetFaults begins with faults, in an order that follows from a seed as far as that of calls does.
func (p *Endpoint) SetFaults(f Faults, seed uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults, p.random = f, rand.New(rand.NewPCG(seed, seed))
}

// Counts returns the number of calls that have suffered each fault.
func (p *Endpoint) Counts() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.counts)
}

// choose returns the fault of the next call, or "", whether it is carried out, and a delay.
func (p *Endpoint) choose() (fault string, done bool, delay time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts["calls"]++
	if p.faults == (Faults{}) {
		return "", true, 0
	}
	at, done, slow := p.random.Float64(), p.random.IntN(2) == 0, time.Duration(p.random.Int64N(int64(time.Second)))
	for _, f := range []struct {
		name string
		rate float64
	}{
		{"throttled", p.faults.Throttle}, {"slow", p.faults.Slow}, {"duplicated", p.faults.Duplicate}, {"reset", p.faults.Reset}, {"hung", p.faults.Hang},
	} {
		if at -= f.rate; at < 0 {
			p.counts[f.name]++
			return f.name, done, slow
		}
	}
	return "", true, 0
}

// hang is how long a call without an answer is held: longer than clients wait.
const hang = 15 * time.Second

// serve answers a call, perhaps with a fault. What nobody waits for any more is not begun, as a
// request that is lost on the way.
func (p *Endpoint) serve(w http.ResponseWriter, r *http.Request) {
	if !p.pause(r.Context(), time.Duration(p.latency.Load())) {
		panic(http.ErrAbortHandler)
	}
	fault, done, delay := p.choose()
	switch fault {
	case "throttled":
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, `{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"slow down"}`)
	case "slow":
		if !p.pause(r.Context(), delay) {
			panic(http.ErrAbortHandler)
		}
		p.store.ServeHTTP(w, r)
	case "duplicated":
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		for range 2 {
			again := r.Clone(context.WithoutCancel(r.Context()))
			again.Body = io.NopCloser(bytes.NewReader(body))
			answer := httptest.NewRecorder()
			p.store.ServeHTTP(answer, again)
			if done { // the first answer arrives
				copyAnswer(w, answer)
				w, done = httptest.NewRecorder(), false
			} else {
				done = true
			}
		}
	case "reset", "hung":
		if done {
			p.store.ServeHTTP(httptest.NewRecorder(), r)
		}
		if fault == "hung" {
			p.pause(r.Context(), hang)
		}
		panic(http.ErrAbortHandler)
	default:
		p.store.ServeHTTP(w, r)
	}
}

func copyAnswer(w http.ResponseWriter, from *httptest.ResponseRecorder) {
	maps.Copy(w.Header(), from.Header())
	w.WriteHeader(from.Code)
	io.Copy(w, from.Body)
}

// pause returns false if ctx is done first, or the endpoint is closed.
func (p *Endpoint) pause(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
	case <-p.stop:
	}
	return false
}
