package social

import "testing"

// users M6: each user must meet the other's criteria, bounds included.
func TestMatches(t *testing.T) {
	ana := func(change ...func(*Dater)) *Dater {
		d := &Dater{
			UserID: "ana", Age: 30, Gender: Female, Height: 60, Location: Location{Latitude: 40, Longitude: -75},
			MatchAgeRange: Range{30, 40}, MatchGenders: []UserGender{Male}, MatchHeightRange: Range{60, 70}, MatchLocationRadius: 50,
		}
		for _, c := range change {
			c(d)
		}
		return d
	}
	ben := func(change ...func(*Dater)) *Dater {
		d := &Dater{
			UserID: "ben", Age: 40, Gender: Male, Height: 70, Location: Location{Latitude: 40.5, Longitude: -75},
			MatchAgeRange: Range{20, 30}, MatchGenders: []UserGender{Male, Female}, MatchHeightRange: Range{50, 60}, MatchLocationRadius: 35,
		}
		for _, c := range change {
			c(d)
		}
		return d
	}
	for name, c := range map[string]struct {
		a, b *Dater
		want bool
	}{
		"at the bounds":          {ana(), ben(), true},
		"oneself":                {ana(func(d *Dater) { d.MatchGenders = []UserGender{Female} }), ana(func(d *Dater) { d.MatchGenders = []UserGender{Female} }), false},
		"nobody":                 {ana(), nil, false},
		"a year too old":         {ana(), ben(func(d *Dater) { d.Age = 41 }), false},
		"a year too young":       {ana(func(d *Dater) { d.MatchAgeRange.Min = 41; d.MatchAgeRange.Max = 50 }), ben(), false},
		"an inch too tall":       {ana(), ben(func(d *Dater) { d.Height = 71 }), false},
		"an inch too small":      {ana(func(d *Dater) { d.Height = 49 }), ben(), false},
		"another gender":         {ana(func(d *Dater) { d.Gender = Male }), ben(func(d *Dater) { d.MatchGenders = []UserGender{Female} }), false},
		"34.5 miles, of 35":      {ana(), ben(), true},
		"34.5 miles, of 34":      {ana(), ben(func(d *Dater) { d.MatchLocationRadius = 34 }), false},
		"one looks anywhere":     {ana(func(d *Dater) { d.MatchLocationRadius = 0 }), ben(), true},
		"both look anywhere":     {ana(func(d *Dater) { d.MatchLocationRadius = 0 }), ben(func(d *Dater) { d.MatchLocationRadius = 0; d.Location.Latitude = -80 }), true},
		"one has left":           {ana(func(d *Dater) { d.Left = true }), ben(), false},
		"one looks, one is away": {ana(func(d *Dater) { d.MatchLocationRadius = 0 }), ben(func(d *Dater) { d.Location.Latitude = -80 }), false},
	} {
		if got := c.a.Matches(c.b, EarthInMiles); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
		if got := c.b.Matches(c.a, EarthInMiles); got != c.want {
			t.Errorf("%s, the other way: %v", name, got)
		}
	}
}

// users M8: a change increments the version, unless it is irrelevant to matching.
func TestFollow(t *testing.T) {
	profile := func() *Dater {
		return &Dater{UserID: "ana", Age: 30, Gender: Female, MatchGenders: []UserGender{Male}}
	}
	var nobody *Dater
	if d := nobody.Follow(nil); d != nil {
		t.Errorf("nobody becomes %+v", d)
	}
	first := nobody.Follow(profile())
	if first.Version != 1 || first.Settled != 0 {
		t.Errorf("begins as %+v", first)
	}
	first.Settled, first.ApprovalCount = 1, 3
	if again := first.Follow(profile()); again != first {
		t.Errorf("an equal profile makes %+v", again)
	}
	older := profile()
	older.Age++
	next := first.Follow(older)
	if next.Version != 2 || next.Settled != 1 || next.ApprovalCount != 3 || next.Age != 31 || first.Age != 30 {
		t.Errorf("goes on as %+v", next)
	}
	left := next.Follow(nil)
	if !left.Left || left.Version != 3 || left.Follow(nil) != left {
		t.Errorf("leaves as %+v", left)
	}
	if back := left.Follow(older); back.Left || back.Version != 4 {
		t.Errorf("comes back as %+v", back)
	}
}
