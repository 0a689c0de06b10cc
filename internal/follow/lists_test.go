package follow_test

import (
	"fmt"
	"slices"
	"testing"

	"stoa"
	"stoa/internal/kit/page"
)

// own and foreign are users as they see themselves and as strangers see them.
func own(c stoa.Caller) *stoa.SeenUser { return c.User.See(stoa.Relation{Self: true}) }

func foreign(c stoa.Caller, r stoa.Relation) *stoa.SeenUser { return c.User.See(r) }

func names(w *world, p *page.Page[stoa.UserID]) []string {
	if p == nil {
		return nil
	}
	list := []string{}
	for _, id := range p.Items {
		list = append(list, w.names[id])
	}
	return list
}

func TestLists(t *testing.T) {
	w := newWorld(t)
	ana := w.user(stoa.User{Username: "ana"})
	for _, u := range []stoa.User{
		{Username: "first"}, {Username: "second"}, {Username: "asked", Privacy: stoa.Private}, {Username: "denies", Privacy: stoa.Private},
	} {
		must[*stoa.SeenUser](t)(w.service.Request(t.Context(), ana, w.user(u).UserID))
	}
	ids := map[string]stoa.UserID{}
	for id, name := range w.names {
		ids[name] = id
	}
	denies := stoa.Caller{Viewer: stoa.Viewer{UserID: ids["denies"]}, User: w.profile(ids["denies"])}
	asked := stoa.Caller{Viewer: stoa.Viewer{UserID: ids["asked"]}, User: w.profile(ids["asked"])}
	must[*stoa.SeenUser](t)(w.service.Deny(t.Context(), denies, ana.UserID))

	for status, want := range map[stoa.FollowStatus][]string{
		stoa.Following: {"second", "first"}, stoa.Requested: {"asked"}, stoa.FollowDenied: {"denies"}, stoa.FollowSelf: {},
	} {
		got := names(w, must[*page.Page[stoa.UserID]](t)(w.service.Followed(t.Context(), own(ana), &status, page.Args{})))
		if !slices.Equal(got, want) {
			t.Errorf("followed with status %s: %v, want %v", status, got, want)
		}
	}
	requested, denied := stoa.Requested, stoa.FollowDenied
	if got := names(w, must[*page.Page[stoa.UserID]](t)(w.service.Followers(t.Context(), own(asked), &requested, page.Args{}))); !slices.Equal(got, []string{"ana"}) {
		t.Errorf("requests: %v", got)
	}
	if got := names(w, must[*page.Page[stoa.UserID]](t)(w.service.Followers(t.Context(), own(denies), &denied, page.Args{}))); !slices.Equal(got, []string{"ana"}) {
		t.Errorf("denied: %v", got)
	}
	if got := names(w, must[*page.Page[stoa.UserID]](t)(w.service.Followed(t.Context(), own(ana), nil, page.Args{}))); !slices.Equal(got, []string{"second", "first"}) {
		t.Errorf("without a status: %v", got)
	}
}

func TestListsAreReadByThePage(t *testing.T) {
	w := newWorld(t)
	ben := w.user(stoa.User{Username: "ben"})
	var want []string
	for i := range 5 {
		name := fmt.Sprintf("u%d", i)
		must[*stoa.SeenUser](t)(w.service.Request(t.Context(), w.user(stoa.User{Username: name}), ben.UserID))
		want = append([]string{name}, want...)
	}
	two := 2
	var got []string
	var token *string
	for range 3 {
		w.calls.Reset()
		p := must[*page.Page[stoa.UserID]](t)(w.service.Followers(t.Context(), own(ben), nil, page.Args{Limit: &two, NextToken: token}))
		if w.calls.Total() != 1 {
			t.Errorf("a page costs %v", w.calls)
		}
		got = append(got, names(w, p)...)
		token = p.Token()
	}
	if !slices.Equal(got, want) || token != nil {
		t.Errorf("pages hold %v, want %v; the last token is %v", got, want, token)
	}
	_, err := w.service.Followed(t.Context(), own(ben), nil, page.Args{Limit: &two, NextToken: must[*page.Page[stoa.UserID]](t)(
		w.service.Followers(t.Context(), own(ben), nil, page.Args{Limit: &two})).Token()})
	refused(t, "another list's token", err, page.ErrToken.Error())
}

func TestWhoMayReadTheLists(t *testing.T) {
	w := newWorld(t)
	hidden := true
	open, private := w.user(stoa.User{Username: "open"}), w.user(stoa.User{Username: "private", Privacy: stoa.Private})
	modest := w.user(stoa.User{Username: "modest", FollowCountsHidden: &hidden})
	following, requested, not := stoa.Following, stoa.Requested, stoa.NotFollowing
	zero := 0
	for _, c := range []struct {
		name   string
		of     *stoa.SeenUser
		status *stoa.FollowStatus
		args   page.Args
		shown  bool
		want   string
	}{
		{"a stranger of a public user", foreign(open, stoa.Relation{}), nil, page.Args{}, true, ""},
		{"a stranger of a private user", foreign(private, stoa.Relation{Follows: stoa.Requested}), &following, page.Args{}, false, ""},
		{"a follower of a private user", foreign(private, stoa.Relation{Follows: stoa.Following}), nil, page.Args{}, true, ""},
		{"a blocked viewer", foreign(open, stoa.Relation{BlockedBy: true}), nil, page.Args{}, false, ""},
		{"hidden counts", foreign(modest, stoa.Relation{Follows: stoa.Following}), nil, page.Args{}, false, ""},
		{"hidden counts, oneself", own(modest), nil, page.Args{}, true, ""},
		{"no follows", own(open), &not, page.Args{}, false, "Cannot request followStatus of NOT_FOLLOWING"},
		{"no follows of others, with a bad size", foreign(open, stoa.Relation{}), &not, page.Args{Limit: &zero}, false, "Cannot request followStatus of NOT_FOLLOWING"},
		{"requests of others, with a bad size", foreign(private, stoa.Relation{Follows: stoa.Following}), &requested, page.Args{Limit: &zero}, false,
			"May only query FOLLOWING relationships of other users"},
		{"a bad size comes before privacy", foreign(private, stoa.Relation{}), nil, page.Args{Limit: &zero}, false, page.ErrLimit.Error()},
	} {
		for list, read := range map[string]func() (*page.Page[stoa.UserID], error){
			"followed": func() (*page.Page[stoa.UserID], error) {
				return w.service.Followed(t.Context(), c.of, c.status, c.args)
			},
			"followers": func() (*page.Page[stoa.UserID], error) {
				return w.service.Followers(t.Context(), c.of, c.status, c.args)
			},
		} {
			p, err := read()
			refused(t, c.name+", "+list, err, c.want)
			if (p != nil) != c.shown {
				t.Errorf("%s, %s: %v", c.name, list, p)
			}
		}
	}
}
