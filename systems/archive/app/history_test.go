package app_test

import (
	"fmt"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/systems/archive/app"
)

// Histories: users of all levels act at random, while the store fails occasionally. A naive
// model predicts errors and the stored state. After a failure, the state is either the
// previous one or that of the model. All lists, and the search results of all users, are
// compared after each step, and the invariants are checked. In half of the histories the
// process itself loads and publishes posts, in the others a worker reports.

// everyone lists the users of a history, in addition to the operator oz and the worker
// hand.
var everyone = []string{"ed", "con", "rea", "gus"}

// player plays a history in a world and in the model.
type player struct {
	*world
	*apptest.Trial[model]
	// byHand is set if a worker reports.
	byHand bool
	// ids contains ids by name.
	ids map[string]string
	// at holds the times of the last changes, before earlier such times.
	at, before map[string]string
	// order contains the names of records and posts by id.
	order map[string]string
}

// missing is an unused id.
const missing = "1999999999"

// id returns the id of a name, or an unused one.
func (p *player) id(name string) string {
	if id, ok := p.ids[name]; ok {
		return id
	}
	return missing
}

// note records the observed id and time of a name.
func (p *player) note(name, id, at string) {
	if old := p.order[id]; old != name {
		delete(p.ids, old) // it was renamed
	}
	p.ids[name], p.order[id] = id, name
	if p.at[name] != at {
		p.before[name], p.at[name] = p.at[name], at
	}
}

// time returns the time of a last change, or occasionally an earlier one and its error.
func (p *player) time(name string) (at, refused string) {
	at = p.at[name]
	if old := p.before[name]; old != "" && p.IntN(6) == 0 {
		return old, "CONCURRENT_UPDATE"
	}
	if at == "" {
		at = "2020-01-01T00:00:00.000000000Z"
	}
	return at, ""
}

// stuck reports whether a load in progress counts as dead.
func (p *player) stuck(post string) bool {
	at, err := time.Parse(time.RFC3339Nano, p.at[post])
	return err == nil && p.Now().Sub(at) > 30*time.Minute
}

func play(t *testing.T, seed uint64, failing int) {
	t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
		byHand := seed%2 == 1
		with(t, app.Options{WorkElsewhere: byHand}, func(w *world) {
			p := &player{world: w, byHand: byHand, ids: map[string]string{}, at: map[string]string{}, before: map[string]string{}, order: map[string]string{}}
			m := model{
				Users: map[string]modelUser{"oz": {Level: "ADMIN"}}, Categories: map[string]string{}, Collections: map[string]*modelCollection{}, Posts: map[string]*modelPost{},
				Settings: &modelSettings{[]string{}}, Places: map[string]modelPlace{}, Words: map[string]string{},
			}
			w.is("EDITOR", "ed")
			w.is("READER", "rea")
			m.Users["ed"], m.Users["rea"] = modelUser{Level: "EDITOR"}, modelUser{Level: "READER"}
			for _, name := range append(everyone, "hand") {
				w.People.Identity(name)
			}
			p.Trial = &apptest.Trial[model]{World: w.World, Rand: apptest.NewRandom(seed), Model: m, Observe: p.observed, Failing: failing}
			p.observed()
			for n := range 200 {
				if p.IntN(25) == 0 {
					p.Advance(31 * time.Minute)
				}
				p.Make(p.draw(n))
			}
		})
	})
}

// archive 6 and 6#1-8: random requests are answered as by the model, and the invariants
// hold after each.
func TestHistories(t *testing.T) {
	for seed := range apptest.Seeds(6) {
		play(t, seed, 0)
	}
}

func TestHistoriesWithFaults(t *testing.T) {
	for seed := range apptest.Seeds(6) {
		play(t, seed+100, 25)
	}
}
