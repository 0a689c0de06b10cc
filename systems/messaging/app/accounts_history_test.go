package app_test

import (
	"fmt"
	"slices"
	"testing"

	"stoa/internal/apptest"
	"stoa/systems/messaging"
	"stoa/systems/messaging/store"
)

// Histories of accounts: logins, passwords, tags, devices, suspension and deletion, while
// the store fails occasionally. After each step, the stored state is compared with a naive
// model, and the invariants are checked.

type modelAccount struct {
	Login, Password string
	State           messaging.AccountState
	Tags            []string // free ones, sorted
	Devices         []string // sorted
}

// accounts holds accounts by the names of their users.
type accounts map[string]*modelAccount

// holder returns the other user for whom has reports true, or "".
func (m accounts) holder(as string, has func(*modelAccount) bool) string {
	for name, a := range m {
		if name != as && has(a) {
			return name
		}
	}
	return ""
}

type accountsPlayer struct {
	*world
	*apptest.Trial[accounts]
	store *store.Store
}

var (
	wordPool   = []string{"ants", "bees", "cats", "dogs", "email:e@x.org"}
	loginPool  = []string{"kestrel", "merlin", "osprey", "harrier", "buzzard"}
	devicePool = []string{"phone", "tablet", "watch"}
)

func (p *accountsPlayer) one(of []string) string { return of[p.IntN(len(of))] }

func (p *accountsPlayer) draw(n int) apptest.Attempt[accounts] {
	as := p.one(everyone)
	me := p.Model[as]
	try := func(query string, v vars, refused string, change func(*modelAccount)) apptest.Attempt[accounts] {
		return apptest.Try(as, query, v, apptest.Either(me.State != messaging.InUse, "HTTP 401", true, refused), func(m accounts, _ apptest.Answer) { change(m[as]) })
	}
	govern := func(field string, from, to messaging.AccountState) apptest.Attempt[accounts] {
		return apptest.Try(
			"oz",
			fmt.Sprintf(`mutation($u: ID!) { %s(id: $u) { state } }`, field),
			vars{"u": p.ids[as]},
			apptest.Either(me.State == messaging.Terminated, "NOT_FOUND"),
			func(m accounts, _ apptest.Answer) {
				if m[as].State == from {
					m[as].State = to
				}
			},
		)
	}
	given := me.Password
	if p.IntN(4) == 0 {
		given = "a wrong horse"
	}
	wrong := given != me.Password
	switch kind := p.IntN(40); {
	case kind < 10:
		tags := []string{}
		for _, word := range wordPool {
			if p.IntN(3) == 0 {
				tags = append(tags, word)
			}
		}
		taken := p.Model.holder(as, func(a *modelAccount) bool {
			return slices.ContainsFunc(a.Tags, func(t string) bool { return slices.Contains(tags, t) })
		})
		return try(
			`mutation($t: [String!]) { updateAccount(input: {tags: $t}) { id } }`,
			vars{"t": tags},
			apptest.Either(taken != "", "CONFLICT TAGS_TAKEN"),
			func(a *modelAccount) { a.Tags = tags },
		)
	case kind < 16:
		to := p.one(loginPool)
		taken := p.Model.holder(as, func(a *modelAccount) bool { return a.Login == to })
		return try(`mutation($p: String!, $l: String!) { changeLogin(currentPassword: $p, login: $l) { id } }`, vars{"p": given, "l": to},
			apptest.Either(wrong, "FORBIDDEN WRONG_PASSWORD", taken != "", "CONFLICT LOGIN_TAKEN"), func(a *modelAccount) { a.Login = to })
	case kind < 20:
		to := fmt.Sprint("horse ", n)
		return try(`mutation($p: String!, $n: String!) { changePassword(currentPassword: $p, newPassword: $n) { id } }`, vars{"p": given, "n": to},
			apptest.Either(wrong, "FORBIDDEN WRONG_PASSWORD"), func(a *modelAccount) { a.Password = to })
	case kind < 24:
		v, wanted := vars{"l": me.Login, "p": given}, apptest.Either(wrong || me.State != messaging.InUse, "UNAUTHENTICATED")
		if me.State == messaging.Terminated {
			v["l"] = "nobody.nobody" // somebody else may have the login by now
		}
		return apptest.Try("", `mutation($l: String!, $p: String!) { login(login: $l, password: $p) { level } }`, v, wanted, func(accounts, apptest.Answer) {})
	case kind < 29:
		d := p.one(devicePool)
		return apptest.Try(
			as,
			`mutation($d: ID!) { registerDevice(id: $d, platform: WEB) { id } }`,
			vars{"d": d},
			apptest.Either(me.State != messaging.InUse, "HTTP 401"),
			func(m accounts, _ apptest.Answer) {
				for _, a := range m {
					a.Devices = slices.DeleteFunc(a.Devices, func(other string) bool { return other == d })
				}
				m[as].Devices = append(m[as].Devices, d)
				slices.Sort(m[as].Devices)
			},
		)
	case kind < 32:
		d := p.one(devicePool)
		return try(`mutation($d: ID!) { removeDevice(id: $d) }`, vars{"d": d}, "", func(a *modelAccount) {
			a.Devices = slices.DeleteFunc(a.Devices, func(other string) bool { return other == d })
		})
	case kind < 35:
		return govern("suspendUser", messaging.InUse, messaging.Suspended)
	case kind < 39:
		return govern("restoreUser", messaging.Suspended, messaging.InUse)
	default:
		return try(`mutation { deleteAccount }`, nil, "", func(a *modelAccount) {
			*a = modelAccount{State: messaging.Terminated, Tags: []string{}, Devices: []string{}}
		})
	}
}

