package operator

import (
	"context"
	"slices"
	"strings"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/outbox"
)

// Finder is implemented by People that can be found by more than their ids.
type Finder interface {
	// Find returns people whose names match a text: usernames that begin with it, or the words
	// of full names.
	Find(ctx context.Context, text string, q page.Query) (page.Page[UserID], error)
	// Holders returns the people of the system who have a contact, verified or not.
	Holders(ctx context.Context, contact string) ([]UserID, error)
}

// Counter is implemented by People that count what a person has done.
type Counter interface {
	Counts(ctx context.Context, id UserID) (PersonCounts, error)
}

// Owner is implemented by People that know the devices of a person.
type Owner interface {
	Devices(ctx context.Context, id UserID) ([]*Device, error)
}

// Linker is implemented by People of a system with accounts of its own.
type Linker interface {
	// Linked returns the other ids under which a person is known.
	Linked(ctx context.Context, id UserID) ([]UserID, error)
}

// PersonCounts are how much there is of a person, each up to a limit.
type PersonCounts struct{ Content, Removals, ReportsBy, ReportsAgainst int }

// maxCount is the limit of counts that are counted, not stored.
const maxCount = 1000

// Device receives push notifications of a person.
type Device struct {
	ID, Kind   string
	LastSeenAt *time.Time
}

// Session is a sign-in of a person that has not ended.
type Session struct {
	ID                    string
	StartedAt, LastUsedAt time.Time
	Client, Address       *string
}

// Contacts are the contacts of a person.
type Contacts struct {
	Email, Phone                 string
	EmailVerified, PhoneVerified bool
}

// Identities are the accounts of the built-in identity, and the sessions of all accounts of
// the service.
type Identities interface {
	// Contacts returns the contacts of an account, also unverified ones.
	Contacts(ctx context.Context, id UserID) (Contacts, bool, error)
	// Sessions returns the latest sessions of a person that have not ended.
	Sessions(ctx context.Context, id UserID) ([]*Session, error)
	// Kept reports whether the service keeps accounts, whose tokens it can revoke.
	Kept() bool
	// TokenVersions returns the lowest versions of a person's tokens that are valid, by system;
	// "" is the service.
	TokenVersions(ctx context.Context, id UserID) (map[string]int, error)
	// Holder returns the account with a verified contact.
	Holder(ctx context.Context, contact string) (id UserID, found bool, err error)
}

// PeopleStore stores what the team does with people.
type PeopleStore interface {
	// NoteAll writes at most 45 lines about what changes nothing in the store.
	NoteAll(ctx context.Context, lines []AuditLine) error
	// NoteOnPerson stores a note, and NotesOn returns those on somebody, newest first.
	NoteOnPerson(ctx context.Context, n desk.PersonNote, l AuditLine) error
	NotesOn(ctx context.Context, id UserID, q page.Query) (page.Page[*desk.PersonNote], error)
	// ReportsBy returns the reports of a user, and ReportedBy and ReportedAgainst count those of
	// a user and of their content.
	ReportsBy(ctx context.Context, id UserID, q page.Query) (page.Page[desk.ReportedItem], error)
	ReportedBy(ctx context.Context, id UserID, limit int) (int, error)
	ReportedAgainst(ctx context.Context, author UserID, limit int) (int, error)

	// Suspension returns what is stored of a suspension, even if it has ended, or nil.
	Suspension(ctx context.Context, id UserID) (*desk.Suspension, error)
	// Suspend stores steps and events, and fails with a Conflict if a suspension has changed.
	Suspend(ctx context.Context, steps []desk.SuspensionStep, l AuditLine, events ...outbox.Record) error
	// Export records that the data of a person with ids are exported now, with an export to be
	// fetched and a line unless they are nil. It fails with a Conflict if they have been
	// exported after a time.
	Export(ctx context.Context, ids []UserID, now, notAfter time.Time, e *desk.Export, l *AuditLine) error
	// ExportedAt returns when the data under an id were last exported.
	ExportedAt(ctx context.Context, id UserID) (time.Time, error)
	// ExportOf returns an export, or nil, and TakeExport removes it, with a Conflict if it is
	// gone.
	ExportOf(ctx context.Context, id string) (*desk.Export, error)
	TakeExport(ctx context.Context, e *desk.Export) error

	// SignOut stores that somebody is signed out everywhere, which the events do.
	SignOut(ctx context.Context, l AuditLine, events ...outbox.Record) error
}

// isContact reports whether a text can be an e-mail address or a phone number.
func isContact(text string) bool {
	return strings.Contains(text, "@") || strings.HasPrefix(text, "+")
}

// maxFind is the maximum length of what is looked for, in bytes.
const maxFind = 300

