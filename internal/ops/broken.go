package ops

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"stoa/internal/identity"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/viewer"
)

// Broken reads all identities and reports what breaks their invariant: contacts and logins
// are guarded for the one identity that has them. What is written meanwhile may be reported
// without being wrong.
func Broken(ctx context.Context, db *keyspec.DB) ([]keyspec.Flaw, error) {
	known := map[viewer.UserID]*identity.Identity{}
	guarded := map[login]viewer.UserID{}
	err := db.Walk(ctx,
		identities.Each(func(i identity.Identity) { known[i.UserID] = &i }),
		identityEmails.Each(func(i identityEmailItem) { guarded[login{byEmail, i.Email}] = i.UserID }),
		identityPhones.Each(func(i identityPhoneItem) { guarded[login{byPhone, i.Phone}] = i.UserID }),
		identityLogins.Each(func(i identityLoginItem) { guarded[login{i.Provider, i.Subject}] = i.UserID }),
	)
	if err != nil {
		return nil, err
	}
	var flaws []keyspec.Flaw
	for id, i := range known {
		for by, name := range loginsOf(i) {
			l := login{by, name}
			switch holder, ok := guarded[l]; {
			case name == "" || holder == id:
			case ok:
				flaws = append(flaws, keyspec.Flaw{Text: fmt.Sprintf("identity %s has the %s, which is guarded for %s", id, l, holder)})
			default:
				flaws = append(flaws, keyspec.Flaw{Text: fmt.Sprintf("identity %s has the %s, which is not guarded", id, l), Mend: l.guard(id)})
			}
		}
	}
	for l, id := range guarded {
		if i := known[id]; i == nil || loginsOf(i)[l.by] != l.name {
			flaws = append(flaws, keyspec.Flaw{Text: fmt.Sprintf("the %s is guarded for identity %s, which does not have it", l, id), Mend: l.free(id)})
		}
	}
	slices.SortFunc(flaws, func(a, b keyspec.Flaw) int { return strings.Compare(a.Text, b.Text) })
	return flaws, nil
}

// login is what an identity signs in with: a contact, or somebody at a provider.
type login struct{ by, name string }

const (
	byEmail = "e-mail address"
	byPhone = "phone number"
)

func (l login) String() string { return fmt.Sprintf("%s %q", l.by, l.name) }

func loginsOf(i *identity.Identity) map[string]string {
	return map[string]string{
		byEmail: i.Email, byPhone: i.Phone,
		identity.Apple: i.Apple, identity.Google: i.Google, identity.Facebook: i.Facebook,
	}
}

// attribute returns the attribute of an identity that has the login.
func (l login) attribute() string {
	switch l.by {
	case byEmail:
		return "email"
	case byPhone:
		return "phone"
	default:
		return l.by // attributes of providers have their names
	}
}

func (l login) guard(id viewer.UserID) func(*keyspec.Tx) {
	return func(tx *keyspec.Tx) {
		identities.Check(tx, identities.Key(string(id))).If(l.attribute()+" = ?", l.name)
		switch l.by {
		case byEmail:
			identityEmails.Create(tx, identityEmailItem{Email: l.name, UserID: id})
		case byPhone:
			identityPhones.Create(tx, identityPhoneItem{Phone: l.name, UserID: id})
		default:
			identityLogins.Create(tx, identityLoginItem{Provider: l.by, Subject: l.name, UserID: id})
		}
	}
}

func (l login) free(id viewer.UserID) func(*keyspec.Tx) {
	return func(tx *keyspec.Tx) {
		of := l.attribute()
		identities.Check(tx, identities.Key(string(id))).If("attribute_not_exists("+of+") OR "+of+" <> ?", l.name)
		switch l.by {
		case byEmail:
			identityEmails.Delete(tx, identityEmails.Key(l.name)).If("userId = ?", id)
		case byPhone:
			identityPhones.Delete(tx, identityPhones.Key(l.name)).If("userId = ?", id)
		default:
			identityLogins.Delete(tx, identityLogins.Key(l.by, l.name)).If("userId = ?", id)
		}
	}
}

// Waiting counts the events that have not been delivered yet, and the fan-outs that have not
// come to their end.
func Waiting(ctx context.Context, db *keyspec.DB) (n int, err error) {
	err = db.Walk(ctx, events.Each(func(eventItem) { n++ }), lanes.Each(func(laneItem) { n++ }))
	return n, err
}
