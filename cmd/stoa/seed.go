package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/urfave/cli/v3"

	"stoa/social/app"
	"stoa/social/seed"
	"stoa/store"
)

func (m *Main) seedCommand() *cli.Command {
	return &cli.Command{
		Name:  "seed",
		Usage: "fill a store with an invented network and print a login to try",
		Description: "Everybody in it has the same password, so it is for dev identity only. Stop a server that uses the data first.\n\n" +
			"Example:\n   stoa seed --users 2000 --seed 7",
		Flags: append(settingFlags("store", "table-prefix", "region", "identity"),
			&cli.IntFlag{Name: "users", Usage: "how many people to invent, 1 to 100000", Value: 200},
			&cli.Uint64Flag{Name: "seed", Usage: "which network to invent: the same number gives the same one", Value: 1}),
		Action: func(ctx context.Context, cmd *cli.Command) error {
			if _, err := arguments(cmd); err != nil {
				return err
			}
			settings, _, err := m.settings(cmd)
			if err != nil {
				return err
			}
			users := cmd.Int("users")
			switch {
			case users < 1 || users > seed.MaxUsers:
				return usage("--users %d: give a number from 1 to %d", users, seed.MaxUsers)
			case settings.Identity != devIdentity:
				return errors.New("an invented network is for dev identity only: everybody in it has a password that everybody knows")
			case settings.Store.Memory:
				return usage("--store memory: ends with this command: give --store embedded:DIR")
			}
			return m.seed(ctx, settings, seed.Options{Users: users, Seed: cmd.Uint64("seed"), Region: settings.Region})
		},
	}
}

func (m *Main) seed(ctx context.Context, s Settings, options seed.Options) error {
	s.Systems = []string{app.Name}
	h, closeAll, err := assemble(ctx, s, nil, slog.New(slog.DiscardHandler), prometheus.NewRegistry())
	if err != nil {
		return err
	}
	options.Progress = m.progress("seeding")
	result, err := seed.Fill(ctx, store.Open(h.DB), h.Issuer, options)
	if err := errors.Join(err, closeAll()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(m.Stdout, "%s now holds %d users, %d follows, %d posts, %d comments and %d likes.\n\nSign in as any of them, for example:\n   email     %s\n   username  %s\n   password  %s\n",
		s.Store, result.Users, result.Follows, result.Posts, result.Comments, result.Likes, result.Email, result.Username, seed.Password)
	return err
}
