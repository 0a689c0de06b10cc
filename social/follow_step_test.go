package social

import (
	"fmt"
	"testing"
	"time"
)

const (
	ana UserID = "us-east-1:aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
	ben UserID = "us-east-1:bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"
)

func TestAsk(t *testing.T) {
	for _, c := range []struct {
		name  string
		facts UserFacts
		want  FollowStatus
		err   string
	}{
		{"public", UserFacts{User: &User{Privacy: Public}}, Following, ""},
		{"private", UserFacts{User: &User{Privacy: Private}}, FollowRequested, ""},
		{"oneself", UserFacts{Viewer: ben, User: &User{}}, "", "User cannot follow themselves"},
		{"anonymous", UserFacts{User: &User{Status: UserAnonymous}}, "", "Cannot follow user with status `ANONYMOUS`"},
		{"status comes before the relation", UserFacts{User: &User{Status: UserDisabled}, Relation: Relation{Follows: Following}}, "",
			"Cannot follow user with status `DISABLED`"},
		{"following", UserFacts{User: &User{}, Relation: Relation{Follows: Following}}, "",
			"User `" + string(ana) + "` already is or has requested to follow user `" + string(ben) + "`"},
		{"denied, and blocked since", UserFacts{User: &User{}, Relation: Relation{Follows: FollowDenied, BlockedBy: true}}, "",
			"User `" + string(ana) + "` already is or has requested to follow user `" + string(ben) + "`"},
		{"blocked both ways", UserFacts{User: &User{}, Relation: Relation{BlockedBy: true, Blocks: true}}, "",
			"User has been blocked by user `" + string(ben) + "`"},
		{"blocking", UserFacts{User: &User{}, Relation: Relation{Blocks: true}}, "",
			"User has blocked user `" + string(ben) + "`"},
		{"followed by them", UserFacts{User: &User{Privacy: Public}, Relation: Relation{FollowedBy: FollowDenied}}, Following, ""},
	} {
		c.facts.User.UserID = ben
		if c.facts.Read = BothWays; c.facts.Viewer == "" {
			c.facts.Viewer = ana
		}
		step, err := c.facts.Ask(&User{BlocksVersion: 3}, noon)
		wantRefusal(t, c.name, err, c.err)
		if err != nil {
			continue
		}
		want := FollowStep{
			Follow: Follow{FollowerUserID: ana, FollowedUserID: ben, Status: c.want, FollowedAt: noon},
			From:   NotFollowing, Privacy: c.facts.User.Privacy, Asking: true, Blocks: 3,
		}
		if step != want {
			t.Errorf("%s: %+v, want %+v", c.name, step, want)
		}
	}
}

// A follow is dated after both profiles even if the clock is behind, so it does not look
// like one of a former profile.
// users D10: a follow is later than the profiles of both users.
func TestAskIsNoOlderThanTheProfiles(t *testing.T) {
	late := noon.Add(time.Second)
	for name, f := range map[string]UserFacts{
		"the viewer's":           {User: &User{UserID: ben, SignedUpAt: noon}, Since: late},
		"without a profile, yet": {User: &User{UserID: ben, SignedUpAt: late}},
	} {
		f.Viewer, f.Read = ana, BothWays
		if step, err := f.Ask(&User{}, noon); err != nil || step.Follow.FollowedAt != late {
			t.Errorf("%s: %+v, %v", name, step, err)
		}
	}
}

func TestLeave(t *testing.T) {
	for _, c := range []struct {
		from FollowStatus
		err  string
	}{
		{"", "User `" + string(ana) + "` is not following `" + string(ben) + "`"},
		{NotFollowing, "User `" + string(ana) + "` is not following `" + string(ben) + "`"},
		{FollowDenied, "User `" + string(ana) + "` already follows user `" + string(ben) + "` with status `DENIED`"},
		{FollowRequested, ""},
		{Following, ""},
	} {
		f := UserFacts{Viewer: ana, Read: BothWays, User: &User{UserID: ben}, Relation: Relation{Follows: c.from}, FollowsAt: noon}
		step, err := f.Leave()
		wantRefusal(t, "from "+string(c.from), err, c.err)
		want := FollowStep{From: c.from, Follow: Follow{FollowerUserID: ana, FollowedUserID: ben, Status: NotFollowing, FollowedAt: noon}}
		if err == nil && step != want {
			t.Errorf("from %q: %+v, want %+v", c.from, step, want)
		}
	}
}

