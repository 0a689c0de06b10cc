package host

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/desk"
	"stoa/internal/identity"
	"stoa/internal/job"
	"stoa/internal/operator"
	"stoa/internal/outbox"
)

// EndKept is the name of the job that deletes removed content once cases have kept it for
// long enough.
const EndKept = "operator.end-kept"

// openCases adds what cases need besides the API: messages to authors, the job that ends what
// is kept, and metrics.
func (d *Desk) openCases() {
	h := d.host
	outbox.On(h.Outbox, h.mailJudgement, func(j desk.Judgement) bool { return h.mailer != nil })
	h.Jobs.Jobs = append(h.Jobs.Jobs, job.Job{Name: EndKept, Every: time.Hour, Run: h.endKept})
	h.Registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "stoa_cases_overdue",
		Help: "Open cases past their deadline, up to 1000; -1 if the store cannot be read.",
	}, d.overdue))
}

// maxOverdue is the number of overdue cases from which on they are not counted.
const maxOverdue = 1000

func (d *Desk) overdue() float64 {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	n, err := d.Service.Overdue(ctx, maxOverdue)
	if err != nil {
		return -1
	}
	return float64(n)
}

// endKept removes what cases have kept for long enough.
func (h *Host) endKept(ctx context.Context, now time.Time) error {
	for more := true; more; {
		var err error
		if more, err = h.Ops.Operators.EndKept(ctx, now); err != nil {
			return err
		}
	}
	return nil
}

// mailJudgement writes to somebody with a verified address what was decided about them or
// their content.
func (h *Host) mailJudgement(ctx context.Context, j desk.Judgement, _ outbox.Tell) error {
	if h.mailer == nil || !h.mailer.Reaches(identity.ViaEmail) {
		return nil
	}
	email, _, _, err := h.Accounts.Account(ctx, j.Person)
	if email == "" || err != nil {
		return err
	}
	m := judgementMail(j, h.Config.Issuer.AppName, h.Config.Issuer.AppURL)
	// The same each time: a repeated delivery must not look like another message.
	m.MessageID, m.UserID, m.To, m.SentAt = mailID(j), j.Person, email, j.At
	return h.mailer.Send(ctx, m)
}

// mailID returns the id of the mail about a judgement, which is the same at each attempt to send it.
func mailID(j desk.Judgement) string {
	sum := sha256.Sum256([]byte(j.CaseID + string(j.Person) + j.At.String()))
	return hex.EncodeToString(sum[:16])
}

// judgementMail returns the mail about a judgement, without its receiver.
func judgementMail(j desk.Judgement, app, url string) identity.Message {
	var text strings.Builder
	fmt.Fprintf(&text, "%s.\n\nWhen: %s UTC\n", j.Title(), j.At.UTC().Format("2 January 2006 15:04"))
	if j.CaseID != "" {
		fmt.Fprintf(&text, "Case: %s\n", j.CaseID)
	}
	if j.What != desk.AppealAnswered {
		fmt.Fprintf(&text, "Decided by: the moderators of %s\n", app)
	}
	if j.RuleTitle != "" {
		fmt.Fprintf(&text, "Rule: %s\n", j.RuleTitle)
	}
	if !j.Until.IsZero() {
		fmt.Fprintf(&text, "Until: %s UTC\n", j.Until.UTC().Format("2 January 2006 15:04"))
	}
	if j.Text != "" {
		fmt.Fprintf(&text, "\n%s\n", j.Text)
	}
	m := identity.Message{Channel: identity.ViaEmail, Subject: app + ": " + j.Title()}
	switch {
	case j.What == desk.AccountSuspended: // it has no case of its own
		text.WriteString("\nWithin 30 days of a decision to remove something of yours, you can still sign in to appeal it.\n")
	case j.Appealable():
		m.Link = url + "/moderation/" + j.CaseID
		fmt.Fprintf(&text, "\nIf you think that this is wrong, you can appeal within 30 days: %s\n", m.Link)
	}
	m.Text = text.String()
	return m
}

// rules returns the house rules in force.
func (h *Host) rules() operator.HouseRules {
	if rules := h.house.Load(); rules != nil {
		return *rules
	}
	return h.HouseRules
}

// SetHouseRules replaces the rules of the Config.
func (h *Host) SetHouseRules(rules operator.HouseRules) { h.house.Store(&rules) }
