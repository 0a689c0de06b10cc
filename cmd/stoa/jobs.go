package main

import (
	"context"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"stoa/internal/control"
	"stoa/internal/host"
	"stoa/internal/job"
	"stoa/internal/kit/cli"
	"stoa/internal/kit/nearest"
	"stoa/internal/kit/slice"
)

func (m *Main) jobsCommand() *cli.Command {
	return &cli.Command{
		Name:        "jobs",
		Usage:       "list periodic jobs with their last runs, or run one now",
		Description: "Servers run jobs by themselves. If a server has embedded data open, it lists its jobs or runs one.\n\nExample:\n   stoa jobs list",
		Commands: []*cli.Command{
			m.onData("jobs", cli.Command{Name: "list", Usage: "show schedules, leases and last runs", Description: "Example:\n   stoa jobs list"},
				dataSettings, (*Main).listJobs),
			m.onData("jobs", cli.Command{Name: "run", Usage: "run a job now", ArgsUsage: "NAME", Description: "Example:\n   stoa jobs run social.delete-expired-posts"},
				dataSettings, func(m *Main, ctx context.Context, h *host.Host, r control.Request) error {
					return m.runJob(ctx, h, r.Args[0], h.Outbox.Drain)
				}),
		},
	}
}

// dataSettings are the settings of commands on the data of systems.
var dataSettings = []string{"store", "table-prefix", "region", "systems"}

func (m *Main) listJobs(ctx context.Context, h *host.Host, _ control.Request) error {
	if len(h.Jobs.Jobs) == 0 {
		_, err := fmt.Fprintln(m.Stdout, "There are no jobs.")
		return err
	}
	out := tabwriter.NewWriter(m.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "NAME\tEVERY\tLAST RUN\tOUTCOME\tHELD BY")
	for _, j := range h.Jobs.Jobs {
		last, err := h.Jobs.Store.Last(ctx, j.Name)
		if err != nil {
			return err
		}
		lease, err := h.Ops.Leases.Load(ctx, job.LeaseName(j.Name))
		if err != nil {
			return err
		}
		holder := "-"
		if lease.Holder != "" && h.Now().Before(lease.Expires) {
			holder = lease.Holder
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", j.Name, j.Schedule(), startOf(last), outcomeOf(last), holder)
	}
	return out.Flush()
}

func startOf(r job.Run) string {
	if r.StartedAt.IsZero() {
		return "never"
	}
	return r.StartedAt.UTC().Format(time.RFC3339)
}

func outcomeOf(r job.Run) string {
	switch {
	case r.StartedAt.IsZero():
		return "-"
	case r.EndedAt.IsZero():
		return "not finished"
	case r.Failure != "":
		return "failed: " + r.Failure
	default:
		return "done in " + r.EndedAt.Sub(r.StartedAt).Round(time.Millisecond).String()
	}
}

// runJob runs a job. Deliver delivers its events before the program ends; a server needs
// none.
func (m *Main) runJob(ctx context.Context, h *host.Host, name string, deliver func(context.Context) error) error {
	names := slice.Map(h.Jobs.Jobs, func(j job.Job) string { return j.Name })
	if !slices.Contains(names, name) {
		return usage("there is no job %q: %ssee stoa jobs list", name, meant("", nearest.Word(name, names)))
	}
	if err := h.Jobs.RunNow(ctx, name); err != nil {
		return err
	}
	if err := deliver(ctx); err != nil {
		return fmt.Errorf("%s is done, but some of its events could not be delivered, which a server will retry: %w", name, err)
	}
	_, err := fmt.Fprintf(m.Stdout, "%s is done.\n", name)
	return err
}
