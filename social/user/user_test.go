package user_test

import (
	"fmt"
	"reflect"
	"testing"

	"stoa/internal/kit/viewer"
	"stoa/social"
	"stoa/store/storetest"
)

func TestAdmit(t *testing.T) {
	w := newWorld(t)
	active, anonymous := w.user(social.User{Username: "active"}), w.user(social.User{Username: "anonymous", Status: social.UserAnonymous})
	disabled := w.user(social.User{Username: "disabled", Status: social.UserDisabled})
	nobody := social.Viewer{UserID: storetest.UserID("nobody")}
	one, both := []social.UserStatus{social.UserActive}, []social.UserStatus{social.UserActive, social.UserAnonymous}
	for _, c := range []struct {
		name    string
		v       social.Viewer
		allowed []social.UserStatus
		want    string
	}{
		{"active", active.Viewer, one, ""},
		{"active among others", active.Viewer, both, ""},
		{"anonymous", anonymous.Viewer, both, ""},
		{"anonymous is not active", anonymous.Viewer, one, "User `" + string(anonymous.UserID) + "` is not ACTIVE"},
		{"disabled", disabled.Viewer, one, "User `" + string(disabled.UserID) + "` is not ACTIVE"},
		{"disabled is neither", disabled.Viewer, both, "User `" + string(disabled.UserID) + "` is not ACTIVE or ANONYMOUS"},
		{"no profile", nobody, both, "User `" + string(nobody.UserID) + "` does not exist"},
	} {
		got, err := w.service.Admit(t.Context(), c.v, c.allowed)
		refused(t, c.name, err, c.want)
		if err == nil && (got.UserID != c.v.UserID || got.User.UserID != c.v.UserID) {
			t.Errorf("%s: admitted %+v", c.name, got)
		}
	}
}

func TestAdmitRecordsTheClient(t *testing.T) {
	w := newWorld(t)
	ana := w.user(social.User{Username: "ana"})
	for _, c := range []struct {
		name   string
		client viewer.Client
		calls  int
		stored map[string]string
	}{
		{"nothing sent", viewer.Client{}, 1, nil},
		{"first", viewer.Client{Version: "1", UID: "u"}, 2, map[string]string{"version": "1", "uid": "u"}},
		{"same", viewer.Client{Version: "1", UID: "u"}, 1, map[string]string{"version": "1", "uid": "u"}},
		{"nothing sent again", viewer.Client{}, 1, map[string]string{"version": "1", "uid": "u"}},
		{"other, with less", viewer.Client{Device: "d"}, 2, map[string]string{"device": "d"}},
	} {
		v := social.Viewer{UserID: ana.UserID, Client: c.client}
		w.calls.Reset()
		caller := must[social.Caller](t)(w.service.Admit(t.Context(), v, []social.UserStatus{social.UserActive}))
		if w.calls.Total() != c.calls {
			t.Errorf("%s: %v, want %d calls", c.name, w.calls, c.calls)
		}
		if got := w.profile(ana.UserID).LastClient; !reflect.DeepEqual(got, c.stored) {
			t.Errorf("%s: stored %v, want %v", c.name, got, c.stored)
		}
		if !reflect.DeepEqual(caller.User.LastClient, c.stored) {
			t.Errorf("%s: the caller has %v", c.name, caller.User.LastClient)
		}
	}
	off := w.user(social.User{Username: "off", Status: social.UserDisabled})
	_, err := w.service.Admit(t.Context(), social.Viewer{UserID: off.UserID, Client: viewer.Client{Version: "1"}}, []social.UserStatus{social.UserActive})
	if err == nil || w.profile(off.UserID).LastClient != nil {
		t.Errorf("a refused caller's client was recorded: %v, %v", err, w.profile(off.UserID).LastClient)
	}
}

func TestSelf(t *testing.T) {
	w := newWorld(t)
	off := w.user(social.User{Username: "off", Status: social.UserDisabled, Email: "off@example.org"})
	w.calls.Reset()
	seen := must[*social.SeenUser](t)(w.service.Self(t.Context(), off.Viewer, 0))
	if w.calls.Total() != 1 {
		t.Errorf("self costs %v", w.calls)
	}
	if !seen.IsSelf() || *seen.UserStatus() != social.UserDisabled || *seen.Email() != "off@example.org" {
		t.Errorf("self is %s", *seen.UserStatus())
	}
	_, err := w.service.Self(t.Context(), social.Viewer{UserID: storetest.UserID("nobody")}, 0)
	refused(t, "nobody", err, "User does not exist")
}

// meet makes ana's view of others: ben, whom she follows and who follows her, cem, who
// blocks her, and dan, whom she blocks.
func meet(w *world) (ana, ben, cem, dan social.Caller) {
	ana, ben = w.user(social.User{Username: "ana"}), w.user(social.User{Username: "ben", Privacy: social.Private, Bio: "b"})
	cem, dan = w.user(social.User{Username: "cem", Bio: "c"}), w.user(social.User{Username: "dan", Bio: "d"})
	for _, pair := range [][2]social.Caller{{ana, ben}, {ben, ana}} {
		step := social.FollowStep{From: social.NotFollowing, Follow: social.Follow{
			FollowerUserID: pair[0].UserID, FollowedUserID: pair[1].UserID, Status: social.Following, FollowedAt: now,
		}}
		if err := w.store.Follows.Move(w.t.Context(), step); err != nil {
			w.t.Fatal(err)
		}
	}
	storetest.Block(w.t, w.calls, cem.UserID, ana.UserID)
	storetest.Block(w.t, w.calls, ana.UserID, dan.UserID)
	return ana, ben, cem, dan
}

