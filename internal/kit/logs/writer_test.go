package logs_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/kit/logs"
)

// batches records each write separately.
type batches struct {
	got []string
	err error
}

func (b *batches) Write(p []byte) (int, error) {
	b.got = append(b.got, string(p))
	return len(p), b.err
}

func TestLinesWaitForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out batches
		w := logs.NewWriter(&out)
		write := func(line string) {
			t.Helper()
			if n, err := w.Write([]byte(line)); n != len(line) || err != nil {
				t.Errorf("%d, %v", n, err)
			}
		}
		at := func(d time.Duration, want ...string) {
			t.Helper()
			time.Sleep(d)
			synctest.Wait()
			if !slices.Equal(out.got, want) {
				t.Errorf("wrote %q, want %q", out.got, want)
			}
		}
		write("a\n")
		at(99*time.Millisecond, []string(nil)...)
		write("b\n")
		at(time.Millisecond, "a\nb\n")
		at(time.Second, "a\nb\n")
		write("c\n")
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		at(0, "a\nb\n", "c\n")
		write("after\n")
		at(0, "a\nb\n", "c\n", "after\n")
	})
}

func TestLargeBatchesAreNotWaitedFor(t *testing.T) {
	var out batches
	w := logs.NewWriter(&out)
	defer w.Close()
	half := strings.Repeat("x", 20<<10)
	for _, line := range []string{half, half, strings.Repeat("y", 40<<10)} {
		w.Write([]byte(line))
	}
	if len(out.got) != 3 || out.got[0] != half || out.got[1] != half || len(out.got[2]) != 40<<10 {
		t.Errorf("%d writes", len(out.got))
	}
}

func TestAFailureIsReportedLater(t *testing.T) {
	broken := errors.New("disk full")
	w := logs.NewWriter(&batches{err: broken})
	if _, err := w.Write([]byte("a\n")); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != broken {
		t.Error(err)
	}
	if _, err := w.Write([]byte("b\n")); err != broken {
		t.Error(err)
	}
}
