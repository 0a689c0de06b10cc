package social

import (
	"maps"
	"slices"

	"stoa/internal/kit/refusal"
)

// Contact is somebody in the address book of a caller.
type Contact struct {
	// ContactID is how the caller knows the contact.
	ContactID      string
	Emails, Phones []string
}

// FoundContact says who a contact is, nil when nobody was found whom the caller may see.
type FoundContact struct {
	ContactID string
	User      *SeenUser
}

// MaxContacts is how many contacts can be looked up at a time.
const MaxContacts = 100

// Contacts are those that are looked up together.
type Contacts []Contact

// Check refuses too many contacts.
func (c Contacts) Check() error {
	if len(c) > MaxContacts {
		return refusal.Invalidf("Cannot submit more than 100 contact inputs")
	}
	return nil
}

// Addresses are all e-mail addresses and phone numbers, each once.
func (c Contacts) Addresses() (emails, phones []string) {
	return slices.Sorted(maps.Keys(c.last(emailsOf))), slices.Sorted(maps.Keys(c.last(phonesOf)))
}

// Match returns who the contacts are, by contact id, given who has the addresses. An
// address in several contacts counts for the last of them, and whom a phone number leads
// to comes before whom an e-mail address does.
func (c Contacts) Match(byEmail, byPhone map[string]UserID) map[string]UserID {
	matches := make(map[string]UserID, len(c))
	c.match(matches, emailsOf, byEmail)
	c.match(matches, phonesOf, byPhone)
	return matches
}

func (c Contacts) match(matches map[string]UserID, of func(Contact) []string, holders map[string]UserID) {
	last := c.last(of)
	for _, contact := range c {
		for _, address := range of(contact) {
			if id, held := holders[address]; held && last[address] == contact.ContactID {
				matches[contact.ContactID] = id
			}
		}
	}
}

// last returns in which contact each address stands last.
func (c Contacts) last(of func(Contact) []string) map[string]string {
	last := map[string]string{}
	for _, contact := range c {
		for _, address := range of(contact) {
			last[address] = contact.ContactID
		}
	}
	return last
}

func emailsOf(c Contact) []string { return c.Emails }
func phonesOf(c Contact) []string { return c.Phones }

// Joined reports whether the user is to be told that the viewer is here: they have the
// viewer among their contacts, as the viewer has them, and do not follow the viewer in
// any way.
func (f UserFacts) Joined() bool {
	f.Read.need(FollowerTie, "user")
	return f.User.UserID != f.Viewer && f.Relation.FollowedBy == "" && !f.Relation.BlockedBy
}

// ContactsFound: somebody looked up contacts, and some of them are users to be told.
type ContactsFound struct {
	// By is who looked, Users are who was found.
	By    UserID
	Users []UserID
}

func (ContactsFound) EventName() string     { return "contacts.found" }
func (e ContactsFound) OrderingKey() string { return string(e.By) }
