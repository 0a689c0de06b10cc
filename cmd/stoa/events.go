package main

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"stoa/internal/control"
	"stoa/internal/host"
	"stoa/internal/kit/cli"
	"stoa/internal/kit/page"
	"stoa/internal/outbox"
)

func (m *Main) eventsCommand() *cli.Command {
	return &cli.Command{
		Name:        "events",
		Usage:       "list events that could not be delivered, and retry or drop them",
		Description: "An event that fails for an hour is parked as a dead letter, with the error of its last attempt.\n\nExample:\n   stoa events list",
		Commands: []*cli.Command{
			m.eventsSubcommand("list", "list dead letters", "Example:\n   stoa events list", nil, m.listEvents),
			m.eventsSubcommand("show", "show a dead letter with its data and error", "Example:\n   stoa events show ID", []string{"ID"}, m.showEvent),
			m.eventsSubcommand("retry", "deliver a dead letter after all", "A server attempts it again within minutes.\n\nExample:\n   stoa events retry ID",
				[]string{"ID"}, m.retryEvent),
			m.eventsSubcommand("drop", "remove a dead letter, whose effects will be missing", "Example:\n   stoa events drop ID", []string{"ID"}, m.dropEvent),
		},
	}
}

func (m *Main) eventsSubcommand(
	name, usage, description string,
	wanted []string,
	action func(ctx context.Context, h *host.Host, args []string) error,
) *cli.Command {
	c := &cli.Command{
		Name: name, Usage: usage, Description: description,
		Flags: settingFlags("store", "table-prefix", "region"),
		Action: func(ctx context.Context, cmd *cli.Command) error {
			args, err := arguments(cmd, wanted...)
			if err != nil {
				return err
			}
			return m.onStore(ctx, cmd, func(_ Settings, h *host.Host) error { return action(ctx, h, args) }, func(s Settings) error {
				_, err := m.call(ctx, s, "events-"+name, control.Request{Args: args}, m.Stdout)
				return err
			})
		},
	}
	if len(wanted) > 0 {
		c.ArgsUsage = wanted[0]
	}
	return c
}

func (m *Main) listEvents(ctx context.Context, h *host.Host, _ []string) error {
	out := tabwriter.NewWriter(m.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "ID\tEVENT\tFAN-OUT\tPARKED\tATTEMPTS\tERROR")
	for q := (page.Query{First: page.Max}); ; {
		letters, err := h.Ops.Outbox.DeadLetters(ctx, q)
		if err != nil {
			return err
		}
		if len(letters.Items) == 0 && q.After == "" {
			_, err := fmt.Fprintln(m.Stdout, "There are no dead letters.")
			return err
		}
		for _, l := range letters.Items {
			fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%d\t%q\n", l.Letter, l.Record.Name, fanOutOf(l), l.At.UTC().Format(time.RFC3339), l.Attempts, l.Error)
		}
		if q.After = letters.Next; q.After == "" {
			return out.Flush()
		}
	}
}

func fanOutOf(l outbox.DeadLetter) string {
	if l.Name == "" {
		return "-"
	}
	return l.Name
}

// letter returns the dead letter with an id.
func (m *Main) letter(ctx context.Context, h *host.Host, id string) (*outbox.DeadLetter, error) {
	l, err := h.Ops.Outbox.DeadLetter(ctx, id)
	if err == nil && l == nil {
		err = noLetter(id)
	}
	return l, err
}

func noLetter(id string) error { return usage("there is no dead letter %q: see stoa events list", id) }

func (m *Main) showEvent(ctx context.Context, h *host.Host, args []string) error {
	l, err := m.letter(ctx, h, args[0])
	if err != nil {
		return err
	}
	out := tabwriter.NewWriter(m.Stdout, 0, 0, 2, ' ', 0)
	for _, line := range [][2]string{
		{"id", l.Letter},
		{"event", l.Record.Name},
		{"fan-out", fanOutOf(*l)},
		{"cursor", l.Cursor},
		{"key", l.Key},
		{"happened", l.Record.At.UTC().Format(time.RFC3339Nano)},
		{"parked", l.At.UTC().Format(time.RFC3339)},
		{"attempts", fmt.Sprint(l.Attempts)},
		{"error", l.Error},
		{"data", string(l.Data)},
	} {
		fmt.Fprintf(out, "%s\t%s\n", line[0], line[1])
	}
	return out.Flush()
}

func (m *Main) retryEvent(ctx context.Context, h *host.Host, args []string) error {
	l, err := m.letter(ctx, h, args[0])
	if err != nil {
		return err
	}
	switch there, err := h.Ops.Outbox.Retry(ctx, *l); {
	case err != nil:
		return err
	case !there:
		return noLetter(args[0])
	}
	_, err = fmt.Fprintf(m.Stdout, "%s will be attempted again.\n", args[0])
	return err
}

func (m *Main) dropEvent(ctx context.Context, h *host.Host, args []string) error {
	switch there, err := h.Ops.Outbox.Drop(ctx, args[0]); {
	case err != nil:
		return err
	case !there:
		return noLetter(args[0])
	}
	_, err := fmt.Fprintf(m.Stdout, "%s is dropped.\n", args[0])
	return err
}
