// Package area lets the areas of a system register themselves: what they receive, which jobs
// they run, what their fields cost and what they mount. A system lists its areas and nothing
// of theirs.
package area

import (
	"maps"
	"net/http"

	"stoa/internal/host"
	"stoa/internal/job"
	"stoa/internal/outbox"
)

// Area is a part of a system.
type Area interface {
	// Register registers the area's receivers, jobs, prices and handlers.
	Register(r *Registry)
}

// Registry collects what areas register.
type Registry struct {
	// Outbox is where areas register receivers, with outbox.On and its like.
	Outbox *outbox.Dispatcher

	jobs   []job.Job
	prices map[string]int
	mounts map[string]http.Handler
}

// Job registers a job.
func (r *Registry) Job(j job.Job) { r.jobs = append(r.jobs, j) }

// Price sets the additional cost of a field; see host.Face.Prices.
func (r *Registry) Price(field string, price int) { r.prices[field] = price }

// Mount registers an HTTP handler; see host.Face.Mounts.
func (r *Registry) Mount(pattern string, h http.Handler) { r.mounts[pattern] = h }

// Register has areas register themselves with the dispatcher of a host and adds the rest to
// the face of their system.
func Register(d *outbox.Dispatcher, f *host.Face, areas ...Area) {
	r := &Registry{Outbox: d, prices: map[string]int{}, mounts: map[string]http.Handler{}}
	for _, a := range areas {
		a.Register(r)
	}
	f.Jobs = append(f.Jobs, r.jobs...)
	if f.Prices == nil {
		f.Prices = map[string]int{}
	}
	if f.Mounts == nil {
		f.Mounts = map[string]http.Handler{}
	}
	maps.Copy(f.Prices, r.prices)
	maps.Copy(f.Mounts, r.mounts)
}
