package operator

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/operator/takeout"
)

// Exporter is implemented by People of systems that have data of a person.
type Exporter interface {
	// Export adds what the person gave the system and what is about them, without private data
	// of others. Its memory does not depend on how much there is.
	Export(ctx context.Context, id UserID, to *takeout.Writer) error
}

const (
	// exportEvery is the interval at which the data of a person are exported.
	exportEvery = time.Hour
	// exportLife is how long the URL of an export can be fetched.
	exportLife = 10 * time.Minute
)

// Export can be fetched once.
type Export struct {
	ID, URL   string
	ExpiresAt time.Time
}

// ExportPath is the path of exports; the rest of it names one.
const ExportPath = "/operator/export/"

// ExportPerson makes an export of a person that can be fetched once, without further
// credentials.
func (s *Service) ExportPerson(ctx context.Context, id UserID, reason string) (*Export, error) {
	a, err := s.operator(ctx)
	if err != nil {
		return nil, err
	}
	if err := checkText("reason", reason); err != nil {
		return nil, err
	}
	if _, err := s.mustFind(ctx, id); err != nil {
		return nil, err
	}
	now := s.Now()
	secret := rand.Text()
	e := desk.Export{ExportID: s.NewID(), UserID: id, Digest: digestOf(secret), ExpiresAt: now.Add(exportLife)}
	line := s.line(a, act{action: "exportPerson", person: id, note: reason})
	if err := s.begin(ctx, id, &e, &line); err != nil {
		return nil, err
	}
	return &Export{ID: e.ExportID, URL: s.PublicURL + ExportPath + e.ExportID + "." + secret, ExpiresAt: e.ExpiresAt}, nil
}

// ExportFor begins an export that the caller writes.
func (s *Service) ExportFor(ctx context.Context, id UserID, reason string) error {
	a, err := s.operator(ctx)
	if err != nil {
		return err
	}
	if err := checkText("reason", reason); err != nil {
		return err
	}
	if _, err := s.mustFind(ctx, id); err != nil {
		return err
	}
	line := s.line(a, act{action: "exportPerson", person: id, note: reason})
	return s.begin(ctx, id, nil, &line)
}

// begin records an export, unless there was one lately, under whichever id of the person.
func (s *Service) begin(ctx context.Context, id UserID, e *desk.Export, line *AuditLine) error {
	ids, err := s.idsOf(ctx, id)
	if err != nil {
		return err
	}
	now := s.Now()
	err = s.Store.Export(ctx, ids, now, now.Add(-exportEvery), e, line)
	if refusal.KindOf(err) == refusal.Conflict {
		return s.exportedLately(ctx, ids, now)
	}
	return err
}

func digestOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func (s *Service) exportedLately(ctx context.Context, ids []UserID, now time.Time) error {
	var last time.Time
	for _, id := range ids {
		at, err := s.Store.ExportedAt(ctx, id)
		if err != nil {
			return err
		}
		if at.After(last) {
			last = at
		}
	}
	wait := max(time.Second, last.Add(exportEvery).Sub(now)).Round(time.Second)
	return &refusal.Error{
		Kind: refusal.LimitExceeded, Code: "RATE_LIMITED", Text: "The data of a person are exported once an hour: try again in " + wait.String(),
		Details: map[string]any{"retryAfter": int(wait.Seconds())},
	}
}

// OwnExport begins an export of the caller's own data.
func (s *Service) OwnExport(ctx context.Context, id UserID) error {
	return s.begin(ctx, id, nil, nil)
}

// Fetch returns the person of an export, which cannot be fetched again. It returns "" for an
// export that does not exist, has been fetched or is too old.
func (s *Service) Fetch(ctx context.Context, name string) (UserID, error) {
	id, secret, _ := strings.Cut(name, ".")
	e, err := s.Store.ExportOf(ctx, id)
	if e == nil || err != nil {
		return "", err
	}
	if subtle.ConstantTimeCompare([]byte(e.Digest), []byte(digestOf(secret))) != 1 || !s.Now().Before(e.ExpiresAt) {
		return "", nil
	}
	err = s.Store.TakeExport(ctx, e)
	if refusal.KindOf(err) == refusal.Conflict {
		return "", nil
	}
	return e.UserID, err
}

// WriteExport writes the ZIP of a person's data.
func (s *Service) WriteExport(ctx context.Context, id UserID, to io.Writer) (err error) {
	a, err := takeout.New(to, s.Now())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	ids, err := s.idsOf(ctx, id)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.exportOwn(ctx, id, a, len(ids) > 1); err != nil {
			return err
		}
		for _, system := range s.Systems {
			if e, ok := system.People.(Exporter); ok {
				a.In(system.Name)
				if err := e.Export(ctx, id, a); err != nil {
					return err
				}
			}
		}
	}
	return a.End()
}

