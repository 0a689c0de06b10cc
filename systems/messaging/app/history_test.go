package app_test

import (
	"fmt"
	"slices"
	"testing"

	"stoa/internal/apptest"
	"stoa/systems/messaging"
	"stoa/systems/messaging/store"
)

// Histories: users act at random in two groups, while the store fails occasionally. A naive
// model predicts errors and the resulting state. After a failure, the state is either the
// previous one or that of the model, and nothing in between: after each step, the stored
// state and the views of all users are compared, and the invariants are checked.

type modelSub struct {
	Want, Given       messaging.Mode
	Ended             bool
	Read, Recv, Clear int
}

type modelMessage struct {
	Author, Content string
	Deleted         bool
	Hidden          []string
}

// modelGroup is a group. Message n is at index n-1.
type modelGroup struct {
	Owner    string
	Clear    int
	Subs     map[string]*modelSub
	Messages []*modelMessage
}

// model contains groups by name.
type model map[string]*modelGroup

// everyone lists the people of a history.
var everyone = []string{"ann", "bob", "cid", "dot"}

func (s *modelSub) mode() messaging.Mode {
	if s == nil || s.Ended {
		return 0
	}
	return s.Want & s.Given
}

func (s *modelSub) may(m messaging.Mode) bool { return s.mode().Has(m | messaging.Join) }
func (s *modelSub) lasts() bool               { return s != nil && !s.Ended }

func (s *modelSub) end() { s.Ended, s.Given = true, s.Given&^messaging.Own }

func (g *modelGroup) hand(to string) {
	for name, s := range g.Subs {
		if name != to {
			s.Given &^= messaging.Own
		}
	}
	g.Subs[g.Owner].Want &^= messaging.Own
	g.Subs[to].Want |= messaging.Own | messaging.Join
	g.Owner = to
}

// player plays a history in a world and in the model.
type player struct {
	*world
	*apptest.Trial[model]
	store    *store.Store
	topics   map[string]messaging.TopicID
	defaults map[string]messaging.Mode
}

type attempt = apptest.Attempt[model]

func pick[T any](p interface{ IntN(int) int }, of ...T) T { return of[p.IntN(len(of))] }

