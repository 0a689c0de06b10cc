package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"stoa/internal/control"
	"stoa/internal/desk"
	"stoa/internal/host"
	"stoa/internal/kit/cli"
	"stoa/internal/kit/page"
	"stoa/internal/operator"
)

func (m *Main) casesCommand() *cli.Command {
	settings := append(slices.Clone(dataSettings), "rules-file")
	return &cli.Command{
		Name:        "cases",
		Usage:       "list cases of reported content, or decide one",
		Description: "If a server has embedded data open, it executes the command.\n\nExample:\n   stoa cases list",
		Commands: []*cli.Command{
			m.onData("cases", cli.Command{Name: "list", Usage: "show open cases, most reports first", Description: "Example:\n   stoa cases list"},
				settings, delivered((*Main).listCases)),
			m.onData("cases", cli.Command{
				Name: "decide", ArgsUsage: "ID VERDICT", Usage: "keep or remove the content of a case",
				Description: "VERDICT is keep or remove. The audit log names the user of the machine.\n\n" +
					"Example:\n   stoa cases decide social:POST:p1 remove --rule spam",
				Flags: []cli.Flag{
					{Name: "revision", Usage: "the revision that you have seen; the current one if unset"},
					{Name: "rule", Usage: "the id of the house rule that was broken"},
					{Name: "note", Usage: "a note for operators and moderators"},
				},
			}, settings, delivered((*Main).decideCase)),
		},
	}
}

// delivered returns a deed after which events are delivered: no server is there to do it.
func delivered(do deed) deed {
	return func(m *Main, ctx context.Context, h *host.Host, r control.Request) error {
		if err := do(m, ctx, h, r); err != nil {
			return err
		}
		return h.Outbox.Drain(ctx)
	}
}

func (m *Main) listCases(ctx context.Context, h *host.Host, _ control.Request) error {
	service, ctx := h.Desk.Service, operator.AsCommand(ctx, userOfMachine())
	out := tabwriter.NewWriter(m.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "ID\tREVISION\tREPORTS\tOPENED\tDUE\tREMOVED BY\tEXCERPT")
	most, next := page.Max, (*string)(nil)
	for {
		all, err := service.Cases(ctx, operator.Query{Status: desk.Open}, page.Args{Limit: &most, NextToken: next})
		if err != nil {
			return err
		}
		if len(all.Items) == 0 && next == nil {
			_, err := fmt.Fprintln(m.Stdout, "There are no open cases.")
			return err
		}
		shown, err := service.Contents(ctx, all.Items)
		if err != nil {
			return err
		}
		for _, c := range all.Items {
			s := shown[c]
			by := string(s.RemovedBy)
			if by == "" {
				by = "-"
			}
			fmt.Fprintf(out, "%s\t%d\t%d\t%s\t%s\t%s\t%s\n", c.ID(), c.Revision, c.ReportCount, c.OpenedAt.UTC().Format(time.RFC3339),
				service.DueAt(c).UTC().Format(time.RFC3339), by, strconv.Quote(firstOf(s.Excerpt)))
		}
		if next = all.NextToken(); next == nil {
			return out.Flush()
		}
	}
}

// firstOf returns what fits into a line of a text.
func firstOf(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

func (m *Main) decideCase(ctx context.Context, h *host.Host, r control.Request) error {
	service, ctx := h.Desk.Service, operator.AsCommand(ctx, userOfMachine())
	verdict := desk.Verdict(strings.ToUpper(r.Args[1]))
	if verdict != desk.Keep && verdict != desk.Remove {
		return usage("there is no verdict %q: write keep or remove", r.Args[1])
	}
	c, err := service.Case(ctx, r.Args[0])
	switch {
	case err != nil:
		return err
	case c == nil:
		return fmt.Errorf("there is no case %s: see stoa cases list", r.Args[0])
	}
	revision := c.Revision
	if text := r.Settings["revision"]; text != "" {
		if revision, err = strconv.Atoi(text); err != nil {
			return usage("--revision %s: write a number", text)
		}
	}
	c, err = service.DecideCase(ctx, r.Args[0], revision, operator.Ruling{Verdict: verdict, Note: r.Settings["note"], Rule: r.Settings["rule"]})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(m.Stdout, "%s is decided: %s, revision %d.\n", c.ID(), verdict, c.Revision)
	return err
}