// exportOwn adds what the service itself has of an id of a person, in a directory of its own if
// the person has several.
func (s *Service) exportOwn(ctx context.Context, id UserID, a *takeout.Writer, several bool) error {
	a.In("")
	if several {
		a.In(string(a.Path(string(id))))
	}
	c, found, err := s.Identities.Contacts(ctx, id)
	if err != nil {
		return err
	}
	if found {
		err := a.Item("account", "Account", takeout.Fields{
			{Name: "userId", Value: string(id)}, {Name: "email", Value: c.Email}, {Name: "emailVerified", Value: c.EmailVerified},
			{Name: "phone", Value: c.Phone}, {Name: "phoneVerified", Value: c.PhoneVerified},
		})
		if err != nil {
			return err
		}
	}
	sessions, err := s.Identities.Sessions(ctx, id)
	if err != nil {
		return err
	}
	err = a.List("sessions", "Sign-ins", func(add func(takeout.Fields) error) error {
		for _, session := range sessions {
			err := add(takeout.Fields{
				{Name: "startedAt", Value: session.StartedAt}, {Name: "lastUsedAt", Value: session.LastUsedAt},
				{Name: "client", Value: session.Client}, {Name: "address", Value: session.Address},
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	held, err := s.Store.Suspension(ctx, id)
	if err != nil {
		return err
	}
	if held.Holds() {
		err := a.Item("suspension", "Suspension", takeout.Fields{
			{Name: "reason", Value: held.Reason}, {Name: "since", Value: held.Since}, {Name: "until", Value: held.Until}, {Name: "rule", Value: held.Rule},
		})
		if err != nil {
			return err
		}
	}
	for _, write := range []func(context.Context, UserID, *takeout.Writer) error{s.exportDecisions, s.exportAppeals, s.exportReports, s.exportNotes} {
		if err := write(ctx, id, a); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) exportDecisions(ctx context.Context, id UserID, a *takeout.Writer) error {
	return a.List("cases", "Decisions about reported content", func(add func(takeout.Fields) error) error {
		for c, err := range page.All(page.Of(ctx, s.Store.CasesOf, id)) {
			if err != nil {
				return err
			}
			for _, d := range c.Decisions {
				err := add(takeout.Fields{
					{Name: "system", Value: c.System}, {Name: "kind", Value: string(c.Kind)}, {Name: "itemId", Value: c.ItemID},
					{Name: "verdict", Value: string(d.Verdict)}, {Name: "when", Value: d.When}, {Name: "note", Value: d.Note},
				})
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// exportAppeals adds what was said about decisions, without who else said it.
func (s *Service) exportAppeals(ctx context.Context, id UserID, a *takeout.Writer) error {
	return a.List("appeals", "Appeals", func(add func(takeout.Fields) error) error {
		for c, err := range page.All(page.Of(ctx, s.Store.CasesOf, id)) {
			if err != nil {
				return err
			}
			if c.Appeal == nil {
				continue
			}
			first := desk.AppealMessage{FromAuthor: true, When: c.Appeal.When, Text: c.Appeal.Text}
			for _, m := range append([]desk.AppealMessage{first}, c.Appeal.Messages...) {
				err := add(takeout.Fields{
					{Name: "caseId", Value: c.ID()}, {Name: "fromAuthor", Value: m.FromAuthor}, {Name: "when", Value: m.When}, {Name: "text", Value: m.Text},
				})
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// exportReports adds the reports that are kept with cases: systems have the others.
func (s *Service) exportReports(ctx context.Context, id UserID, a *takeout.Writer) error {
	return takeout.Rows(a, "reports", "Reports", page.All(page.Of(ctx, s.Store.ReportsBy, id)), func(r desk.ReportedItem) (takeout.Fields, error) {
		return takeout.Fields{
			{Name: "system", Value: r.System}, {Name: "kind", Value: string(r.Kind)}, {Name: "itemId", Value: r.ItemID}, {Name: "when", Value: r.When},
			{Name: "why", Value: r.Why},
		}, nil
	})
}

// exportNotes adds what the team has noted about the person, without who has.
func (s *Service) exportNotes(ctx context.Context, id UserID, a *takeout.Writer) error {
	return takeout.Rows(a, "notes", "Notes of the team", page.All(page.Of(ctx, s.Store.NotesOn, id)), func(n *desk.PersonNote) (takeout.Fields, error) {
		return takeout.Fields{{Name: "when", Value: n.When}, {Name: "text", Value: n.Text}}, nil
	})
}
