package follow_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"stoa/internal/outbox"
	"stoa/internal/outbox/outboxtest"
	"stoa/social"
	"stoa/social/follow"
	"stoa/store/storetest"
)

func TestFollowingAPublicUser(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user(social.User{Username: "ana"}), w.user(social.User{Username: "ben"})
	w.calls.Reset()
	seen := must[*social.SeenUser](t)(w.service.Request(t.Context(), ana, ben.UserID))
	if n := w.calls.Total(); n > 3 {
		t.Errorf("%d calls besides the caller's check: %v", n, w.calls)
	}
	if seen.UserID() != ben.UserID || seen.FollowedStatus() != social.Following || *seen.FollowerCount() != 1 {
		t.Errorf("answered %s, followers %d", seen.FollowedStatus(), *seen.FollowerCount())
	}
	w.wantCounts(ana.UserID, 1, 0, 0)
	w.wantCounts(ben.UserID, 0, 1, 0)
	stored, committed := outboxtest.Of[social.FollowMoved](t, w.outbox()), outboxtest.Of[social.FollowMoved](t, w.events.Records())
	want := []social.FollowMoved{{FollowerUserID: ana.UserID, FollowedUserID: ben.UserID, From: social.NotFollowing, To: social.Following}}
	if !slices.Equal(stored, want) || !slices.Equal(committed, want) {
		t.Errorf("stored %+v, committed %+v", stored, committed)
	}
}

func TestAPrivateUserIsAskedAndAnswers(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user(social.User{Username: "ana"}), w.user(social.User{Username: "ben", Privacy: social.Private})
	seen := must[*social.SeenUser](t)(w.service.Request(t.Context(), ana, ben.UserID))
	if seen.FollowedStatus() != social.FollowRequested || seen.FollowerCount() != nil {
		t.Errorf("answered %s, followers %v", seen.FollowedStatus(), seen.FollowerCount())
	}
	w.wantCounts(ben.UserID, 0, 0, 1)
	at := must[social.Follow](t)(w.store.Follows.Pair(t.Context(), ana.UserID, ben.UserID)).FollowedAt

	for _, step := range []struct {
		answer                       func(context.Context, social.Caller, social.UserID) (*social.SeenUser, error)
		status                       social.FollowStatus
		followed, followers, waiting int
	}{
		{w.service.Deny, social.FollowDenied, 0, 0, 0},
		{w.service.Accept, social.Following, 1, 1, 0},
		{w.service.Deny, social.FollowDenied, 0, 0, 0},
	} {
		seen := must[*social.SeenUser](t)(step.answer(t.Context(), ben, ana.UserID))
		if seen.UserID() != ana.UserID || seen.FollowerStatus() != step.status || *seen.FollowedCount() != step.followed {
			t.Errorf("answered %s, %d followed; want %s, %d", seen.FollowerStatus(), *seen.FollowedCount(), step.status, step.followed)
		}
		w.wantCounts(ana.UserID, step.followed, 0, 0)
		w.wantCounts(ben.UserID, 0, step.followers, step.waiting)
	}
	if got := must[social.Follow](t)(w.store.Follows.Pair(t.Context(), ana.UserID, ben.UserID)).FollowedAt; got != at {
		t.Errorf("answers moved followedAt from %v to %v", at, got)
	}
	// Only the last answer took a follower away, and the feed was cleared after that.
}

func TestLeaving(t *testing.T) {
	w := newWorld(t)
	ana := w.user(social.User{Username: "ana"})
	ben, cem := w.user(social.User{Username: "ben"}), w.user(social.User{Username: "cem", Privacy: social.Private})
	for _, followed := range []social.Caller{ben, cem} {
		must[*social.SeenUser](t)(w.service.Request(t.Context(), ana, followed.UserID))
		seen := must[*social.SeenUser](t)(w.service.Leave(t.Context(), ana, followed.UserID))
		if seen.UserID() != followed.UserID || seen.FollowedStatus() != social.NotFollowing {
			t.Errorf("answered %s about %s", seen.FollowedStatus(), seen.Username())
		}
		w.wantCounts(followed.UserID, 0, 0, 0)
	}
	w.wantCounts(ana.UserID, 0, 0, 0)
	if n := len(w.outbox()); n != 4 {
		t.Errorf("%d events for 4 changes", n)
	}
}

