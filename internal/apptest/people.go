package apptest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"stoa/internal/identity"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// People are the users of a world, called by name: a name is the token of its user. A
// request without a token is anonymous.
type People struct{ *people }

type people struct {
	// accounts is where accounts are kept, nil for here.
	accounts identity.Store

	mu    sync.Mutex
	known []person
}

type person struct {
	name string
	id   viewer.UserID
	Account
}

// Account is what an identity provider knows of somebody. The zero value is an
// anonymous identity.
type Account struct{ Email, Phone string }

// Authenticate names the caller behind a token.
func (p People) Authenticate(_ context.Context, authorization string) (viewer.UserID, error) {
	if authorization == "" {
		return "", nil
	}
	if found, ok := p.find(func(q person) bool { return q.name == authorization }); ok {
		return found.id, nil
	}
	return "", refusal.Forbiddenf("nobody vouches for %q", authorization)
}

// Account returns what is known of somebody.
func (p People) Account(_ context.Context, id viewer.UserID) (email, phone string, found bool, err error) {
	q, _ := p.find(func(q person) bool { return q.id == id })
	return q.Email, q.Phone, q.Account != Account{}, nil
}

// Identity makes an identity with an account: by default an email address at
// example.com. A person who is known gets the account.
func (p People) Identity(name string, account ...Account) viewer.UserID {
	a := Account{Email: name + "@example.com"}
	if len(account) > 0 {
		a = account[0]
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.IndexFunc(p.known, func(q person) bool { return q.name == name }); i >= 0 {
		if len(account) > 0 {
			p.known[i].Account = a
		}
		return p.known[i].id
	}
	id := viewer.UserID(fmt.Sprintf("us-east-1:00000000-0000-4000-8000-%012d", len(p.known)+1))
	p.known = append(p.known, person{name, id, a})
	p.keep(id, a)
	return id
}

// keep stores an account with the built-in identity, as somebody who has signed up by it.
func (p People) keep(id viewer.UserID, a Account) {
	if p.accounts == nil {
		return
	}
	after := identity.Identity{UserID: id, Entered: a != Account{}, Email: a.Email, Phone: a.Phone, CreatedAt: Dawn, Revision: 1}
	if err := p.accounts.SaveIdentity(context.Background(), identity.Identity{UserID: id}, after); err != nil {
		panic(fmt.Sprintf("apptest: account of %s: %v", id, err))
	}
}

func (p People) find(is func(person) bool) (person, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.IndexFunc(p.known, is); i >= 0 {
		return p.known[i], true
	}
	return person{}, false
}

// Fill puts ids in the places of names in braces, and Name the other way round.
func (p People) Fill(text string) string {
	return p.replace(text, func(q person) (old, new string) { return "{" + q.name + "}", string(q.id) })
}

func (p People) Name(text string) string {
	return p.replace(text, func(q person) (old, new string) { return string(q.id), "{" + q.name + "}" })
}

func (p People) replace(text string, pair func(person) (old, new string)) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var pairs []string
	for _, q := range p.known {
		old, new := pair(q)
		pairs = append(pairs, old, new)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
