package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/urfave/cli/v3"

	"stoa/internal/host"
	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
)

func (m *Main) checkCommand() *cli.Command {
	return &cli.Command{
		Name:  "check",
		Usage: "find inconsistencies in the store",
		Description: "Reads all items of the systems that are served, checks every index key against its template, recounts every counter, " +
			"and looks for orphaned items and for missing or unneeded guards. " +
			"Problems are printed, and the exit code is 1. With --repair, keys, counters and guards are corrected; problems without a known correction are left.\n\n" +
			"Stop servers first: their writes during the check would look like problems. To check embedded data while a server runs, " +
			"check a copy made with kill -USR1.\n\n" +
			"Example:\n   stoa check\n   stoa check --repair --store embedded:/var/lib/stoa --systems all",
		Flags: append(settingFlags("store", "table-prefix", "region", "systems"),
			&cli.BoolFlag{Name: "repair", Usage: "repair problems where possible", HideDefault: true}),
		Action: func(ctx context.Context, cmd *cli.Command) error {
			if _, err := arguments(cmd); err != nil {
				return err
			}
			settings, _, err := m.settings(cmd)
			if err != nil {
				return err
			}
			switch {
			case settings.Store.Memory:
				return usage("--store memory: always starts empty: use --store embedded:DIR, aws or an endpoint")
			}
			if err := settings.Store.demand(); err != nil {
				return err
			}
			db, _, closeStore, err := openDB(ctx, settings, nil, slog.New(slog.DiscardHandler), prometheus.NewRegistry())
			if err != nil {
				return besideServer(settings.Store.Dir, err)
			}
			return errors.Join(m.check(ctx, db, settings.systems(), cmd.Bool("repair")), closeStore())
		},
	}
}

// check prints all problems, and fails if any are left.
func (m *Main) check(ctx context.Context, db *keyspec.DB, systems []host.System, repair bool) error {
	c := checking{m: m, db: db, repair: repair}
	if err := c.run(ctx, systems); err != nil {
		return err
	}
	waiting, err := ops.Waiting(ctx, db)
	if err != nil {
		return err
	}
	if c.left > 0 && waiting > 0 {
		fmt.Fprintf(m.Stdout, "%d events are still undelivered, which may correct some of this: run a server briefly, then check again.\n", waiting)
	}
	switch {
	case c.left > 0 && repair:
		return fmt.Errorf("%d of %d problems cannot be repaired", c.left, c.found)
	case c.left > 0:
		return fmt.Errorf("%d problems found: stoa check --repair corrects most of them", c.left)
	case c.found > 0:
		fmt.Fprintln(m.Stdout, "All problems have been repaired.")
	default:
		fmt.Fprintln(m.Stdout, "No problems found.")
	}
	return nil
}

// checking is one run of a check.
type checking struct {
	m      *Main
	db     *keyspec.DB
	repair bool
	// found and left count the problems before and after repairs.
	found, left int
}

func (c *checking) run(ctx context.Context, systems []host.System) error {
	var failed error
	err := c.db.Verify(ctx, func(f keyspec.Finding) {
		failed = errors.Join(failed, c.note(f, func() (bool, error) { return c.db.Repair(ctx, f) }))
	})
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	flaws, err := host.Broken(ctx, c.db, time.Now(), systems...)
	for _, f := range flaws {
		err = errors.Join(err, c.note(f, func() (bool, error) { return c.db.Mend(ctx, f) }))
	}
	return err
}

// note prints a problem, and repairs it if requested and possible.
func (c *checking) note(what fmt.Stringer, repair func() (bool, error)) error {
	c.found++
	repaired := false
	if c.repair {
		var err error
		if repaired, err = repair(); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	outcome := ""
	if repaired {
		outcome = ": repaired"
	} else {
		c.left++
	}
	_, err := fmt.Fprintf(c.m.Stdout, "%s%s\n", what, outcome)
	return err
}
