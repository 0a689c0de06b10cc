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

// People are the users of a world, identified by name: a name is the token of its user.
// Requests without a token are anonymous.
type People struct{ *people }

type people struct {
	// accounts stores accounts; nil means in memory.
	accounts identity.Store

	mu    sync.Mutex
	known []person
	// fill and name are what Fill and Name use; nil if somebody has been added since.
	fill, name *strings.Replacer
}

type person struct {
	name string
	id   viewer.UserID
	Account
}

// Account is a person's account at the identity provider. The zero Account is an anonymous
// identity.
type Account struct{ Email, Phone string }

// Authenticate returns the caller identified by a token.
func (p People) Authenticate(_ context.Context, authorization string) (viewer.UserID, error) {
	if authorization == "" {
		return "", nil
	}
	if found, ok := p.find(func(q person) bool { return q.name == authorization }); ok {
		return found.id, nil
	}
	return "", refusal.Forbiddenf("nobody vouches for %q", authorization)
}

// Identify also reports whether the caller has no account.
func (p People) Identify(ctx context.Context, authorization string) (id viewer.UserID, anonymous bool, err error) {
	if id, err = p.Authenticate(ctx, authorization); err != nil {
		return "", true, err
	}
	found, _ := p.find(func(q person) bool { return q.id == id })
	return id, found.Account == Account{}, nil
}

// Account returns a person's contacts.
func (p People) Account(_ context.Context, id viewer.UserID) (email, phone string, found bool, err error) {
	q, _ := p.find(func(q person) bool { return q.id == id })
	return q.Email, q.Phone, q.Account != Account{}, nil
}

// EmailHolder returns the person with an e-mail address.
func (p People) EmailHolder(_ context.Context, email string) (id viewer.UserID, found bool, err error) {
	q, found := p.find(func(q person) bool { return q.Email == email && email != "" })
	return q.id, found, nil
}

// PhoneHolder returns the person with a telephone number.
func (p People) PhoneHolder(_ context.Context, phone string) (id viewer.UserID, found bool, err error) {
	q, found := p.find(func(q person) bool { return q.Phone == phone && phone != "" })
	return q.id, found, nil
}

// Identity creates an identity with an account, which by default has an email address at
// example.com. An existing person gets the account.
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
	p.fill, p.name = nil, nil
	p.keep(id, a)
	return id
}

// keep stores an account in the built-in identity, as if the person had signed up.
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

// Fill replaces names in braces by ids; Name does the reverse.
func (p People) Fill(text string) string {
	return p.replacer(&p.fill, func(q person) (old, new string) { return "{" + q.name + "}", string(q.id) }).Replace(text)
}

func (p People) Name(text string) string {
	return p.replacer(&p.name, func(q person) (old, new string) { return string(q.id), "{" + q.name + "}" }).Replace(text)
}

// replacer returns the replacer at r, which it creates if necessary: every request needs
// one.
func (p People) replacer(r **strings.Replacer, pair func(person) (old, new string)) *strings.Replacer {
	p.mu.Lock()
	defer p.mu.Unlock()
	if *r == nil {
		var pairs []string
		for _, q := range p.known {
			old, new := pair(q)
			pairs = append(pairs, old, new)
		}
		*r = strings.NewReplacer(pairs...)
	}
	return *r
}
