package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/kit/cli"
	"stoa/internal/kit/keyspec"
)

func (m *Main) tablesCommand() *cli.Command {
	return &cli.Command{
		Name:        "tables",
		Usage:       "create and compare the tables in DynamoDB; nothing is ever dropped",
		Description: "Example:\n   stoa tables plan --store aws --region eu-central-1",
		Commands: []*cli.Command{
			m.tablesSubcommand("plan", "print what apply would do",
				"Example:\n   stoa tables plan --store aws --region eu-central-1", true, m.planTables),
			m.tablesSubcommand("apply", "create the tables and add the indexes that are missing",
				"Indexes are added while tables are in use, which can take hours for large ones; the command may be repeated. "+
					"Nothing else of existing tables is ever changed, even if they differ from their declaration.\n\n"+
					"Example:\n   stoa tables apply --store aws --region eu-central-1", false, m.applyTables),
			m.templateCommand(),
			{
				Name:        "describe",
				Usage:       "print the tables and every kind of row in them",
				Description: "Example:\n   stoa tables describe",
				Flags:       settingFlags("systems"),
				Action: func(_ context.Context, cmd *cli.Command) error {
					settings, _, err := m.settings(cmd)
					if err != nil {
						return err
					}
					for _, system := range settings.systems() {
						if err := system.Design(m.Stdout); err != nil {
							return err
						}
					}
					return nil
				},
			},
		},
	}
}

func (m *Main) tablesSubcommand(name, usage, description string, mustExist bool, action func(context.Context, *keyspec.DB) error) *cli.Command {
	return &cli.Command{
		Name: name, Usage: usage, Description: description,
		Flags: settingFlags("store", "table-prefix", "region", "systems"),
		Action: func(ctx context.Context, cmd *cli.Command) error {
			settings, _, err := m.settings(cmd)
			if err == nil && mustExist {
				err = settings.Store.demand()
			}
			if err != nil {
				return err
			}
			client, closeClient, err := openStorage(ctx, settings, nil, slog.New(slog.DiscardHandler))
			if err != nil {
				return err
			}
			db := openTables(dynamo.NewFromIface(client), settings)
			if err := errors.Join(action(ctx, db), closeClient()); err != nil {
				return explainRemote(settings, err)
			}
			return nil
		},
	}
}

// planTables fails if a difference must be resolved manually, so that scripts notice it.
func (m *Main) planTables(ctx context.Context, db *keyspec.DB) error {
	differences, err := db.Compare(ctx)
	if err != nil {
		return err
	}
	if len(differences) == 0 {
		fmt.Fprintln(m.Stdout, "all tables match their declarations")
		return nil
	}
	for _, d := range differences {
		if d.Missing {
			fmt.Fprintf(m.Stdout, "+ %s %s: apply corrects this\n", d.Table, d.Text)
		}
	}
	return m.refuseDifferences(differences)
}

// refuseDifferences prints the differences that must be resolved manually, and returns an
// error if there are any.
func (m *Main) refuseDifferences(differences []keyspec.Difference) error {
	byHand := 0
	for _, d := range differences {
		if !d.Missing {
			byHand++
			fmt.Fprintf(m.Stdout, "! %s %s: apply does not change it\n", d.Table, d.Text)
		}
	}
	if byHand > 0 {
		return fmt.Errorf("differences that must be resolved manually: %d", byHand)
	}
	return nil
}

func (m *Main) applyTables(ctx context.Context, db *keyspec.DB) error {
	differences, err := db.Compare(ctx)
	if err != nil {
		return err
	}
	if err := m.refuseDifferences(differences); err != nil {
		return fmt.Errorf("nothing was created because of %w", err)
	}
	if err := db.Provision(ctx, m.reportFilling()); err != nil {
		return err
	}
	for _, d := range differences {
		switch {
		case d.Text == keyspec.NoTable:
			fmt.Fprintf(m.Stdout, "+ %s: created\n", d.Table)
		case d.Index != "":
			fmt.Fprintf(m.Stdout, "+ %s: index %s added\n", d.Table, d.Index)
		default:
			fmt.Fprintf(m.Stdout, "+ %s: expiry of items enabled\n", d.Table)
		}
	}
	fmt.Fprintln(m.Stdout, "all tables match their declarations")
	return nil
}

// reportFilling returns a function that prints how far an index is, when it changes.
func (m *Main) reportFilling() func(keyspec.Filling) {
	var last keyspec.Filling
	return func(f keyspec.Filling) {
		if f == last {
			return
		}
		last = f
		if !f.Done {
			fmt.Fprintf(m.Stdout, "  %s: index %s is being filled: %d of about %d items\n", f.Table, f.Index, f.Items, f.Of)
		}
	}
}
