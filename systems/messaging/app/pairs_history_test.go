package app_test

import (
	"fmt"
	"slices"
	"testing"

	"stoa/internal/apptest"
	"stoa/systems/messaging"
	"stoa/systems/messaging/store"
)

// Histories of two-person topics: three users start, leave and resume their chats, while
// the store fails occasionally. After each step, the stored state and what each user sees
// of it are compared with a naive model, and the invariants are checked.

type modelPair struct {
	Ended    bool
	Subs     map[string]*modelSub // none before the topic begins
	Messages []*modelMessage
}

// pairs holds two-person topics by the names of their users, in order.
type pairs map[string]*modelPair

var trio = []string{"ann", "bob", "cid"}

func pairOf(a, b string) string { return min(a, b) + " " + max(a, b) }

type pairsPlayer struct {
	*world
	*apptest.Trial[pairs]
	store *store.Store
}

func (p *pairsPlayer) topic(a, b string) messaging.TopicID {
	return messaging.PairTopic(p.of(a), p.of(b))
}

func (p *pairsPlayer) draw(n int) apptest.Attempt[pairs] {
	i := p.IntN(len(trio))
	as, other := trio[i], trio[(i+1+p.IntN(len(trio)-1))%len(trio)]
	name := pairOf(as, other)
	g := p.Model[name]
	s, o, last := g.Subs[as], g.Subs[other], len(g.Messages)
	v := vars{"t": p.ids[other], "u": p.ids[other]}
	if p.IntN(2) == 0 {
		v["t"] = string(p.topic(as, other))
	}
	try := func(query, refused string, change func(g *modelPair)) apptest.Attempt[pairs] {
		refused = apptest.Either(!s.lasts() || g.Ended, "NOT_FOUND", true, refused)
		return apptest.Try(as, query, v, refused, func(m pairs, _ apptest.Answer) { change(m[name]) })
	}
	noRead := apptest.Either(!s.may(messaging.Read), "FORBIDDEN NO_READ")
	switch kind := p.IntN(20); {
	case kind < 4:
		return apptest.Try(as, chat, v, "", func(m pairs, _ apptest.Answer) {
			switch g := m[name]; {
			case g.Subs[as] == nil:
				g.Subs[as] = &modelSub{Want: messaging.PairMode, Given: messaging.PairMode}
				g.Subs[other] = &modelSub{Want: messaging.PairMode, Given: messaging.PairMode}
			case g.Ended:
				g.Ended, g.Subs[as].Ended, g.Subs[other].Ended = false, false, false
			default:
				g.Subs[as].Ended = false
			}
		})
	case kind < 6:
		query := unsubscribe
		if p.IntN(2) == 0 {
			query = dropTopic
		}
		return try(query, "", func(g *modelPair) {
			g.Subs[as].Ended = true
			g.Ended = g.Subs[other].Ended
		})
	case kind < 8:
		v["w"] = pick(p, "N", "JR", "jrw", "JRWPASDO", "D")
		want, _ := messaging.ParseMode(v["w"].(string))
		return try(setMine, "", func(g *modelPair) { g.Subs[as].Want = want.InPair() })
	case kind < 10:
		v["g"] = pick(p, "N", "JR", "JRW", "JRWPASDO", "S")
		given, _ := messaging.ParseMode(v["g"].(string))
		return try(setAccess, apptest.Either(!s.mode().IsSharer(), "FORBIDDEN NOT_SHARER", o != nil && !o.Want.Has(messaging.Join), "FORBIDDEN USER_REFUSES"),
			func(g *modelPair) { g.Subs[other].Given = given.InPair() })
	case kind == 10 && last > 0:
		before := 1 + p.IntN(last)
		v["b"], v["h"] = before, p.IntN(2) == 0
		return try(erase, noRead, func(g *modelPair) {
			if s := g.Subs[as]; before > s.Clear {
				s.Clear, s.Read = before, max(s.Read, before)
				s.Recv = max(s.Recv, s.Read)
			}
		})
	case kind == 11 && last > 0:
		listed := []int{1 + p.IntN(last), 1 + p.IntN(last)}
		v["s"], v["h"] = listed, p.IntN(2) == 0
		return try(erase, noRead, func(g *modelPair) {
			for _, n := range listed {
				if m := g.Messages[n-1]; n > g.Subs[as].Clear && !slices.Contains(m.Hidden, as) {
					m.Hidden = append(m.Hidden, as)
				}
			}
		})
	case kind < 14:
		seq := p.IntN(last + 3)
		read := p.IntN(2) == 0
		v["k"], v["s"] = "RECEIVED", seq
		if read {
			v["k"] = "READ"
		}
		return try(note, noRead, func(g *modelPair) {
			s := g.Subs[as]
			switch {
			case seq > len(g.Messages):
			case read && seq > s.Read:
				s.Read, s.Recv = seq, max(s.Recv, seq)
			case !read:
				s.Recv = max(s.Recv, seq)
			}
		})
	default:
		content := fmt.Sprint("m", n)
		v["c"] = content
		return try(publish, apptest.Either(!s.may(messaging.Write), "FORBIDDEN NO_WRITE"), func(g *modelPair) {
			g.Messages = append(g.Messages, &modelMessage{as, content, false, []string{}})
			s := g.Subs[as]
			s.Read, s.Recv = len(g.Messages), len(g.Messages)
		})
	}
}

