package app_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/kit/page"
	"stoa/systems/messaging"
	"stoa/systems/messaging/presence"
	"stoa/systems/messaging/store"
)

// Histories of lives: users, some of them anonymous, sign up, come online and go offline,
// meet in groups and two-person topics, and delete these and themselves, softly or hard,
// while the store fails occasionally. After each step, the stored state, what users see of
// it and who is announced as online are compared with a naive model, and the invariants are
// checked.

// modelLife is an account. All other fields of a deleted one are zero.
type modelLife struct {
	State messaging.AccountState // "" if nothing is stored
	// Device is the time until which the user has reported to be online, in milliseconds,
	// and Live the number of their live subscriptions.
	Device int64
	Live   int
	// Announced is set if the user was announced as online.
	Announced bool
}

func (l *modelLife) online(now time.Time) bool { return l.Live > 0 || now.UnixMilli() < l.Device }

// changes applies a change of sessions, which also removes expired ones.
func (l *modelLife) changes(now time.Time) {
	if now.UnixMilli() >= l.Device {
		l.Device = 0
	}
	l.Announced = l.online(now)
}

// modelRoom is a group or a two-person topic. Its first messages may have been removed.
type modelRoom struct {
	Owner    string
	Ended    bool
	Clear    int
	Subs     map[string]*modelSub
	Removed  int
	Messages []*modelMessage
}

func (r *modelRoom) last() int { return r.Removed + len(r.Messages) }

// ends deletes a group.
func (r *modelRoom) ends() {
	r.Ended = true
	for _, s := range r.Subs {
		s.Ended = true
	}
}

// empties removes the messages.
func (r *modelRoom) empties() {
	r.Removed, r.Messages = r.last(), []*modelMessage{}
	r.Clear = r.Removed
}

// leaves ends the subscription of a user to a two-person topic, and deletes the topic once
// both have left. Its messages go as well if hard is set or nobody else can come back.
func (m *lives) leaves(r *modelRoom, as string, hard bool) {
	r.Subs[as].Ended = true
	for name, s := range r.Subs {
		if !s.Ended {
			return
		}
		if l := m.People[name]; name != as && l != nil && l.State == "" {
			hard = true
		}
	}
	r.Ended = true
	if hard {
		r.empties()
	}
}

// lives holds accounts and topics by name. Topics without stored rows are absent.
type lives struct {
	People map[string]*modelLife
	Rooms  map[string]*modelRoom
}

// dies deletes an account.
func (m *lives) dies(as string, hard bool) {
	for name, r := range m.Rooms {
		switch s := r.Subs[as]; {
		case s == nil:
			continue
		case r.Owner == "" && s.lasts():
			m.leaves(r, as, hard)
		case r.Owner == "" && r.Ended && hard:
			r.empties()
		case r.Owner == as && s.lasts() && hard:
			delete(m.Rooms, name)
		case r.Owner == as && s.lasts():
			r.ends()
		case s.lasts():
			s.end()
		}
		if hard && r.Owner != "" {
			delete(r.Subs, as)
		}
	}
	*m.People[as] = modelLife{State: messaging.Terminated}
	if hard {
		m.People[as].State = ""
	}
}

type livesPlayer struct {
	*world
	*apptest.Trial[*lives]
	store *store.Store
	// living lists the current users, people all users so far.
	living, people []string
	anonymous      map[string]bool
	groups         []string // all that ever were
	topics         map[string]messaging.TopicID
	anon           map[string]messaging.Mode // access of anonymous users by default
	stops          map[string][]func()       // of live subscriptions
	// news holds the users that eve was told are online. She has a topic with everyone.
	news   map[messaging.UserID]bool
	synced time.Time
	viewer int
}

const eve = "eve"

// sync advances the time of the bubble to that of the world, so that sessions are renewed.
func (p *livesPlayer) sync() {
	time.Sleep(p.Now().Sub(p.synced))
	p.synced = p.Now()
	p.Settle()
}

// passes advances the clock.
func (p *livesPlayer) passes(d time.Duration) {
	for range d / (5 * time.Second) {
		p.Advance(5 * time.Second)
		p.sync()
	}
}

