package server

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"stoa/internal/kit/pace"
)

// bodies counts the bytes of request bodies being read. Since clients may announce any
// length, memory is allocated only for bytes that have arrived, and is limited for all
// bodies together. Half of that is left to others than a single caller.
type bodies struct {
	max int64

	mu   sync.Mutex
	held int64
	of   map[string]int64 // held by caller
}

// take reports whether a caller may hold more bytes, and counts them.
func (b *bodies) take(caller string, more int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.held+more > b.max || b.of[caller]+more > b.max/2 {
		return false
	}
	b.held += more
	b.of[caller] += more
	return true
}

func (b *bodies) release(caller string, held int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held -= held
	if b.of[caller] -= held; b.of[caller] == 0 {
		delete(b.of, caller)
	}
}

// body is the part of a request's body read so far. It must be released.
type body struct {
	text   *[]byte
	bodies *bodies
	caller string
	held   int64
}

// release releases the body's memory.
func (b *body) release() {
	if b.held > 0 {
		b.bodies.release(b.caller, b.held)
	}
	giveBuffer(b.text)
}

// grow allocates room for more bytes, and reports whether the limits allow it. It doubles the
// room, up to the announced length, which is -1 if there is none.
func (b *body) grow(announced int64) bool {
	text := *b.text
	if len(text) < cap(text) {
		return true
	}
	room := len(text) + 1 // for the end
	if left := announced - int64(len(text)); left >= 0 {
		room = min(room, int(left)+1)
	}
	more := int64(room)
	if !b.bodies.take(b.caller, more) {
		return false
	}
	// Unlike append and slices.Grow, make can be preempted while it clears memory: the kernel
	// takes milliseconds to map that of a large body.
	grown := make([]byte, len(text)+room)
	b.held += more
	copy(grown, text)
	*b.text = grown[:len(text)]
	return true
}

// readBody reads a body of at most limit bytes.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request, caller string, limit int64) (*body, *rejection) {
	b := &body{text: takeBuffer(), bodies: &s.bodies, caller: caller}
	if r.ContentLength > limit {
		w.Header().Set("Connection", "close")
		return b, tooLarge(limit)
	}
	source := pace.NewReader(w, http.MaxBytesReader(w, r.Body, limit))
	for reads := 1; ; reads++ {
		if !b.grow(r.ContentLength) {
			w.Header().Set("Connection", "close")
			w.Header().Set("Retry-After", "1")
			return b, &rejection{status: http.StatusServiceUnavailable, errorType: limited, message: "too much is being sent at once: try again"}
		}
		text := *b.text
		n, err := source.Read(text[len(text):cap(text)])
		*b.text = text[:len(text)+n]
		switch err {
		case nil:
		case io.EOF:
			r.Body.Close() // otherwise net/http would look for more
			// The wait for a body that arrives at once, at most pace.Grace, is allowed for.
			if reads > 1 {
				// Without a connection, as in tests, there is no deadline to set.
				_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.exchange()))
			}
			return b, nil
		default:
			return b, rejectionOfBody(w, err, limit)
		}
	}
}

func rejectionOfBody(w http.ResponseWriter, err error, limit int64) *rejection {
	var exceeded *http.MaxBytesError
	switch {
	case errors.As(err, &exceeded):
		return tooLarge(limit)
	case pace.TooSlow(err):
		w.Header().Set("Connection", "close")
		return &rejection{status: http.StatusRequestTimeout, errorType: malformed, message: "the request body arrives too slowly"}
	default:
		return &rejection{status: http.StatusBadRequest, errorType: malformed, message: "the request body ended early"}
	}
}

func tooLarge(limit int64) *rejection {
	return &rejection{status: http.StatusRequestEntityTooLarge, errorType: malformed,
		message: "the request body is larger than " + strconv.FormatInt(limit, 10) + " bytes"}
}