// draw returns a random attempt.
func (p *player) draw(n int) attempt {
	as, other, name := pick(p, everyone...), pick(p, everyone...), pick(p, "open", "quiet")
	g := p.Model[name]
	s, o, last := g.Subs[as], g.Subs[other], len(g.Messages)
	v := vars{"t": string(p.topics[name]), "u": p.ids[other]}
	try := func(query, refused string, change func(g *modelGroup, a apptest.Answer)) attempt {
		return apptest.Try(as, query, v, refused, func(m model, a apptest.Answer) { change(m[name], a) })
	}
	still := func(*modelGroup, apptest.Answer) {}
	unsubscribed := apptest.Either(!s.lasts(), "FORBIDDEN NOT_SUBSCRIBED")
	switch kind := p.IntN(24); {
	case kind < 4 && !(s != nil && s.Ended && !s.Given.Has(messaging.Join)):
		return try(subscribe, apptest.Either(s.lasts() && !s.Given.Has(messaging.Join), "FORBIDDEN PENDING_APPROVAL"), func(g *modelGroup, _ apptest.Answer) {
			switch {
			case g.Subs[as] == nil:
				g.Subs[as] = &modelSub{Want: messaging.GroupDefault, Given: p.defaults[name]}
			default:
				g.Subs[as].Ended = false
			}
		})
	case kind == 4:
		return try(unsubscribe, apptest.Either(!s.lasts(), "FORBIDDEN NOT_SUBSCRIBED", g.Owner == as, "FORBIDDEN OWNER_MUST_TRANSFER"),
			func(g *modelGroup, _ apptest.Answer) { g.Subs[as].end() })
	case kind < 7:
		v["w"] = pick(p, "N", "JR", "jrw", "JRWPS", "JRWPASD", "JRWPASDO")
		want, _ := messaging.ParseMode(v["w"].(string))
		owns := want.Has(messaging.Own)
		return try(setMine, apptest.Either(!s.lasts(), "FORBIDDEN NOT_SUBSCRIBED", g.Owner == as && !owns, "FORBIDDEN OWNER_MODE",
			g.Owner != as && owns && !s.lasts(), "", g.Owner != as && owns && s != nil && !s.Given.Has(messaging.Own), "FORBIDDEN OWNER_MODE"), func(g *modelGroup, _ apptest.Answer) {
			s := g.Subs[as]
			switch {
			case owns && g.Owner != as:
				s.Want = want
				g.hand(as)
				return
			case s.mode().IsAdmin():
				s.Given |= want &^ (messaging.Own | messaging.Delete)
			}
			s.Want = want
		})
	case kind < 11 && as != other:
		v["g"] = pick(p, "N", "JR", "JRW", "JRWPAS")
		given, _ := messaging.ParseMode(v["g"].(string))
		return try(setAccess, apptest.Either(!s.mode().IsSharer(), "FORBIDDEN NOT_SHARER", !s.mode().IsAdmin(), "FORBIDDEN NOT_ADMIN", other == g.Owner, "FORBIDDEN OWNER",
			o != nil && !o.Want.Has(messaging.Join), "FORBIDDEN USER_REFUSES"), func(g *modelGroup, _ apptest.Answer) {
			o := g.Subs[other]
			if o == nil {
				o = &modelSub{Want: messaging.PairMode}
				g.Subs[other] = o
			}
			o.Ended, o.Given = false, given
		})
	case kind == 11 && as != other:
		return try(offer, apptest.Either(g.Owner != as, "FORBIDDEN NOT_OWNER", !o.lasts(), "NOT_FOUND", o != nil && !o.Want.Has(messaging.Join), "FORBIDDEN USER_REFUSES"),
			func(g *modelGroup, _ apptest.Answer) { g.Subs[other].Given |= messaging.Own | messaging.Join })
	case kind < 14:
		return try(accept, apptest.Either(!s.lasts(), "FORBIDDEN NOT_SUBSCRIBED", g.Owner != as && s != nil && !s.Given.Has(messaging.Own|messaging.Join), "FORBIDDEN NOT_OFFERED"),
			func(g *modelGroup, _ apptest.Answer) {
				if g.Owner != as {
					g.hand(as)
				}
			})
	case kind == 14:
		return try(remove, apptest.Either(!s.mode().IsAdmin(), "FORBIDDEN NOT_ADMIN", as == other, "FORBIDDEN SELF", other == g.Owner, "FORBIDDEN OWNER", !o.lasts(), "NOT_FOUND",
			o != nil && !o.Want.Has(messaging.Join), "FORBIDDEN USER_REFUSES"), func(g *modelGroup, _ apptest.Answer) { g.Subs[other].end() })
	case kind == 15 && last > 0:
		v["b"], v["h"] = 1+p.IntN(last), p.IntN(2) == 0
		return try(erase, apptest.Either(!s.may(messaging.Read), "FORBIDDEN NO_READ"), func(g *modelGroup, _ apptest.Answer) {
			s, before := g.Subs[as], v["b"].(int)
			switch {
			case v["h"].(bool) && s.may(messaging.Delete):
				g.Clear = max(g.Clear, before)
			case before > s.Clear:
				s.Clear, s.Read = before, max(s.Read, before)
				s.Recv = max(s.Recv, s.Read)
			}
		})
	case kind == 16 && last > 0:
		v["s"], v["h"] = []int{1 + p.IntN(last), 1 + p.IntN(last)}, p.IntN(2) == 0
		return try(erase, apptest.Either(!s.may(messaging.Read), "FORBIDDEN NO_READ"), func(g *modelGroup, _ apptest.Answer) {
			s := g.Subs[as]
			for _, n := range v["s"].([]int) {
				switch m := g.Messages[n-1]; {
				case m.Deleted || n <= max(g.Clear, s.Clear):
				case v["h"].(bool) && s.may(messaging.Delete):
					m.Deleted, m.Content = true, ""
				case !slices.Contains(m.Hidden, as):
					m.Hidden = append(m.Hidden, as)
				}
			}
		})
	case kind < 19:
		seq := p.IntN(last + 3)
		v["k"], v["s"] = pick(p, "READ", "RECEIVED"), seq
		return try(note, apptest.Either(!s.may(messaging.Read), "FORBIDDEN NO_READ"), func(g *modelGroup, _ apptest.Answer) {
			s := g.Subs[as]
			if seq > len(g.Messages) {
				return
			}
			if v["k"] == "READ" && seq > s.Read {
				s.Read, s.Recv = seq, max(s.Recv, seq)
			} else if v["k"] == "RECEIVED" {
				s.Recv = max(s.Recv, seq)
			}
		})
	case kind == 19:
		v["p"] = n
		return try(`mutation($t: ID!, $p: JSON) { setPrivate(topicId: $t, private: $p) { private } }`, unsubscribed, still)
	default:
		content := fmt.Sprint("m", n)
		v["c"] = content
		return try(publish, apptest.Either(!s.may(messaging.Write), "FORBIDDEN NO_WRITE"), func(g *modelGroup, _ apptest.Answer) {
			g.Messages = append(g.Messages, &modelMessage{as, content, false, []string{}})
			s := g.Subs[as]
			s.Read, s.Recv = len(g.Messages), len(g.Messages)
		})
	}
}