func TestAnswer(t *testing.T) {
	unasked := "User `" + string(ben) + "` has not requested to follow user `" + string(ana) + "`"
	already := "User `" + string(ben) + "` already follows user `" + string(ana) + "` with status "
	for _, c := range []struct {
		from   FollowStatus
		action FollowAction
		to     FollowStatus
		err    string
	}{
		{"", Accept, "", unasked},
		{"", Deny, "", unasked},
		{FollowRequested, Accept, Following, ""},
		{FollowDenied, Accept, Following, ""},
		{Following, Accept, "", already + "`FOLLOWING`"},
		{FollowRequested, Deny, FollowDenied, ""},
		{Following, Deny, FollowDenied, ""},
		{FollowDenied, Deny, "", already + "`DENIED`"},
	} {
		f := UserFacts{Viewer: ana, Read: BothWays, User: &User{UserID: ben}, Relation: Relation{FollowedBy: c.from}, FollowedByAt: noon}
		step, err := f.Answer(c.action)
		wantRefusal(t, fmt.Sprintf("from %s, action %d", c.from, c.action), err, c.err)
		want := FollowStep{From: c.from, Follow: Follow{FollowerUserID: ben, FollowedUserID: ana, Status: c.to, FollowedAt: noon}}
		if err == nil && step != want {
			t.Errorf("%q, action %d: %+v, want %+v", c.from, c.action, step, want)
		}
	}
}

func TestFollowMoves(t *testing.T) {
	statuses := []FollowStatus{NotFollowing, FollowRequested, Following, FollowDenied}
	want := map[FollowStatus]map[FollowAction]FollowStatus{
		NotFollowing:    {AskPublic: Following, AskPrivate: FollowRequested},
		FollowRequested: {Accept: Following, Deny: FollowDenied, Leave: NotFollowing, Open: Following, Sever: NotFollowing},
		Following:       {Deny: FollowDenied, Leave: NotFollowing, Sever: NotFollowing},
		FollowDenied:    {Accept: Following, Open: NotFollowing, Sever: NotFollowing},
	}
	for _, from := range statuses {
		for action := AskPublic; action <= Sever; action++ {
			to, ok := from.Next(action)
			wanted, allowed := want[from][action]
			if ok != allowed || to != wanted {
				t.Errorf("%s, action %d: %q, %v; want %q, %v", from, action, to, ok, wanted, allowed)
			}
		}
	}
}

func TestWhatAStepCounts(t *testing.T) {
	for _, c := range []struct {
		from, to            FollowStatus
		following, requests int
	}{
		{NotFollowing, Following, 1, 0},
		{NotFollowing, FollowRequested, 0, 1},
		{FollowRequested, Following, 1, -1},
		{FollowRequested, FollowDenied, 0, -1},
		{FollowRequested, NotFollowing, 0, -1},
		{Following, FollowDenied, -1, 0},
		{Following, NotFollowing, -1, 0},
		{FollowDenied, Following, 1, 0},
		{FollowDenied, NotFollowing, 0, 0},
	} {
		step := FollowStep{From: c.from, Follow: Follow{FollowerUserID: ana, FollowedUserID: ben, Status: c.to}}
		if following, requests := step.Shift(); following != c.following || requests != c.requests {
			t.Errorf("%s to %s: %d, %d", c.from, c.to, following, requests)
		}
		followed := UserFacts{User: &User{UserID: ben, FollowerCount: 5, FollowersRequestedCount: 5}}.After(step)
		if followed.User.FollowerCount != 5+c.following || followed.User.FollowersRequestedCount != 5+c.requests || followed.Relation.Follows != c.to {
			t.Errorf("%s to %s: the followed user is %+v", c.from, c.to, followed)
		}
		follower := UserFacts{User: &User{UserID: ana, FollowedCount: 5}}.After(step)
		if follower.User.FollowedCount != 5+c.following || follower.Relation.FollowedBy != c.to {
			t.Errorf("%s to %s: the follower is %+v", c.from, c.to, follower)
		}
	}
}

func TestAfterLeavesTheFactsItCameFrom(t *testing.T) {
	before := UserFacts{User: &User{UserID: ben}}
	step := FollowStep{From: Following, Follow: Follow{FollowerUserID: ana, FollowedUserID: ben, Status: NotFollowing}}
	after := before.After(step)
	if before.User.FollowerCount != 0 || after.User.FollowerCount != 0 {
		t.Errorf("counts %d and %d, want none below zero", before.User.FollowerCount, after.User.FollowerCount)
	}
	if before.Relation.Follows != "" {
		t.Errorf("the facts before now say %q", before.Relation.Follows)
	}
}
