package app_test

import (
	"fmt"
	"testing"
	"time"

	"stoa/internal/apptest"
)

// Histories: users act at random, while the store fails occasionally. A naive model
// predicts errors and the resulting state. After a failure, the state is either the
// previous one or that of the model, and nothing in between: after each step, the views of
// all users are compared and the invariants are checked.

// everyone lists the people of a history; occasionally one of them has no account.
var everyone = []string{"ann", "bob", "cid", "dot"}

// historyCapacity is the capacity of all chats.
const historyCapacity = 3

// player plays a history in a world and in the model.
type player struct {
	*world
	*apptest.Trial[model]
	// ids contains ids by name; messages are named by their content.
	ids map[string]string
}

// aDayPasses advances the clock by a day, so that all cooldowns end and tokens expire.
func (p *player) aDayPasses() {
	p.T.Helper()
	p.Advance(24 * time.Hour)
	p.signIn()
	for _, c := range p.Model.Places {
		for _, h := range c.Chats {
			h.Cooling = []string{}
		}
	}
}

func (p *player) signIn() {
	p.T.Helper()
	p.logsIn("oz")
	for _, who := range everyone {
		if p.Model.People[who] {
			p.logsIn(who)
		}
	}
}

func play(t *testing.T, seed uint64, failing int) {
	t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
		test(t, func(w *world) {
			w.registers("oz")
			w.registers(everyone...)
			p := &player{world: w, ids: map[string]string{}}
			p.Trial = &apptest.Trial[model]{
				World: w.World, Rand: apptest.NewRandom(seed), Observe: p.observed, Failing: failing,
				Model: model{map[string]bool{}, map[string]*modelCommunity{}, map[string]*modelPrivateChat{}},
				Ready: func(as string) { // tokens are known for some seconds
					if as != "" {
						w.Does(as, `{ me { id } }`)
					}
				},
			}
			for _, who := range everyone {
				p.Model.People[who] = true
			}
			for n := range 150 {
				switch {
				case p.IntN(40) == 0:
					p.aDayPasses()
				case n%25 == 24: // tokens are good for an hour
					p.signIn()
				}
				p.Make(p.draw(n))
			}
		})
	})
}

// communities 6#1-11 and 6#13-20: random requests are answered as by the model, and the
// invariants hold after each.
func TestRandomHistories(t *testing.T) {
	for seed := range apptest.Seeds(6) {
		play(t, seed, 0)
	}
}

func TestRandomHistoriesWithFaults(t *testing.T) {
	for seed := range apptest.Seeds(6) {
		play(t, seed+100, 35)
	}
}
