package store_test

import (
	"reflect"
	"testing"
	"time"

	"stoa/internal/kit/page"
	"stoa/social"
	"stoa/store/storetest"
)

func TestEventsWaitInTheOrderOfTheirTimes(t *testing.T) {
	s, _ := storetest.Open(t)
	ana := storetest.User(t, s, social.User{Username: "ana"})
	ben := storetest.User(t, s, social.User{Username: "ben"})
	var want []social.Event
	// A later id is no later event, and microseconds count.
	for i, id := range []string{"z", "y", "x"} {
		step := social.FollowStep{From: social.NotFollowing, Follow: social.Follow{
			FollowerUserID: storetest.UserID(id), FollowedUserID: ana.UserID, Status: social.FollowRequested, FollowedAt: storetest.Noon,
		}}
		e := step.Event(id, storetest.Noon.Add(time.Duration(i)*time.Microsecond))
		if err := s.Follows.Move(t.Context(), step, e); err != nil {
			t.Fatal(err)
		}
		want = append(want, e)
	}
	post := &social.Post{PostID: "p", PostedByUserID: ben.UserID, Type: social.TextOnly, Status: social.PostCompleted, PostedAt: storetest.Noon, Text: "t"}
	published := social.Event{ID: "p", At: storetest.Noon, Kind: social.PostMoved, UserID: ben.UserID, PostID: "p", PostTo: social.PostCompleted}
	if err := s.Posts.Add(t.Context(), post, published); err != nil {
		t.Fatal(err)
	}
	pending := func(e social.Event, q page.Query) page.Page[social.Event] {
		p, err := s.Outbox.Pending(t.Context(), e.Shard(), q)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if want[0].Shard() == published.Shard() {
		t.Fatal("the test needs users of two shards")
	}
	if got := pending(published, page.Query{First: 10}).Items; !reflect.DeepEqual(got, []social.Event{published}) {
		t.Errorf("pending %+v", got)
	}

	first := pending(want[0], page.Query{First: 2})
	if err := s.Outbox.Done(t.Context(), want[0].Shard(), first.Items); err != nil {
		t.Fatal(err)
	}
	rest := pending(want[0], page.Query{First: 2, After: first.Next})
	if got := append(first.Items, rest.Items...); !reflect.DeepEqual(got, want) || rest.Next != "" {
		t.Errorf("pending %+v, want %+v", got, want)
	}
	// Removing twice is as good as once.
	if err := s.Outbox.Done(t.Context(), want[0].Shard(), want); err != nil {
		t.Fatal(err)
	}
	if got := pending(want[0], page.Query{First: 2}); len(got.Items) != 0 {
		t.Errorf("after all are done, pending %+v", got)
	}
}
