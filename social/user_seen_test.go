package social

import (
	"reflect"
	"testing"

	"stoa/internal/kit/optional"
)

func TestCanSee(t *testing.T) {
	for _, c := range []struct {
		name            string
		r               Relation
		public, private bool
	}{
		{"stranger", Relation{}, true, false},
		{"self", Relation{self: true}, true, true},
		{"follower", Relation{Follows: Following}, true, true},
		{"who asked", Relation{Follows: FollowRequested}, true, false},
		{"who was denied", Relation{Follows: FollowDenied}, true, false},
		{"followed by them", Relation{FollowedBy: Following}, true, false},
		{"blocked", Relation{BlockedBy: true}, false, false},
		{"blocked follower", Relation{Follows: Following, BlockedBy: true}, false, false},
		{"who blocks", Relation{Blocks: true}, true, false},
		{"follower who blocks", Relation{Follows: Following, Blocks: true}, true, true},
	} {
		if public, private := c.r.CanSee(Public), c.r.CanSee(Private); public != c.public || private != c.private {
			t.Errorf("%s sees a public user: %v, a private one: %v", c.name, public, private)
		}
	}
}

// visible returns the fields of u that are not nil.
func visible(u *SeenUser) map[string]bool {
	fields := map[string]any{
		"userStatus": u.UserStatus(), "privacyStatus": u.PrivacyStatus(), "subscriptionLevel": u.SubscriptionLevel(),
		"fullName": u.FullName(), "displayName": u.DisplayName(), "themeCode": u.ThemeCode(), "signedUpAt": u.SignedUpAt(),
		"postCount": u.PostCount(), "bio": u.Bio(), "email": u.Email(), "phoneNumber": u.PhoneNumber(),
		"languageCode": u.LanguageCode(), "followCountsHidden": u.FollowCountsHidden(), "viewCountsHidden": u.ViewCountsHidden(),
		"commentsDisabled": u.CommentsDisabled(), "likesDisabled": u.LikesDisabled(), "sharingDisabled": u.SharingDisabled(),
		"verificationHidden": u.VerificationHidden(), "followedCount": u.FollowedCount(), "followedsCount": u.FollowedsCount(),
		"followerCount": u.FollowerCount(),
	}
	seen := map[string]bool{}
	for name, value := range fields {
		if !reflect.ValueOf(value).IsNil() {
			seen[name] = true
		}
	}
	return seen
}

// users U10 and F19: which counts and lists are hidden from whom.
func TestWhoSeesWhichField(t *testing.T) {
	always := []string{"userStatus", "privacyStatus", "subscriptionLevel", "fullName", "displayName", "themeCode", "signedUpAt", "postCount"}
	published := append([]string{"bio"}, always...)
	counts := []string{"followedCount", "followedsCount", "followerCount"}
	own := []string{"email", "phoneNumber", "languageCode", "followCountsHidden", "viewCountsHidden", "commentsDisabled",
		"likesDisabled", "sharingDisabled", "verificationHidden"}
	for _, c := range []struct {
		name    string
		privacy PrivacyStatus
		hidden  bool
		r       Relation
		want    [][]string
	}{
		{"self", Private, true, Relation{self: true}, [][]string{published, counts, own}},
		{"stranger of a public user", Public, false, Relation{}, [][]string{published, counts}},
		{"stranger of a private user", Private, false, Relation{Follows: FollowRequested}, [][]string{always}},
		{"follower of a private user", Private, false, Relation{Follows: Following}, [][]string{published, counts}},
		{"follower of one who hides counts", Private, true, Relation{Follows: Following}, [][]string{published}},
		{"blocked", Public, false, Relation{BlockedBy: true, Follows: Following}, nil},
	} {
		u := &User{
			UserID: ana, Username: "ana", FullName: "A", DisplayName: "a", Bio: "b", Email: "a@b.c", PhoneNumber: "+1",
			Privacy: c.privacy, FollowCountsHidden: &c.hidden,
		}
		want := map[string]bool{}
		for _, names := range c.want {
			for _, name := range names {
				want[name] = true
			}
		}
		seen := see(u, c.r)
		if got := visible(seen); !reflect.DeepEqual(got, want) {
			t.Errorf("%s sees %v, want %v", c.name, got, want)
		}
		if seen.UserID() != ana || seen.Username() != "ana" {
			t.Errorf("%s does not see who it is", c.name)
		}
	}
}

func TestFollowersCount(t *testing.T) {
	u := &User{Privacy: Public, FollowerCount: 3, FollowersRequestedCount: 2}
	self, other := see(u, Relation{self: true}), see(u, Relation{})
	for _, c := range []struct {
		name   string
		seen   *SeenUser
		status *FollowStatus
		want   *int
		err    string
	}{
		{"none given", other, nil, new(3), ""},
		{"followers", other, new(Following), new(3), ""},
		{"own requests", self, new(FollowRequested), new(2), ""},
		{"somebody's requests", other, new(FollowRequested), nil, ""},
		{"somebody's denied", other, new(FollowDenied), nil, ""},
		{"own denied", self, new(FollowDenied), nil, "Cannot request followStatus of DENIED"},
		{"own strangers", self, new(NotFollowing), nil, "Cannot request followStatus of NOT_FOLLOWING"},
		{"oneself", self, new(FollowSelf), nil, "Cannot request followStatus of SELF"},
	} {
		got, err := c.seen.FollowersCount(c.status)
		wantRefusal(t, c.name, err, c.err)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, optional.Or(got, -1), optional.Or(c.want, -1))
		}
	}
}

func TestValuesOfAFreshProfile(t *testing.T) {
	u := see(&User{Privacy: Public}, Relation{self: true})
	for name, ok := range map[string]bool{
		"status":    *u.UserStatus() == UserActive,
		"level":     *u.SubscriptionLevel() == SubscriptionBasic,
		"theme":     *u.ThemeCode() == "black.green",
		"language":  *u.LanguageCode() == "en",
		"switches":  !*u.LikesDisabled() && !*u.FollowCountsHidden(),
		"no name":   u.FullName() == nil,
		"counts":    *u.PostCount() == 0 && *u.FollowerCount() == 0,
		"relations": u.FollowedStatus() == FollowSelf && u.FollowerStatus() == FollowSelf && u.BlockedStatus() == BlockSelf && u.BlockerStatus() == BlockSelf,
	} {
		if !ok {
			t.Errorf("%s", name)
		}
	}
	stranger := see(&User{}, Relation{})
	if stranger.FollowedStatus() != NotFollowing || stranger.BlockerStatus() != NotBlocking {
		t.Error("a stranger is related")
	}
}
