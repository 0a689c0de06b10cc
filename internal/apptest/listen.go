package apptest

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"stoa/internal/kit/faultdb"
)

// listener is an open subscription.
type listener struct {
	name string

	mu    sync.Mutex
	heard []string
	rest  bytes.Buffer
}

// Listen opens a subscription of the named user, until stop is called or the world ends.
// Its events are returned by the next TakeHeard.
func (w *World) Listen(as, subscription string) (stop func()) {
	w.T.Helper()
	l := &listener{name: as}
	request := w.request(as, Request{Query: subscription})
	request.Header.Set("Accept", "text/event-stream")
	ctx, end := context.WithCancel(request.Context())
	var ended sync.WaitGroup
	ended.Go(func() { w.Handler.ServeHTTP(l, request.WithContext(ctx)) })
	stop = func() {
		end()
		ended.Wait()
	}
	w.T.Cleanup(stop)
	w.wait()
	w.listeners = append(w.listeners, l)
	return stop
}

// Listening returns the step of opening a subscription.
func Listening(as, subscription string) Step { return func(w *World) { w.Listen(as, subscription) } }

// DuringCommit calls f while the next transaction is being committed, which then takes
// 200 ms. The transaction must not wait for f's requests.
func (w *World) DuringCommit(f func()) {
	w.Client.Arm(faultdb.Before("TransactWriteItems", 1, func() {
		w.Advance(100 * time.Millisecond)
		f()
		w.Advance(100 * time.Millisecond)
		f = nil
	}))
	w.T.Cleanup(func() {
		if f != nil {
			w.T.Error("nothing was committed")
		}
	})
}

// TakeHeard returns what each listener has received since the last call: the data of
// events, or their errors.
func (w *World) TakeHeard() map[string][]string {
	w.wait()
	all := map[string][]string{}
	for _, l := range w.listeners {
		l.mu.Lock()
		if len(l.heard) > 0 {
			all[l.name] = append(all[l.name], l.heard...)
		}
		l.heard = nil
		l.mu.Unlock()
	}
	return all
}

func (l *listener) Header() http.Header { return http.Header{} }
func (l *listener) WriteHeader(int)     {}
func (l *listener) Flush()              {}

// Write receives a part of the event stream.
func (l *listener) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest.Write(b)
	for {
		event, rest, whole := strings.Cut(l.rest.String(), "\n\n")
		if !whole {
			return len(b), nil
		}
		l.rest.Reset()
		l.rest.WriteString(rest)
		if id, data, ok := strings.Cut(event, "event: next\ndata: "); ok && (id == "" || strings.HasPrefix(id, "id: ")) {
			l.heard = append(l.heard, heard(data))
		}
	}
}

// heard returns the data of an event, or the whole event if it has errors.
func heard(event string) string {
	var a struct{ Data, Errors json.RawMessage }
	if err := json.Unmarshal([]byte(event), &a); err != nil || a.Errors != nil {
		return event
	}
	return string(a.Data)
}
