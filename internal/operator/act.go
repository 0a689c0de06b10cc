package operator

import "encoding/json"

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
	// person is the person whom it is about, instead of subject.
	person        UserID
	before, after fields
	note          string
}

// line returns the line of an act.
func (s *Service) line(a Actor, what act) AuditLine {
	subject := what.subject
	if what.person != "" {
		subject = s.Pseudonym(what.person)
	}
	return AuditLine{
		Person: what.person,
		ID:     s.NewID(), Time: s.Now(), Actor: a.UserID, Role: a.Role, Action: what.action, SubjectID: subject,
		BeforeJSON: what.before.text(), AfterJSON: what.after.text(), NoteText: what.note, From: a.Address, Request: a.RequestID,
	}
}
