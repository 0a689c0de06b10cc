package history_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"stoa/internal/apptest"
)

type (
	act   = apptest.Act
	arg   = apptest.Arg
	enum  = apptest.Enum
	draw  = apptest.Draw
	shown map[string]any // an object of an answer
)

// kind is a kind of act with its frequency, in percent approximately.
type kind struct {
	weight int
	draw   func(d *draw) act
}

// with returns an argument of an act.
func with(name string, value any) arg { return arg{Name: name, Value: value} }

// model is a model of the service: plain maps and loops, written from the rules and not
// from the code. It counts by counting, and lists by linear search.
type model struct {
	users
	follows
	blocks
	posts
	likes
	comments
	subscriptions
	views
	flags
	albums
	trends
	talk

	// now is the time of the clock.
	now time.Time
	// deleted holds the users whose account has been deleted.
	deleted map[string]bool
	// late holds the effects of an act that take place after its response and before the
	// next act.
	late []func()
}

func newModel() *model {
	return &model{
		deleted:       map[string]bool{},
		subscriptions: subscriptions{known: map[string]time.Time{}, bought: map[string]*bought{}},
		users:         users{}, follows: follows{}, blocks: blocks{}, posts: posts{}, likes: likes{}, comments: comments{}, views: views{}, flags: flags{}, albums: albums{},
		trends: trends{}, talk: newTalk(),
	}
}

// area is one area's part of histories.
type area struct {
	// content is set if the area is about posts: some histories are about nothing else.
	content bool
	// acts lists the kinds of random acts. does performs those that are not requests of
	// clients.
	acts      []kind
	mutations map[string]mutation
	// callers holds the statuses of callers that mutations require, if not ACTIVE.
	callers   map[string]string
	does      map[string]func(w *apptest.World, m *model, a act)
	fragments []fragment
	// jobs run when time passes; passed applies their effects to the model.
	jobs   []string
	passed func(m *model, at time.Time)
	// removed removes everything from the model that is deleted with a user's profile; nil
	// if there is nothing.
	removed func(m *model, id string)
	// rows adds stored items to the model, by the first words of their keys.
	rows map[string]func(m *model, r row)
	// stored describes differences between stored items and the model that no user can see,
	// or returns ""; nil if there are none.
	stored func(m *model, rows []row) string
}

// mutation is the model of a mutation. It returns what the caller is shown or the text of
// an error, in which case it changed nothing, except for a reset that got no new name.
type mutation struct {
	// asks lists the fragments that the mutation selects; none if it returns a Boolean.
	asks string
	do   func(m *model, a act, me *user, at time.Time) (shown, string)
}

// fragment is a part of the selection on a type. Those with the same name are selected
// together.
type fragment struct {
	name, on, fields string
	of               func(m *model, viewer, id string) shown
}

// areas lists all areas; the file of each adds its own.
var areas []area

func add(a area) struct{} {
	areas = append(areas, a)
	return struct{}{}
}

// kinds returns all kinds of random acts, or only those about posts.
func kinds(content bool) []apptest.Kind {
	var all []apptest.Kind
	for _, a := range areas {
		if content && !a.content {
			continue
		}
		for _, k := range a.acts {
			all = append(all, apptest.Kind{Weight: k.weight, Draw: k.draw})
		}
	}
	return all
}

// mutationNamed returns a mutation by name.
func mutationNamed(name string) (mutation, bool) {
	for _, a := range areas {
		if m, ok := a.mutations[name]; ok {
			return m, true
		}
	}
	return mutation{}, false
}

// callers returns the statuses that a mutation requires.
func callers(mutation string) string {
	for _, a := range areas {
		if named, ok := a.callers[mutation]; ok {
			return named
		}
	}
	return "ACTIVE"
}

// do applies a mutation at the given time.
func (m *model) do(a act, at time.Time) (shown, string) {
	mutation, ok := mutationNamed(a.Do)
	if !ok {
		panic("the model knows no " + a.Do)
	}
	me := m.users[a.By]
	switch {
	case slices.Contains(forAnybody, a.Do):
	case me == nil:
		return nil, fmt.Sprintf("User `{%s}` does not exist", a.By)
	case me.status != "ACTIVE":
		return nil, fmt.Sprintf("User `{%s}` is not %s", a.By, callers(a.Do))
	}
	return mutation.do(m, a, me, at)
}

// forAnybody lists the mutations that admit callers with any status and without a profile.
var forAnybody = []string{"createCognitoOnlyUser", "disableUser", "resetUser", "deleteUser"}

// settle applies the late effects of acts.
func (m *model) settle() {
	for len(m.late) > 0 {
		next := m.late[0]
		m.late = m.late[1:]
		next()
	}
}

// show returns the fields of an object that a viewer is shown, for the fragments with the
// given name.
func (m *model) show(name, viewer, id string) shown {
	s := shown{}
	for _, a := range areas {
		for _, f := range a.fragments {
			if f.name == name {
				maps.Copy(s, f.of(m, viewer, id))
			}
		}
	}
	return s
}

// request returns an act as a request of a client.
func (m mutation) request(a act) string {
	answer := "mutation { answer: " + a.String()
	if m.asks != "" {
		answer += " { " + m.asks + " }"
	}
	return document(answer + " }")
}

// document returns an operation with exactly the fragments that it needs.
func document(operation string) string {
	text := operation
	for added := true; added; {
		added = false
		for name, fragment := range fragments() {
			if strings.Contains(text, "..."+name+" ") && !strings.Contains(text, "fragment "+name+" ") {
				text += "\n" + fragment
				added = true
			}
		}
	}
	return text
}

// fragments returns the texts of all fragments by name.
func fragments() map[string]string {
	on, fields := map[string]string{}, map[string]string{}
	for _, a := range areas {
		for _, f := range a.fragments {
			on[f.name] = f.on
			fields[f.name] += f.fields + " "
		}
	}
	texts := map[string]string{}
	for name := range on {
		texts[name] = fmt.Sprintf("fragment %s on %s { %s}", name, on[name], fields[name])
	}
	return texts
}

// put sets fields to their values, or all to null unless the viewer may see them.
func (s shown) put(known bool, fields shown) {
	for name, value := range fields {
		if !known {
			value = nil
		}
		s[name] = value
	}
}

// given returns a text, or null if it is empty.
func given(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func viewed(yes bool) string {
	if yes {
		return "VIEWED"
	}
	return "NOT_VIEWED"
}

func instant(t time.Time) string { return t.Format("2006-01-02T15:04:05.000Z") }