func TestVisible(t *testing.T) {
	w := newWorld(t)
	ana, ben, cem, dan := meet(w)
	ids := []social.UserID{ana.UserID, ben.UserID, cem.UserID, dan.UserID, ben.UserID, storetest.UserID("nobody"), "", "x/y"}
	w.calls.Reset()
	seen := must[social.SeenUsers](t)(w.service.Visible(t.Context(), ana.Viewer, ids, social.BothWays))
	if w.calls.Total() != 1 {
		t.Errorf("four users cost %v", w.calls)
	}
	for id, want := range map[social.UserID]string{
		ana.UserID: "SELF SELF SELF SELF",
		ben.UserID: "FOLLOWING FOLLOWING NOT_BLOCKING NOT_BLOCKING",
		cem.UserID: "NOT_FOLLOWING NOT_FOLLOWING NOT_BLOCKING BLOCKING",
		dan.UserID: "NOT_FOLLOWING NOT_FOLLOWING BLOCKING NOT_BLOCKING",
	} {
		u := seen[id]
		if got := fmt.Sprint(u.FollowedStatus(), " ", u.FollowerStatus(), " ", u.BlockedStatus(), " ", u.BlockerStatus()); got != want {
			t.Errorf("%s stands as %s, want %s", u.Username(), got, want)
		}
	}
	if nobody, asked := seen["x/y"]; nobody != nil || !asked || len(seen) != 7 {
		t.Errorf("%d ids are answered, one that names nobody with %v, %v", len(seen), nobody, asked)
	}
	if seen[ben.UserID].Bio() == nil || seen[cem.UserID].Bio() != nil {
		t.Error("a follower must see a private bio, and who is blocked none")
	}

	for _, d := range []social.Detail{0, social.FollowerTie, social.BlockedTie} {
		less := must[social.SeenUsers](t)(w.service.Visible(t.Context(), ana.Viewer, ids, d))
		if less[ben.UserID].FollowedStatus() != social.Following || less[cem.UserID].BlockerStatus() != social.Blocking {
			t.Errorf("with details %b, what decides is not known", d)
		}
		if d == social.FollowerTie && less[ben.UserID].FollowerStatus() != social.Following {
			t.Error("the follower tie was asked for in vain")
		}
		if d == social.BlockedTie && less[dan.UserID].BlockedStatus() != social.Blocking {
			t.Error("the blocked tie was asked for in vain")
		}
	}

	w.calls.Reset()
	if none := must[social.SeenUsers](t)(w.service.Visible(t.Context(), ana.Viewer, []social.UserID{"nonsense"}, 0)); none["nonsense"] != nil || w.calls.Total() != 0 {
		t.Errorf("ids that name nobody: %v, %v", none, w.calls)
	}
}

// T11
func TestListed(t *testing.T) {
	w := newWorld(t)
	ana, ben, cem, dan := meet(w)
	ids := []social.UserID{dan.UserID, cem.UserID, ben.UserID, storetest.UserID("nobody"), ana.UserID, dan.UserID}
	var got []string
	for _, u := range must[[]*social.SeenUser](t)(w.service.Listed(t.Context(), ana.Viewer, ids, 0)) {
		got = append(got, u.Username())
	}
	if want := []string{"dan", "ben", "ana", "dan"}; !reflect.DeepEqual(got, want) {
		t.Errorf("listed %v, want %v", got, want)
	}
}

// A16, A17
func TestNames(t *testing.T) {
	w := newWorld(t)
	ana := w.user(social.User{Username: "Ana.B"})
	for name, want := range map[string]social.UsernameStatus{
		"Ana.B": social.UsernameNotAvailable, "ana.b": social.UsernameNotAvailable, "ana": social.UsernameAvailable,
		"": social.UsernameInvalid, "a b": social.UsernameInvalid,
	} {
		if got := must[social.UsernameStatus](t)(w.service.UsernameStatus(t.Context(), name)); got != want {
			t.Errorf("%q is %s, want %s", name, got, want)
		}
	}
	id, found, err := w.service.UserIDByUsername(t.Context(), "ana.b")
	if id != ana.UserID || !found || err != nil {
		t.Errorf("ana.b is %s, %v, %v", id, found, err)
	}
	if _, found, err := w.service.UserIDByUsername(t.Context(), "nobody"); found || err != nil {
		t.Errorf("nobody is %v, %v", found, err)
	}
}

// A15
func TestTags(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user(social.User{Username: "ana"}), w.user(social.User{Username: "Ben_1"})
	for text, want := range map[string][]social.TextTag{
		"hi @Ben_1 and @ana, @ana!":         {{Tag: "@Ben_1", UserID: ben.UserID}, {Tag: "@ana", UserID: ana.UserID}},
		"@Ana @ben_1 are spelled otherwise": nil,
		"@ana. is another name":             nil,
		"@nobody":                           nil,
	} {
		w.calls.Reset()
		got := must[[]social.TextTag](t)(w.service.Tags(t.Context(), text))
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
		if w.calls.Total() != 1 {
			t.Errorf("%q costs %v", text, w.calls)
		}
	}
	w.calls.Reset()
	if got := must[[]social.TextTag](t)(w.service.Tags(t.Context(), "nobody @ all")); got != nil || w.calls.Total() != 0 {
		t.Errorf("a text without mentions: %v, %v", got, w.calls)
	}
}