func TestRefusals(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user(social.User{Username: "ana"}), w.user(social.User{Username: "ben"})
	off := w.user(social.User{Username: "off", Status: social.UserDisabled})
	hates, hated := w.user(social.User{Username: "hates"}), w.user(social.User{Username: "hated"})
	storetest.Block(t, w.calls, hates.UserID, ana.UserID)
	storetest.Block(t, w.calls, ana.UserID, hated.UserID)
	must[*social.SeenUser](t)(w.service.Request(t.Context(), ana, ben.UserID))
	nobody := storetest.UserID("nobody")
	events := len(w.outbox())

	type call = func(context.Context, social.Caller, social.UserID) (*social.SeenUser, error)
	request, leave, accept, deny := w.service.Request, w.service.Leave, w.service.Accept, w.service.Deny
	for _, c := range []struct {
		name string
		call call
		by   social.Caller
		to   social.UserID
		want string
	}{
		{"follow oneself", request, ana, ana.UserID, "User cannot follow themselves"},
		{"follow nobody", request, ana, nobody, "No user profile found for followed `{}`"},
		{"follow no id", request, ana, "x/y", "No user profile found for followed `{}`"},
		{"follow a disabled user", request, ana, off.UserID, "Cannot follow user with status `DISABLED`"},
		{"follow twice", request, ana, ben.UserID, "User `{ana}` already is or has requested to follow user `{}`"},
		{"follow who blocks", request, ana, hates.UserID, "User has been blocked by user `{}`"},
		{"follow whom one blocks", request, ana, hated.UserID, "User has blocked user `{}`"},
		{"leave a stranger", leave, ben, ana.UserID, "User `{ben}` is not following `{}`"},
		{"leave nobody", leave, ana, nobody, "User `{ana}` is not following `{}`"},
		{"leave no id", leave, ana, "", "User `{ana}` is not following `{}`"},
		{"leave oneself", leave, ana, ana.UserID, "User `{ana}` is not following `{}`"},
		{"accept who did not ask", accept, ana, ben.UserID, "User `{}` has not requested to follow user `{ana}`"},
		{"accept nobody", accept, ana, nobody, "User `{}` has not requested to follow user `{ana}`"},
		{"accept oneself", accept, ana, ana.UserID, "User `{}` has not requested to follow user `{ana}`"},
		{"deny who did not ask", deny, ana, ben.UserID, "User `{}` has not requested to follow user `{ana}`"},
		{"accept a follower", accept, ben, ana.UserID, "User `{}` already follows user `{ben}` with status `FOLLOWING`"},
	} {
		want := strings.NewReplacer("{}", string(c.to), "{ana}", string(ana.UserID), "{ben}", string(ben.UserID)).Replace(c.want)
		_, err := c.call(t.Context(), c.by, c.to)
		refused(t, c.name, err, want)
	}
	must[*social.SeenUser](t)(w.service.Deny(t.Context(), ben, ana.UserID))
	_, err := w.service.Deny(t.Context(), ben, ana.UserID)
	refused(t, "deny twice", err, "User `"+string(ana.UserID)+"` already follows user `"+string(ben.UserID)+"` with status `DENIED`")
	_, err = w.service.Leave(t.Context(), ana, ben.UserID)
	refused(t, "leave when denied", err, "User `"+string(ana.UserID)+"` already follows user `"+string(ben.UserID)+"` with status `DENIED`")
	if n := len(w.outbox()); n != events+1 {
		t.Errorf("refusals stored %d events", n-events-1)
	}
}

// meanwhile is a store in which something happens between a decision and its writing,
// once.
type meanwhile struct {
	follow.Store
	happens func()
}

func (m *meanwhile) Move(ctx context.Context, step social.FollowStep, e ...outbox.Record) error {
	if happens := m.happens; happens != nil {
		m.happens = nil
		happens()
	}
	return m.Store.Move(ctx, step, e...)
}

