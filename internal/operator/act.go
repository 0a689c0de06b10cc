package operator

import (
	"encoding/json"

	"stoa/internal/desk"
)

// fields are a state in the audit log.
type fields map[string]any

func (f fields) text() string {
	if f == nil {
		return ""
	}
	text, err := json.Marshal(f)
	if err != nil {
		panic(err) // texts and numbers: cannot fail
	}
	return string(text)
}

// act describes what an actor does.
type act struct {
	action, subject string
	// person is the person whom it is about, instead of subject. In naming, subject may have
	// the id of a person.
	person        UserID
	naming        bool
	before, after fields
	note          string
}

// line returns the line of an act.
func (s *Service) line(a Actor, what act) AuditLine {
	meant := map[string]string{}
	for_ := func(text string) string {
		p := s.Pseudonym(UserID(text))
		meant[p] = text
		return p
	}
	subject, actor := what.subject, a.UserID
	if what.person != "" {
		subject = for_(string(what.person))
	} else if what.naming {
		subject = for_(subject)
	}
	if !a.command {
		actor = UserID(for_(string(actor)))
	}
	return AuditLine{
		Meant: meant,
		ID:    s.NewID(), Time: s.Now(), Actor: actor, Role: a.Role, Action: what.action, SubjectID: subject,
		BeforeJSON: what.before.text(), AfterJSON: what.after.text(), NoteText: what.note, From: a.Address, Request: a.RequestID,
	}
}

// caseLine returns the line of an act about a case. The id of the case of a person has theirs.
func (s *Service) caseLine(a Actor, c *Case, what act) AuditLine {
	what.subject, what.naming = c.ID(), c.Kind == desk.Person
	return s.line(a, what)
}
