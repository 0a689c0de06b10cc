package seed

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"stoa/social"
)

func TestTheSameSeedInventsTheSameNetwork(t *testing.T) {
	a, b, other := invent(7, 60, "us-east-1"), invent(7, 60, "us-east-1"), invent(8, 60, "us-east-1")
	if !reflect.DeepEqual(a, b) {
		t.Error("the same seed gave two networks")
	}
	for i := range a.people {
		if !reflect.DeepEqual(a.posts(i), b.posts(i)) || !reflect.DeepEqual(a.followed(i), b.followed(i)) {
			t.Fatalf("person %d differs", i)
		}
	}
	if a.people[0].id == other.people[0].id {
		t.Error("another seed names the same person")
	}
}

func TestPeople(t *testing.T) {
	n := invent(1, 3000, "eu-west-1")
	names, ids := map[string]bool{}, map[social.UserID]bool{}
	for _, p := range n.people {
		if !p.id.Valid() || !strings.HasPrefix(string(p.id), "eu-west-1:") || !social.ValidUsername(p.username) {
			t.Errorf("%+v has no proper id or name", p)
		}
		names[social.FoldUsername(p.username)], ids[p.id] = true, true
	}
	if len(names) != len(n.people) || len(ids) != len(n.people) {
		t.Errorf("%d people have %d names and %d ids", len(n.people), len(names), len(ids))
	}
}

// Few people have many followers and most have few, as in real networks.
func TestFollowsHaveAHeavyTail(t *testing.T) {
	n := invent(1, 2000, "us-east-1")
	var counts []int
	total := 0
	for _, readers := range n.readers {
		counts = append(counts, len(readers))
		total += len(readers)
	}
	slices.Sort(counts)
	median, top := counts[len(counts)/2], counts[len(counts)-1]
	if mean := total / len(counts); mean < meanFollows/2 || mean > 2*meanFollows {
		t.Errorf("a person has %d followers on average, want about %d", mean, meanFollows)
	}
	if top < 10*median {
		t.Errorf("the most popular person has %d followers, the median %d: no heavy tail", top, median)
	}
	if len(n.follows[0]) < meanFollows {
		t.Errorf("the first person follows only %d", len(n.follows[0]))
	}
}

func TestFollowsGoToOthersOnce(t *testing.T) {
	for _, users := range []int{1, 2, 3, 300} {
		n := invent(1, users, "us-east-1")
		for i := range n.people {
			to := map[int32]bool{}
			for _, f := range n.follows[i] {
				if int(f.to) == i || to[f.to] {
					t.Fatalf("%d users: person %d follows %d twice or is %d", users, i, f.to, f.to)
				}
				to[f.to] = true
				if f.status != social.Following && !n.people[f.to].private {
					t.Fatalf("%d users: a public person answered a follow with %s", users, f.status)
				}
			}
			for _, f := range n.followed(i) {
				if f.FollowedAt.Before(n.signedUpAt(i)) || !f.FollowedAt.Before(epoch) {
					t.Fatalf("%d users: person %d followed at %s", users, i, f.FollowedAt)
				}
			}
		}
	}
}

// Users act only on posts that they can see, in a consistent order, and counters are
// correct.
func TestPostsAreWhatTheCountersSay(t *testing.T) {
	n := invent(3, 400, "us-east-1")
	var posts, comments, likes int
	for i, p := range n.people {
		readers := map[social.UserID]bool{}
		for _, k := range n.readers[i] {
			readers[n.people[k].id] = true
		}
		for _, w := range n.posts(i) {
			posts, comments, likes = posts+1, comments+len(w.comments), likes+len(w.likes)
			if w.post.PostedByUserID != p.id || w.post.PostedAt.Before(n.signedUpAt(i)) || !w.post.PostedAt.Before(epoch) {
				t.Fatalf("post %+v does not fit its owner", w.post)
			}
			checkTags(t, w.post.Text, w.post.TextTags)
			foreign := 0
			for _, c := range w.comments {
				if c.UserID != p.id {
					foreign++
				}
				if c.UserID != p.id && !readers[c.UserID] || !c.CommentedAt.After(w.post.PostedAt) || !c.CommentedAt.Before(epoch) {
					t.Fatalf("comment %+v does not fit its post", c)
				}
				checkTags(t, c.Text, c.TextTags)
			}
			if w.post.CommentCount != len(w.comments) || w.post.CommentsUnviewedCount != foreign || w.post.UnviewedCommentAt.IsZero() != (foreign == 0) {
				t.Fatalf("post %+v has %d comments, %d by others", w.post, len(w.comments), foreign)
			}
			byStatus, likers := map[social.LikeStatus]int{}, map[social.UserID]bool{}
			for _, l := range w.likes {
				byStatus[l.Status]++
				if likers[l.LikedByUserID] || !readers[l.LikedByUserID] {
					t.Fatalf("like %+v does not fit its post", l)
				}
				likers[l.LikedByUserID] = true
			}
			if w.post.OnymousLikeCount != byStatus[social.OnymouslyLiked] || w.post.AnonymousLikeCount != byStatus[social.AnonymouslyLiked] {
				t.Fatalf("post %+v has likes %v", w.post, byStatus)
			}
		}
	}
	if posts < 400 || comments < posts/2 || likes < posts {
		t.Errorf("only %d posts, %d comments and %d likes", posts, comments, likes)
	}
}

// checkTags compares tags with the mentions in the text.
func checkTags(t *testing.T, text string, tags []social.TextTag) {
	t.Helper()
	if strings.ContainsAny(text, "{}") {
		t.Errorf("%q has an open slot", text)
	}
	mentions := social.Mentions(text)
	if len(mentions) != len(tags) {
		t.Fatalf("%q mentions %q, tagged are %v", text, mentions, tags)
	}
	for i, tag := range tags {
		if tag.Tag != mentions[i] {
			t.Errorf("%q mentions %s, tagged is %s", text, mentions[i], tag.Tag)
		}
	}
}

func TestEverySlotHasWords(t *testing.T) {
	for _, sentence := range slices.Concat(postSentences, commentSentences) {
		fill(sentence, func(slot string) string {
			if slot != "friend" && len(slots[slot]) == 0 {
				t.Errorf("%q: nothing fills {%s}", sentence, slot)
			}
			return ""
		})
	}
}
