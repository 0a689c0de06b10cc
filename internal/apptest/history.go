package apptest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"stoa/internal/host"
	"stoa/internal/kit/faultdb"
)

// Player performs acts in a world and in a model of it.
type Player interface {
	// Step performs one act in both and returns the difference, or "" if there is none.
	Step(w *World, a Act) (failure string)
	// End compares both once all effects have settled.
	End(w *World) (failure string)
}

// History is a random test: generated acts are performed in a world and in a model of it.
type History struct {
	System host.System
	// Options are the options of its worlds.
	Options []Option
	// New returns a model of an empty world.
	New func() Player
	// Begin lists acts that every history starts with.
	Begin []Act
	Kinds []Kind
	// Length is the number of acts.
	Length int
	// Faults is the percentage of acts with one failing store call.
	Faults int
}

// Run runs the histories of a range of seeds. A failing one is reduced to the relevant
// acts.
func (h History) Run(t *testing.T, from, to uint64) {
	for seed := from; seed < to; seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			acts := h.acts(seed)
			done, failure := h.play(t, acts)
			if failure == "" {
				return
			}
			acts, failure = h.shorten(t, acts[:done], failure)
			var steps strings.Builder
			for _, a := range acts {
				fmt.Fprintf(&steps, "\n  %s %s", a.By, a)
				if !a.Fault.IsZero() {
					fmt.Fprintf(&steps, " with %s", a.Fault)
				}
			}
			t.Errorf("seed %d: %s\nafter%s", seed, failure, &steps)
		})
	}
}

func (h History) acts(seed uint64) []Act {
	d := NewDraw(seed, h.Kinds)
	acts := slices.Clone(h.Begin)
	d.Past = slices.Clone(acts)
	for len(acts) < h.Length {
		a := d.Next()
		if d.IntN(100) < h.Faults {
			a.Fault = faultdb.On("", 1+d.IntN(8), faultdb.Internal)
			if d.IntN(2) == 0 {
				a.Fault = a.Fault.Late()
			}
		}
		acts = append(acts, a)
	}
	return acts
}

// play performs acts in an empty world. It returns the number performed when the model
// first differed, and the difference, or nothing if it never did.
func (h History) play(t *testing.T, acts []Act) (done int, failure string) {
	t.Helper()
	Test(t, h.System, func(w *World) {
		p := h.New()
		for _, a := range acts {
			if done, failure = done+1, p.Step(w, a); failure != "" {
				return
			}
		}
		w.Settle()
		failure = p.End(w)
		for _, problem := range w.Problems() {
			failure += "\n" + problem
		}
		for _, drift := range w.TakeDrifts() {
			failure += fmt.Sprintf("\ncounter drifted: %+v", drift)
		}
	}, h.Options...)
	return done, failure
}

// shorten removes acts as long as the rest still fails.
func (h History) shorten(t *testing.T, acts []Act, failure string) ([]Act, string) {
	for size := len(acts) / 2; size > 0; {
		shorter := false
		for from := 0; from+size <= len(acts); {
			fewer := slices.Concat(acts[:from], acts[from+size:])
			done, still := h.play(t, fewer)
			if still == "" {
				from += size
				continue
			}
			acts, failure, shorter = fewer[:done], still, true
		}
		if !shorter {
			size /= 2
		}
		size = min(size, len(acts)/2)
	}
	return acts, failure
}

// Act sends an act as a request for some fields, with its fault. If the fault makes the
// server fail, the request is repeated at the same time, since it may have taken effect.
// Certain reports whether the response shows what the act did.
func (w *World) Act(a Act, document string) (answer Answer, certain bool) {
	w.T.Helper()
	at := w.mark()
	disarm := w.Client.Arm(a.Fault)
	answer = w.Ask(a.By, document)
	if !disarm() {
		return answer, true
	}
	if slices.ContainsFunc(answer.Errors, func(e Error) bool { return e.ErrorType != clientError }) {
		at.ids = w.ids.Load() // ids of applied changes are used up
		w.reset(at)
		answer = w.Ask(a.By, document)
	}
	w.Settle()
	return answer, false
}
