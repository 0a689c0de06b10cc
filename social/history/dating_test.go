package history_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/social/socialtest"
)

// Users do not date in the general histories, since random profiles rarely have all
// required details. Dating has separate histories, below.
var _ = add(area{
	rows: map[string]func(*model, row){
		"user dating": func(*model, row) {},
		"user match":  func(*model, row) {},
	},
})

// Users who date, change their criteria and judge each other match according to a
// comparison of all pairs, after each act.
func TestDatingHistories(t *testing.T) { datingHistory().Run(t, *seed, *seed+*histories) }

// The same with occasional failures of the store.
func TestDatingHistoriesWithFaults(t *testing.T) {
	h := datingHistory()
	h.Faults = 25
	h.Run(t, *seed+1000, *seed+1000+*histories)
}

var couples = []string{"ana", "ben", "cem", "dee"}

// loves is a model of dating: a comparison of all pairs.
type loves struct {
	users   map[string]*lover
	blocks  map[pair]bool
	matches map[pair]*affair
	begun   bool
}

// lover is a user who dates. Places are thirty-five miles apart, the last one far from all
// others.
type lover struct {
	on             bool
	offAt          time.Time
	endsOn         string
	grantedAt      time.Time
	diamond, named bool

	place, radius, oldest int
	gender                string
	genders               []string
	approvals             int
}

type affair struct {
	status string
	at     time.Time
}

var places = []string{"{latitude: 40, longitude: -75}", "{latitude: 40.5, longitude: -75}", "{latitude: 41, longitude: -75}", "{latitude: -30, longitude: 120}"}

func (l *lover) milesTo(o *lover) int {
	switch {
	case l.place == o.place:
		return 0
	case l.place == len(places)-1 || o.place == len(places)-1:
		return 10000
	default:
		return 35 * int(math.Abs(float64(l.place-o.place)))
	}
}

func datingHistory() apptest.History {
	one := func(d *draw) string { return d.One(couples) }
	about := func(do string) func(d *draw) act {
		return func(d *draw) act { return about(do, one(d), one(d)) }
	}
	set := func(name string, values ...any) func(d *draw) act {
		return func(d *draw) act {
			return act{By: one(d), Do: "setUserDetails", Args: []arg{with(name, values[d.IntN(len(values))])}}
		}
	}
	var at []any
	for _, place := range places {
		at = append(at, enum(place))
	}
	kinds := []apptest.Kind{
		{Weight: 14, Draw: func(d *draw) act {
			return act{By: one(d), Do: "setUserDatingStatus", Args: []arg{with("status", enum(d.One([]string{"ENABLED", "ENABLED", "ENABLED", "ENABLED", "DISABLED"})))}}
		}},
		{Weight: 5, Draw: set("location", at[0], at[0], at[0], at[1], at[1], at[2], at[3])},
		{Weight: 2, Draw: set("gender", enum("MALE"), enum("FEMALE"))},
		{Weight: 4, Draw: set("matchGenders", enum("[MALE]"), enum("[FEMALE, MALE]"), enum("[MALE, FEMALE]"), enum("[FEMALE, MALE]"))},
		{Weight: 6, Draw: set("matchLocationRadius", enum("20"), enum("50"), enum("100"), enum("20000"), enum("20000"))},
		{Weight: 3, Draw: set("matchAgeRange", enum("{min: 18, max: 30}"), enum("{min: 18, max: 90}"), enum("{min: 18, max: 90}"), enum("{min: 18, max: 90}"))},
		{Weight: 2, Draw: set("fullName", "", "Name", "Name", "Name")},
		{Weight: 1, Draw: set("bio", "b", "c")},
		{Weight: 40, Draw: about("approveMatch")},
		{Weight: 5, Draw: about("rejectMatch")},
		{Weight: 2, Draw: about("blockUser")},
		{Weight: 6, Draw: about("unblockUser")},
		{Weight: 4, Draw: func(d *draw) act { return act{By: one(d), Do: "grantUserSubscriptionBonus"} }},
		{Weight: 5, Draw: func(d *draw) act {
			return act{Do: "wait", Args: []arg{with("hours", d.One([]string{"4", "4", "4", "4", "30", "30", "30", "30", "800"}))}}
		}},
	}
	return apptest.History{
		System: socialtest.System, Kinds: kinds, Length: 120,
		New: func() apptest.Player {
			return &loves{users: map[string]*lover{}, blocks: map[pair]bool{}, matches: map[pair]*affair{}}
		},
	}
}

