package area_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"stoa/internal/area"
	"stoa/internal/job"
	"stoa/internal/outbox"
)

// register is an area.
type register func(r *area.Registry)

func (f register) Register(r *area.Registry) { f(r) }

type happened struct{}

func (happened) EventName() string   { return "happened" }
func (happened) OrderingKey() string { return "" }

func TestRegister(t *testing.T) {
	d := outbox.New(outbox.Config{Now: time.Now})
	handler := http.NotFoundHandler()
	r := area.Register(d,
		register(func(r *area.Registry) {
			r.Job(job.Job{Name: "a.first"})
			r.Price("Query.a", 1)
			r.OpenToAll("Query.a", "Mutation.b")
			outbox.On(r.Outbox, func(context.Context, happened, outbox.Tell) error { return nil })
		}),
		register(func(r *area.Registry) {
			r.Job(job.Job{Name: "b.second"})
			r.Price("Query.b", 2)
			r.Mount("/b/", handler)
		}),
	)
	if len(r.Jobs) != 2 || r.Jobs[0].Name != "a.first" || r.Jobs[1].Name != "b.second" {
		t.Errorf("jobs %v", r.Jobs)
	}
	if len(r.Prices) != 2 || r.Prices["Query.a"] != 1 || r.Prices["Query.b"] != 2 {
		t.Errorf("prices %v", r.Prices)
	}
	if len(r.Mounts) != 1 || r.Mounts["/b/"] == nil {
		t.Errorf("mounts %v", r.Mounts)
	}
	if !r.Public("Query", "a") || !r.Public("Mutation", "b") || r.Public("Query", "b") {
		t.Error("other fields are public than those registered")
	}
	if area.Register(d).Public != nil {
		t.Error("fields are public although no area says so")
	}
	if !d.Wants(happened{}) {
		t.Error("the event has no receiver")
	}
}

// What two areas claim is a mistake: otherwise the order of areas would decide.
func TestClaimedTwice(t *testing.T) {
	for name, claim := range map[string]func(r *area.Registry){
		"a job":          func(r *area.Registry) { r.Job(job.Job{Name: "a.job"}) },
		"a price":        func(r *area.Registry) { r.Price("Query.a", 1) },
		"a handler":      func(r *area.Registry) { r.Mount("/a/", http.NotFoundHandler()) },
		"a public field": func(r *area.Registry) { r.OpenToAll("Query.a") },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("two areas may claim it")
				}
			}()
			area.Register(nil, register(claim), register(claim))
		})
	}
}