// observed returns the stored state, after comparing it with what each user sees of it.
func (p *player) observed(...model) model {
	p.T.Helper()
	seen := model{}
	for name, topic := range p.topics {
		w := messaging.Wanted{Topics: []messaging.TopicID{topic}}
		names := map[messaging.UserID]string{}
		for _, who := range everyone {
			names[p.of(who)] = who
			w.Subscriptions = append(w.Subscriptions, messaging.SubscriptionRef{Topic: topic, User: p.of(who)})
		}
		facts, err := p.store.Messages.Facts(p.T.Context(), w)
		if err != nil {
			p.T.Fatal(err)
		}
		t := facts.Topics[topic]
		w = messaging.Wanted{}
		for n := range t.SeqID {
			w.Messages = append(w.Messages, messaging.MessageRef{Topic: topic, Seq: n + 1})
		}
		stored, err := p.store.Messages.Facts(p.T.Context(), w)
		if err != nil {
			p.T.Fatal(err)
		}
		g := &modelGroup{Owner: names[t.Owner], Clear: t.ClearID, Subs: map[string]*modelSub{}, Messages: []*modelMessage{}}
		for ref, s := range facts.Subscriptions {
			g.Subs[names[ref.User]] = &modelSub{s.Want, s.Given, !s.Active(), s.ReadSeqID, s.RecvSeqID, s.ClearID}
		}
		for _, ref := range w.Messages {
			m := &modelMessage{names[stored.Messages[ref].From], stored.Messages[ref].Content.Text(), !stored.Messages[ref].DeletedAt.IsZero(), []string{}}
			for _, id := range stored.Messages[ref].DeletedFor {
				m.Hidden = append(m.Hidden, names[id])
			}
			g.Messages = append(g.Messages, m)
		}
		for _, who := range everyone {
			p.looks(who, topic, g)
		}
		seen[name] = g
	}
	return seen
}

// looks compares what a user sees of a group with the stored state.
func (p *player) looks(who string, topic messaging.TopicID, g *modelGroup) {
	p.T.Helper()
	a := p.Asks(who, history, vars{"t": string(topic), "o": "ASC", "l": 100})
	s := g.Subs[who]
	if !s.may(messaging.Read) {
		if a.Refusal() != "FORBIDDEN NO_READ" {
			p.T.Fatalf("%s may not read, and is answered %s", who, a.Data)
		}
		return
	}
	var want []string
	for i, m := range g.Messages {
		if i+1 > max(g.Clear, s.Clear) && !slices.Contains(m.Hidden, who) {
			want = append(want, fmt.Sprintf("%d %s", i+1, m.Content))
		}
	}
	var got []string
	for _, m := range p.DataOf(a).Items("messages.items") {
		content, _ := m.At("content").(string)
		got = append(got, fmt.Sprintf("%d %s", m.Int("seqId"), content))
	}
	if !slices.Equal(got, want) {
		p.T.Fatalf("%s sees %q, want %q", who, got, want)
	}
	d := p.Does(who, `query($t: ID!) { subscription(topicId: $t) { unread } }`, vars{"t": string(topic)})
	if got, want := d.Int("subscription.unread"), max(0, len(g.Messages)-max(s.Read, s.Clear, g.Clear)); got != want {
		p.T.Fatalf("%s has %d unread, want %d", who, got, want)
	}
}

func play(t *testing.T, seed uint64, failing int) {
	t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
		test(t, func(w *world) {
			w.joins(everyone...)
			p := &player{world: w, store: store.Open(w.DB), topics: map[string]messaging.TopicID{}, defaults: map[string]messaging.Mode{}}
			m := model{}
			for name, auth := range map[string]string{"open": "JRWPS", "quiet": "JR"} {
				p.topics[name] = messaging.TopicID(w.group("ann", vars{"defaultAccess": vars{"auth": auth}}))
				p.defaults[name], _ = messaging.ParseMode(auth)
				m[name] = &modelGroup{Owner: "ann", Subs: map[string]*modelSub{"ann": {Want: messaging.OwnerMode, Given: messaging.OwnerMode}}, Messages: []*modelMessage{}}
			}
			p.Trial = &apptest.Trial[model]{
				World: w.World, Rand: apptest.NewRandom(seed), Model: m, Observe: p.observed, Failing: failing,
				Ready: func(as string) { w.Does(as, me) }, // tokens are known for some seconds
			}
			for n := range 120 {
				p.Make(p.draw(n))
			}
		})
	})
}

// messaging 6 and 6#1-9: random requests are answered as by the model, and the invariants
// hold after each.
func TestRandomHistories(t *testing.T) {
	for seed := range apptest.Seeds(8) {
		play(t, seed, 0)
	}
}

func TestRandomHistoriesWithFaults(t *testing.T) {
	for seed := range apptest.Seeds(8) {
		play(t, seed+100, 35)
	}
}