// born creates an account, with which eve starts a topic.
func (p *livesPlayer) born() string {
	p.T.Helper()
	name := fmt.Sprint("p", len(p.people))
	p.anonymous[name] = p.IntN(3) == 0
	if p.anonymous[name] {
		p.account(name, vars{"scheme": "ANONYMOUS", "login": nil, "password": nil})
	} else {
		p.joins(name)
	}
	p.people = append(p.people, name)
	p.Model.People[name] = &modelLife{State: messaging.InUse}
	p.topics[pairOf(eve, name)] = messaging.TopicID(p.chats(eve, name))
	p.Model.Rooms[pairOf(eve, name)] = p.begun(eve, name)
	for _, other := range p.people {
		if other != name {
			p.topics[pairOf(other, name)] = messaging.PairTopic(p.of(other), p.of(name))
		}
	}
	return name
}

// begun returns a new two-person topic. By default, users give anonymous ones no
// permissions.
func (p *livesPlayer) begun(as, other string) *modelRoom {
	mine, theirs := &modelSub{Want: messaging.PairMode, Given: messaging.PairMode}, &modelSub{Want: messaging.PairMode, Given: messaging.PairMode}
	if p.anonymous[as] {
		mine.Given = messaging.Nothing
	}
	return &modelRoom{Subs: map[string]*modelSub{as: mine, other: theirs}, Messages: []*modelMessage{}}
}

// founds creates a group.
func (p *livesPlayer) founds(as string) {
	p.T.Helper()
	name := fmt.Sprint("g", len(p.groups))
	anon := pick(p, "N", "JR", "JRW")
	p.groups = append(p.groups, name)
	p.anon[name], _ = messaging.ParseMode(anon)
	p.topics[name] = messaging.TopicID(p.group(as, vars{"defaultAccess": vars{"anon": anon}}))
	p.Model.Rooms[name] = &modelRoom{Owner: as, Subs: map[string]*modelSub{as: {Want: messaging.OwnerMode, Given: messaging.OwnerMode}}, Messages: []*modelMessage{}}
}

func (p *livesPlayer) draw(n int) apptest.Attempt[*lives] {
	as, other := pick(p, p.living...), pick(p, append(p.people[max(0, len(p.people)-5):], p.living...)...)
	hard := p.IntN(2) == 0
	name, isGroup := pairOf(as, other), false
	if group := pick(p, p.groups[max(0, len(p.groups)-4):]...); p.IntN(2) == 0 || as == other {
		name, isGroup = group, true
	}
	r := p.Model.Rooms[name]
	var s *modelSub
	if r != nil {
		s = r.Subs[as]
	}
	missing := r == nil || r.Ended || !isGroup && !s.lasts()
	v := vars{"t": string(p.topics[name]), "u": p.ids[other], "h": hard}
	try := func(query, refused string, change func(m *lives)) apptest.Attempt[*lives] {
		return apptest.Try(as, query, v, refused, func(m *lives, _ apptest.Answer) { change(m) })
	}
	switch kind := p.IntN(24); {
	case kind < 4 && isGroup:
		given := messaging.GroupDefault
		if p.anonymous[as] {
			given = p.anon[name]
		}
		if s != nil {
			given = s.Given
		}
		pending := !given.Has(messaging.Join)
		a := try(subscribe, apptest.Either(missing, "NOT_FOUND", pending, "FORBIDDEN PENDING_APPROVAL"), func(m *lives) {
			subs := m.Rooms[name].Subs
			if subs[as] == nil {
				subs[as] = &modelSub{Want: messaging.GroupDefault, Given: given}
			}
			subs[as].Ended = false
		})
		a.Despite = !missing && pending // the request is stored
		return a
	case kind < 8 && as != other:
		name := pairOf(as, other)
		return try(chat, apptest.Either(p.Model.People[other].State != messaging.InUse, "NOT_FOUND"), func(m *lives) {
			switch r := m.Rooms[name]; {
			case r == nil:
				m.Rooms[name] = p.begun(as, other)
			case r.Ended:
				r.Ended, r.Subs[as].Ended, r.Subs[other].Ended = false, false, false
			default:
				r.Subs[as].Ended = false
			}
		})
	case kind < 10:
		return try(
			unsubscribe,
			apptest.Either(missing, "NOT_FOUND", !s.lasts(), "FORBIDDEN NOT_SUBSCRIBED", isGroup && r != nil && r.Owner == as, "FORBIDDEN OWNER_MUST_TRANSFER"),
			func(m *lives) {
				if isGroup {
					m.Rooms[name].Subs[as].end()
				} else {
					m.leaves(m.Rooms[name], as, false)
				}
			},
		)
	case kind < 13:
		return try(dropTopic, apptest.Either(missing, "NOT_FOUND", isGroup && r != nil && r.Owner != as, "FORBIDDEN NOT_OWNER"), func(m *lives) {
			switch {
			case !isGroup:
				m.leaves(m.Rooms[name], as, hard)
			case hard:
				delete(m.Rooms, name)
			default:
				m.Rooms[name].ends()
			}
		})
	case kind == 13:
		return try(`mutation($h: Boolean) { deleteAccount(hard: $h) }`, "", func(m *lives) { m.dies(as, hard) })
	case kind < 17:
		return try(`mutation { goOnline(userAgent: "Phone/1") }`, "", func(m *lives) {
			me := m.People[as]
			me.Device = p.Now().Add(time.Minute).UnixMilli()
			me.changes(p.Now())
		})
	case kind == 17:
		return try(`mutation { goOffline }`, "", func(m *lives) {
			me := m.People[as]
			me.Device = 0
			me.changes(p.Now())
		})
	default:
		content := fmt.Sprint("m", n)
		v["c"] = content
		delete(v, "h")
		return try(publish, apptest.Either(missing, "NOT_FOUND", !s.may(messaging.Write), "FORBIDDEN NO_WRITE"), func(m *lives) {
			r := m.Rooms[name]
			r.Messages = append(r.Messages, &modelMessage{as, content, false, []string{}})
			r.Subs[as].Read, r.Subs[as].Recv = r.last(), r.last()
		})
	}
}

