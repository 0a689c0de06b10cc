package user_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"stoa/internal/outbox"
	"stoa/internal/outbox/outboxtest"
	"stoa/social"
)

func ptr[T any](v T) *T { return &v }

func TestSetDetails(t *testing.T) {
	w := newWorld(t)
	ana := w.user(social.User{Username: "ana", FullName: "Ana", Bio: "old", ThemeCode: "blue"})
	w.calls.Reset()
	seen := must[*social.SeenUser](t)(w.service.SetDetails(t.Context(), ana, social.UserDetails{
		FullName: ptr(""), DisplayName: ptr("A"), Bio: ptr("new"), ThemeCode: ptr(""), LikesDisabled: ptr(true), Privacy: ptr(social.Private),
	}))
	if w.calls.Total() != 1 {
		t.Errorf("setting details costs %v besides the caller's check", w.calls)
	}
	stored := w.profile(ana.UserID)
	for who, u := range map[string]*social.SeenUser{"answer": seen, "store": social.OwnFacts(ana.Viewer, stored).See()} {
		if u.FullName() != nil || *u.DisplayName() != "A" || *u.Bio() != "new" || *u.ThemeCode() != social.DefaultThemeCode ||
			!*u.LikesDisabled() || *u.CommentsDisabled() || *u.PrivacyStatus() != social.Private || u.Username() != "ana" {
			t.Errorf("the %s has other details", who)
		}
	}
	w.wantEvents(social.UserChanged{UserID: ana.UserID})
}

func TestEqualDetailsWriteNothing(t *testing.T) {
	w := newWorld(t)
	ana := w.user(social.User{Username: "ana", Bio: "b"})
	w.calls.Reset()
	seen := must[*social.SeenUser](t)(w.service.SetDetails(t.Context(), ana, social.UserDetails{
		Username: ptr("ana"), Bio: ptr("b"), FullName: ptr(""), Privacy: ptr(social.Public),
	}))
	if w.calls.Total() != 0 || *seen.Bio() != "b" {
		t.Errorf("calls %v, bio %q", w.calls, *seen.Bio())
	}
}

func TestDetailsOfTwoCallsDoNotUndoEachOther(t *testing.T) {
	w := newWorld(t)
	ana := w.user(social.User{Username: "ana"})
	must[*social.SeenUser](t)(w.service.SetDetails(t.Context(), ana, social.UserDetails{Bio: ptr("b")}))
	// The same caller, as read before the first call.
	must[*social.SeenUser](t)(w.service.SetDetails(t.Context(), ana, social.UserDetails{FullName: ptr("Ana")}))
	if got := w.profile(ana.UserID); got.Bio != "b" || got.FullName != "Ana" {
		t.Errorf("stored %q, %q", got.Bio, got.FullName)
	}
}

func TestRename(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user(social.User{Username: "ana"}), w.user(social.User{Username: "Ben"})
	for _, c := range []struct {
		to, err   string
		available map[string]social.UsernameStatus
	}{
		{"BEN", "Username `BEN` already taken (case-insensitive cmp)", map[string]social.UsernameStatus{"ana": social.UsernameNotAvailable, "ben": social.UsernameNotAvailable}},
		{"ANA", "", map[string]social.UsernameStatus{"ANA": social.UsernameNotAvailable}},
		{"anna", "", map[string]social.UsernameStatus{"anna": social.UsernameNotAvailable, "ana": social.UsernameAvailable}},
	} {
		before := w.profile(ana.UserID)
		_, err := w.service.SetDetails(t.Context(), social.Caller{Viewer: ana.Viewer, User: before}, social.UserDetails{Username: &c.to, Bio: ptr("to " + c.to)})
		refused(t, c.to, err, c.err)
		got := w.profile(ana.UserID)
		want := *before
		if c.err == "" {
			want.Username, want.UsernameLastValue, want.UsernameLastChangedAt, want.Bio = c.to, before.Username, now, "to "+c.to
		}
		if got.Username != want.Username || got.UsernameLastValue != want.UsernameLastValue || got.UsernameLastChangedAt != want.UsernameLastChangedAt || got.Bio != want.Bio {
			t.Errorf("%s: stored %+v, want %+v", c.to, got, want)
		}
		for name, status := range c.available {
			if got := must[social.UsernameStatus](t)(w.service.UsernameStatus(t.Context(), name)); got != status {
				t.Errorf("after %s, %s is %s", c.to, name, got)
			}
		}
	}
	// Somebody else takes the name that has become free, and mentions follow the spelling.
	must[*social.SeenUser](t)(w.service.SetDetails(t.Context(), ben, social.UserDetails{Username: ptr("ana")}))
	if tags := must[[]social.TextTag](t)(w.service.Tags(t.Context(), "@ana @anna @ANA")); len(tags) != 2 || tags[0].UserID != ben.UserID || tags[1].UserID != ana.UserID {
		t.Errorf("tags %v", tags)
	}
}