// observed returns the stored accounts. Passwords are those of the model whose hash is
// stored.
func (p *accountsPlayer) observed(models ...accounts) accounts {
	p.T.Helper()
	var w messaging.Wanted
	for _, name := range everyone {
		w.Users = append(w.Users, p.of(name))
	}
	facts, err := p.store.Accounts.Facts(p.T.Context(), w)
	if err != nil {
		p.T.Fatal(err)
	}
	seen := accounts{}
	for _, name := range everyone {
		u := facts.Users[p.of(name)]
		a := &modelAccount{Login: u.Login(), State: u.State, Tags: messaging.FreeTags(u.Tags), Devices: []string{}}
		if u.State == messaging.Terminated {
			seen[name] = a
			continue
		}
		for _, d := range u.Devices {
			a.Devices = append(a.Devices, d.ID)
		}
		slices.Sort(a.Devices)
		for _, m := range models {
			if u.State == messaging.InUse &&
				len(p.Asks("", `mutation($l: String!, $p: String!) { login(login: $l, password: $p) { level } }`, vars{"l": a.Login, "p": m[name].Password}).Errors) == 0 {
				a.Password = m[name].Password
				break
			}
			if u.State == messaging.Suspended {
				a.Password = m[name].Password // nobody can sign in to it
				break
			}
		}
		seen[name] = a
	}
	return seen
}

// enters signs users in again whose tokens were revoked.
func (p *accountsPlayer) enters(name string) {
	a := p.Model[name]
	if a == nil || a.State != messaging.InUse || p.Status(name, me) == 200 {
		return
	}
	p.knows(name, p.Does("", `mutation($l: String!, $p: String!) { login(login: $l, password: $p) { token user { id } } }`, vars{"l": a.Login, "p": a.Password}), "login")
}

func playAccounts(t *testing.T, seed uint64, failing int) {
	t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
		test(t, func(w *world) {
			w.joins(everyone...)
			p := &accountsPlayer{world: w, store: store.Open(w.DB)}
			m := accounts{}
			for _, name := range everyone {
				m[name] = &modelAccount{Login: login(name), Password: password, State: messaging.InUse, Tags: []string{}, Devices: []string{}}
			}
			p.Trial = &apptest.Trial[accounts]{
				World: w.World, Rand: apptest.NewRandom(seed), Model: m, Observe: p.observed, Failing: failing,
				Ready: func(as string) {
					if p.Model[as] != nil && p.Model[as].State == messaging.InUse {
						w.Does(as, me) // tokens are known for some seconds
					}
				},
			}
			for n := range 80 {
				a := p.draw(n)
				p.enters(a.As)
				p.Make(a)
			}
		})
	})
}

// messaging 5.3#1-3, 5.3#7, 6#2 and 6#7: accounts that register, change and delete
// themselves at random are as in the model.
func TestHistoriesOfAccounts(t *testing.T) {
	for seed := range apptest.Seeds(8) {
		playAccounts(t, seed+200, 0)
	}
}

func TestHistoriesOfAccountsWithFaults(t *testing.T) {
	for seed := range apptest.Seeds(8) {
		playAccounts(t, seed+300, 35)
	}
}
