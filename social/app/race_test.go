package app_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"stoa/store"
	"stoa/store/storetest"
)

// Users who get into each other's way, while their events are delivered, leave behind
// what the model makes of the rows alone: every counter is the number of what it
// counts, every list and every feed holds what it should, and no two users share a name.
//
// They post in each round under the same few new ids, and delete posts of the round
// before: ids are never used again, as those of clients are not.
func TestUsersInEachOthersWay(t *testing.T) {
	const hands, rounds, acts = 8, 6, 50
	w := newWorld(t)
	w.restless.Store(true)
	delivering, end := context.WithCancel(t.Context())
	var delivered, done sync.WaitGroup
	delivered.Go(func() { w.app.Run(delivering) })
	ask := func(a act) {
		_, refusal, err := w.ask(a.by, a.document())
		if err != nil || refusal != "" && !strings.HasPrefix(refusal, "ClientError: ") {
			t.Errorf("%s %s: %q, %v", a.by, a, refusal, err)
		}
	}
	for _, a := range profiles() {
		ask(a)
	}
	var posts []string
	for round := range rounds {
		before := posts
		posts = []string{fmt.Sprint("p", round, "a"), fmt.Sprint("p", round, "b"), fmt.Sprint("p", round, "c")}
		for hand := range uint64(hands) {
			h := history{Rand: rand.New(rand.NewPCG(uint64(round), hand)), posts: slices.Concat(before, posts)}
			done.Go(func() {
				for range acts {
					a := h.act()
					id := a.text("postId")
					switch {
					case a.do == "block", a.do == "disable", a.do == "settle":
					case a.do == "addPost" && slices.Contains(before, id):
					case a.do == "deletePost" && slices.Contains(posts, id):
					default:
						ask(a)
					}
				}
			})
		}
		done.Wait()
	}
	end()
	delivered.Wait()
	w.restless.Store(false)
	if err := w.settle(); err != nil {
		t.Fatal(err)
	}
	rows := w.rows(t)
	m := modelOf(t, rows)
	if failure := compareAll(w, m, posts); failure != "" {
		t.Error(failure)
	}
	compareAuthors(t, rows, m)
	for _, a := range m.users {
		for _, b := range m.users {
			if a != b && strings.EqualFold(a.username, b.username) {
				t.Errorf("%s and %s share the name %s", a.id, b.id, a.username)
			}
		}
	}
}

// row is an item of the main table as it stands.
type row map[string]any

func (w *world) rows(t *testing.T) []row {
	t.Helper()
	var rows []row
	if err := dynamo.NewFromIface(w.calls).Table(storetest.Prefix+store.Main.Name).Scan().All(t.Context(), &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

func (r row) text(name string) string {
	text, _ := r[name].(string)
	return text
}

func (r row) count(name string) int {
	count, _ := r[name].(float64)
	return int(count)
}

func (r row) time(t *testing.T, name string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, r.text(name))
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// chosen are the switches that are set.
func (r row) chosen() map[string]bool {
	chosen := map[string]bool{}
	for name, value := range r {
		if on, ok := value.(bool); ok {
			chosen[name] = on
		}
	}
	return chosen
}

func (r row) tags() []tag {
	var tags []tag
	list, _ := r["textTags"].([]any)
	for _, item := range list {
		fields := row(item.(map[string]any))
		tags = append(tags, tag{fields.text("tag"), fields.text("userId")})
	}
	return tags
}

// keywords are nil when none were ever given.
func (r row) keywords() []string {
	list, given := r["keywords"].([]any)
	if !given {
		return nil
	}
	words := []string{}
	for _, word := range list {
		words = append(words, fmt.Sprint(word))
	}
	return words
}

// modelOf puts into a model what is stored, and none of what is only counted there.
func modelOf(t *testing.T, rows []row) *model {
	t.Helper()
	m := newModel()
	for _, r := range rows {
		kind, _, _ := strings.Cut(r.text("partitionKey"), "/")
		part, _, _ := strings.Cut(r.text("sortKey"), "/")
		switch kind + " " + part {
		case "user profile":
			m.users[r.text("userId")] = &person{
				id: r.text("userId"), username: r.text("username"), fullName: r.text("fullName"), displayName: r.text("displayName"),
				bio: r.text("bio"), language: r.text("languageCode"), theme: r.text("themeCode"), privacy: r.text("privacyStatus"),
				status: "ACTIVE", signedUpAt: r.time(t, "signedUpAt"), chosen: r.chosen(),
			}
		case "user follower":
			m.follows[pair{r.text("followerUserId"), r.text("followedUserId")}] = &follow{r.text("followStatus"), r.time(t, "followedAt")}
		case "post -":
			m.posts[r.text("postId")] = &post{
				id: r.text("postId"), owner: r.text("postedByUserId"), text: r.text("text"), at: r.time(t, "postedAt"),
				tags: r.tags(), keywords: r.keywords(), chosen: r.chosen(),
			}
		case "post like":
			m.likes[liked{r.text("postId"), r.text("likedByUserId")}] = &like{r.text("likeStatus"), r.time(t, "likedAt")}
		case "comment -":
			m.comments[r.text("commentId")] = &comment{
				id: r.text("commentId"), post: r.text("postId"), by: r.text("userId"), text: r.text("text"),
				at: r.time(t, "commentedAt"), tags: r.tags(),
			}
		case "userEmail -":
			// Says whose an address is.
		default:
			t.Errorf("what is %v?", r)
		}
	}
	for l := range m.likes {
		if m.posts[l.post] == nil {
			t.Fatalf("a like of %s is left of a post", l.by)
		}
	}
	for _, c := range m.comments {
		if m.posts[c.post] == nil {
			t.Fatalf("comment %s is left of a post", c.id)
		}
	}
	return m
}

// compareAuthors counts what no client is shown.
func compareAuthors(t *testing.T, rows []row, m *model) {
	t.Helper()
	for _, r := range rows {
		if r.text("sortKey") != "profile" {
			continue
		}
		comments := 0
		for _, c := range m.comments {
			if c.by == r.text("userId") {
				comments++
			}
		}
		if got := r.count("commentCount"); got != comments {
			t.Errorf("%s counts %d comments, %d are stored", r.text("userId"), got, comments)
		}
	}
}