func (m *loves) Step(w *apptest.World, a act) string {
	if !m.begun {
		m.begun = true
		w.Do(socialtest.Users(couples...).Datable(couples...)...)
		for _, id := range couples {
			m.users[id] = &lover{named: true, radius: 50, oldest: 100, gender: "FEMALE", genders: []string{"MALE", "FEMALE"}}
		}
	}
	if a.Do == "wait" {
		hours, err := time.ParseDuration(a.Text("hours") + "h")
		if err != nil {
			panic(err)
		}
		w.Advance(hours)
		for _, job := range []string{"social.expire-subscriptions", "social.end-idle-dating"} {
			w.RunJob(job)
		}
		w.Settle()
		m.pass(w.Now())
		return m.compare(w)
	}
	asks := " { userId }"
	if a.Do == "approveMatch" || a.Do == "rejectMatch" {
		asks = ""
	}
	answer, certain := w.Act(a, "mutation { "+a.String()+asks+" }")
	want := m.do(a, w.Now())
	m.match(w.Now())
	got := ""
	if len(answer.Errors) > 0 {
		got = strings.TrimPrefix(named(w, answer.Errors[0].Message), "ClientError: ")
	}
	if certain && got != want {
		return fmt.Sprintf("refused with %q, want %q", got, want)
	}
	return m.compare(w)
}

func (m *loves) End(w *apptest.World) string { return m.compare(w) }

// pass applies the jobs.
func (m *loves) pass(at time.Time) {
	for _, u := range m.users {
		if u.diamond && !monthAfter(u.grantedAt).After(at) {
			u.diamond = false
		}
		if u.on && u.endsOn <= at.Format("2006-01-02") {
			u.end(at)
		}
	}
	m.match(at)
}

func (u *lover) end(at time.Time) { u.on, u.offAt = false, at }

// do applies a mutation and returns its error, or "".
func (m *loves) do(a act, at time.Time) string {
	me := m.users[a.By]
	if me.on {
		me.endsOn = at.AddDate(0, 0, 30).Format("2006-01-02")
	}
	other := who(a)
	mine, theirs := m.matches[pair{a.By, other}], m.matches[pair{other, a.By}]
	switch a.Do {
	case "setUserDatingStatus":
		switch on := a.Text("status") == "ENABLED"; {
		case on == me.on:
		case !on:
			me.end(at)
		case !me.named:
			return "`{'fullName'}` required to enable dating"
		case !me.offAt.IsZero() && at.Before(me.offAt.Add(3*time.Hour)):
			return "User cannot re-enable dating within 3 hours"
		default:
			me.on, me.approvals, me.endsOn = true, 0, at.AddDate(0, 0, 30).Format("2006-01-02")
		}
	case "setUserDetails":
		return m.change(me, a, at)
	case "approveMatch", "rejectMatch":
		switch {
		case mine == nil:
			return "Match does not exist"
		case mine.status != "POTENTIAL":
			return "Invalid match transition"
		case a.Do == "rejectMatch":
			mine.status, mine.at = "REJECTED", at
		default:
			mine.status, mine.at = "APPROVED", at
			m.users[other].approvals++
			if theirs.status == "APPROVED" {
				mine.status, theirs.status, theirs.at = "CONFIRMED", "CONFIRMED", at
			}
		}
	case "blockUser":
		switch {
		case other == a.By:
			return "Cannot block yourself"
		case m.blocks[pair{a.By, other}]:
			return fmt.Sprintf("User `{%s}` has already blocked user `{%s}`", a.By, other)
		}
		m.blocks[pair{a.By, other}] = true
	case "unblockUser":
		switch {
		case other == a.By:
			return "Cannot unblock yourself"
		case !m.blocks[pair{a.By, other}]:
			return fmt.Sprintf("User `{%s}` has not blocked user `{%s}`", a.By, other)
		}
		delete(m.blocks, pair{a.By, other})
	case "grantUserSubscriptionBonus":
		if !me.grantedAt.IsZero() {
			return fmt.Sprintf("User `{%s}` has already granted themselves a subscription bonus", a.By)
		}
		me.grantedAt, me.diamond = at, true
	}
	return ""
}

