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

// kind is a kind of act, and how often it is drawn, in about a hundred.
type kind struct {
	weight int
	draw   func(d *draw) act
}

// with is an argument of an act.
func with(name string, value any) arg { return arg{Name: name, Value: value} }

// model is what the service should be: plain maps and loops, written after the rules
// and not after the code. It counts by counting, and reads lists by looking at
// everything.
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

	// now is what the clock shows.
	now time.Time
	// deleted are users whose account is gone.
	deleted map[string]bool
	// late is what follows from an act, after its answer was decided and before the next.
	late []func()
}

func newModel() *model {
	return &model{
		deleted:       map[string]bool{},
		subscriptions: subscriptions{known: map[string]time.Time{}, bought: map[string]*bought{}},
		users:         users{}, follows: follows{}, blocks: blocks{}, posts: posts{}, likes: likes{}, comments: comments{}, views: views{}, flags: flags{}, albums: albums{}, trends: trends{}, talk: newTalk(),
	}
}

// area is the part of histories that belongs to one.
type area struct {
	// content says that the area is about posts: some histories are about nothing else.
	content bool
	// acts are drawn. What no client can ask for is done by does.
	acts      []kind
	mutations map[string]mutation
	// callers are the statuses of callers that mutations ask for, where that is not ACTIVE.
	callers   map[string]string
	does      map[string]func(w *apptest.World, m *model, a act)
	fragments []fragment
	// jobs are run when time passes, and passed is what they do to the model.
	jobs   []string
	passed func(m *model, at time.Time)
	// removed takes out of the model what goes with the profile of a user, nil for nothing.
	removed func(m *model, id string)
	// rows put stored items into the model, by the first words of their keys.
	rows map[string]func(m *model, r row)
	// stored tells in what stored items differ from the model that nobody is shown, "" for
	// nothing; nil for never.
	stored func(m *model, rows []row) string
}

// mutation is what one does to the model. It answers with what its caller is shown, or
// with the text of a refusal, which changed nothing but for a reset that got no new name.
type mutation struct {
	// asks are the fragments that its answer is asked for; none of one that answers true.
	asks string
	do   func(m *model, a act, me *user, at time.Time) (shown, string)
}

// fragment is a part of what is asked of a type. Those of the same name are asked
// together.
type fragment struct {
	name, on, fields string
	of               func(m *model, viewer, id string) shown
}

// areas are added to by the file of each.
var areas []area

func add(a area) struct{} {
	areas = append(areas, a)
	return struct{}{}
}

// kinds are the acts that are drawn: all, or those about posts.
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

// mutationNamed finds a mutation.
func mutationNamed(name string) (mutation, bool) {
	for _, a := range areas {
		if m, ok := a.mutations[name]; ok {
			return m, true
		}
	}
	return mutation{}, false
}

// callers are the statuses that a mutation asks for.
func callers(mutation string) string {
	for _, a := range areas {
		if named, ok := a.callers[mutation]; ok {
			return named
		}
	}
	return "ACTIVE"
}

// do makes a mutation at a time.
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

// forAnybody are the mutations that take callers of any status, and without a profile.
var forAnybody = []string{"createCognitoOnlyUser", "disableUser", "resetUser", "deleteUser"}

// settle brings about what follows from acts.
func (m *model) settle() {
	for len(m.late) > 0 {
		next := m.late[0]
		m.late = m.late[1:]
		next()
	}
}

// show is what a viewer is shown of an object by the fragments of some name.
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

// request is an act as a client makes it.
func (m mutation) request(a act) string {
	answer := "mutation { answer: " + a.String()
	if m.asks != "" {
		answer += " { " + m.asks + " }"
	}
	return document(answer + " }")
}

// document is an operation with the fragments that it needs, and no others.
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

// fragments are the texts of all fragments by name.
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

// put sets fields to what they are, or all to null unless the viewer may know them.
func (s shown) put(known bool, fields shown) {
	for name, value := range fields {
		if !known {
			value = nil
		}
		s[name] = value
	}
}

// given is a text, null when it is empty.
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
