package socialtest

import (
	"maps"
	"strings"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/social"
	"stoa/store"
)

// Gone deletes the account of a user.
func (g Given) Gone(name string) Given {
	return g.Does(name, `mutation { deleteUser { userId } }`)
}

// Renew gives a user a new profile with the name of the former one while all that this has made
// is still stored, as clean-up finds it that has yet to come. Deliver what it returns for that.
func Renew(w *World, name string) social.UserRemoved {
	w.T.Helper()
	w.Advance(time.Second)
	removed := social.UserRemoved{UserID: w.ID(name), Username: name, RemovedAt: w.Now()}
	w.Advance(time.Second)
	profile := w.Get(store.Main.Name, "user/{"+name+"}", "profile")
	profile["signedUpAt"] = keyspec.StampOf(w.Now()).String()
	maps.DeleteFunc(profile, func(attribute string, _ any) bool { return strings.HasSuffix(attribute, "Count") })
	w.Put(store.Main.Name, profile)
	return removed
}
