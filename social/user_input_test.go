package social

import (
	"reflect"
	"strings"
	"testing"

	"stoa/internal/kit/viewer"
)

func TestUserDetailsCheck(t *testing.T) {
	long := strings.Repeat("x", MaxProfileText+1)
	for _, c := range []struct {
		name    string
		details UserEdit
		want    string
	}{
		{"nothing", UserEdit{}, "Called without any arguments... probably not what you intended?"},
		{"empty name", UserEdit{Username: new("")}, "Empty username"},
		{"short name", UserEdit{Username: new("aa")}, "Username `aa` does not validate"},
		{"the name comes first", UserEdit{Username: new("a!a"), Bio: &long}, "Username `a!a` does not validate"},
		{"long text", UserEdit{Bio: &long}, "bio is 65537 bytes long: shorten it to at most 65536"},
		{"long code", UserEdit{ThemeCode: &long}, "themeCode is 65537 bytes long: shorten it to at most 65536"},
		{"longest text", UserEdit{FullName: new(long[1:])}, ""},
		{"empty texts", UserEdit{FullName: new(""), DisplayName: new(""), LanguageCode: new("")}, ""},
		{"a switch", UserEdit{LikesDisabled: new(false)}, ""},
	} {
		err := c.details.CheckFirst()
		if err == nil {
			err = c.details.Check(&User{})
		}
		wantRefusal(t, c.name, err, c.want)
	}
}

func TestUserDetailsOf(t *testing.T) {
	before := User{UserID: ana, Username: "ana", Bio: "old", Privacy: Public, LikesDisabled: new(true)}
	for _, c := range []struct {
		name    string
		details UserEdit
		want    func(u *User)
	}{
		{"equal values", UserEdit{Username: new("ana"), Bio: new("old"), Privacy: new(Public), LikesDisabled: new(true), FullName: new("")}, nil},
		{"a new name", UserEdit{Username: new("Ana")}, func(u *User) {
			u.Username, u.UsernameLastValue, u.UsernameLastChangedAt = "Ana", "ana", noon
		}},
		{"a text removed", UserEdit{Bio: new("")}, func(u *User) { u.Bio = "" }},
		{"a text given", UserEdit{FullName: new("Ana A")}, func(u *User) { u.FullName = "Ana A" }},
		{"privacy", UserEdit{Privacy: new(Private)}, func(u *User) { u.Privacy = Private }},
		{"a switch off", UserEdit{LikesDisabled: new(false)}, func(u *User) { u.LikesDisabled = new(false) }},
		{"off is not never chosen", UserEdit{SharingDisabled: new(false)}, func(u *User) { u.SharingDisabled = new(false) }},
		{"all others", UserEdit{
			DisplayName: new("d"), LanguageCode: new("l"), ThemeCode: new("t"), FollowCountsHidden: new(true),
			ViewCountsHidden: new(true), CommentsDisabled: new(true), VerificationHidden: new(true),
		}, func(u *User) {
			u.DisplayName, u.LanguageCode, u.ThemeCode = "d", "l", "t"
			u.FollowCountsHidden, u.ViewCountsHidden, u.CommentsDisabled, u.VerificationHidden = new(true), new(true), new(true), new(true)
		}},
	} {
		want := before
		if c.want != nil {
			c.want(&want)
		}
		got, differs := c.details.Of(&before, noon)
		if !reflect.DeepEqual(*got, want) || differs != (c.want != nil) {
			t.Errorf("%s: %+v, differs %v", c.name, *got, differs)
		}
	}
	if before.Bio != "old" || !*before.LikesDisabled {
		t.Errorf("the profile before has changed: %+v", before)
	}
}

// users A9 and A10: which usernames are valid.
func TestUsernames(t *testing.T) {
	for name, want := range map[string]string{
		"__.0009A_...":          "",
		"abc":                   "",
		strings.Repeat("a", 30): "",
		"":                      "Empty username",
		"aa":                    "Username `aa` does not validate",
		strings.Repeat("a", 31): "Username `" + strings.Repeat("a", 31) + "` does not validate",
		"a!a":                   "Username `a!a` does not validate",
		"b-b":                   "Username `b-b` does not validate",
		"c?c":                   "Username `c?c` does not validate",
		"abc\n":                 "Username `abc\n` does not validate",
		"ünï":                   "Username `ünï` does not validate",
	} {
		wantRefusal(t, name, CheckUsername(name), want)
	}
}

func TestClientsToRecord(t *testing.T) {
	u := User{LastClient: map[string]string{"version": "1"}}
	for _, c := range []struct {
		client viewer.Client
		want   bool
	}{
		{viewer.Client{}, false},
		{viewer.Client{Version: "1"}, false},
		{viewer.Client{Version: "2"}, true},
		{viewer.Client{Version: "1", UID: "u"}, true},
		{viewer.Client{Device: "d"}, true},
	} {
		if got := u.UsesOther(c.client.Map()); got != c.want {
			t.Errorf("%+v: %v", c.client, got)
		}
	}
}
