package history_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/social/socialtest"
	"stoa/store"
)

// Users who get into each other's way leave behind what the model makes of the rows
// alone: every counter is the number of what it counts, every list and every feed holds
// what it should, and no two users share a name.
//
// They post in each round under the same few new ids, and delete posts of the round
// before: ids are never used again, as those of clients are not.
func TestUsersInEachOthersWay(t *testing.T) {
	const hands, rounds, acts = 8, 6, 50
	socialtest.Test(t, nil, func(w *apptest.World) {
		w.Restless(true)
		ask := func(a act) {
			if a.Do == "upload" {
				sendImage(w, a)
				return
			}
			mutation, _ := mutationNamed(a.Do)
			answer := w.Ask(a.By, mutation.request(a))
			if len(answer.Errors) > 0 && !strings.HasPrefix(answer.Errors[0].Message, "ClientError: ") && !strings.Contains(answer.Errors[0].Message, "AppStore") {
				w.T.Errorf("%s %s: %v", a.By, a, answer.Errors)
			}
		}
		for _, name := range everybody {
			w.ID(name)
		}
		for _, a := range profiles() {
			ask(a)
		}
		var before, posts []string
		for round := range rounds {
			before, posts = posts, []string{fmt.Sprint("p", round, "a"), fmt.Sprint("p", round, "b"), fmt.Sprint("p", round, "c")}
			var done sync.WaitGroup
			for hand := range uint64(hands) {
				d := apptest.NewDraw(uint64(round)*hands+hand, kinds(false))
				done.Go(func() {
					for range acts {
						a, ok := within(d.Next(), before, posts)
						if ok && (a.Do != "deleteUser" || round == rounds-1) { // who has no account any more does nothing
							ask(a)
						}
					}
				})
			}
			done.Wait()
		}
		w.Restless(false)
		w.Settle()
		rows := rowsOf(w, store.Main.Name)
		m := modelOf(w, rows)
		if failure := (&player{m, posts}).End(w); failure != "" {
			w.T.Error(failure)
		}
		for _, problem := range append(w.Problems(), fmt.Sprint(w.TakeDrifts())) {
			if problem != "[]" {
				w.T.Error(problem)
			}
		}
		searchable := words(w)
		s := store.Open(w.DB)
		for _, index := range s.SearchIndexes() {
			if _, err := s.Rebuild(w.T.Context(), index, func(int) {}); err != nil {
				w.T.Fatal(err)
			}
		}
		if rebuilt := words(w); !slices.Equal(searchable, rebuilt) {
			w.T.Errorf("what is searched is %q, and rebuilt %q", searchable, rebuilt)
		}
		for _, a := range m.users {
			for _, b := range m.users {
				if a != b && strings.EqualFold(a.username, b.username) {
					w.T.Errorf("%s and %s share the name %s", a.id, b.id, a.username)
				}
			}
		}
	})
}

// sendImage sends a file for a post, if it waits for one at that moment.
func sendImage(w *apptest.World, a act) {
	for _, name := range everybody {
		answer := w.Ask(name, fmt.Sprintf(`{ post(postId: %q) { imageUploadUrl } }`, a.Text("postId")))
		var asked struct {
			Post struct{ ImageUploadURL string }
		}
		if err := json.Unmarshal(answer.Data, &asked); err == nil && asked.Post.ImageUploadURL != "" {
			if status, _ := socialtest.Send(w, http.MethodPut, asked.Post.ImageUploadURL, "", files[a.Text("file")]); status != http.StatusOK {
				w.T.Errorf("upload for %s: %d", a.Text("postId"), status)
			}
			return
		}
	}
}

// words are the rows that are searched, in a fixed order.
func words(w *apptest.World) []string {
	var words []string
	for _, item := range w.Rows()["ops"] {
		if pk, _ := item["partitionKey"].(string); strings.HasPrefix(pk, "word/") {
			words = append(words, fmt.Sprint(pk, " ", item["sortKey"], " ", item["words"]))
		}
	}
	slices.Sort(words)
	return words
}

// within turns an act about one of a few posts into one about posts of two rounds. It
// leaves out what is no mutation.
func within(a act, before, posts []string) (act, bool) {
	if _, ok := mutationNamed(a.Do); !ok && a.Do != "upload" {
		return a, false
	}
	round := slices.Concat(before, posts)
	a.Args = slices.Clone(a.Args)
	for i, g := range a.Args {
		if at := slices.Index(postIDs, fmt.Sprint(g.Value)); g.Name == "postId" && at >= 0 {
			a.Args[i].Value = round[(at*2+len(a.By+a.Do))%len(round)]
		}
	}
	id := a.Text("postId")
	again := a.Do == "addPost" && slices.Contains(before, id)
	early := a.Do == "deletePost" && slices.Contains(posts, id)
	return a, !again && !early
}

// row is an item as it stands, with names in the place of ids.
type row map[string]any

func rowsOf(w *apptest.World, table string) []row {
	w.T.Helper()
	text, err := json.Marshal(w.Rows()[table])
	if err != nil {
		w.T.Fatal(err)
	}
	var rows []row
	if err := json.Unmarshal([]byte(named(w, string(text))), &rows); err != nil {
		w.T.Fatal(err)
	}
	return rows
}

// modelOf puts into a model what is stored, and none of what is only counted there.
func modelOf(w *apptest.World, rows []row) *model {
	w.T.Helper()
	m := newModel()
	for _, r := range rows {
		known := false
		for _, a := range areas {
			if put, ok := a.rows[r.kind()]; ok {
				put(m, r)
				known = true
			}
		}
		if !known {
			w.T.Errorf("what is %v?", r)
		}
	}
	m.settle()
	m.arrange()
	for l := range m.likes {
		if m.posts[l.post] == nil {
			w.T.Fatalf("a like of %s is left of a post", l.by)
		}
	}
	for v := range m.views {
		if m.posts[v.post] == nil {
			w.T.Fatalf("a view by %s is left of a post", v.by)
		}
	}
	for _, id := range m.trending("post/") {
		if p := m.posts[id]; p == nil || !p.completed() {
			w.T.Fatalf("post %s trends, and is not there for others", id)
		}
	}
	for _, c := range m.comments {
		if m.posts[c.post] == nil {
			w.T.Fatalf("comment %s is left of a post", c.id)
		}
	}
	return m
}

// kind are the first words of the keys of a row.
func (r row) kind() string {
	thing, _, _ := strings.Cut(r.text("partitionKey"), "/")
	part, _, _ := strings.Cut(r.text("sortKey"), "/")
	return thing + " " + part
}

func (r row) text(name string) string {
	text, _ := r[name].(string)
	return text
}

// number is a counter, 0 while it is absent.
func (r row) number(name string) int {
	n, _ := r[name].(float64)
	return int(n)
}

// keys are what the two keys of a row under something name: the thing, and a user.
func (r row) keys() (thing, user string) {
	_, thing, _ = strings.Cut(r.text("partitionKey"), "/")
	_, user, _ = strings.Cut(r.text("sortKey"), "/")
	return thing, bare(user)
}

// who is a user by name.
func (r row) who(name string) string { return bare(r.text(name)) }

func (r row) time(name string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, r.text(name))
	if err != nil {
		panic(err)
	}
	return at
}

// maybe is a time that may be absent.
func (r row) maybe(name string) time.Time {
	if r[name] == nil {
		return time.Time{}
	}
	return r.time(name)
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
		tags = append(tags, tag{fields.text("tag"), fields.who("userId")})
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
