package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"stoa/internal/apptest"
)

// Histories: users act at random, while the store fails occasionally. Responses must be
// those of a naive model. After each request, the state visible to all users must be that
// of the model, and the invariants must hold.

type modelFood struct {
	Name     string
	Quantity *int
	Version  int
}

type modelBox struct {
	Name    string
	Version int
	Foods   map[string]modelFood
}

type modelGroup struct {
	Name    string
	Members map[string]bool
	Boxes   map[string]*modelBox
}

// model contains users by name, everything else by id.
type model struct {
	Users  map[string]bool
	Groups map[string]*modelGroup
}

// everyone lists the people of a history; not all of them are registered all the time.
var everyone = []string{"ann", "bob", "cid", "dot"}

// player plays a history in a world and in the model.
type player struct {
	*world
	*apptest.Trial[model]
	// m is the model, even while a change is applied to it.
	m model
	// gone holds ids of deleted objects.
	gone []string
}

// made holds the ids of objects created by a request, "" for those not created.
type made struct{ group, box, food string }

// act sends a request that the model refuses with want, or else applies with then.
func (p *player) act(as, want, query string, v vars, then func(made)) {
	p.T.Helper()
	p.Make(apptest.Try(as, query, v, want, func(m model, a apptest.Answer) {
		ids := p.made(p.observed())
		for _, id := range []string{ids.group, ids.box, ids.food} {
			if len(a.Errors) == 0 && !strings.Contains(string(a.Data), id) {
				p.T.Fatalf("%s asks %s %v: made %s, answered %s", as, query, v, id, a.Data)
			}
		}
		p.m = m
		then(ids)
	}))
	p.m = p.Model
}

// made returns the ids of objects that exist now but not in the model.
func (p *player) made(now model) (ids made) {
	boxes, foods := map[string]bool{}, map[string]bool{}
	for _, g := range p.m.Groups {
		for id, b := range g.Boxes {
			boxes[id] = true
			for id := range b.Foods {
				foods[id] = true
			}
		}
	}
	for id, g := range now.Groups {
		if p.m.Groups[id] == nil {
			ids.group = id
		}
		for id, b := range g.Boxes {
			if !boxes[id] {
				ids.box = id
			}
			for id := range b.Foods {
				if !foods[id] {
					ids.food = id
				}
			}
		}
	}
	return ids
}