// observed returns the stored state, after comparing it with what each user sees of it.
func (p *pairsPlayer) observed(...pairs) pairs {
	p.T.Helper()
	seen := pairs{}
	for i, a := range trio {
		for _, b := range trio[i+1:] {
			seen[pairOf(a, b)] = p.stored(a, b)
		}
	}
	return seen
}

func (p *pairsPlayer) stored(a, b string) *modelPair {
	p.T.Helper()
	topic, names := p.topic(a, b), map[messaging.UserID]string{p.of(a): a, p.of(b): b}
	w := messaging.Wanted{Topics: []messaging.TopicID{topic}}
	for id := range names {
		w.Subscriptions = append(w.Subscriptions, messaging.SubscriptionRef{Topic: topic, User: id})
	}
	facts, err := p.store.Messages.Facts(p.T.Context(), w)
	if err != nil {
		p.T.Fatal(err)
	}
	g := &modelPair{Subs: map[string]*modelSub{}, Messages: []*modelMessage{}}
	t := facts.Topics[topic]
	if t != nil {
		g.Ended = !t.Exists()
		w = messaging.Wanted{}
		for n := range t.SeqID {
			w.Messages = append(w.Messages, messaging.MessageRef{Topic: topic, Seq: n + 1})
		}
		written, err := p.store.Messages.Facts(p.T.Context(), w)
		if err != nil {
			p.T.Fatal(err)
		}
		for ref, s := range facts.Subscriptions {
			g.Subs[names[ref.User]] = &modelSub{s.Want, s.Given, !s.Active(), s.ReadSeqID, s.RecvSeqID, s.ClearID}
		}
		for _, ref := range w.Messages {
			m := written.Messages[ref]
			hidden := []string{}
			for _, id := range m.DeletedFor {
				hidden = append(hidden, names[id])
			}
			g.Messages = append(g.Messages, &modelMessage{names[m.From], m.Content.Text(), !m.DeletedAt.IsZero(), hidden})
		}
	}
	for _, who := range trio {
		p.looks(who, topic, g)
	}
	return g
}

// looks compares what a user sees of a topic with the stored state.
func (p *pairsPlayer) looks(who string, topic messaging.TopicID, g *modelPair) {
	p.T.Helper()
	s := g.Subs[who]
	a := p.Asks(who, history, vars{"t": string(topic), "o": "ASC", "l": 100})
	want := apptest.Either(!s.lasts() || g.Ended, "NOT_FOUND", !s.may(messaging.Read), "FORBIDDEN NO_READ")
	if got := a.Refusal(); got != want {
		p.T.Fatalf("%s reads %s: refused with %q, want %q", who, topic, got, want)
	}
	if want != "" {
		return
	}
	var listed, expected []string
	for i, m := range g.Messages {
		if i+1 > s.Clear && !slices.Contains(m.Hidden, who) {
			expected = append(expected, fmt.Sprint(i+1, " ", m.Content))
		}
	}
	for _, m := range p.DataOf(a).Items("messages.items") {
		listed = append(listed, fmt.Sprint(m.Int("seqId"), " ", m.Text("content")))
	}
	if !slices.Equal(listed, expected) {
		p.T.Fatalf("%s sees %q, want %q", who, listed, expected)
	}
	d := p.Does(who, `query($t: ID!) { subscription(topicId: $t) { unread } }`, vars{"t": string(topic)})
	if got, want := d.Int("subscription.unread"), max(0, len(g.Messages)-max(s.Read, s.Clear)); got != want {
		p.T.Fatalf("%s has %d unread, want %d", who, got, want)
	}
}

func playPairs(t *testing.T, seed uint64, failing int) {
	t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
		test(t, func(w *world) {
			w.joins(trio...)
			p := &pairsPlayer{world: w, store: store.Open(w.DB)}
			m := pairs{}
			for i, a := range trio {
				for _, b := range trio[i+1:] {
					m[pairOf(a, b)] = &modelPair{Subs: map[string]*modelSub{}, Messages: []*modelMessage{}}
				}
			}
			p.Trial = &apptest.Trial[pairs]{
				World: w.World, Rand: apptest.NewRandom(seed), Model: m, Observe: p.observed, Failing: failing,
				Ready: func(as string) { w.Does(as, me) }, // tokens are known for some seconds
			}
			for n := range 120 {
				p.Make(p.draw(n))
			}
		})
	})
}

// messaging 5.5#startChat,deleteTopic, 5.7#2-4 and 6#4-5: two-person topics are as in the
// model.
func TestHistoriesOfPairs(t *testing.T) {
	for seed := range apptest.Seeds(8) {
		playPairs(t, seed+400, 0)
	}
}

func TestHistoriesOfPairsWithFaults(t *testing.T) {
	for seed := range apptest.Seeds(8) {
		playPairs(t, seed+500, 35)
	}
}
