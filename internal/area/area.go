// Package area lets the areas of a system register themselves: what they receive, which jobs
// they run, what their fields cost, which of them need no credentials, and what they mount. A
// system constructs its areas, lists them once, and knows nothing else of theirs.
package area

import (
	"net/http"

	"stoa/internal/job"
	"stoa/internal/outbox"
)

// Area is a part of a system.
type Area interface {
	// Register registers what the area does besides answering its callers. The order in
	// which areas are registered must not matter: a receiver that must be called before
	// others says so, with outbox.FanOutFirst.
	Register(r *Registry)
}

// Registry collects what areas register. Systems copy it into what they serve.
type Registry struct {
	// Outbox is where areas register receivers, with outbox.On and its like.
	Outbox *outbox.Dispatcher
	// Jobs are the periodic jobs.
	Jobs []job.Job
	// Prices are the additional costs of fields, such as "Query.searchUsers", to callers
	// without an account.
	Prices map[string]int
	// Mounts are HTTP handlers by http.ServeMux pattern.
	Mounts map[string]http.Handler
	// Public reports whether a root field needs no credentials; nil means that all fields do.
	Public func(object, field string) bool

	public map[string]bool
}

// Register has areas register themselves, with d as their dispatcher.
func Register(d *outbox.Dispatcher, areas ...Area) *Registry {
	r := &Registry{Outbox: d, Prices: map[string]int{}, Mounts: map[string]http.Handler{}, public: map[string]bool{}}
	for _, a := range areas {
		a.Register(r)
	}
	return r
}

// Job registers a job.
func (r *Registry) Job(j job.Job) {
	for _, other := range r.Jobs {
		if other.Name == j.Name {
			panic("area: two jobs " + j.Name)
		}
	}
	r.Jobs = append(r.Jobs, j)
}

// Price sets the additional cost of a field, such as "Query.searchUsers".
func (r *Registry) Price(field string, price int) { add(r.Prices, "prices of", field, price) }

// Mount registers an HTTP handler.
func (r *Registry) Mount(pattern string, h http.Handler) { add(r.Mounts, "handlers of", pattern, h) }

// OpenToAll declares that root fields, such as "Mutation.login", need no credentials.
func (r *Registry) OpenToAll(fields ...string) {
	for _, field := range fields {
		add(r.public, "declarations of", field, true)
	}
	r.Public = func(object, field string) bool { return r.public[object+"."+field] }
}

// add adds an entry that no other area may have registered: the last one would win.
func add[V any](to map[string]V, what, key string, v V) {
	if _, twice := to[key]; twice {
		panic("area: two " + what + " " + key)
	}
	to[key] = v
}
