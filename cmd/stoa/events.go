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
	event := func(c cli.Command, do deed) *cli.Command {
		return m.onData("events", c, []string{"store", "table-prefix", "region"}, do)
	}
	return &cli.Command{
		Name:  "events",
		Usage: "list events that could not be delivered, and retry or drop them",
		Description: "An event that fails for an hour is parked as a dead letter, with the error of its last attempt. " +
			"If a server has embedded data open, it executes the command.\n\nExample:\n   stoa events list",
		Commands: []*cli.Command{
			event(cli.Command{Name: "list", Usage: "list dead letters", Description: "Example:\n   stoa events list"}, (*Main).listEvents),
			event(cli.Command{Name: "show", ArgsUsage: "ID", Usage: "show a dead letter with its data and error", Description: "Example:\n   stoa events show ID"},
				(*Main).showEvent),
			event(cli.Command{Name: "retry", ArgsUsage: "ID", Usage: "deliver a dead letter again",
				Description: "A server attempts it again within minutes.\n\nExample:\n   stoa events retry ID"}, (*Main).retryEvent),
			event(cli.Command{Name: "drop", ArgsUsage: "ID", Usage: "discard a dead letter and its effects",
				Description: "Example:\n   stoa events drop ID"}, (*Main).dropEvent),
		},
	}
}

func (m *Main) listEvents(ctx context.Context, h *host.Host, _ control.Request) error {
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

func (m *Main) showEvent(ctx context.Context, h *host.Host, r control.Request) error {
	l, err := m.letter(ctx, h, r.Args[0])
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

func (m *Main) retryEvent(ctx context.Context, h *host.Host, r control.Request) error {
	l, err := m.letter(ctx, h, r.Args[0])
	if err != nil {
		return err
	}
	switch there, err := h.Ops.Outbox.Retry(ctx, *l); {
	case err != nil:
		return err
	case !there:
		return noLetter(r.Args[0])
	}
	_, err = fmt.Fprintf(m.Stdout, "%s will be attempted again.\n", r.Args[0])
	return err
}

func (m *Main) dropEvent(ctx context.Context, h *host.Host, r control.Request) error {
	switch there, err := h.Ops.Outbox.Drop(ctx, r.Args[0]); {
	case err != nil:
		return err
	case !there:
		return noLetter(r.Args[0])
	}
	_, err := fmt.Fprintf(m.Stdout, "%s is dropped.\n", r.Args[0])
	return err
}