func TestRenamingTwiceAtTheSameTime(t *testing.T) {
	w := newWorld(t)
	ana := w.user(social.User{Username: "ana"})
	w.service.Store = &meanwhile{w.store.Users, func() {
		must[*social.SeenUser](t)(w.service.SetDetails(t.Context(), ana, social.UserDetails{Username: ptr("first")}))
	}}
	must[*social.SeenUser](t)(w.service.SetDetails(t.Context(), ana, social.UserDetails{Username: ptr("second")}))
	if got := w.profile(ana.UserID); got.Username != "second" || got.UsernameLastValue != "first" {
		t.Errorf("stored %s after %s", got.Username, got.UsernameLastValue)
	}
	for name, want := range map[string]social.UsernameStatus{"ana": social.UsernameAvailable, "first": social.UsernameAvailable, "second": social.UsernameNotAvailable} {
		if got := must[social.UsernameStatus](t)(w.service.UsernameStatus(t.Context(), name)); got != want {
			t.Errorf("%s is %s", name, got)
		}
	}
}

func TestOneOfManyGetsTheNewName(t *testing.T) {
	w := newWorld(t)
	var callers []social.Caller
	for _, name := range []string{"aaa", "bbb", "ccc", "ddd"} {
		callers = append(callers, w.user(social.User{Username: name}))
	}
	var mu sync.Mutex
	refusals := 0
	var all sync.WaitGroup
	for _, c := range callers {
		all.Go(func() {
			_, err := w.service.SetDetails(context.Background(), c, social.UserDetails{Username: ptr("wanted")})
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				refusals++
				refused(t, "taken", err, "Username `wanted` already taken (case-insensitive cmp)")
			}
		})
	}
	all.Wait()
	if refusals != 3 {
		t.Errorf("%d of 4 were refused", refusals)
	}
	free := 0
	for _, c := range callers {
		if must[social.UsernameStatus](t)(w.service.UsernameStatus(t.Context(), c.User.Username)) == social.UsernameAvailable {
			free++
		}
	}
	if free != 1 {
		t.Errorf("%d old names are free, want the winner's", free)
	}
}

// opening brings about what the follow area does to the counts of a user who goes public.
type opening struct {
	*outboxtest.Recorder
	w *world
}

func (o opening) Committed(ctx context.Context, records ...outbox.Record) {
	o.Recorder.Committed(ctx, records...)
	for _, e := range outboxtest.Of[social.UserOpened](o.w.t, records) {
		from := o.w.profile(e.UserID)
		to := *from
		to.FollowerCount, to.FollowersRequestedCount = 1, 0
		if err := o.w.store.Users.Change(ctx, from, &to); err != nil {
			o.w.t.Error(err)
		}
	}
}

func TestGoingPublicOpensFollowsBeforeTheAnswer(t *testing.T) {
	w := newWorld(t)
	w.service.Events.Dispatcher = opening{&w.events, w}
	ana := w.user(social.User{Username: "ana", Privacy: social.Private, FollowersRequestedCount: 1})
	seen := must[*social.SeenUser](t)(w.service.SetDetails(t.Context(), ana, social.UserDetails{Privacy: ptr(social.Public)}))
	if *seen.PrivacyStatus() != social.Public || *seen.FollowerCount() != 1 {
		t.Errorf("answered %s with %d followers", *seen.PrivacyStatus(), *seen.FollowerCount())
	}
	w.wantEvents(social.UserChanged{UserID: ana.UserID}, social.UserOpened{UserID: ana.UserID})
}

func TestRefusedDetailsChangeNothing(t *testing.T) {
	w := newWorld(t)
	ana := w.user(social.User{Username: "ana"})
	w.user(social.User{Username: "ben"})
	long := strings.Repeat("x", social.MaxProfileText+1)
	for name, c := range map[string]struct {
		details social.UserDetails
		want    string
	}{
		"nothing":      {social.UserDetails{}, "Called without any arguments... probably not what you intended?"},
		"a taken name": {social.UserDetails{Username: ptr("Ben"), Bio: ptr("b"), Privacy: ptr(social.Private)}, "Username `Ben` already taken (case-insensitive cmp)"},
		"a long text":  {social.UserDetails{Username: ptr("other"), Bio: &long}, "bio is 65537 bytes long: shorten it to at most 65536"},
	} {
		_, err := w.service.SetDetails(t.Context(), ana, c.details)
		refused(t, name, err, c.want)
		if got := w.profile(ana.UserID); got.Username != "ana" || got.Bio != "" || got.Privacy != social.Public {
			t.Errorf("%s: stored %+v", name, got)
		}
	}
}
