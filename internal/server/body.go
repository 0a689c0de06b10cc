package server

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"stoa/internal/kit/pace"
)

// bodies counts the bytes of request bodies being read. Since clients may announce any
// length, memory is allocated only for bytes that have arrived, and is limited for all
// bodies together.
type bodies struct {
	held atomic.Int64
	max  int64
}

// body is the part of a request's body read so far. It must be released.
type body struct {
	text   *[]byte
	bodies *bodies
	held   int64
}

// release releases the body's memory.
func (b *body) release() {
	b.bodies.held.Add(-b.held)
	giveBuffer(b.text)
}

// grow allocates room for more bytes, and reports whether the limits allow it.
func (b *body) grow() bool {
	text := *b.text
	if len(text) < cap(text) {
		return true
	}
	text = append(text, 0)[:len(text)]
	more := int64(cap(text) - cap(*b.text))
	*b.text, b.held = text, b.held+more
	return b.bodies.held.Add(more) <= b.bodies.max
}

// readBody reads a body of at most limit bytes.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request, limit int64) (*body, *rejection) {
	b := &body{text: takeBuffer(), bodies: &s.bodies}
	if r.ContentLength > limit {
		w.Header().Set("Connection", "close")
		return b, tooLarge(limit)
	}
	source := pace.NewReader(w, http.MaxBytesReader(w, r.Body, limit))
	for reads := 1; ; reads++ {
		if !b.grow() {
			w.Header().Set("Connection", "close")
			w.Header().Set("Retry-After", "1")
			return b, &rejection{http.StatusServiceUnavailable, limited, "too much is being sent at once: try again"}
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
		return &rejection{http.StatusRequestTimeout, malformed, "the request body arrives too slowly"}
	default:
		return &rejection{http.StatusBadRequest, malformed, "the request body ended early"}
	}
}

func tooLarge(limit int64) *rejection {
	return &rejection{http.StatusRequestEntityTooLarge, malformed,
		"the request body is larger than " + strconv.FormatInt(limit, 10) + " bytes"}
}
