package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"

	"github.com/guregu/dynamo/v2"
	"github.com/guregu/dynamo/v2/dynamodbiface"

	"stoa/internal/kit/cli"
	"stoa/internal/kit/dump"
	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
)

func (m *Main) importCommand() *cli.Command {
	return &cli.Command{
		Name:      "import",
		Usage:     "load an exported file into empty tables",
		ArgsUsage: "FILE",
		Description: "The file is verified before anything is written, and the stored items are counted afterwards. " +
			"Servers refuse tables whose import has not finished: run the same command again to continue.\n\n" +
			"Missing embedded tables are created; create others with stoa tables apply. The table prefix may differ from that in the file.\n\n" +
			"Example:\n   stoa import --store embedded:./restored backup.ndjson.gz\n   stoa import --store aws --region eu-central-1 --table-prefix myapp- " +
			"backup.ndjson.gz",
		Flags: append(settingFlags("store", "table-prefix", "region", "systems"), cli.Flag{
			Name: "into-existing", Value: false,
			Usage: "import into tables that already contain items: those with the same keys are replaced, all others are kept",
		}),
		Action: m.with(func(ctx context.Context, cmd *cli.Command, settings Settings) error {
			if settings.Store.Memory {
				return usage("--store memory: ends with this command: use --store embedded:DIR, aws or an endpoint")
			}
			return m.importFile(ctx, settings, cmd.Args()[0], cmd.Bool("into-existing"))
		}),
	}
}

func (m *Main) importFile(ctx context.Context, s Settings, name string, beside bool) (err error) {
	file, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("the export cannot be read: %w", err)
	}
	defer file.Close() // only read
	header, err := dump.Verify(file)
	var cut *dump.IncompleteError
	switch {
	case errors.As(err, &cut):
		return fmt.Errorf("%s: %w: complete it with stoa export --resume", name, err)
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("the export cannot be read: %w", err)
	}
	reader, err := dump.NewReader(file)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}

	s = s.withTables(func(name string) bool {
		return slices.ContainsFunc(header.Tables, func(t dump.Table) bool { return t.Name == name })
	})
	client, closeClient, err := openStorage(ctx, s, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeClient()) }()
	db := openTables(dynamo.NewFromIface(client), s)
	if err := readyTables(ctx, db, s); err != nil {
		return err
	}
	tables, err := describeTables(ctx, client, s)
	if err != nil {
		return err
	}
	if err := header.Fits(tables); err != nil {
		return fmt.Errorf("%s does not fit %s: %w", name, s.Store, err)
	}
	begun, err := beginImport(ctx, client, db, s, header, beside)
	if err != nil {
		return err
	}
	summary, err := m.runImport(ctx, client, db, s, reader, begun)
	if err != nil {
		return fmt.Errorf("%w: %s contains a part of %s, run the same command again to continue", interrupted(err), s.Store, name)
	}
	fmt.Fprintf(m.Stdout, "Imported %s into %s.\n", items(summary, s), s.Store)
	return nil
}

// beginImport records that an import is in progress, or finds the progress of an earlier
// attempt.
func beginImport(ctx context.Context, client dynamodbiface.DynamoDBAPI, db *keyspec.DB, s Settings, h dump.Header, beside bool) (ops.Import, error) {
	begun, err := ops.Open(db).Imports.Load(ctx)
	switch {
	case err != nil:
		return ops.Import{}, explainRemote(s, err)
	case begun != nil && begun.FileID == h.ID:
		begun.Beside = begun.Beside || beside
		return *begun, nil
	case begun != nil:
		return ops.Import{}, fmt.Errorf(
			"%s contains a part of another file, whose import was interrupted: continue with that file, or use empty tables",
			s.Store,
		)
	}
	if !beside {
		if err := demandEmpty(ctx, client, s, h); err != nil {
			return ops.Import{}, err
		}
	}
	begin := ops.Import{FileID: h.ID, Beside: beside}
	return begin, ops.Open(db).Imports.Save(ctx, begin)
}

func demandEmpty(ctx context.Context, client dynamodbiface.DynamoDBAPI, s Settings, h dump.Header) error {
	for _, t := range h.Tables {
		empty, err := dump.Empty(ctx, client, s.TablePrefix+t.Name)
		if err != nil {
			return explainRemote(s, err)
		}
		if !empty {
			return fmt.Errorf(
				"table %s%s in %s contains items: import into empty tables, or add --into-existing to replace those with the same keys and keep the others",
				s.TablePrefix,
				t.Name,
				s.Store,
			)
		}
	}
	return nil
}

// runImport stores the rest of a file, counts the stored items, and removes the record of
// the import.
func (m *Main) runImport(
	ctx context.Context,
	client dynamodbiface.DynamoDBAPI,
	db *keyspec.DB,
	s Settings,
	from *dump.Reader,
	begun ops.Import,
) (dump.Summary, error) {
	summary, err := dump.Importing{
		To:     client,
		Prefix: s.TablePrefix,
		Done:   dump.Mark{Chunks: begun.Chunks, Sum: begun.Checksum},
		Save: func(ctx context.Context, mark dump.Mark) error {
			begun.Chunks, begun.Checksum = mark.Chunks, mark.Sum
			return ops.Open(db).Imports.Save(ctx, begun)
		},
		Progress: m.progress("importing"),
	}.Run(ctx, from)
	if err != nil {
		return summary, err
	}
	if !begun.Beside {
		if err := demandCounts(ctx, client, s, summary); err != nil {
			return summary, err
		}
	}
	return summary, ops.Open(db).Imports.Finish(ctx)
}

// demandCounts compares the number of items in tables that were empty with the number
// imported.
func demandCounts(ctx context.Context, client dynamodbiface.DynamoDBAPI, s Settings, given dump.Summary) error {
	for table, want := range given.Items {
		found, err := dump.Count(ctx, client, s.TablePrefix+table)
		if err != nil {
			return err
		}
		if table == ops.Table.Name {
			found-- // the record of the import itself
		}
		if found != want {
			return fmt.Errorf(
				"table %s%s contains %d items, but %d were imported: something else has written to it, accept that with --into-existing or start with empty tables",
				s.TablePrefix,
				table,
				found,
				want,
			)
		}
	}
	return nil
}

// demandWhole returns an error if a store contains an incomplete import.
func demandWhole(ctx context.Context, db *keyspec.DB, s Settings) error {
	begun, err := ops.Open(db).Imports.Load(ctx)
	if err != nil {
		return explainRemote(s, err)
	}
	if begun != nil {
		return fmt.Errorf("%s contains an unfinished import: run the same stoa import command again", s.Store)
	}
	return nil
}
