package operation

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestLimitedEndsAsOtherContextsDo compares contexts that end in each way, both when only
// Err is called and after waiting on Done.
func TestLimitedEndsAsOtherContextsDo(t *testing.T) {
	const long = time.Hour
	for _, test := range []struct {
		name  string
		after time.Duration
		end   func(l *limited, cancelParent context.CancelFunc)
		want  error
	}{
		{"open", long, func(*limited, context.CancelFunc) {}, nil},
		{"ended", long, func(l *limited, _ context.CancelFunc) { l.end() }, context.Canceled},
		{"ended twice", long, func(l *limited, _ context.CancelFunc) { l.end(); l.end() }, context.Canceled},
		{"with its parent", long, func(_ *limited, cancelParent context.CancelFunc) { cancelParent() }, context.Canceled},
		{"too late", -time.Second, func(*limited, context.CancelFunc) {}, context.DeadlineExceeded},
		{"too late and then ended", -time.Second, func(l *limited, _ context.CancelFunc) { l.end() }, context.DeadlineExceeded},
	} {
		for _, waiting := range []string{"nobody waits", "somebody waits first", "somebody waits afterwards"} {
			t.Run(test.name+"/"+waiting, func(t *testing.T) {
				parent, cancelParent := context.WithCancel(t.Context())
				defer cancelParent()
				l := limit(parent, test.after)
				defer l.end()
				if waiting == "somebody waits first" {
					l.Done()
				}
				test.end(l, cancelParent)
				if waiting == "somebody waits afterwards" && isDone(l) != (test.want != nil) {
					t.Errorf("done = %t", isDone(l))
				}
				for range 2 {
					if err := l.Err(); !errors.Is(err, test.want) {
						t.Errorf("error %v, want %v", err, test.want)
					}
				}
				if isDone(l) != (test.want != nil) {
					t.Errorf("done = %t at last", isDone(l))
				}
			})
		}
	}
}

func isDone(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	default:
		return false
	}
}

func TestLimitedWakesWhoeverWaits(t *testing.T) {
	l := limit(t.Context(), time.Millisecond)
	defer l.end()
	<-l.Done()
	if err := l.Err(); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestLimitedEndsTheContextsMadeOfIt(t *testing.T) {
	l := limit(t.Context(), time.Hour)
	child, cancel := context.WithCancel(l)
	defer cancel()
	l.end()
	<-child.Done()
	if err := child.Err(); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestLimitedKeepsAnEarlierDeadline(t *testing.T) {
	for _, test := range []struct{ parent, after, want time.Duration }{
		{time.Hour, time.Minute, time.Minute}, {time.Minute, time.Hour, time.Minute},
	} {
		parent, cancel := context.WithTimeout(t.Context(), test.parent)
		defer cancel()
		deadline, ok := limit(parent, test.after).Deadline()
		if left := time.Until(deadline); !ok || left > test.want || left < test.want-30*time.Second {
			t.Errorf("%v within %v: %v left, %t", test.after, test.parent, left, ok)
		}
	}
}
