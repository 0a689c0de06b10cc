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
	"stoa/internal/host"
	"stoa/social/socialtest"
	"stoa/store"
)

// Concurrent users leave behind rows that agree with a model computed from them: every
// counter equals the number of the items it counts, every list and feed is complete, and
// usernames are unique.
//
// In each round they post under the same few new ids, and delete posts of the previous
// round: ids are never reused, like those of clients.
func TestUsersInEachOthersWay(t *testing.T) {
	usersInEachOthersWay(t, managed, 6)
}

// The same with large accounts, which accounts become and cease to be all the time.
func TestFollowersInEachOthersWay(t *testing.T) {
	usersInEachOthersWay(t, managedLarge, 4)
}

func usersInEachOthersWay(t *testing.T, system host.System, rounds int) {
	const hands, acts = 8, 50
	apptest.Test(t, system, func(w *apptest.World) {
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
		if failure := (&player{m, posts}).End(w) + unlikeCopies(w); failure != "" {
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
		everybodyLeaves(w)
	}, append(socialtest.Options(), appoint)...)
}

// everybodyLeaves deletes all accounts. Nothing is left of them but tombstones, bans, and cases
// without reports, which are decided: but for those of what others removed when its author had gone.
func everybodyLeaves(w *apptest.World) {
	for _, name := range everybody {
		w.Ask(name, `mutation { deleteUser { userId } }`) // refused to those who are gone already
	}
	w.Settle()
	stays := map[string]func(row) bool{
		store.Main.Name: func(r row) bool { return r.text("sortKey") == "deleted" || r.text("sortKey") == "banned" },
		store.Feed.Name: func(row) bool { return false },
		"desk": func(r row) bool {
			open := r.text("status") == "OPEN" && r.text("removedBy") == ""
			return !open && !strings.HasPrefix(r.text("sortKey"), "report/")
		},
	}
	for table, stays := range stays {
		for _, r := range rowsOf(w, table) {
			if !stays(r) {
				w.T.Errorf("left in %s: %v", table, r)
			}
		}
	}
}

// sendImage uploads a file for a post, if it is pending at that moment.
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

// words returns the rows of the search indexes in a fixed order.
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

// within maps an act about one of a few posts to one about posts of two rounds. It skips
// acts that are not mutations.
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

// row is a stored item, with names in place of ids.
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

// modelOf returns a model of the stored items, without stored counts.
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

// kind returns the first words of the keys of a row.
func (r row) kind() string {
	thing, _, _ := strings.Cut(r.text("partitionKey"), "/")
	part, _, _ := strings.Cut(r.text("sortKey"), "/")
	return thing + " " + part
}

func (r row) text(name string) string {
	text, _ := r[name].(string)
	return text
}

// number returns a counter, 0 if it is absent.
func (r row) number(name string) int {
	n, _ := r[name].(float64)
	return int(n)
}

// keys returns the variable parts of the two keys of a row: the item, and a user.
func (r row) keys() (thing, user string) {
	_, thing, _ = strings.Cut(r.text("partitionKey"), "/")
	_, user, _ = strings.Cut(r.text("sortKey"), "/")
	return thing, bare(user)
}

// who returns the user in the given attribute.
func (r row) who(name string) string { return bare(r.text(name)) }

func (r row) time(name string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, r.text(name))
	if err != nil {
		panic(err)
	}
	return at
}

// maybe returns a time that may be absent.
func (r row) maybe(name string) time.Time {
	if r[name] == nil {
		return time.Time{}
	}
	return r.time(name)
}

// chosen returns the settings that are set.
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

// keywords returns the keywords, nil if none were ever set.
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
