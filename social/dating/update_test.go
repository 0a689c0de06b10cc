package dating_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"stoa/internal/decision"
	"stoa/internal/identity"
	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/internal/outbox/outboxtest"
	"stoa/social"
	"stoa/social/dating"
	"stoa/store"
	"stoa/store/storetest"
)

// reading counts the rows read from lists.
type reading struct {
	*store.Dating
	rows int
}

func (r *reading) Near(ctx context.Context, gender social.UserGender, in social.Strip, q page.Query) (page.Page[*social.Dater], error) {
	p, err := r.Dating.Near(ctx, gender, in, q)
	r.rows += len(p.Items)
	return p, err
}

func (r *reading) Far(ctx context.Context, gender social.UserGender, q page.Query) (page.Page[*social.Dater], error) {
	p, err := r.Dating.Far(ctx, gender, q)
	r.rows += len(p.Items)
	return p, err
}

func (r *reading) Of(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.Match], error) {
	p, err := r.Dating.Of(ctx, user, q)
	r.rows += len(p.Items)
	return p, err
}

// area returns the dating area over a store that counts its reads.
func area(t *testing.T) (*dating.Service, *reading, *store.Store) {
	s, _ := storetest.Open(t)
	r := &reading{Dating: s.Dating}
	return &dating.Service{Store: r, Profiles: s.Users, Earth: social.EarthInMiles, Frame: decision.Frame{
		Clock: func() time.Time { return storetest.Noon }, NewID: func() string { return "id" }, Events: &outboxtest.Recorder{},
	}}, r, s
}

// dater returns a user with all details that dating needs, at a location.
func dater(name string, gender social.UserGender, at social.Location, radius int) social.User {
	age, height := 30, 66
	return social.User{
		UserID: storetest.UserID(name), Username: name, FullName: name, DisplayName: name, PhotoPostID: "photo", Age: &age, DateOfBirth: "2000-01-01", Gender: gender,
		Location: &at, Height: &height, MatchAgeRange: &social.Range{Min: 18, Max: 100}, MatchGenders: []social.UserGender{social.Male, social.Female},
		MatchHeightRange: &social.Range{Min: 0, Max: 117}, MatchLocationRadius: radius, DatingStatus: social.DatingEnabled, DatingEndsOn: "2030-02-01",
	}
}

func updateMatches(t *testing.T, s *dating.Service, id social.UserID) []outbox.Message {
	t.Helper()
	told, err := outboxtest.All(t.Context(), social.UserChanged{UserID: id}, s.UserChanged)
	if err != nil {
		t.Fatal(err)
	}
	return told
}

func matchesOf(t *testing.T, s *store.Store, id social.UserID) (ids []social.UserID) {
	t.Helper()
	for q := (page.Query{First: page.Max}); ; {
		p, err := s.Dating.Of(t.Context(), id, q)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range p.Items {
			ids = append(ids, m.MatchUserID)
		}
		if q.After = p.Next; q.After == "" {
			slices.Sort(ids)
			return ids
		}
	}
}

// Among daters all over the world, a change reads only those nearby, and finds the same
// matches as a linear search.
func TestMatchingReadsTheNeighbourhood(t *testing.T) {
	const everybody, radius = 3000, 80
	service, read, s := area(t)
	r := rand.New(rand.NewPCG(7, 7))
	here := social.Location{Latitude: 47.1, Longitude: 179.8}
	var others []*social.Dater
	for i := range everybody {
		at := social.Location{Latitude: r.Float64()*120 - 60, Longitude: r.Float64()*360 - 180}
		if i%50 == 0 { // a few within some two hundred miles
			at = social.Location{Latitude: here.Latitude + r.Float64()*4 - 2, Longitude: here.Longitude + r.Float64()*4 - 2}
			if at.Longitude > 180 {
				at.Longitude -= 360
			}
		}
		u := dater(fmt.Sprint("o", i), social.Female, at, 100)
		d := (*social.Dater)(nil).Follow(u.Dater())
		if err := s.Dating.SetDater(t.Context(), nil, d); err != nil {
			t.Fatal(err)
		}
		others = append(others, d)
	}
	ana := storetest.User(t, s, dater("ana", social.Male, here, radius))
	updateMatches(t, service, ana.UserID)
	var want []social.UserID
	near := 0
	for _, o := range others {
		away := social.EarthInMiles.Distance(here, o.Location)
		if away <= radius {
			want = append(want, o.UserID)
		}
		if away <= 3*radius {
			near++
		}
	}
	slices.Sort(want)
	if got := matchesOf(t, s, ana.UserID); len(want) < 3 || !slices.Equal(got, want) {
		t.Errorf("matches %v\nwant %v", got, want)
	}
	if read.rows > near {
		t.Errorf("%d rows are read, want at most the %d in the neighbourhood", read.rows, near)
	}
	// Changes that are irrelevant to matching read nothing of other users.
	read.rows = 0
	updateMatches(t, service, ana.UserID)
	if read.rows > 0 {
		t.Errorf("%d rows are read for nothing", read.rows)
	}
	// Users who stop dating read only their matches.
	off, _ := ana.SwitchDating(social.DatingDisabled, storetest.Noon)
	if err := s.Dating.SetStatus(t.Context(), &ana, off); err != nil {
		t.Fatal(err)
	}
	updateMatches(t, service, ana.UserID)
	if read.rows != len(want) || len(matchesOf(t, s, ana.UserID)) > 0 {
		t.Errorf("%d rows are read to end %d matches", read.rows, len(want))
	}
	if _, d, err := s.Dating.Dater(t.Context(), ana.UserID); d != nil || err != nil {
		t.Errorf("%+v is left behind, %v", d, err)
	}
}