// People returns the people with an id or a contact, or those whose names match.
func (s *Service) People(ctx context.Context, text string, args page.Args) (page.Page[*Person], error) {
	none := page.Page[*Person]{Items: []*Person{}}
	a, err := s.Actor(ctx)
	if err != nil {
		return none, err
	}
	text = strings.TrimSpace(text)
	if text == "" || len(text) > maxFind {
		return none, badInput("find", "Give a user id, an e-mail address, a phone number, or the beginning of a name")
	}
	l, err := page.ListOf(args, "operator.people", a.UserID, text)
	if err != nil {
		return none, err
	}
	if l.Query.After == "" {
		if exact, err := s.exactly(ctx, a, text); len(exact) > 0 || err != nil {
			return page.Page[*Person]{Items: exact}, err
		}
	}
	return page.Fill(l, page.Of(ctx, s.findByName, text), func(ids []UserID) ([]*Person, error) {
		known, err := s.Persons(ctx, ids)
		return inOrder(ids, known), err
	})
}

// inOrder returns the persons with ids, each once.
func inOrder(ids []UserID, known map[UserID]*Person) []*Person {
	all := []*Person{}
	for i, id := range ids {
		if p := known[id]; p != nil && !slices.Contains(ids[:i], id) {
			all = append(all, p)
		}
	}
	return all
}

// Exactly returns the people with an id or a contact, and nobody who is only called like that.
func (s *Service) Exactly(ctx context.Context, text string) ([]*Person, error) {
	a, err := s.Actor(ctx)
	if err != nil {
		return nil, err
	}
	return s.exactly(ctx, a, text)
}

func (s *Service) exactly(ctx context.Context, a Actor, text string) ([]*Person, error) {
	if p, err := s.person(ctx, UserID(text)); err != nil {
		return nil, err
	} else if p != nil {
		return []*Person{p}, nil
	}
	if !isContact(text) {
		return nil, nil
	}
	ids, err := s.holders(ctx, text)
	if err != nil {
		return nil, err
	}
	all := []*Person{}
	var lines []AuditLine
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			continue
		}
		p, err := s.person(ctx, id)
		if err != nil {
			return nil, err
		}
		if p != nil {
			all = append(all, p)
			lines = append(lines, s.line(a, act{action: "findContact", person: id}))
		}
	}
	return all, s.noteAll(ctx, lines)
}

// holders returns the people with a contact.
func (s *Service) holders(ctx context.Context, contact string) (ids []UserID, err error) {
	id, is, err := s.Identities.Holder(ctx, contact)
	if err != nil {
		return nil, err
	}
	if is {
		ids = append(ids, id)
	}
	for _, system := range s.Systems {
		if f, ok := system.People.(Finder); ok {
			more, err := f.Holders(ctx, contact)
			if err != nil {
				return nil, err
			}
			ids = append(ids, more...)
		}
	}
	return ids, nil
}

// findByName searches the systems one after the other.
func (s *Service) findByName(ctx context.Context, text string, q page.Query) (page.Page[UserID], error) {
	var names []string
	finders := map[string]Finder{}
	for _, system := range s.Systems {
		if f, ok := system.People.(Finder); ok {
			names = append(names, system.Name)
			finders[system.Name] = f
		}
	}
	if len(names) == 0 {
		return page.Page[UserID]{}, nil
	}
	system, after, next := page.Lists(names, q.After)
	f := finders[system]
	if f == nil { // the cursor is of a system that is no longer served
		return page.Page[UserID]{}, nil
	}
	p, err := f.Find(ctx, text, page.Query{First: q.First, After: after})
	p.Next = next(p.Next)
	return p, err
}

