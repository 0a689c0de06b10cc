package dating_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/faultdb"
	"stoa/social"
	"stoa/store"

	. "stoa/social/socialtest"
)

// When several users change their criteria concurrently, in the end exactly those match who
// should, in both directions and in the right order.
func TestDatersInEachOthersWay(t *testing.T) {
	const hands, rounds, acts = 6, 4, 25
	names := []string{"ana", "ben", "cem", "dee", "eve"}
	Test(t, Daters(names...), func(w *World) {
		dating := store.Open(w.DB).Dating
		w.Restless(true)
		for round := range rounds {
			w.Together(hands, func(hand int) {
				r := rand.New(rand.NewPCG(uint64(round), uint64(hand)))
				one := func(of ...string) string { return of[r.IntN(len(of))] }
				for range acts {
					other := one(names...)
					a := w.Ask(one(names...), `mutation { `+one(
						`approveMatch(userId: "{`+other+`}")`, `approveMatch(userId: "{`+other+`}")`, `rejectMatch(userId: "{`+other+`}")`,
						`setUserDetails(location: {latitude: `+one("40", "40", "40.5", "41", "-30")+`, longitude: -75}) { userId }`,
						`setUserDetails(matchGenders: [`+one("MALE", "FEMALE", "MALE, FEMALE")+`]) { userId }`,
						`setUserDetails(gender: `+one("MALE", "FEMALE")+`) { userId }`,
						`setUserDetails(matchLocationRadius: `+one("20", "50", "100")+`) { userId }`,
						`setUserDatingStatus(status: `+one("ENABLED", "ENABLED", "ENABLED", "DISABLED")+`) { userId }`,
						`blockUser(userId: "{`+other+`}") { userId }`, `unblockUser(userId: "{`+other+`}") { userId }`,
					)+` }`)
					if len(a.Errors) > 0 && !strings.HasPrefix(a.Errors[0].Message, "ClientError: ") {
						w.T.Errorf("%v", a.Errors)
					}
				}
			})
			w.Restless(false)
			w.Settle()
			for i, a := range names {
				u, d, err := dating.Dater(t.Context(), w.ID(a))
				if err != nil {
					w.T.Fatal(err)
				}
				if d.Follow(u.Dater()) != d || d != nil && (d.Left || d.Settled != d.Version) {
					w.T.Errorf("round %d: %s dates %v, and is known as %+v", round, a, u.Dates(), d)
				}
				for _, b := range names[i+1:] {
					f, err := dating.Pair(t.Context(), w.ID(a), w.ID(b))
					if err != nil {
						w.T.Fatal(err)
					}
					pair, should := f.Pair, f.Should(social.EarthInMiles)
					if should != (pair.Mine != nil) || should != (pair.Theirs != nil) {
						w.T.Errorf("round %d: %s and %s should match: %v, and are %+v", round, a, b, should, pair)
						continue
					}
					if should && (pair.Mine.Status == social.ConfirmedMatch) != (pair.Theirs.Status == social.ConfirmedMatch) {
						w.T.Errorf("round %d: %s and %s are confirmed in part: %+v", round, a, b, pair)
					}
					for m, other := range map[*social.Match]*social.Dater{pair.Mine: f.B, pair.Theirs: f.A} {
						if m != nil && m.Status == social.PotentialMatch && m.ApprovalCount != other.ApprovalCount {
							w.T.Errorf("round %d: a match of %s and %s counts %d approvals of %d", round, a, b, m.ApprovalCount, other.ApprovalCount)
						}
					}
				}
			}
			if problems := append(w.Problems(), fmt.Sprint(w.TakeDrifts())); len(problems) > 1 || problems[0] != "[]" {
				w.T.Errorf("round %d: %v", round, problems)
			}
			w.Advance(4 * time.Hour) // dating may be switched on again
			w.Restless(true)
		}
		w.Restless(false)
	})
}

// When a user changes while the matches of another are being settled, the final state of
// both decides.
func TestChangesThatMeet(t *testing.T) {
	const near, far = `{latitude: 40, longitude: -75}`, `{latitude: -40, longitude: 75}`
	move := func(to string) string { return `mutation { setUserDetails(location: ` + to + `) { userId } }` }
	for _, c := range []struct{ name, from, to, want string }{
		{"one goes away", near, far, "NOT_MATCHED"},
		{"one comes near", far, near, "POTENTIAL"},
	} {
		for n := 1; n <= 4; n++ { // the profile, the dater, the match, that it is settled
			t.Run(fmt.Sprint(c.name, " before transaction ", n), func(t *testing.T) {
				t.Parallel()
				Test(t, Users("ana", "ben").Datable("ana", "ben").Details("ana", `location: `+c.from).Dating("ana"), func(w *World) {
					disarm := w.Client.Arm(faultdb.Before("TransactWriteItems", n, func() { w.Must("ana", move(c.to)) }))
					w.Must("ben", enable)
					if met := disarm(); !met && n == 4 && c.from == far {
						return // without a match there are three
					} else if !met {
						w.T.Error("they did not meet")
					}
					w.Settle()
					w.Play(Scenario{As: "ana", Query: stands("ben"), Want: is(c.want)})
					w.Play(Scenario{As: "ben", Query: stands("ana"), Want: is(c.want)})
				})
			})
		}
	}
}