// Interrupted settling resumes, although the dater already corresponds to the profile.
func TestSettlingGoesOn(t *testing.T) {
	service, _, s := area(t)
	here := social.Location{Latitude: 40, Longitude: -75}
	ana, ben := storetest.User(t, s, dater("ana", social.Male, here, 50)), storetest.User(t, s, dater("ben", social.Male, here, 50))
	updateMatches(t, service, ana.UserID)
	changed := social.UserChanged{UserID: ben.UserID}
	cursor, _, err := service.UserChanged(t.Context(), changed, "", nil)
	if err != nil || cursor == "" {
		t.Fatalf("the first step ends with %q, %v", cursor, err)
	}
	if got := matchesOf(t, s, ben.UserID); len(got) > 0 {
		t.Fatalf("matches %v before the search", got)
	}
	if told := updateMatches(t, service, ben.UserID); len(told) != 2 || !slices.Equal(matchesOf(t, s, ben.UserID), []social.UserID{ana.UserID}) {
		t.Errorf("told %v; matches %v", told, matchesOf(t, s, ben.UserID))
	}
	// A step for an older version leaves everything to the newer one.
	if next, rows, err := service.UserChanged(t.Context(), changed, "0 0 ", nil); next != "" || rows != 0 || err != nil {
		t.Errorf("an old step: %q, %d, %v", next, rows, err)
	}
}

// users D4 and D10: the matches of a removed profile are removed, and those of the next one
// are kept.
func TestRemovedUsers(t *testing.T) {
	service, _, s := area(t)
	here := social.Location{Latitude: 40, Longitude: -75}
	var ids []social.UserID
	for _, name := range []string{"ana", "ben", "cem"} {
		u := storetest.User(t, s, dater(name, social.Male, here, 50))
		ids = append(ids, u.UserID)
		updateMatches(t, service, u.UserID)
	}
	ana := ids[0]
	if len(matchesOf(t, s, ana)) != 2 {
		t.Fatalf("matches %v", matchesOf(t, s, ana))
	}
	approved := social.Caller{Viewer: social.Viewer{UserID: ids[1]}}
	if err := service.Approve(t.Context(), approved, ana); err != nil {
		t.Fatal(err)
	}
	remove := func(at time.Time) []outbox.Message {
		t.Helper()
		told, err := outboxtest.All(t.Context(), social.UserRemoved{UserID: ana, RemovedAt: at}, service.UserRemoved)
		if err != nil {
			t.Fatal(err)
		}
		return told
	}
	// The user has a new profile, and dates, before the event is delivered.
	if told := remove(storetest.Noon.Add(-time.Second)); len(told) > 0 || len(matchesOf(t, s, ana)) != 2 {
		t.Errorf("told %v; matches %v", told, matchesOf(t, s, ana))
	}
	u, err := s.Users.Profile(t.Context(), ana)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Users.Remove(t.Context(), u, storetest.Noon.Add(time.Microsecond), identity.Change{}); err != nil {
		t.Fatal(err)
	}
	if told := remove(storetest.Noon); len(told) < 4 {
		t.Errorf("told %v", told)
	}
	pairs, err := s.Dating.Pairs(t.Context(), ids[1], []social.UserID{ana})
	if err != nil || pairs[0].Mine != nil && pairs[0].Mine.Status != social.PotentialMatch {
		t.Errorf("what was approved of is left: %+v, %v", pairs[0].Mine, err)
	}
}
