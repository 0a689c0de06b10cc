package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"stoa/internal/host"
	"stoa/internal/kit/cli"
)

func (m *Main) loadCommand() *cli.Command {
	return &cli.Command{
		Name:      "load",
		Usage:     "load reference data of a system from a file",
		ArgsUsage: "SYSTEM FILE",
		Description: "The archive loads a gazetteer, a CSV file of places as described in docs/archive-places.md. The whole file is validated before anything is " +
			"stored. " +
			"After an interruption, run the same command again: it skips what is already stored. Servers may keep running, " +
			"and may return cached places for up to two hours; " +
			"embedded data can be used by only one program at a time: stop the server first.\n\n" +
			"Example:\n   stoa load archive gazetteer.csv",
		Flags: settingFlags("store", "table-prefix", "region"),
		Action: m.with(func(ctx context.Context, cmd *cli.Command, settings Settings) error {
			args := cmd.Args()
			all := settings.all()
			at := slices.IndexFunc(all, func(s host.System) bool { return s.Name == args[0] && s.Load != nil })
			switch {
			case at < 0:
				return usage("%q does not load files: systems that do are %s", args[0], strings.Join(loadable(all), ", "))
			case settings.Store.Memory:
				return usage("--store memory: ends with this command: use --store embedded:DIR, aws or an endpoint")
			}
			settings.Systems = []string{args[0]}
			return m.load(ctx, settings, all[at], args[1])
		}),
	}
}

// loadable returns the names of systems that can load files.
func loadable(systems []host.System) (names []string) {
	for _, s := range systems {
		if s.Load != nil {
			names = append(names, s.Name)
		}
	}
	return names
}

func (m *Main) load(ctx context.Context, s Settings, system host.System, name string) error {
	file, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("the file cannot be read: %w", err)
	}
	defer file.Close() // only read
	h, closeAll, err := assembleSilent(ctx, s)
	if err != nil {
		return err
	}
	bar := m.progress("loading " + name)
	report, err := system.Load(ctx, h.Host, file, func(done int) { bar(done, unknownTotal) })
	if err := errors.Join(err, closeAll()); err != nil {
		return fmt.Errorf("%s: %w", name, interrupted(err))
	}
	_, err = fmt.Fprintf(m.Stdout, "Loaded %s into %s: %s", name, s.Store, report)
	return err
}