// observed returns the stored state, after comparing it with what each user in turn sees of
// it.
func (p *livesPlayer) observed(models ...*lives) *lives {
	p.T.Helper()
	p.sync()
	now, names := p.Now(), map[messaging.UserID]string{p.of(eve): eve}
	for _, m := range models {
		for _, l := range m.People {
			if now.UnixMilli() >= l.Device {
				l.Device = 0 // with a live subscription, it is removed at any time
			}
		}
	}
	var w messaging.Wanted
	for _, name := range p.people {
		names[p.of(name)] = name
		w.Users, w.Presences = append(w.Users, p.of(name)), append(w.Presences, p.of(name))
	}
	for _, topic := range p.topics {
		w.Topics = append(w.Topics, topic)
	}
	facts, err := p.store.Messages.Facts(p.T.Context(), w)
	if err != nil {
		p.T.Fatal(err)
	}
	seen := &lives{People: map[string]*modelLife{}, Rooms: map[string]*modelRoom{}}
	for _, name := range p.people {
		l := &modelLife{}
		seen.People[name] = l
		if u := facts.Users[p.of(name)]; u != nil {
			l.State = u.State
		}
		open := facts.Presences[p.of(name)]
		if open == nil || l.State != messaging.InUse {
			continue
		}
		l.Announced = open.Announced
		for id, session := range open.Open {
			switch {
			case !now.Before(session.Until):
			case id == "device":
				l.Device = session.Until.UnixMilli()
			default:
				l.Live++
			}
		}
	}
	for name, topic := range p.topics {
		if r := p.stored(topic, facts.Topics[topic], names); r != nil {
			seen.Rooms[name] = r
		}
	}
	p.viewer++
	p.looks(p.living[p.viewer%len(p.living)], seen)
	return seen
}

