package social

import (
	"errors"
	"slices"
	"testing"
	"time"

	"stoa/internal/kit/refusal"
)

// datable returns a user with all details that dating needs.
func datable() *User {
	return &User{
		UserID: "ana", FullName: "Ana", DisplayName: "A", PhotoPostID: "p", Age: new(30), Gender: Female, Location: &Location{}, Height: new(0),
		MatchAgeRange: &Range{18, 100}, MatchGenders: []UserGender{Male}, MatchHeightRange: &Range{}, MatchLocationRadius: 5,
	}
}

// users M2: the reasons that are reported in order, one at a time.
func TestReasonsAgainstDating(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		change func(*User)
		text   string
		codes  []string
	}{
		"none":                {func(*User) {}, "", nil},
		"no genders any more": {func(u *User) { u.MatchGenders = []UserGender{} }, "matchGenders cannot be empty", []string{"MISSING_MATCH_GENDERS"}},
		"genders before the pause": {func(u *User) { u.MatchGenders, u.UserDisableDatingDate = []UserGender{}, now }, "matchGenders cannot be empty",
			[]string{"MISSING_MATCH_GENDERS"}},
		"the age before genders": {func(u *User) { u.MatchGenders, u.Age = []UserGender{}, new(17) }, "age `17` must be between 18 and 100 to enable dating",
			[]string{"WRONG_AGE_MIN"}},
		"what is missing before all": {func(u *User) { u.Height, u.Age = nil, new(101) }, "`{'height'}` required to enable dating", []string{"MISSING_HEIGHT"}},
		"nearly three hours": {func(u *User) { u.UserDisableDatingDate = now.Add(-3*time.Hour + 1) }, "User cannot re-enable dating within 3 hours",
			[]string{"WRONG_THREE_HOUR_PERIOD"}},
		"three hours":            {func(u *User) { u.UserDisableDatingDate = now.Add(-3 * time.Hour) }, "", nil},
		"no distance at DIAMOND": {func(u *User) { u.MatchLocationRadius, u.Subscription = 0, SubscriptionDiamond }, "", nil},
	} {
		u := datable()
		c.change(u)
		next, err := u.SwitchDating(DatingEnabled, now)
		var refused *refusal.Error
		switch errors.As(err, &refused); {
		case c.text == "" && (err != nil || !next.Dates() || next.DatingEndsOn != "2026-01-31" || u.Dates()):
			t.Errorf("%s: %+v, %v", name, next, err)
		case c.text != "" && (refused == nil || refused.Text != c.text || !slices.Equal(refused.Info, c.codes)):
			t.Errorf("%s: %v, want %s", name, err, c.text)
		}
	}
}

// users M13: chats are locked even if only one of the two records says so.
// chats 1.3#1-3
func TestMatchLocks(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	as := func(status MatchStatus, until time.Time) *Match {
		return &Match{Status: status, BlockChatExpiredAt: until}
	}
	later := now.Add(1)
	for name, c := range map[string]struct {
		pair MatchPair
		want bool
	}{
		"no match":             {MatchPair{}, false},
		"potential":            {MatchPair{as(PotentialMatch, later), as(PotentialMatch, later)}, true},
		"approved":             {MatchPair{as(PotentialMatch, later), as(ApprovedMatch, later)}, true},
		"rejected":             {MatchPair{as(RejectedMatch, later), as(ApprovedMatch, later)}, true},
		"confirmed":            {MatchPair{as(ConfirmedMatch, later), as(ConfirmedMatch, later)}, false},
		"confirmed by one":     {MatchPair{as(ConfirmedMatch, later), as(ApprovedMatch, later)}, true},
		"the time is over":     {MatchPair{as(PotentialMatch, now), as(PotentialMatch, later)}, false},
		"only the other's":     {MatchPair{nil, as(PotentialMatch, later)}, false},
		"only the other's end": {MatchPair{as(PotentialMatch, later), as(PotentialMatch, now)}, true},
	} {
		if got := c.pair.locks(now); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := (MatchPair{nil, as(PotentialMatch, later)}).reversed(); !got.locks(now) {
		t.Error("the other way is not locked")
	}
}
