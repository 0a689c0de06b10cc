package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"stoa/internal/apptest"
	"stoa/systems/pantry/app"
	"stoa/systems/pantry/store"
)

// world is pantry as it is served, on an empty engine. Its operator is oz, who has no
// user.
type world struct{ *apptest.World }

func test(t *testing.T, f func(w *world)) {
	t.Helper()
	t.Parallel()
	apptest.Test(t, app.System(app.Options{}), func(w *apptest.World) {
		w.Host.Operators = []string{"OZ@example.com"}
		f(&world{w})
	})
}

// home is what createUser makes.
type home struct{ user, group, container string }

// registers makes somebody a user.
func (w *world) registers(name string) home {
	w.T.Helper()
	w.People.Identity(name)
	d := w.does(name, `mutation($n: String) { createUser(input: {name: $n}) { id groups { items { id containers { items { id } } } } } }`, vars{"n": name})
	return home{d.text("createUser.id"), d.text("createUser.groups.items.0.id"), d.text("createUser.groups.items.0.containers.items.0.id")}
}

// joins makes somebody a user and a member of a group.
func (w *world) joins(name, host, group string) home {
	w.T.Helper()
	h := w.registers(name)
	w.enters(name, host, group)
	return h
}

// enters makes a user a member of a group.
func (w *world) enters(name, host, group string) {
	w.T.Helper()
	code := w.does(host, `mutation($g: ID!) { generateJoinLink(groupId: $g) { code } }`, vars{"g": group}).text("generateJoinLink.code")
	w.does(name, `mutation($c: String!) { joinGroup(code: $c) { id } }`, vars{"c": code})
}

// adds puts a food into a container and returns its id.
func (w *world) adds(as, container string, food vars) string {
	w.T.Helper()
	return w.does(as, `mutation($c: ID!, $f: FoodInput!) { addFood(containerId: $c, input: $f) { food { id } } }`,
		vars{"c": container, "f": food}).text("addFood.food.id")
}

type vars = map[string]any

// data are those of an answer.
type data struct {
	t interface {
		Helper()
		Fatalf(string, ...any)
	}
	value any
}

// does makes a request that succeeds.
func (w *world) does(as, query string, v ...vars) data {
	w.T.Helper()
	a := w.send(as, query, v...)
	if len(a.Errors) > 0 {
		w.T.Fatalf("%s asks %s %v: %v", as, query, v, a.Errors)
	}
	return w.decoded(a)
}

func (w *world) decoded(a apptest.Answer) data {
	w.T.Helper()
	var value any
	if err := json.Unmarshal(a.Data, &value); err != nil {
		w.T.Fatal(err)
	}
	return data{w.T, value}
}

func (w *world) send(as, query string, v ...vars) apptest.Answer {
	w.T.Helper()
	all := vars{}
	for _, some := range v {
		maps.Copy(all, some)
	}
	return w.Send(as, apptest.Request{Query: query, Variables: all})
}

// refused makes a request that is refused, with a code and, after a space, a reason.
func (w *world) refused(want, as, query string, v ...vars) {
	w.T.Helper()
	if got := refusal(w.send(as, query, v...)); got != want {
		w.T.Errorf("%s asks %s %v: refused with %q, want %q", as, query, v, got, want)
	}
}

// refusal is the code and the reason of an answer's only error, "" without any.
func refusal(a apptest.Answer) string {
	var all []string
	for _, e := range a.Errors {
		text := strings.TrimSpace(e.Extensions.Code + " " + e.Extensions.Reason)
		if e.Extensions.CurrentVersion != nil {
			text += fmt.Sprintf(" %d", *e.Extensions.CurrentVersion)
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

// at returns what a path leads to, such as "group.containers.items.0.id".
func (d data) at(path string) any {
	d.t.Helper()
	value := d.value
	for _, step := range strings.Split(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[step]
		case []any:
			i := 0
			if _, err := fmt.Sscan(step, &i); err != nil || i >= len(v) {
				d.t.Fatalf("%s does not lead anywhere in %v", path, d.value)
			}
			value = v[i]
		default:
			d.t.Fatalf("%s does not lead anywhere in %v", path, d.value)
		}
	}
	return value
}

func (d data) text(path string) string {
	d.t.Helper()
	s, ok := d.at(path).(string)
	if !ok {
		d.t.Fatalf("%s is no text in %v", path, d.value)
	}
	return s
}

// list returns a field of each item of a list, as texts.
func (d data) list(path, field string) string {
	d.t.Helper()
	var all []string
	items, ok := d.at(path).([]any)
	if !ok {
		d.t.Fatalf("%s is no list in %v", path, d.value)
	}
	for i := range items {
		all = append(all, fmt.Sprint(data{d.t, items[i]}.at(field)))
	}
	return strings.Join(all, " ")
}

// is compares what a path leads to, as JSON.
func (w *world) is(d data, path, want string) {
	w.T.Helper()
	got, err := json.Marshal(d.at(path))
	if err != nil {
		w.T.Fatal(err)
	}
	if string(got) != want {
		w.T.Errorf("%s is %s, want %s", path, got, want)
	}
}

// together makes n requests at once and returns how often each refusal, "" for none, was
// the answer.
func (w *world) together(n int, request func(i int) apptest.Answer) map[string]int {
	answers := make([]apptest.Answer, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { answers[i] = request(i) })
	}
	all.Wait()
	counts := map[string]int{}
	for _, a := range answers {
		counts[refusal(a)]++
	}
	return counts
}

func (w *world) counted(got map[string]int, want map[string]int) {
	w.T.Helper()
	if !maps.Equal(got, want) {
		w.T.Errorf("answers %v, want %v", got, want)
	}
}

// whole checks the invariants over what is stored.
func (w *world) whole() {
	w.T.Helper()
	w.Settle()
	problems := slices.Concat(w.Problems(), w.broken())
	for _, problem := range problems {
		w.T.Error(problem)
	}
}

// broken are invariants that do not hold.
func (w *world) broken() []string {
	w.T.Helper()
	problems, err := store.Broken(w.T.Context(), w.DB, w.Now())
	if err != nil {
		w.T.Fatal(err)
	}
	return problems
}
