package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"stoa/internal/host"
	"stoa/internal/kit/cli"
)

func (m *Main) seedCommand() *cli.Command {
	return &cli.Command{
		Name:  "seed",
		Usage: "fill a store with generated data and print a login to try",
		Description: "All generated users have the same password, so this requires dev identity. Stop any server that uses the data first.\n\n" +
			"Example:\n   stoa seed --users 2000 --seed 7\n   stoa seed --systems pantry",
		Flags: append(settingFlags("store", "table-prefix", "region", "identity", "systems", "listen", "public-url"),
			cli.Flag{Name: "users", Usage: "number of users to generate, 1 to 100000", Value: 200},
			cli.Flag{Name: "seed", Usage: "seed of the generator: the same number generates the same data", Value: uint64(1)}),
		Action: m.with(func(ctx context.Context, cmd *cli.Command, settings Settings) error {
			users := cmd.Int("users")
			switch {
			case users < 1 || users > host.MaxSeeded:
				return usage("--users %d: use a number from 1 to %d", users, host.MaxSeeded)
			case settings.Identity != devIdentity:
				return errors.New("generated users require dev identity: they all have the same, well-known password")
			case settings.Store.Memory:
				return usage("--store memory: ends with this command: use --store embedded:DIR")
			}
			return m.seed(ctx, settings, host.Seeding{Users: users, Seed: cmd.Uint64("seed"), Region: settings.Region})
		}),
	}
}

func (m *Main) seed(ctx context.Context, s Settings, options host.Seeding) error {
	h, closeAll, err := assembleSilent(ctx, s)
	if err != nil {
		return err
	}
	reports, err := m.seedAll(ctx, s, h.Host, options)
	items, countErr := h.DB.ItemCount(ctx)
	if err := errors.Join(err, countErr, closeAll()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(m.Stdout, "%s\n%s now contains %d items.\n", strings.Join(reports, "\n"), s.Store, items)
	return err
}

func (m *Main) seedAll(ctx context.Context, s Settings, h *host.Host, options host.Seeding) (reports []string, err error) {
	for _, system := range s.systems() {
		if system.Seed == nil {
			continue
		}
		options.Progress = m.progress("seeding " + system.Name)
		report, err := system.Seed(ctx, h, options)
		if err != nil {
			return nil, err
		}
		reports = append(reports, fmt.Sprintf("Added to %s: %s", system.Name, report))
	}
	return reports, nil
}
