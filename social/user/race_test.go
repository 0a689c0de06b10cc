package user_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"stoa/internal/apptest"
	"stoa/internal/kit/faultdb"
	. "stoa/social/socialtest"
)

// Of several concurrent requests for the same username, e-mail address or phone number,
// exactly one succeeds, whichever operation they use, and all counters are exact.
func TestOneOfManyGetsIt(t *testing.T) {
	const rivals = 6
	for _, c := range []struct {
		name string
		// given prepares rival i; wants returns their request.
		given func(g Given, i int, name string) Given
		wants func(w *World, i int, name string) string
		// refused is part of the error for the others.
		refused string
	}{
		{"a username", func(g Given, _ int, name string) Given { return g.Identity(name) },
			func(_ *World, i int, _ string) string {
				return fmt.Sprintf(`mutation { createCognitoOnlyUser(username: %q) { userId } }`, []string{"wanted", "Wanted", "WANTED"}[i%3])
			}, "already taken (case-insensitive comparison)"},
		{"a username, in different ways", func(g Given, i int, name string) Given {
			if i%2 == 0 {
				return g.Identity(name)
			}
			return g.Stranger(name)
		}, func(_ *World, i int, name string) string {
			if i%2 == 0 {
				return `mutation { createCognitoOnlyUser(username: "Wanted") { userId } }`
			}
			return fmt.Sprintf(`mutation { createGoogleUser(username: "wanted", googleIdToken: "%s %s@example.org") { userId } }`, name, name)
		}, "already taken"},
		{"an e-mail", func(g Given, _ int, name string) Given { return g.Stranger(name) },
			func(_ *World, _ int, name string) string {
				return fmt.Sprintf(`mutation { createAppleUser(username: %q, appleIdToken: "%s wanted@example.org") { userId } }`, name, name)
			}, "Email `wanted@example.org` already taken"},
		{"a login", func(g Given, _ int, name string) Given { return g.Stranger(name) },
			func(_ *World, _ int, name string) string {
				return fmt.Sprintf(`mutation { createFacebookUser(username: %q, facebookAccessToken: "wanted %s@example.org") { userId } }`, name, name)
			}, "Failed to link identity pool entries: "},
		{"a phone", func(g Given, _ int, name string) Given {
			return g.Anonymous(name).Does(name, `mutation { startChangeUserPhoneNumber(phoneNumber: "+15105550000") { userId } }`)
		}, func(w *World, _ int, name string) string {
			return fmt.Sprintf(`mutation { finishChangeUserPhoneNumber(verificationCode: %q) { userId } }`, code(w, name))
		}, "User phoneNumber is already used by other"},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := Users("hub")
			names := make([]string, rivals)
			for i := range names {
				names[i] = fmt.Sprint("rival", i)
				given = c.given(given, i, names[i])
			}
			TestStaffed(t, given, func(w *World) {
				before := w.Counters()["hub.followerCount"]
				queries := make([]string, rivals)
				for i, name := range names {
					queries[i] = c.wants(w, i, name)
				}
				var mu sync.Mutex
				won := 0
				w.Together(rivals, func(i int) {
					a := w.Ask(names[i], queries[i])
					mu.Lock()
					defer mu.Unlock()
					switch {
					case len(a.Errors) == 0:
						won++
					case !strings.Contains(a.Errors[0].Message, c.refused) || a.Errors[0].ErrorType != "ClientError":
						w.T.Errorf("%s is refused with %s", names[i], a.Errors[0])
					}
				})
				w.Settle()
				if won != 1 {
					w.T.Errorf("%d of %d got %s", won, rivals, c.name)
				}
				created := 1
				if before > 0 { // everybody had a profile already
					created = 0
				}
				if after := w.Counters()["hub.followerCount"]; after != before+created {
					w.T.Errorf("the hub has %d followers, had %d", after, before)
				}
				for _, problem := range append(w.Problems(), fmt.Sprint(w.TakeDrifts())) {
					if problem != "[]" {
						w.T.Error(problem)
					}
				}
			})
		})
	}
}

// All counters are correct after users are removed while others follow, block, like and
// sign up.
func TestRemovalsInOthersWay(t *testing.T) {
	names := []string{"ana", "ben", "cem", "dee"}
	TestStaffed(t, Users("hub").Users(names...), func(w *World) {
		w.Restless(true)
		w.Together(len(names), func(i int) {
			me, d := names[i], apptest.NewDraw(uint64(i), nil)
			for n := range 40 {
				other := w.ID(names[d.IntN(len(names))])
				queries := []string{
					fmt.Sprintf(`mutation { followUser(userId: %q) { userId } }`, other),
					fmt.Sprintf(`mutation { unfollowUser(userId: %q) { userId } }`, other),
					fmt.Sprintf(`mutation { blockUser(userId: %q) { userId } }`, other),
					fmt.Sprintf(`mutation { unblockUser(userId: %q) { userId } }`, other),
					fmt.Sprintf(`mutation { resetUser(newUsername: "%s%d") { userId } }`, me, n),
					`mutation { resetUser { userId } }`,
				}
				query := queries[d.IntN(len(queries))]
				if a := w.Ask(me, query); len(a.Errors) > 0 && a.Errors[0].ErrorType != "ClientError" {
					w.T.Errorf("%s: %s", query, a.Errors[0])
				}
			}
		})
		w.Restless(false)
		w.Settle()
		for _, problem := range w.Problems() {
			w.T.Error(problem)
		}
		for _, drift := range w.TakeDrifts() {
			w.T.Errorf("drifted: %+v", drift)
		}
	})
}

// Two requests to reset the same account leave nothing of its former profile, and correct counters,
// whenever the second comes, to another process.
func TestResetsOfOneAccount(t *testing.T) {
	const reset = `mutation { resetUser(newUsername: "newana") { userId } }`
	for n := range 8 {
		Test(t, Users("ana"), func(w *World) {
			other := w.Beside("other")
			w.Client.Arm(faultdb.Before("TransactWriteItems", n+1, func() { other.Ask("ana", reset) }))
			w.Ask("ana", reset)
			other.Settle()
			w.Settle()
			for _, problem := range w.Problems() {
				w.T.Errorf("before transaction %d: %s", n+1, problem)
			}
		})
	}
}
