package pace_test

import (
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/pace"
)

// deadlines is a response writer that records its read deadlines.
type deadlines struct {
	*httptest.ResponseRecorder
	last time.Time
}

func (d *deadlines) SetReadDeadline(t time.Time) error {
	d.last = t
	return nil
}

func TestWhatHasArrivedEarnsTime(t *testing.T) {
	w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
	began := time.Now()
	r := pace.NewReader(w, strings.NewReader(strings.Repeat("x", 3*pace.Rate)))
	for i, piece := range []int{1, 2 * pace.Rate, pace.Rate - 1} {
		earned := []time.Duration{0, time.Second / pace.Rate, 2*time.Second + time.Second/pace.Rate}[i]
		if _, err := io.ReadFull(r, make([]byte, piece)); err != nil {
			t.Fatal(err)
		}
		if left := w.last.Sub(began) - pace.Grace - earned; left < 0 || left > time.Minute {
			t.Errorf("piece %d: the deadline is %v after what was earned", i, left)
		}
	}
	if _, err := r.Read(make([]byte, 1)); err != io.EOF || !w.last.IsZero() {
		t.Errorf("at the end: %v, with a deadline of %v", err, w.last)
	}
}

func TestTooSlow(t *testing.T) {
	if pace.TooSlow(io.ErrUnexpectedEOF) || pace.TooSlow(nil) || !pace.TooSlow(errors.Join(timeout{})) {
		t.Error("told apart wrongly")
	}
}

type timeout struct{}

func (timeout) Error() string   { return "timeout" }
func (timeout) Timeout() bool   { return true }
func (timeout) Temporary() bool { return true }