// observed returns the state visible to all users together.
func (p *player) observed(...model) model {
	p.T.Helper()
	m := model{map[string]bool{}, map[string]*modelGroup{}}
	names := map[string]string{}
	for _, name := range everyone {
		names[string(p.ID(name))] = name
	}
	for _, name := range everyone {
		d := p.Does(name, `{ me { groups(limit: 50) { items { id name memberCount containerCount users(limit: 4) { items { id } }
			containers(limit: 50) { items { id name version foodCount foods(sort: NAME) { id name quantity version } } } } } } }`)
		if d.At("me") == nil {
			continue
		}
		m.Users[name] = true
		for _, g := range d.Items("me.groups.items") {
			seen := &modelGroup{Name: g.Text("name"), Members: map[string]bool{}, Boxes: map[string]*modelBox{}}
			for _, u := range g.Items("users.items") {
				seen.Members[names[u.Text("id")]] = true
			}
			for _, box := range g.Items("containers.items") {
				foods := map[string]modelFood{}
				for _, food := range box.Items("foods") {
					var quantity *int
					if q, ok := food.At("quantity").(float64); ok {
						quantity = new(int(q))
					}
					foods[food.Text("id")] = modelFood{food.Text("name"), quantity, food.Int("version")}
				}
				seen.Boxes[box.Text("id")] = &modelBox{box.Text("name"), box.Int("version"), foods}
				if n := box.Int("foodCount"); n != len(foods) {
					p.T.Fatalf("a container counts %d foods and shows %d", n, len(foods))
				}
			}
			if !seen.Members[name] || g.Int("memberCount") != len(seen.Members) || g.Int("containerCount") != len(seen.Boxes) {
				p.T.Fatalf("%s sees %v", name, g)
			}
			if other := m.Groups[g.Text("id")]; other != nil && asJSON(other) != asJSON(seen) {
				p.T.Fatalf("%s sees %s, others %s", name, asJSON(seen), asJSON(other))
			}
			m.Groups[g.Text("id")] = seen
		}
	}
	return m
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// one returns one of the ids, or that of a deleted or foreign object.
func (p *player) one(ids []string) string {
	if len(ids) == 0 || p.IntN(12) == 0 {
		return append(p.gone, "nothing")[p.IntN(len(p.gone)+1)]
	}
	slices.Sort(ids)
	return ids[p.IntN(len(ids))]
}

func (p *player) group() string { return p.one(slices.Collect(maps.Keys(p.m.Groups))) }

func (p *player) box() string {
	var ids []string
	for _, g := range p.m.Groups {
		ids = slices.AppendSeq(ids, maps.Keys(g.Boxes))
	}
	return p.one(ids)
}

func (p *player) food(box string) string {
	if _, b := p.find(box); b != nil {
		return p.one(slices.Collect(maps.Keys(b.Foods)))
	}
	return "nothing"
}

func (p *player) find(box string) (*modelGroup, *modelBox) {
	for _, g := range p.m.Groups {
		if b := g.Boxes[box]; b != nil {
			return g, b
		}
	}
	return nil, nil
}

// inGroup returns the error of a user in a group, inBox in a container.
func (p *player) inGroup(as, id string) string {
	switch g := p.m.Groups[id]; {
	case !p.m.Users[as]:
		return "PRECONDITION_FAILED NOT_REGISTERED"
	case g == nil:
		return "NOT_FOUND GROUP_UNKNOWN"
	case !g.Members[as]:
		return "FORBIDDEN"
	}
	return ""
}

func (p *player) inBox(as, id string) string {
	switch g, _ := p.find(id); {
	case !p.m.Users[as]:
		return "PRECONDITION_FAILED NOT_REGISTERED"
	case g == nil:
		return "NOT_FOUND CONTAINER_UNKNOWN"
	case !g.Members[as]:
		return "FORBIDDEN"
	}
	return ""
}

func (p *player) onFood(as, box, food string) string {
	if refused := p.inBox(as, box); refused != "" {
		return refused
	}
	if _, b := p.find(box); b.Foods[food].Version == 0 {
		return "NOT_FOUND FOOD_UNKNOWN"
	}
	return ""
}

func first(refusals ...string) string {
	for _, r := range refusals {
		if r != "" {
			return r
		}
	}
	return ""
}

// step performs a random act.
func (p *player) step(n int) {
	as, other, name := everyone[p.IntN(len(everyone))], everyone[p.IntN(len(everyone))], "n"+strconv.Itoa(n)
	g, c := p.group(), p.box()
	f := p.food(c)
	v := func(names string) vars {
		all := vars{"g": g, "c": c, "f": f, "n": name, "u": string(p.ID(other))}
		some := vars{}
		for _, r := range names {
			some[string(r)] = all[string(r)]
		}
		return some
	}
	switch p.IntN(18) {
	case 0, 1:
		want := ""
		if p.m.Users[as] {
			want = "CONFLICT ALREADY_REGISTERED"
		}
		p.act(as, want, `mutation($n: String) { createUser(input: {name: $n}) { groups { items { id containers { items { id } } } } } }`, v("n"), func(ids made) {
			p.m.Users[as] = true
			p.m.Groups[ids.group] = &modelGroup{name + "'s group", map[string]bool{as: true}, map[string]*modelBox{
				ids.box: {name + "'s container", 1, map[string]modelFood{}},
			}}
		})
	case 2:
		want := ""
		if !p.m.Users[as] {
			want = "PRECONDITION_FAILED NOT_REGISTERED"
		}
		p.act(as, want, `mutation($n: String) { createGroup(name: $n) { id } }`, v("n"), func(ids made) {
			p.m.Groups[ids.group] = &modelGroup{name, map[string]bool{as: true}, map[string]*modelBox{}}
		})
	case 3, 4, 5:
		p.act(as, p.inGroup(as, g), generate, v("g"), func(made) {})
		if p.inGroup(as, g) != "" {
			return
		}
		code := p.Does(as, generate, v("g")).Text("generateJoinLink.code")
		want := ""
		if !p.m.Users[other] {
			want = "PRECONDITION_FAILED NOT_REGISTERED"
		}
		p.act(other, want, join, vars{"c": code}, func(made) { p.m.Groups[g].Members[other] = true })
	case 6:
		member := p.inGroup(as, g)
		if member == "" && !p.m.Groups[g].Members[other] {
			member = "NOT_FOUND NOT_A_MEMBER"
		} else if member == "" && len(p.m.Groups[g].Members) == 1 {
			member = "PRECONDITION_FAILED LAST_MEMBER"
		}
		p.act(as, member, `mutation($g: ID!, $u: ID!) { removeUserFromGroup(groupId: $g, userId: $u) { id } }`, v("gu"), func(made) { delete(p.m.Groups[g].Members, other) })
	case 7:
		p.act(as, p.inGroup(as, g), `mutation($g: ID!) { deleteGroup(id: $g) }`, v("g"), func(made) {
			p.gone = append(p.gone, slices.Collect(maps.Keys(p.m.Groups[g].Boxes))...)
			p.gone = append(p.gone, g)
			delete(p.m.Groups, g)
		})
	case 8:
		want := ""
		if !p.m.Users[as] {
			want = "PRECONDITION_FAILED NOT_REGISTERED"
		}
		p.act(as, want, `mutation { deleteUser }`, nil, func(made) {
			delete(p.m.Users, as)
			for id, group := range p.m.Groups {
				if delete(group.Members, as); len(group.Members) == 0 {
					p.gone = append(p.gone, id)
					delete(p.m.Groups, id)
				}
			}
		})
	case 9, 10:
		p.act(as, p.inGroup(as, g), `mutation($g: ID!, $n: String) { createContainer(groupId: $g, name: $n) { id } }`, v("gn"), func(ids made) {
			p.m.Groups[g].Boxes[ids.box] = &modelBox{name, 1, map[string]modelFood{}}
		})
	case 11:
		p.act(as, p.inBox(as, c), `mutation($c: ID!, $n: String!) { updateContainer(id: $c, name: $n) { id } }`, v("cn"), func(made) {
			_, b := p.find(c)
			b.Name, b.Version = name, b.Version+1
		})
	case 12:
		p.act(as, first(p.inBox(as, c), p.inGroup(as, g)), `mutation($c: ID!, $g: ID!) { moveContainer(id: $c, groupId: $g) { id } }`, v("cg"), func(made) {
			if from, b := p.find(c); from != p.m.Groups[g] {
				delete(from.Boxes, c)
				p.m.Groups[g].Boxes[c] = b
				b.Version++
			}
		})
	case 13:
		p.act(as, p.inBox(as, c), `mutation($c: ID!) { deleteContainer(id: $c) }`, v("c"), func(made) {
			from, _ := p.find(c)
			delete(from.Boxes, c)
			p.gone = append(p.gone, c)
		})
	case 14, 15:
		p.act(as, p.inBox(as, c), `mutation($c: ID!, $n: String!) { addFood(containerId: $c, input: {name: $n}) { food { id } } }`, v("cn"), func(ids made) {
			_, b := p.find(c)
			b.Foods[ids.food] = modelFood{name, nil, 1}
			b.Version++
		})
	case 16:
		delta := p.IntN(9) - 4
		want := p.onFood(as, c, f)
		if want == "" {
			_, b := p.find(c)
			switch q := b.Foods[f].Quantity; {
			case q == nil && delta < 0:
				want = "PRECONDITION_FAILED QUANTITY_NOT_SET"
			case q != nil && *q+delta < 0:
				want = "PRECONDITION_FAILED QUANTITY_TOO_LOW"
			}
		}
		some := v("cf")
		some["d"] = delta
		p.act(as, want, adjust, some, func(made) {
			_, b := p.find(c)
			food := b.Foods[f]
			sum := delta
			if food.Quantity != nil {
				sum += *food.Quantity
			}
			b.Foods[f] = modelFood{food.Name, &sum, food.Version + 1}
		})
	case 17:
		to := p.box()
		p.act(as, p.onMove(as, c, to, f), `mutation($c: ID!, $f: ID!, $to: ID!) { moveFood(fromContainerId: $c, foodId: $f, toContainerId: $to) { food { id } } }`,
			vars{"c": c, "f": f, "to": to}, func(made) {
				_, from := p.find(c)
				_, target := p.find(to)
				if c != to {
					food := from.Foods[f]
					food.Version++
					delete(from.Foods, f)
					target.Foods[f] = food
					target.Version++
				}
			})
	}
}

// onMove returns the error of moving a food, which either container may cause.
func (p *player) onMove(as, from, to, food string) string {
	source, target := p.inBox(as, from), p.inBox(as, to)
	if target == "NOT_FOUND CONTAINER_UNKNOWN" {
		return first(target)
	}
	return first(source, target, p.onFood(as, from, food))
}

func play(t *testing.T, seed uint64, failing int) {
	t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
		test(t, func(w *world) {
			for _, name := range everyone {
				w.People.Identity(name)
			}
			p := &player{world: w, m: model{map[string]bool{}, map[string]*modelGroup{}}}
			p.Trial = &apptest.Trial[model]{World: w.World, Rand: apptest.NewRandom(seed), Model: p.m, Observe: p.observed, Failing: failing}
			for n := range 120 {
				p.step(n)
			}
			w.TakeDrifts() // of memberships whose user goes while the group does
		})
	})
}

// pantry 5.3#8, 6#1-14, 6#16-20 and 6#22-23: random requests are answered as by the model, and the
// invariants hold after each.
func TestRandomHistories(t *testing.T) {
	for seed := range uint64(20) {
		play(t, seed, 0)
	}
}

func TestRandomHistoriesWithFaults(t *testing.T) {
	for seed := range uint64(20) {
		play(t, seed+100, 25)
	}
}
