package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/host"
	"stoa/internal/kit/cli"
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
			"Servers may run meanwhile: what looks wrong is read again, after undelivered events, before it is called wrong, and nothing is repaired " +
			"that has changed since. If a server has embedded data open, it checks them. Counters that change all the time in a remote store are left out.\n\n" +
			"Example:\n   stoa check\n   stoa check --repair --store embedded:/var/lib/stoa --systems all",
		Flags: append(settingFlags("store", "table-prefix", "region", "systems"),
			cli.Flag{Name: "repair", Usage: "repair problems where possible", Value: false}),
		Action: m.with(func(ctx context.Context, cmd *cli.Command, settings Settings) error {
			if settings.Store.Memory {
				return usage("--store memory: always starts empty: use --store embedded:DIR, aws or an endpoint")
			}
			if err := settings.Store.demand(); err != nil {
				return err
			}
			return m.checks(ctx, settings, cmd.Bool("repair"))
		}),
	}
}

// checks checks the store of settings: by the server that has it open, or here.
func (m *Main) checks(ctx context.Context, s Settings, repair bool) error {
	db, client, closeStore, err := openDB(ctx, s, nil, slog.New(slog.DiscardHandler), prometheus.NewRegistry())
	var locked *lockedError
	if errors.As(err, &locked) {
		r := s.request()
		r.Switches = map[string]bool{"repair": repair}
		_, callErr := m.call(ctx, s, "check", r, m.Stdout)
		return unlessServing(callErr, besideServer(s.Store.Dir, err))
	}
	if err != nil {
		return err
	}
	checking := &host.Checking{
		DB: db, Systems: s.systems(), Exact: s.Store.Embedded(), Repair: repair, Now: time.Now, Read: func(int64) {},
		Open: func() (keyspec.Source, func() error, error) { return openSource(client) },
	}
	if !s.Store.Embedded() { // servers write meanwhile
		checking.Settle = func(ctx context.Context, before time.Time) error {
			return host.Settle(ctx, ops.Open(db).Outbox, before)
		}
	}
	run := func(ctx context.Context, found func(host.Flaw) error) error {
		checking.Found = found
		return checking.Run(ctx)
	}
	return errors.Join(m.check(ctx, db, repair, run), closeStore())
}

// check prints all problems that run finds, and fails if any are left.
func (m *Main) check(ctx context.Context, db *keyspec.DB, repair bool, run func(ctx context.Context, found func(host.Flaw) error) error) error {
	found, left := 0, 0
	err := run(ctx, func(f host.Flaw) error {
		found++
		outcome := ""
		if f.Repaired {
			outcome = ": repaired"
		} else {
			left++
		}
		_, err := fmt.Fprintf(m.Stdout, "%s%s\n", f.Text, outcome)
		return err
	})
	if err != nil {
		return interrupted(err)
	}
	waiting, err := ops.Waiting(ctx, db)
	if err != nil {
		return err
	}
	if left > 0 && waiting > 0 {
		fmt.Fprintf(m.Stdout, "%d events are still undelivered, which may correct some of this: run a server briefly, then check again.\n", waiting)
	}
	switch {
	case left > 0 && repair:
		return fmt.Errorf("%d of %d problems cannot be repaired", left, found)
	case left > 0:
		return fmt.Errorf("%d problems found: stoa check --repair corrects most of them", left)
	case found > 0:
		fmt.Fprintln(m.Stdout, "All problems have been repaired.")
	default:
		fmt.Fprintln(m.Stdout, "No problems found.")
	}
	return nil
}
