package outbox

import (
	"context"
	"testing"
)

// In whatever order receivers are registered, the first one is called before the others.
func TestFirstReceiver(t *testing.T) {
	w := newWorld()
	var got []string
	calls := func(name string) func(context.Context, moved, string, Tell) (string, int, error) {
		return func(context.Context, moved, string, Tell) (string, int, error) {
			got = append(got, name)
			return "", 0, nil
		}
	}
	d := w.dispatcher("p", func(context.Context, moved, Tell) error {
		got = append(got, "a")
		return nil
	})
	FanOut(d, "b", calls("b"))
	FanOutFirst(d, "c", calls("c"))
	FanOut(d, "d", calls("d"))
	d.Committed(t.Context(), w.commit("ana", "1")...)
	equal(t, "called", got, "c", "a", "b", "d")
}

func TestReceiversThatContradictEachOther(t *testing.T) {
	ignore := func(context.Context, moved, string, Tell) (string, int, error) { return "", 0, nil }
	for name, again := range map[string]func(d *Dispatcher){
		"two lanes of one name": func(d *Dispatcher) { FanOut(d, "a", ignore) },
		"two first receivers":   func(d *Dispatcher) { FanOutFirst(d, "b", ignore) },
	} {
		t.Run(name, func(t *testing.T) {
			d := newWorld().dispatcher("p")
			FanOutFirst(d, "a", ignore)
			defer func() {
				if recover() == nil {
					t.Error("both are registered")
				}
			}()
			again(d)
		})
	}
}