func (m *loves) change(me *lover, a act, at time.Time) string {
	value := a.Text(a.Args[0].Name)
	switch a.Args[0].Name {
	case "location":
		me.place = slices.Index(places, value)
	case "gender":
		me.gender = value
	case "matchGenders":
		me.genders = strings.Split(strings.Trim(value, "[]"), ", ")
	case "matchLocationRadius":
		if value == "20000" && !me.diamond {
			return "matchLocationRadius should be less than or equal to 100"
		}
		fmt.Sscan(value, &me.radius)
	case "matchAgeRange":
		me.oldest = 90
		if strings.Contains(value, "30") {
			me.oldest = 30 // all are older
		}
	case "fullName":
		if me.named = value != ""; !me.named && me.on {
			me.end(at)
		}
	}
	return ""
}

// match compares all pairs.
func (m *loves) match(at time.Time) {
	wants := func(a, b *lover) bool {
		return a.on && slices.Contains(a.genders, b.gender) && a.oldest > 30 && a.milesTo(b) <= a.radius
	}
	for _, x := range couples {
		for _, y := range couples {
			if x >= y {
				continue
			}
			a, b, there, back := m.users[x], m.users[y], pair{x, y}, pair{y, x}
			switch should := wants(a, b) && wants(b, a) && !m.blocks[there] && !m.blocks[back]; {
			case !should:
				delete(m.matches, there)
				delete(m.matches, back)
			case m.matches[there] == nil:
				m.matches[there], m.matches[back] = &affair{"POTENTIAL", at}, &affair{"POTENTIAL", at}
			}
		}
	}
}

// compare queries each user's view of themselves and of all others.
func (m *loves) compare(w *apptest.World) string {
	for _, viewer := range couples {
		query := `{ self { datingStatus userDisableDatingDate`
		for _, status := range []string{"POTENTIAL", "REJECTED", "APPROVED", "CONFIRMED"} {
			query += fmt.Sprintf(" %s: matchedUsers(matchStatus: %s) { items { userId } }", status, status)
		}
		query += " }"
		for _, id := range couples {
			query += fmt.Sprintf(` %s: user(userId: "{%s}") { matchStatus }`, id, id)
		}
		answer := w.Ask(viewer, query+" }")
		if len(answer.Errors) > 0 {
			return fmt.Sprintf("%s looks: %v", viewer, answer.Errors)
		}
		data := []byte(named(w, string(answer.Data)))
		want := m.shown(viewer)
		if d := apptest.Difference("what "+viewer+" sees", m.ordered(viewer, data), plain(want)); d != "" {
			return d
		}
	}
	return ""
}

func (m *loves) shown(viewer string) shown {
	me := m.users[viewer]
	self := shown{"datingStatus": "DISABLED", "userDisableDatingDate": nil}
	if me.on {
		self["datingStatus"] = "ENABLED"
	}
	if !me.offAt.IsZero() {
		self["userDisableDatingDate"] = instant(me.offAt)
	}
	all := shown{"self": self}
	for _, status := range []string{"POTENTIAL", "REJECTED", "APPROVED", "CONFIRMED"} {
		var ids []string
		for _, id := range couples {
			if a := m.matches[pair{viewer, id}]; a != nil && a.status == status {
				ids = append(ids, id)
			}
		}
		slices.SortFunc(ids, func(x, y string) int {
			if status == "POTENTIAL" {
				return m.users[y].approvals - m.users[x].approvals
			}
			return m.matches[pair{viewer, y}].at.Compare(m.matches[pair{viewer, x}].at)
		})
		items := []shown{}
		for _, id := range ids {
			items = append(items, shown{"userId": "{" + id + "}"})
		}
		self[status] = shown{"items": items}
	}
	for _, id := range couples {
		status := "NOT_MATCHED"
		if a := m.matches[pair{viewer, id}]; a != nil {
			status = a.status
		}
		all[id] = shown{"matchStatus": status}
	}
	return all
}

// ordered sorts potential matches with equal numbers of approvals by id, since their order
// is unspecified.
func (m *loves) ordered(viewer string, data []byte) any {
	var seen map[string]any
	if err := json.Unmarshal(data, &seen); err != nil {
		panic(err)
	}
	list := seen["self"].(map[string]any)["POTENTIAL"].(map[string]any)
	items := list["items"].([]any)
	id := func(item any) string { return bare(item.(map[string]any)["userId"].(string)) }
	for i := range items { // bubbles that do not change who comes before whom with more approvals
		for j := 1; j < len(items)-i; j++ {
			x, y := id(items[j-1]), id(items[j])
			if m.users[x].approvals == m.users[y].approvals && x > y {
				items[j-1], items[j] = items[j], items[j-1]
			}
		}
	}
	return seen
}
