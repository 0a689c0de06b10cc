package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/user"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"stoa/internal/control"
	"stoa/internal/host"
	"stoa/internal/kit/cli"
	"stoa/internal/kit/page"
	"stoa/internal/operator"
)

// personAct does something about a person, for the user of this machine.
type personAct func(ctx context.Context, d *operator.Service, id operator.UserID, r control.Request, out io.Writer) error

// personActs are the commands of stoa person.
var personActs = map[string]personAct{
	"show": func(ctx context.Context, d *operator.Service, id operator.UserID, _ control.Request, out io.Writer) error {
		p, err := d.Person(ctx, id)
		if err != nil {
			return err
		}
		return showPerson(ctx, d, p, out)
	},
	"suspend": func(ctx context.Context, d *operator.Service, id operator.UserID, r control.Request, out io.Writer) error {
		how := operator.Suspending{Reason: r.Settings["reason"], BanContacts: r.Switches["ban-contacts"], Rule: r.Settings["rule"]}
		if text := r.Settings["until"]; text != "" {
			until, err := time.Parse(time.RFC3339, text)
			if err != nil {
				return usage("--until must be a time such as 2026-01-02T15:04:05Z")
			}
			how.Until = &until
		}
		_, err := d.SuspendPerson(ctx, id, how)
		return said(err, out, id, "suspended")
	},
	"erase": func(ctx context.Context, d *operator.Service, id operator.UserID, r control.Request, out io.Writer) error {
		if !r.Switches["yes"] {
			return usage("stoa person erase deletes %s for good: add --yes if that is what you want", id)
		}
		_, err := d.ErasePerson(ctx, id, r.Settings["reason"])
		return said(err, out, id, "being erased")
	},
	"export": func(ctx context.Context, d *operator.Service, id operator.UserID, r control.Request, out io.Writer) error {
		if err := d.ExportFor(ctx, id, r.Settings["reason"]); err != nil {
			return err
		}
		return d.WriteExport(ctx, id, out)
	},
	"reinstate": func(ctx context.Context, d *operator.Service, id operator.UserID, r control.Request, out io.Writer) error {
		_, err := d.ReinstatePerson(ctx, id, r.Settings["note"])
		return said(err, out, id, "reinstated")
	},
}

func said(err error, out io.Writer, id operator.UserID, what string) error {
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s is %s.\n", id, what)
	return err
}

func (m *Main) personCommand() *cli.Command {
	const who = "ID is a user id, a contact or the username of one person."
	return &cli.Command{
		Name:        "person",
		Usage:       "show, suspend, reinstate, erase or export a person",
		Description: "If a server has embedded data open, it executes the command. The audit log names the command.\n\nExample:\n   stoa person show ana",
		Commands: []*cli.Command{
			m.personSubcommand("show", "show what is known of a person, which leaves a line in the audit log", who+"\n\nExample:\n   stoa person show ana"),
			m.personSubcommand("suspend", "keep a person out", who+"\n\nExample:\n   stoa person suspend --reason spam --until 2026-01-02T00:00:00Z ana",
				cli.Flag{Name: "reason", Usage: "the reason, as shown to the person"},
				cli.Flag{Name: "until", Usage: "the `TIME` at which the suspension ends; without it, somebody has to reinstate the person"},
				cli.Flag{Name: "rule", Usage: "the `ID` of the house rule that was broken"},
				cli.Flag{Name: "ban-contacts", Usage: "refuse other users who have a contact or the device of the person", Value: false}),
			m.personSubcommand("reinstate", "end a suspension", who+"\n\nExample:\n   stoa person reinstate ana",
				cli.Flag{Name: "note", Usage: "why, for the audit log"}),
			m.personSubcommand("erase", "delete a person and all that identifies them",
				who+"\n\nExample:\n   stoa person erase --reason 'asked by mail' --yes ana",
				cli.Flag{Name: "reason", Usage: "why, for the audit log"},
				cli.Flag{Name: "yes", Usage: "confirm the erasure", Value: false}),
			m.personSubcommand("export", "write a ZIP of a person's data to standard output",
				who+"\n\nExample:\n   stoa person export --reason 'asked by mail' ana > ana.zip",
				cli.Flag{Name: "reason", Usage: "why, for the audit log"}),
		},
	}
}

