package follow_test

import (
	"fmt"
	"slices"
	"testing"

	"stoa/internal/kit/page"
	"stoa/social"
)

// own and foreign are users as they see themselves and as strangers see them.
func own(c social.Caller) *social.SeenUser { return c.See() }

func foreign(c social.Caller, r social.Relation) *social.SeenUser {
	return social.UserFacts{Viewer: "stranger", User: c.User, Relation: r}.See()
}

func names(w *world, p *page.Page[social.UserID]) []string {
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
	ana := w.user(social.User{Username: "ana"})
	for _, u := range []social.User{
		{Username: "first"}, {Username: "second"}, {Username: "asked", Privacy: social.Private}, {Username: "denies", Privacy: social.Private},
	} {
		must[*social.SeenUser](t)(w.service.Request(t.Context(), ana, w.user(u).UserID))
	}
	ids := map[string]social.UserID{}
	for id, name := range w.names {
		ids[name] = id
	}
	denies := social.Caller{Viewer: social.Viewer{UserID: ids["denies"]}, User: w.profile(ids["denies"])}
	asked := social.Caller{Viewer: social.Viewer{UserID: ids["asked"]}, User: w.profile(ids["asked"])}
	must[*social.SeenUser](t)(w.service.Deny(t.Context(), denies, ana.UserID))

	for status, want := range map[social.FollowStatus][]string{
		social.Following: {"second", "first"}, social.FollowRequested: {"asked"}, social.FollowDenied: {"denies"}, social.FollowSelf: {},
	} {
		got := names(w, must[*page.Page[social.UserID]](t)(w.service.Followed(t.Context(), own(ana), &status, page.Args{})))
		if !slices.Equal(got, want) {
			t.Errorf("followed with status %s: %v, want %v", status, got, want)
		}
	}
	requested, denied := social.FollowRequested, social.FollowDenied
	if got := names(w, must[*page.Page[social.UserID]](t)(w.service.Followers(t.Context(), own(asked), &requested, page.Args{}))); !slices.Equal(got, []string{"ana"}) {
		t.Errorf("requests: %v", got)
	}
	if got := names(w, must[*page.Page[social.UserID]](t)(w.service.Followers(t.Context(), own(denies), &denied, page.Args{}))); !slices.Equal(got, []string{"ana"}) {
		t.Errorf("denied: %v", got)
	}
	if got := names(w, must[*page.Page[social.UserID]](t)(w.service.Followed(t.Context(), own(ana), nil, page.Args{}))); !slices.Equal(got, []string{"second", "first"}) {
		t.Errorf("without a status: %v", got)
	}
}

func TestListsAreReadByThePage(t *testing.T) {
	w := newWorld(t)
	ben := w.user(social.User{Username: "ben"})
	var want []string
	for i := range 5 {
		name := fmt.Sprintf("u%d", i)
		must[*social.SeenUser](t)(w.service.Request(t.Context(), w.user(social.User{Username: name}), ben.UserID))
		want = append([]string{name}, want...)
	}
	two := 2
	var got []string
	var token *string
	for range 3 {
		w.calls.Reset()
		p := must[*page.Page[social.UserID]](t)(w.service.Followers(t.Context(), own(ben), nil, page.Args{Limit: &two, NextToken: token}))
		if w.calls.Total() != 1 {
			t.Errorf("a page costs %v", w.calls)
		}
		got = append(got, names(w, p)...)
		token = p.NextToken()
	}
	if !slices.Equal(got, want) || token != nil {
		t.Errorf("pages hold %v, want %v; the last token is %v", got, want, token)
	}
	_, err := w.service.Followed(t.Context(), own(ben), nil, page.Args{Limit: &two, NextToken: must[*page.Page[social.UserID]](t)(
		w.service.Followers(t.Context(), own(ben), nil, page.Args{Limit: &two})).NextToken()})
	refused(t, "another list's token", err, page.ErrToken.Error())
}

func TestWhoMayReadTheLists(t *testing.T) {
	w := newWorld(t)
	hidden := true
	open, private := w.user(social.User{Username: "open"}), w.user(social.User{Username: "private", Privacy: social.Private})
	modest := w.user(social.User{Username: "modest", FollowCountsHidden: &hidden})
	following, requested, not := social.Following, social.FollowRequested, social.NotFollowing
	zero := 0
	for _, c := range []struct {
		name   string
		of     *social.SeenUser
		status *social.FollowStatus
		args   page.Args
		shown  bool
		want   string
	}{
		{"a stranger of a public user", foreign(open, social.Relation{}), nil, page.Args{}, true, ""},
		{"a stranger of a private user", foreign(private, social.Relation{Follows: social.FollowRequested}), &following, page.Args{}, false, ""},
		{"a follower of a private user", foreign(private, social.Relation{Follows: social.Following}), nil, page.Args{}, true, ""},
		{"a blocked viewer", foreign(open, social.Relation{BlockedBy: true}), nil, page.Args{}, false, ""},
		{"hidden counts", foreign(modest, social.Relation{Follows: social.Following}), nil, page.Args{}, false, ""},
		{"hidden counts, oneself", own(modest), nil, page.Args{}, true, ""},
		{"no follows", own(open), &not, page.Args{}, false, "Cannot request followStatus of NOT_FOLLOWING"},
		{"no follows of others, with a bad size", foreign(open, social.Relation{}), &not, page.Args{Limit: &zero}, false, "Cannot request followStatus of NOT_FOLLOWING"},
		{"requests of others, with a bad size", foreign(private, social.Relation{Follows: social.Following}), &requested, page.Args{Limit: &zero}, false,
			"May only query FOLLOWING relationships of other users"},
		{"a bad size comes before privacy", foreign(private, social.Relation{}), nil, page.Args{Limit: &zero}, false, page.ErrLimit.Error()},
	} {
		for list, read := range map[string]func() (*page.Page[social.UserID], error){
			"followed": func() (*page.Page[social.UserID], error) {
				return w.service.Followed(t.Context(), c.of, c.status, c.args)
			},
			"followers": func() (*page.Page[social.UserID], error) {
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