// noteAll writes lines in as few transactions as possible.
func (s *Service) noteAll(ctx context.Context, lines []AuditLine) error {
	const inOne = 45 // each with its pseudonym, and that of the actor
	for some := range slices.Chunk(lines, inOne) {
		if err := s.Store.NoteAll(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

// Person returns somebody, or nil.
func (s *Service) Person(ctx context.Context, id UserID) (*Person, error) {
	if _, err := s.Actor(ctx); err != nil {
		return nil, err
	}
	return s.person(ctx, id)
}

// Contacts returns the contacts of people as the caller may see them: operators in full, which
// leaves a line for each person who has any. It is for batches.
func (s *Service) Contacts(ctx context.Context, people []UserID) (map[UserID]*Contacts, error) {
	a, err := s.Actor(ctx)
	if err != nil {
		return nil, err
	}
	known, err := s.Persons(ctx, people)
	if err != nil {
		return nil, err
	}
	all := map[UserID]*Contacts{}
	var lines []AuditLine
	for _, id := range people {
		c, err := s.contactsOf(ctx, id, known[id])
		if err != nil {
			return nil, err
		}
		switch {
		case a.Role != Operator:
			c.Email, c.Phone = maskEmail(c.Email), maskPhone(c.Phone)
		case id != a.UserID && (c.Email != "" || c.Phone != ""):
			lines = append(lines, s.line(a, act{action: "readContacts", person: id}))
		}
		all[id] = &c
	}
	return all, s.noteAll(ctx, lines)
}

// EmailVerified reports whether an account of a person has a verified e-mail address.
func (s *Service) EmailVerified(ctx context.Context, p *Person) (bool, error) {
	c, _, err := s.Identities.Contacts(ctx, p.ID)
	return c.EmailVerified, err
}

// PhoneVerified reports whether an account of a person has a verified phone number.
func (s *Service) PhoneVerified(ctx context.Context, p *Person) (bool, error) {
	c, _, err := s.Identities.Contacts(ctx, p.ID)
	return c.PhoneVerified, err
}

// contactsOf returns the contacts of an account, or else those of a profile, in full.
func (s *Service) contactsOf(ctx context.Context, id UserID, p *Person) (Contacts, error) {
	c, _, err := s.Identities.Contacts(ctx, id)
	if err != nil {
		return Contacts{}, err
	}
	if p != nil {
		for _, profile := range p.profiles {
			if c.Email == "" {
				c.Email = profile.Email
			}
			if c.Phone == "" {
				c.Phone = profile.Phone
			}
		}
	}
	return c, nil
}

// maskEmail returns what moderators see of an address: a…@example.com.
func maskEmail(address string) string {
	name, domain, ok := strings.Cut(address, "@")
	if !ok || name == "" {
		return ""
	}
	first := []rune(name)[0]
	return string(first) + "…@" + domain
}

// maskPhone returns what moderators see of a number: its last two digits.
func maskPhone(number string) string {
	if len(number) < 4 {
		return ""
	}
	return "…" + number[len(number)-2:]
}

// LastSeenAt returns when a person was last active, as far as that is known, or nil.
func (s *Service) LastSeenAt(ctx context.Context, p *Person) (*time.Time, error) {
	var last time.Time
	sessions, err := s.Identities.Sessions(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	for _, session := range sessions {
		if session.LastUsedAt.After(last) {
			last = session.LastUsedAt
		}
	}
	for _, profile := range p.profiles {
		if profile.LastSeenAt.After(last) {
			last = profile.LastSeenAt
		}
	}
	if last.IsZero() {
		return nil, nil
	}
	return &last, nil
}

// SuspensionOf returns the suspension that keeps a person out, or nil.
func (s *Service) SuspensionOf(ctx context.Context, p *Person) (*desk.Suspension, error) {
	held, err := s.Store.Suspension(ctx, p.ID)
	if err != nil || !held.Holds() {
		return nil, err
	}
	return held, nil
}

// CountsOf returns how much there is of a person.
func (s *Service) CountsOf(ctx context.Context, p *Person) (*PersonCounts, error) {
	all := &PersonCounts{}
	for _, system := range s.Systems {
		c, ok := system.People.(Counter)
		if !ok {
			continue
		}
		n, err := c.Counts(ctx, p.ID)
		if err != nil {
			return nil, err
		}
		all.Content, all.Removals, all.ReportsBy = all.Content+n.Content, all.Removals+n.Removals, all.ReportsBy+n.ReportsBy
	}
	kept, err := s.Store.ReportedBy(ctx, p.ID, maxCount)
	if err != nil {
		return nil, err
	}
	all.ReportsBy += kept
	all.ReportsAgainst, err = s.Store.ReportedAgainst(ctx, p.ID, maxCount)
	return all, err
}

// SessionsOf returns the sessions of a person to operators, and none to moderators.
func (s *Service) SessionsOf(ctx context.Context, p *Person) ([]*Session, error) {
	a, err := s.Actor(ctx)
	if err != nil || a.Role != Operator {
		return []*Session{}, err
	}
	return s.Identities.Sessions(ctx, p.ID)
}

// DevicesOf returns the devices on which a person is notified.
func (s *Service) DevicesOf(ctx context.Context, p *Person) ([]*Device, error) {
	all := []*Device{}
	for _, system := range s.Systems {
		if o, ok := system.People.(Owner); ok {
			devices, err := o.Devices(ctx, p.ID)
			if err != nil {
				return nil, err
			}
			all = append(all, devices...)
		}
	}
	return all, nil
}

// maxNotes is the number of notes that are shown of a person.
const maxNotes = 100

// NotesOn returns the notes of the team about a person, newest first.
func (s *Service) NotesOn(ctx context.Context, p *Person) ([]*desk.PersonNote, error) {
	notes, err := s.Store.NotesOn(ctx, p.ID, page.Query{First: maxNotes})
	return notes.Items, err
}

// NoteOnPerson notes something about a person for the team.
func (s *Service) NoteOnPerson(ctx context.Context, id UserID, text string) (*Person, error) {
	a, err := s.Actor(ctx)
	if err != nil {
		return nil, err
	}
	if err := checkText("note", text); err != nil {
		return nil, err
	}
	p, err := s.mustFind(ctx, id)
	if err != nil {
		return nil, err
	}
	n := desk.PersonNote{UserID: id, NoteID: s.NewID(), When: s.Now(), By: a.UserID, Text: text}
	return p, s.Store.NoteOnPerson(ctx, n, s.line(a, act{action: "noteOnPerson", person: id}))
}

// checkText refuses a text that is missing or too long.
func checkText(field, text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return badInput(field, "`%s` must not be empty", field)
	case len(text) > maxNote:
		return badInput(field, "`%s` has at most %d bytes", field, maxNote)
	}
	return nil
}

// mustFind returns somebody, or an error if nobody has the id.
func (s *Service) mustFind(ctx context.Context, id UserID) (*Person, error) {
	p, err := s.person(ctx, id)
	if err == nil && p == nil {
		err = noPerson(id)
	}
	return p, err
}
