package history_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/store"
)

// Profiles are removed and created again while other requests are between their decision
// and their transaction, and the other way round: users keep nothing of what a former
// profile did, and nothing of it is left behind.
func TestRandomHistoriesOfRemovals(t *testing.T) {
	h := history(false, 0)
	h.Kinds = append(h.Kinds, apptest.Kind{Weight: 60, Draw: removal}, apptest.Kind{Weight: 60, Draw: comeBack})
	h.Run(t, *seed, *seed+*histories)
}

// removal returns the removal of a profile amid another act, mostly one of the same user, or
// an act amid a removal.
func removal(d *draw) act {
	other := another(d)
	removal := act{By: other.By, Do: "resetUser"}
	switch d.IntN(8) {
	case 0:
		removal.By = d.One(everybody)
	case 1:
		removal.Do = "deleteUser"
	}
	if removal.Do == "resetUser" && d.IntN(3) > 0 {
		removal.Args = []arg{with("newUsername", d.One(usernames))}
	}
	if d.IntN(3) > 0 {
		return amid(removal, 1+d.IntN(2), other)
	}
	return amid(other, 1, removal)
}

// comeBack returns the creation of a profile.
func comeBack(d *draw) act {
	by := d.IntN(len(everybody))
	return act{By: everybody[by], Do: "createCognitoOnlyUser", Args: []arg{with("username", fmt.Sprint("user", by))}}
}

// another returns a mutation that neither creates nor removes a profile.
func another(d *draw) act {
	for {
		a := d.Next()
		if _, ok := mutationNamed(a.Do); ok && !slices.Contains([]string{"createCognitoOnlyUser", "resetUser", "deleteUser"}, a.Do) {
			return a
		}
	}
}

// amid returns the act of a request before whose n-th transaction another is carried out.
func amid(request act, n int, other act) act {
	return act{By: request.By, Do: "amid", Args: []arg{with("request", request), with("before", n), with("other", other)}}
}

// amid performs two interleaved acts in the world and in the model. The request may be
// refused because of the other act, in which case it must have changed nothing.
func (p *player) amid(w *apptest.World, a act) string {
	request, other := a.Value("request").(act), a.Value("other").(act)
	asking, _ := mutationNamed(request.Do)
	meanwhile, _ := mutationNamed(other.Do)
	resets := request.Do == "resetUser" && p.model.users[request.By] != nil
	n := 1
	if resets {
		n = a.Value("before").(int)
	}
	happened := func() bool { return false }
	if p.model.users[request.By] != nil {
		happened = w.Before(n, func(w *apptest.World) {
			if !resets && request.Do != "deleteUser" {
				w.Advance(-time.Second) // it is unknown which time the request has
			}
			w.Ask(other.By, meanwhile.request(other))
			if n > 1 { // the profile is gone, and the new one not created yet
				p.done(act{By: request.By, Do: "resetUser"}, w.Now())
			}
			p.done(other, w.Now())
		})
	}
	answer := w.Ask(request.By, asking.request(request))
	switch amid := happened(); {
	case amid && n > 1:
		if request.Has("newUsername") {
			p.done(act{By: request.By, Do: "createCognitoOnlyUser", Args: []arg{with("username", request.Text("newUsername"))}}, w.Now())
		}
	case len(answer.Errors) == 0 || request.Do == "resetUser":
		p.done(request, w.Now())
	}
	u := p.model.users[request.By]
	if profile := row(w.Get(store.Main.Name, "user/{"+request.By+"}", "profile")); (u == nil) != (profile == nil) {
		return fmt.Sprintf("stored is %v, want %v after %v", profile, u, answer)
	} else if u != nil {
		u.signedUpAt = profile.time("signedUpAt") // which may be before the other act
	}
	return ""
}

// done carries out an act in the model.
func (p *player) done(a act, at time.Time) {
	p.model.do(a, at)
	p.model.settle()
}