func (m *Main) personSubcommand(name, does, description string, flags ...cli.Flag) *cli.Command {
	c := cli.Command{Name: name, Usage: does, Description: description, ArgsUsage: "ID", Flags: flags}
	onData := m.onData("person", c, dataSettings, func(m *Main, ctx context.Context, h *host.Host, r control.Request) error {
		err := onPerson(ctx, h, name, r, m.Stdout)
		return errors.Join(err, h.Outbox.Drain(ctx)) // no server is there to deliver what follows
	})
	if slices.ContainsFunc(flags, func(f cli.Flag) bool { return f.Name == "reason" }) {
		act := onData.Action
		onData.Action = func(ctx context.Context, cmd *cli.Command) error {
			if strings.TrimSpace(cmd.String("reason")) == "" {
				return usage("%s needs --reason: see %s --help", cmd.FullName(), cmd.FullName())
			}
			return act(ctx, cmd)
		}
	}
	return onData
}

// personCommands are what a server does for stoa person.
func personCommands(h *host.Host) map[string]control.Command {
	all := map[string]control.Command{}
	for name := range personActs {
		all["person-"+name] = served(h, "person "+name, []string{"ID"}, func(m *Main, ctx context.Context, h *host.Host, r control.Request) error {
			return onPerson(ctx, h, name, r, m.Stdout)
		})
	}
	return all
}

// onPerson does something about the person that a request names.
func onPerson(ctx context.Context, h *host.Host, name string, r control.Request, out io.Writer) error {
	ctx = operator.AsCommand(ctx, userOfMachine())
	d := h.Desk.Service
	id, err := personNamed(ctx, d, r.Args[0])
	if err != nil {
		return err
	}
	return personActs[name](ctx, d, id, r, out)
}

// personNamed returns the person with an id, a contact or a username. Whoever has more than that
// is another person, even if nobody else is found.
func personNamed(ctx context.Context, d *operator.Service, text string) (operator.UserID, error) {
	known, err := d.Exactly(ctx, text)
	if err != nil {
		return "", err
	}
	var exact []operator.UserID
	for _, p := range known {
		exact = append(exact, p.ID)
	}
	if len(exact) == 0 {
		all, err := d.People(ctx, text, page.Args{})
		if err != nil {
			return "", err
		}
		for _, p := range all.Items {
			if name := p.Username(); name != nil && strings.EqualFold(*name, text) {
				exact = append(exact, p.ID)
			}
		}
	}
	switch len(exact) {
	case 0:
		return "", fmt.Errorf("nobody is called %q: give a user id, a contact or a username", text)
	case 1:
		return exact[0], nil
	}
	return "", fmt.Errorf("several people are called %q: give the user id of one of %v", text, exact)
}

// userOfMachine returns the user who runs a command, as the audit log names them.
func userOfMachine() string {
	u, err := user.Current()
	if err != nil {
		return "unknown"
	}
	return u.Username
}

// showPerson prints what is known of a person.
func showPerson(ctx context.Context, d *operator.Service, p *operator.Person, to io.Writer) error {
	contacts, err := d.Contacts(ctx, []operator.UserID{p.ID})
	if err != nil {
		return err
	}
	held, err := d.SuspensionOf(ctx, p)
	if err != nil {
		return err
	}
	counts, err := d.CountsOf(ctx, p)
	if err != nil {
		return err
	}
	seen, err := d.LastSeenAt(ctx, p)
	if err != nil {
		return err
	}
	sessions, err := d.SessionsOf(ctx, p)
	if err != nil {
		return err
	}
	role, err := d.RoleOf(ctx, p)
	if err != nil {
		return err
	}
	out := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	line := func(name string, value any) { fmt.Fprintf(out, "%s\t%v\n", name, value) }
	text := func(name string, value *string) {
		if value != nil {
			line(name, *value)
		}
	}
	when := func(name string, at *time.Time) {
		if at != nil {
			line(name, at.UTC().Format(time.RFC3339))
		}
	}
	line("id", p.ID)
	text("username", p.Username())
	text("full name", p.FullName())
	text("status", p.Status())
	if role != nil {
		line("role", *role)
	}
	line("systems", strings.Join(p.Systems, ", "))
	when("created", p.CreatedAt())
	when("last seen", seen)
	if c := contacts[p.ID]; c != nil {
		for _, of := range []struct {
			name, value string
			verified    bool
		}{{"e-mail", c.Email, c.EmailVerified}, {"phone", c.Phone, c.PhoneVerified}} {
			if of.value != "" && of.verified {
				line(of.name, of.value)
			} else if of.value != "" {
				line(of.name, of.value+" (not verified)")
			}
		}
	}
	if held != nil {
		line("suspended", held.Refusal().Error())
	}
	line("content", fmt.Sprintf("%d, of which %d removed", counts.Content, counts.Removals))
	line("reports", fmt.Sprintf("%d by, %d against", counts.ReportsBy, counts.ReportsAgainst))
	line("sessions", len(sessions))
	return out.Flush()
}
