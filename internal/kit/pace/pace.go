// Package pace bounds how slowly clients may send request bodies, and how long after the
// answer.
//
// A client slower than a bad phone line only wants to hold the connection.
package pace

import (
	"errors"
	"io"
	"net"
	"net/http"
	"time"
)

const (
	// Grace is how long a body of any size may take to arrive.
	Grace = 10 * time.Second
	// Rate is how many bytes earn a body another second, once they have arrived.
	Rate = 4 << 10
)

// Reader reads a request body, and fails with a timeout when the body arrives too slowly.
// It takes over the read deadline of the connection until the body ends.
type Reader struct {
	body    io.Reader
	control *http.ResponseController
	began   time.Time
	arrived int64
}

// NewReader returns a Reader of a body whose time begins now.
func NewReader(w http.ResponseWriter, body io.Reader) *Reader {
	return &Reader{body: body, control: http.NewResponseController(w), began: time.Now()}
}

func (r *Reader) Read(p []byte) (int, error) {
	// Without a connection, as in tests, there is no deadline to set.
	_ = r.control.SetReadDeadline(r.began.Add(Grace + time.Duration(r.arrived)*time.Second/Rate))
	n, err := r.body.Read(p)
	r.arrived += int64(n)
	if err == io.EOF {
		// The server goes on reading, to notice when the client hangs up.
		_ = r.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

const (
	// lingering is how long an answered request may go on sending, lingeringBytes how much.
	lingering      = 5 * time.Second
	lingeringBytes = 16 << 20
)

// Drain sends the answer to a request whose body has not been read to its end, and discards
// a part of the rest. A connection that is closed while data arrive is reset, so clients that
// send everything before they read would not see the answer.
func Drain(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	if r.ContentLength == 0 || control.Flush() != nil {
		return
	}
	// Without a connection, as in tests, there is no deadline to set.
	_ = control.SetReadDeadline(time.Now().Add(lingering))
	_, _ = io.CopyN(io.Discard, r.Body, lingeringBytes) // fails if the client has left
}

// TooSlow reports whether err says that a body arrived too slowly.
func TooSlow(err error) bool {
	var network net.Error
	return errors.As(err, &network) && network.Timeout()
}
