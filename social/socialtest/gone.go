package socialtest

import (
	"maps"
	"strings"
	"time"

	"stoa/internal/kit/stamp"
	"stoa/social"
	"stoa/store"
)

// Gone deletes the account of a user.
func (g Given) Gone(name string) Given {
	return g.Does(name, `mutation { deleteUser { userId } }`)
}

// Reset resets a user to another profile, which is a microsecond later: real clocks advance
// by more than that between two requests.
func (g Given) Reset(name, username string) Given {
	return g.Does(name, `mutation { resetUser(newUsername: %q) { userId } }`, username).And(func(w *World) { w.Advance(time.Microsecond) })
}

// Renew gives a user a new profile with the name of the former one, whose rows are all
// still stored, as before clean-up. Deliver the returned event for the clean-up.
func Renew(w *World, name string) social.UserRemoved {
	w.T.Helper()
	w.Advance(time.Second)
	removed := social.UserRemoved{UserID: w.ID(name), Username: name, RemovedAt: w.Now()}
	w.Advance(time.Second)
	profile := w.Get(store.Main.Name, "user/{"+name+"}", "profile")
	profile["signedUpAt"] = stamp.MicroOf(w.Now())
	maps.DeleteFunc(profile, func(attribute string, _ any) bool { return strings.HasSuffix(attribute, "Count") })
	w.Put(store.Main.Name, profile)
	return removed
}

// Tells checks the data, or the error, of the answer to a query while rows of a former
// profile are left. Unlike Play, it does not check the store for problems.
func Tells(w *World, as, query, want string) {
	w.T.Helper()
	w.Advance(time.Second)
	a := w.Ask(as, query)
	got := string(a.Data)
	if len(a.Errors) > 0 {
		got = a.Errors[0].Message
	}
	if got := w.People.Name(got); got != want {
		w.T.Errorf("%s is told %s, want %s", query, got, want)
	}
	w.Settle()
}

// Sound checks that the store has no problems after the clean-up.
func Sound(w *World) {
	w.T.Helper()
	for _, problem := range w.Problems() {
		w.T.Error(problem)
	}
	for _, drift := range w.TakeDrifts() {
		w.T.Errorf("drifted: %+v", drift)
	}
}