func TestWhatWasDecidedOnMayNotHoldAnyMore(t *testing.T) {
	for _, c := range []struct {
		name    string
		privacy social.PrivacyStatus
		happens func(w *world, ana, ben social.Caller)
		want    string
		status  social.FollowStatus
	}{
		{"they go public", social.Private, func(w *world, _, ben social.Caller) { w.open(ben.UserID) }, "", social.Following},
		{"the same request comes first", social.Private, func(w *world, ana, ben social.Caller) {
			must[*social.SeenUser](w.t)(w.service.Request(w.t.Context(), ana, ben.UserID))
		}, "User `{ana}` already follows user `{ben}` with status `REQUESTED`", social.FollowRequested},
		{"they block the caller", social.Public, func(w *world, ana, ben social.Caller) {
			storetest.Block(w.t, w.calls, ben.UserID, ana.UserID)
		}, "User has been blocked by user `{ben}`", social.NotFollowing},
		{"the caller blocks them", social.Public, func(w *world, ana, ben social.Caller) {
			storetest.Block(w.t, w.calls, ana.UserID, ben.UserID)
		}, "User has blocked user `{ben}`", social.NotFollowing},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			ana, ben := w.user(social.User{Username: "ana"}), w.user(social.User{Username: "ben", Privacy: c.privacy})
			w.service.Store = &meanwhile{w.store.Follows, func() { c.happens(w, ana, ben) }}
			_, err := w.service.Request(t.Context(), ana, ben.UserID)
			want := strings.NewReplacer("{ana}", string(ana.UserID), "{ben}", string(ben.UserID)).Replace(c.want)
			refused(t, c.name, err, want)
			if got := w.status(ana.UserID, ben.UserID); got != c.status {
				t.Errorf("the follow is %s, want %s", got, c.status)
			}
		})
	}
}

func TestAnAnswerAndAWithdrawalMeet(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user(social.User{Username: "ana"}), w.user(social.User{Username: "ben", Privacy: social.Private})
	must[*social.SeenUser](t)(w.service.Request(t.Context(), ana, ben.UserID))
	w.service.Store = &meanwhile{w.store.Follows, func() {
		must[*social.SeenUser](t)(w.service.Leave(t.Context(), ana, ben.UserID))
	}}
	_, err := w.service.Accept(t.Context(), ben, ana.UserID)
	refused(t, "accept", err, "User `"+string(ana.UserID)+"` has not requested to follow user `"+string(ben.UserID)+"`")
	w.wantCounts(ana.UserID, 0, 0, 0)
	w.wantCounts(ben.UserID, 0, 0, 0)
}

func TestOneOfManyEqualRequestsWins(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user(social.User{Username: "ana"}), w.user(social.User{Username: "ben"})
	var mu sync.Mutex
	var texts []string
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			_, err := w.service.Request(context.Background(), ana, ben.UserID)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				texts = append(texts, err.Error())
			}
		})
	}
	all.Wait()
	if len(texts) != 7 {
		t.Errorf("%d of 8 requests were refused", len(texts))
	}
	for _, text := range texts {
		if !strings.Contains(text, " already ") {
			t.Errorf("refused with %q", text)
		}
	}
	w.wantCounts(ana.UserID, 1, 0, 0)
	w.wantCounts(ben.UserID, 0, 1, 0)
	if n := len(w.outbox()); n != 1 {
		t.Errorf("%d events for one follow", n)
	}
}

func TestManyFollowOneAtTheSameTime(t *testing.T) {
	w := newWorld(t)
	ben := w.user(social.User{Username: "ben"})
	var followers []social.Caller
	for _, name := range []string{"u01", "u02", "u03", "u04", "u05", "u06"} {
		followers = append(followers, w.user(social.User{Username: name}))
	}
	var all sync.WaitGroup
	for _, f := range followers {
		all.Go(func() {
			for range 3 {
				if _, err := w.service.Request(context.Background(), f, ben.UserID); err != nil {
					t.Error(err)
				}
				if _, err := w.service.Leave(context.Background(), f, ben.UserID); err != nil {
					t.Error(err)
				}
			}
			if _, err := w.service.Request(context.Background(), f, ben.UserID); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	w.wantCounts(ben.UserID, 0, len(followers), 0)
}
