package post_test

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/turns"
	"stoa/social"
	"stoa/social/post"
	. "stoa/social/socialtest"
	"stoa/social/user"
	"stoa/store"
	"stoa/store/storetest"
)

const inOrder = `{ self { posts { items { postId } } feed { items { postId } } } }`

// Lists keep the order of requests, even at the same instant.
func TestPostsOfOneOperationKeepTheirOrder(t *testing.T) {
	Test(t, Users("ana"), func(w *World) {
		w.Must("ana", `mutation {
			first: addPost(postId: "z", postType: TEXT_ONLY, text: "x") { postId }
			second: addPost(postId: "a", postType: TEXT_ONLY, text: "x") { postId }
			third: addPost(postId: "m", postType: TEXT_ONLY, text: "x") { postId }
		}`)
		w.Play(
			Scenario{
				As:    "ana",
				Query: inOrder,
				Want:  `{"self": {"posts": {"items": [{"postId": "m"}, {"postId": "a"}, {"postId": "z"}]}, "feed": {"items": [{"postId": "m"}, {"postId": "a"}, {"postId": "z"}]}}}`,
			},
		)
	})
}

// A post that another overtakes while it is being added comes after it.
func TestAPostComesAfterOneThatComesInBetween(t *testing.T) {
	Run(t, []Scenario{{
		Name:  "another comes in between",
		Given: Users("ana"),
		As:    "ana", Query: `mutation { addPost(postId: "a", postType: TEXT_ONLY, text: "x") { postId } }`,
		Meanwhile: Given{}.Post("ana", "z"),
		Want:      `{"addPost": {"postId": "a"}}`,
		Then: []Scenario{
			{As: "ana", Query: inOrder, Want: `{"self": {"posts": {"items": [{"postId": "a"}, {"postId": "z"}]}, "feed": {"items": [{"postId": "a"}, {"postId": "z"}]}}}`},
		},
	}})
}

// Posts of a user have increasing times, with requests at the same instant and in
// processes whose clocks differ.
func TestPostsOfAUserRise(t *testing.T) {
	const posts = 6
	s, _ := storetest.Open(t)
	ana := storetest.Caller(storetest.User(t, s, social.User{Username: "ana"}))
	var mu sync.Mutex
	taken := map[time.Time]bool{}
	var group sync.WaitGroup
	for k, behind := range []time.Duration{0, 3 * time.Millisecond} {
		process := process(s, func() time.Time { return storetest.Noon.Add(time.Second - behind) })
		group.Go(func() {
			var last time.Time
			for n := range posts {
				p, err := process.Add(t.Context(), ana, textPost(fmt.Sprintf("p%d-%d", k, n)), 0)
				if err != nil {
					t.Error(err)
					return
				}
				if at := p.PostedAt(); at.Sub(last) < time.Microsecond {
					t.Errorf("post %d of process %d is of %v, the one before of %v", n, k, at, last)
				}
				last = p.PostedAt()
				mu.Lock()
				taken[last] = true
				mu.Unlock()
			}
		})
	}
	group.Wait()
	if len(taken) != 2*posts {
		t.Errorf("%d posts are of %d different times", 2*posts, len(taken))
	}
}

// A time ahead of the clock has passed when the mutation is answered. The cached
// profile of the caller may be older than their last post.
func TestAddWaitsForTheTimeOfItsPost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, knows := range []bool{true, false} {
			s, _ := storetest.Open(t)
			began := time.Now()
			now := func() time.Time { return storetest.Noon.Add(time.Second + time.Since(began)) }
			last := now().Add(40 * time.Millisecond)
			ana := storetest.Caller(storetest.User(t, s, social.User{Username: "ana", LastPostedAt: last}))
			if !knows {
				ana.User.LastPostedAt = time.Time{}
			}
			p, err := process(s, now).Add(t.Context(), ana, textPost("p1"), 0)
			if err != nil {
				t.Fatal(err)
			}
			if want := last.Add(time.Microsecond); !p.PostedAt().Equal(want) || now().Before(want) {
				t.Errorf("known %t: a post of %v is answered at %v, want %v", knows, p.PostedAt(), now(), want)
			}
		}
	})
}

// process returns the post area of a process with its own clock, which notifies nobody.
func process(s *store.Store, clock func() time.Time) *post.Service {
	return &post.Service{Store: s.Posts, Albums: s.Albums, People: &user.Service{Store: s.Users}, Frame: decision.Frame{Clock: clock}, Adding: turns.New(1)}
}

func textPost(id string) social.NewPost {
	return social.NewPost{PostID: social.PostID(id), Type: social.TextOnly, Text: "x"}
}