// stored returns a topic, or nil if it has no stored rows.
func (p *livesPlayer) stored(id messaging.TopicID, t *messaging.Topic, names map[messaging.UserID]string) *modelRoom {
	p.T.Helper()
	subs, err := p.store.Subscriptions.Of(p.T.Context(), id, page.Query{First: page.Max})
	if err != nil {
		p.T.Fatal(err)
	}
	messages, err := p.store.Messages.List(p.T.Context(), id, messaging.Span{}, page.Query{First: page.Max}, false)
	if err != nil {
		p.T.Fatal(err)
	}
	if t == nil {
		if len(subs.Items)+len(messages.Items) > 0 {
			p.T.Fatalf("of %s, %d subscriptions and %d messages are left", id, len(subs.Items), len(messages.Items))
		}
		return nil
	}
	r := &modelRoom{
		Owner: names[t.Owner], Ended: !t.Exists(), Clear: t.ClearID, Subs: map[string]*modelSub{},
		Removed: t.SeqID - len(messages.Items), Messages: []*modelMessage{},
	}
	for _, s := range subs.Items {
		r.Subs[names[s.User]] = &modelSub{s.Want, s.Given, !s.Active(), s.ReadSeqID, s.RecvSeqID, s.ClearID}
	}
	for _, m := range messages.Items {
		r.Messages = append(r.Messages, &modelMessage{names[m.From], m.Content.Text(), !m.DeletedAt.IsZero(), []string{}})
	}
	return r
}

// looks compares what a user sees with the stored state.
func (p *livesPlayer) looks(who string, m *lives) {
	p.T.Helper()
	if m.People[who].State != messaging.InUse {
		return
	}
	const history = `query($t: ID!) { messages(topicId: $t, order: ASC, limit: 100) { items { seqId content from { state } } } }`
	for name, topic := range p.topics {
		r, isGroup := m.Rooms[name], topic.Kind() == messaging.Group
		if r == nil && !isGroup || r != nil && r.Subs[who] == nil {
			continue
		}
		missing := r == nil || r.Ended || !isGroup && !r.Subs[who].lasts()
		want := apptest.Either(missing, "NOT_FOUND", !missing && !r.Subs[who].may(messaging.Read), "FORBIDDEN NO_READ")
		a := p.Asks(who, history, vars{"t": string(topic)})
		if got := a.Refusal(); got != want {
			p.T.Fatalf("%s reads %s: refused with %q, want %q", who, name, got, want)
		}
		if want != "" {
			continue
		}
		var expected, listed []string
		for i, message := range r.Messages {
			author := m.People[message.Author].State
			expected = append(expected, fmt.Sprint(r.Removed+i+1, " ", message.Content, " ", author))
		}
		for _, item := range p.DataOf(a).Items("messages.items") {
			state := ""
			if item.At("from") != nil {
				state = item.Text("from.state")
			}
			listed = append(listed, fmt.Sprint(item.Int("seqId"), " ", item.Text("content"), " ", state))
		}
		if !slices.Equal(listed, expected) {
			p.T.Fatalf("%s sees %q in %s, want %q", who, listed, name, expected)
		}
	}
	for _, name := range p.people[max(0, len(p.people)-4):] {
		a := p.Asks(who, `query($u: ID!) { user(id: $u) { state online } }`, vars{"u": p.ids[name]})
		l, want := m.People[name], "null"
		if l.State != "" {
			want = fmt.Sprintf(`{"online":%t,"state":%q}`, l.online(p.Now()), l.State)
		}
		p.Is(p.DataOf(a), "user", want)
	}
}

// sessions returns the stored sessions of users.
func (p *livesPlayer) sessions(names ...string) map[messaging.UserID]*messaging.Sessions {
	p.T.Helper()
	var w messaging.Wanted
	for _, name := range names {
		w.Presences = append(w.Presences, p.of(name))
	}
	facts, err := p.store.Presences.Facts(p.T.Context(), w)
	if err != nil {
		p.T.Fatal(err)
	}
	return facts.Presences
}

// listens subscribes eve to her events. A store failure ends the subscription, and she
// queries who is online when she subscribes again.
func (p *livesPlayer) listens() {
	p.T.Helper()
	if p.sessions(eve)[p.of(eve)].Online(p.Now()) {
		return
	}
	if p.news != nil && p.Failing == 0 {
		p.T.Fatal("eve hears nothing any more")
	}
	p.Listen(eve, `subscription { myEvents { kind user { id } } }`)
	p.news = map[messaging.UserID]bool{}
	for name, l := range p.Model.People {
		p.news[p.of(name)] = l.Announced
	}
}

