package social

import (
	"maps"
	"slices"

	"stoa/internal/kit/refusal"
)

// Contact is an entry in the caller's address book.
type Contact struct {
	// ContactID is the caller's id of the contact.
	ContactID      string
	Emails, Phones []string
}

// FoundContact tells which user a contact is; nil if there is none that the caller may see.
type FoundContact struct {
	ContactID string
	User      *SeenUser
}

// MaxContacts is the maximum number of contacts per lookup.
const MaxContacts = 100

// Contacts are the contacts of one lookup.
type Contacts []Contact

// Check refuses too many contacts.
func (c Contacts) Check() error {
	if len(c) > MaxContacts {
		return refusal.Invalidf("Cannot submit more than 100 contact inputs")
	}
	return nil
}

// Addresses returns all distinct e-mail addresses and phone numbers.
func (c Contacts) Addresses() (emails, phones []string) {
	return slices.Sorted(maps.Keys(c.last(emailsOf))), slices.Sorted(maps.Keys(c.last(phonesOf)))
}

// Match returns the user of each contact, by contact id, given the users of all addresses.
// An address that several contacts share counts for the last of them, and phone numbers
// take precedence over e-mail addresses.
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

// last returns, for each address, the last contact that has it.
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

// Joined reports whether the user is to be told that the viewer has joined: each has the
// other among their contacts, and the user does not follow the viewer in any way.
func (f UserFacts) Joined() bool {
	f.Read.need(FollowerTie, "user")
	return f.User.UserID != f.Viewer && f.Relation.FollowedBy == "" && !f.Relation.BlockedBy
}

// ContactsFound: a lookup of contacts found users who are to be told.
type ContactsFound struct {
	// By did the lookup and found Users.
	By    UserID
	Users []UserID
}

func (ContactsFound) EventName() string     { return "contacts.found" }
func (e ContactsFound) OrderingKey() string { return string(e.By) }
