package socialtest

import (
	"fmt"
	"maps"
	"strings"

	"stoa/internal/apptest"
	"stoa/social"
	"stoa/store"
)

// Users returns steps that sign up users, each given by a name, with marks after a "!":
// "ben!private".
func Users(names ...string) Given { return Given{}.Users(names...) }

// marks are the details set by each mark.
var marks = map[string]string{
	"private":    `privacyStatus: PRIVATE`,
	"unlikable":  `likesDisabled: true`,
	"uncounted":  `followCountsHidden: true`,
	"uncomments": `commentsDisabled: true`,
}

// Users adds users.
func (g Given) Users(names ...string) Given {
	for _, name := range names {
		name, rest, _ := strings.Cut(name, "!")
		g = g.Identity(name).Does(name, `mutation { createCognitoOnlyUser(username: %q) { userId } }`, name)
		for mark := range strings.SplitSeq(rest, "!") {
			if mark != "" {
				g = g.Details(name, markOf(mark))
			}
		}
	}
	return g
}

func markOf(mark string) string {
	details, ok := marks[mark]
	if !ok {
		panic(fmt.Sprintf("socialtest: no user can be %q", mark))
	}
	return details
}

// Identity adds an account without a profile.
func (g Given) Identity(name string, account ...apptest.Account) Given {
	return g.And(func(w *World) { w.People.Identity(name, account...) })
}

// Details sets details of a user, written as arguments of setUserDetails.
func (g Given) Details(name, arguments string) Given {
	return g.Does(name, `mutation { setUserDetails(%s) { userId } }`, arguments)
}

// Status sets a user's status in the store.
func (g Given) Status(name string, status social.UserStatus) Given {
	return g.And(Change("user/{"+name+"}", "profile", map[string]any{"userStatus": status}))
}

// Change returns a step that changes attributes of an item of the main table directly. Its
// index keys remain unchanged.
func Change(pk, sk string, attributes map[string]any) apptest.Step {
	return func(w *World) {
		w.T.Helper()
		item := w.Get(store.Main.Name, pk, sk)
		if item == nil {
			w.T.Fatalf("there is no item %s | %s", pk, sk)
		}
		maps.Copy(item, attributes)
		w.Put(store.Main.Name, item)
	}
}