// hears compares the users announced as online with the model.
func (p *livesPlayer) hears() {
	p.T.Helper()
	p.sync()
	time.Sleep(10 * time.Millisecond) // of the bubble: fields wait for others that name users
	for _, heard := range p.TakeHeard()[eve] {
		var e struct {
			MyEvents struct {
				Kind messaging.TopicEventKind
				User struct{ ID string }
			}
		}
		if err := json.Unmarshal([]byte(heard), &e); err != nil {
			p.T.Fatal(err)
		}
		if id, ok := messaging.ParseUser(e.MyEvents.User.ID); ok && (e.MyEvents.Kind == messaging.Online || e.MyEvents.Kind == messaging.Offline) {
			p.news[id] = e.MyEvents.Kind == messaging.Online
		}
	}
	p.listens()
	for _, name := range p.living {
		if l := p.Model.People[name]; l.State == messaging.InUse && p.news[p.of(name)] != l.Announced {
			p.T.Fatalf("eve has heard that %s is online: %t, want %t", name, !l.Announced, l.Announced)
		}
	}
}

// moves makes changes that cannot fail: time passes, users open and close live
// subscriptions, and new users replace deleted ones.
func (p *livesPlayer) moves() {
	p.T.Helper()
	for i, name := range p.living {
		if p.Model.People[name].State != messaging.InUse {
			p.living[i] = p.born()
		}
	}
	standing := 0
	for _, name := range p.groups {
		if r := p.Model.Rooms[name]; r != nil && !r.Ended {
			standing++
		}
	}
	as := pick(p, p.living...)
	me := p.Model.People[as]
	switch kind := p.IntN(10); {
	case standing < 2:
		p.founds(as)
	case kind == 0:
		p.passes(time.Duration(10+10*p.IntN(5)) * time.Second)
		p.RunJob(presence.ExpireJob)
		for _, l := range p.Model.People {
			l.changes(p.Now())
		}
		for id, open := range p.sessions(p.people...) {
			if open.Ends(p.Now()) {
				p.T.Fatalf("expired sessions of %s are left: %v", id, open)
			}
		}
	case kind == 1 && p.Failing == 0:
		p.stops[as] = append(p.stops[as], p.Listen(as, `subscription { myEvents { kind } }`))
		me.Live++
		me.changes(p.Now())
	case kind == 2 && len(p.stops[as]) > 0:
		p.stops[as][0]()
		p.stops[as] = p.stops[as][1:]
		me.Live--
		me.changes(p.Now())
	}
	p.hears()
}

func playLives(t *testing.T, seed uint64, failing int) {
	t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
		test(t, func(w *world) {
			w.joins(eve)
			p := &livesPlayer{
				world: w, store: store.Open(w.DB), anonymous: map[string]bool{}, topics: map[string]messaging.TopicID{}, anon: map[string]messaging.Mode{},
				stops: map[string][]func(){}, synced: w.Now(),
			}
			p.Trial = &apptest.Trial[*lives]{
				World: w.World, Rand: apptest.NewRandom(seed), Model: &lives{People: map[string]*modelLife{}, Rooms: map[string]*modelRoom{}}, Observe: p.observed, Failing: failing,
				Ready: func(as string) { w.Does(as, me) }, // tokens are known for some seconds
			}
			p.living = []string{p.born(), p.born(), p.born()}
			p.listens()
			for n := range 80 {
				p.moves()
				p.Make(p.draw(n))
			}
			p.hears()
		})
	})
}

// messaging 2.6, 5.9#1, 5.10#1, 5.10#4 and 6#9: which messages have expired and who is
// online are as in the model.
func TestHistoriesOfLives(t *testing.T) {
	for seed := range apptest.Seeds(8) {
		playLives(t, seed+600, 0)
	}
}

func TestHistoriesOfLivesWithFaults(t *testing.T) {
	for seed := range apptest.Seeds(8) {
		playLives(t, seed+700, 35)
	}
}
