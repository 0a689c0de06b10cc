package identity_test

import (
	"slices"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/faultdb"
	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
)

// Somebody whose client repeats a request gets through the life of an account, whichever call
// of the store fails, and whether or not it has taken effect.
func TestAccountsWithFailingStore(t *testing.T) {
	calls := make([]int, len(lifeOf(nil)))
	for i := range calls {
		calls[i] = live(t, i, faultdb.Fault{})
	}
	for i, n := range calls {
		for call := range n {
			fault := faultdb.On("", call+1, faultdb.Internal)
			live(t, i, fault)
			live(t, i, fault.Late())
		}
	}
}

// step is a request; again are the statuses that its repetition may have if it has taken effect.
type step struct {
	name   string
	send   func() response
	status int
	again  int
}

// account is what a client knows of an account.
type account struct {
	h       *house
	p       *postbox
	refresh string
	access  string
}

func (a *account) code() string {
	m, _ := a.p.last(a.h.t.(*testing.T))
	return m.Code
}

// lifeOf returns the requests of an account, in order.
func lifeOf(a *account) []step {
	const email, renewed = "ana@example.com", "another horse"
	post := func(path string, body func() object) func() response {
		return func() response { return a.h.post(path, body()) }
	}
	keep := func(send func() response) func() response {
		return func() response {
			r := send()
			if r.status == 200 {
				a.refresh, a.access = r.text("refreshToken"), r.text("accessToken")
			}
			return r
		}
	}
	signIn := func(password string) func() response {
		return keep(post("/auth/sign-in", func() object { return object{"email": email, "password": password} }))
	}
	return []step{
		{"sign up", post("/auth/sign-up", func() object { return object{"email": email, "password": password} }), 201, 201},
		{"confirm", func() response {
			m, _ := a.p.last(a.h.t.(*testing.T))
			return a.h.post("/auth/confirm", object{"userId": m.UserID, "code": m.Code})
		}, 200, 400},
		{"sign in", signIn(password), 200, 200},
		{"refresh", keep(post("/auth/refresh", func() object { return object{"refreshToken": a.refresh} })), 200, 401},
		{"sign in again", signIn(password), 200, 200},
		{"forget", post("/auth/forgot", func() object { return object{"email": email} }), 202, 202},
		{"reset", post("/auth/reset", func() object { return object{"email": email, "code": a.code(), "password": renewed} }), 200, 400},
		{"sign in with the old password", post("/auth/sign-in", func() object { return object{"email": email, "password": password} }), 401, 401},
		{"sign in with the new password", signIn(renewed), 200, 200},
		{"sign out", post("/auth/sign-out", func() object { return object{"refreshToken": a.refresh} }), 204, 204},
		{"sign in before the end", signIn(renewed), 200, 200},
		{"delete", func() response { return a.h.do("DELETE", "/auth/me", nil, bearer(a.access)...) }, 204, 401},
		{"sign in after the end", post("/auth/sign-in", func() object { return object{"email": email, "password": renewed} }), 401, 401},
	}
}

// live goes through the life of an account, with a fault in the i-th of its requests, and
// returns the number of store calls of that request.
func live(t *testing.T, i int, fault faultdb.Fault) (calls int) {
	client := faultdb.Wrap(enginetest.Memory(t))
	db := keyspec.Open(dynamo.NewFromIface(client), "test-", ops.Tables...)
	if err := db.CreateTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := &postbox{}
	a := &account{h: joinHouse(t, ops.Open(db).Identities, local(p)), p: p}
	for n, s := range lifeOf(a) {
		a.h.turn(time.Second)
		may := []int{s.status}
		if n == i {
			record, disarm := client.Record(), client.Arm(fault)
			r := s.send()
			a.h.issuer.Wait()
			disarm()
			calls = len(record())
			if fault.IsZero() {
				continue
			}
			if r.status != s.status && r.status != 500 {
				t.Fatalf("%s, %s: answered %d %s", s.name, fault, r.status, r.raw)
			}
			may = append(may, s.again)
		}
		r := s.send()
		a.h.issuer.Wait()
		if !slices.Contains(may, r.status) {
			t.Fatalf("%s, after %s at %q: answered %d %s, want %d", s.name, fault, lifeOf(a)[i].name, r.status, r.raw, may)
		}
	}
	return calls
}
