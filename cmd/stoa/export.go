package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"
	"github.com/guregu/dynamo/v2/dynamodbiface"

	"stoa/internal/host"
	"stoa/internal/kit/cli"
	"stoa/internal/kit/dump"
	"stoa/internal/kit/engine"
)

func (m *Main) exportCommand() *cli.Command {
	return &cli.Command{
		Name:      "export",
		Usage:     "write all items to a file, for backup or to move to another store",
		ArgsUsage: "[FILE]",
		Description: "The file contains accounts and signing keys: keep it as safe as the data. Without FILE, or with -, it is written to standard output. " +
			"It is gzipped JSON with checksums, one line for each item.\n\n" +
			"The export of embedded data is a snapshot, which a server takes that has the data open. A remote store is exported while " +
			"servers write to it, so the file is not a snapshot: " +
			"items that change during the export may be inconsistent.\n\n" +
			"Example:\n   stoa export backup.ndjson.gz\n   stoa export --store aws --region eu-central-1 --resume backup.ndjson.gz\n   stoa export - | ssh vault " +
			"'cat > backup.ndjson.gz'",
		Flags: append(settingFlags("store", "table-prefix", "region", "systems"),
			cli.Flag{Name: "resume", Usage: "continue a file whose export was interrupted", Value: false}),
		Action: m.with(func(ctx context.Context, cmd *cli.Command, settings Settings) error {
			name := "-"
			if args := cmd.Args(); len(args) > 0 {
				name = args[0]
			}
			resume := cmd.Bool("resume")
			switch {
			case settings.Store.Memory:
				return usage("--store memory: always starts empty: use --store embedded:DIR, aws or an endpoint")
			case resume && name == "-":
				return usage("--resume needs the FILE to continue: see stoa export --help")
			case name == "-" && isTerminalWriter(m.Stdout):
				return usage("an export cannot be written to a terminal: name a FILE, or redirect the output")
			}
			return m.export(ctx, settings, name, resume)
		}),
	}
}

func isTerminalWriter(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isTerminal(f)
}

func (m *Main) export(ctx context.Context, s Settings, name string, resume bool) (err error) {
	if err := s.Store.demand(); err != nil {
		return err
	}
	x, err := m.openExported(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.close()) }()
	progress := m.progress("exporting")
	if name == "-" {
		_, err := x.export(ctx, m.Stdout, progress)
		return interrupted(err)
	}
	if resume && x.resume == nil {
		return fmt.Errorf("the server that has the data in %s open exports only snapshots: omit --resume, and name another file", s.Store.Dir)
	}

	file, err := openExport(name, resume)
	if err != nil {
		return err
	}
	var summary dump.Summary
	if resume {
		summary, err = x.resume(ctx, file, progress)
	} else {
		summary, err = x.export(ctx, file, progress)
	}
	switch {
	case errors.Is(err, dump.ErrComplete):
		file.Close() // only read
		fmt.Fprintf(m.Stdout, "%s is already complete.\n", name)
		return nil
	case resume && isRefused(err):
		file.Close() // only read
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := errors.Join(err, keep(file)); err != nil {
		if x.resume == nil {
			return errors.Join(interrupted(err), os.Remove(name))
		}
		return fmt.Errorf("%w: %s is incomplete, continue with stoa export --resume", interrupted(err), name)
	}
	fmt.Fprintf(m.Stdout, "%s contains %s.\n", name, items(summary, s))
	if !summary.OneMoment {
		fmt.Fprintln(m.Stdout, "It is not a snapshot: items written during the export may be missing or inconsistent.")
	}
	return nil
}

// exported is a store that is exported, by this process or by the server that has it open.
type exported struct {
	export func(ctx context.Context, to io.Writer, progress dump.Progress) (dump.Summary, error)
	// resume is nil if exports cannot be resumed.
	resume func(ctx context.Context, file dump.File, progress dump.Progress) (dump.Summary, error)
	close  func() error
}

func (m *Main) openExported(ctx context.Context, s Settings) (*exported, error) {
	client, closeClient, err := openStorage(ctx, s, nil, slog.New(slog.DiscardHandler))
	var locked *lockedError
	if errors.As(err, &locked) {
		return m.exportedBeside(s, err), nil
	}
	if err != nil {
		return nil, err
	}
	x, err := exportedBy(ctx, client, s)
	if err != nil {
		return nil, errors.Join(err, closeClient())
	}
	closeSource := x.close
	x.close = func() error { return errors.Join(closeSource(), closeClient()) }
	return x, nil
}

// exportedBy returns the tables of s behind a client: a snapshot of an embedded store, of
// all systems that have tables there unless some are given.
func exportedBy(ctx context.Context, client dynamodbiface.DynamoDBAPI, s Settings) (*exported, error) {
	s, err := s.withStored(ctx, client)
	if err != nil {
		return nil, err
	}
	if err := exportable(ctx, client, s); err != nil {
		return nil, err
	}
	source, closeSource, err := openSource(client)
	if err != nil {
		return nil, err
	}
	header, err := exportHeader(ctx, client, s)
	if err != nil {
		return nil, errors.Join(err, closeSource())
	}
	return &exported{
		export: func(ctx context.Context, to io.Writer, progress dump.Progress) (dump.Summary, error) {
			return dump.Export(ctx, to, source, header, progress)
		},
		resume: func(ctx context.Context, file dump.File, progress dump.Progress) (dump.Summary, error) {
			return dump.Resume(ctx, file, source, header, progress)
		},
		close: closeSource,
	}, nil
}

// exportedBeside returns the store of s as the server exports it that has it open; locked is
// the error if there is none.
func (m *Main) exportedBeside(s Settings, locked error) *exported {
	export := func(ctx context.Context, to io.Writer, _ dump.Progress) (summary dump.Summary, err error) {
		result, err := m.call(ctx, s, "export", s.request(), to)
		if err != nil {
			return summary, unlessServing(err, besideServer(s.Store.Dir, locked))
		}
		return summary, json.Unmarshal([]byte(result), &summary)
	}
	return &exported{export: export, close: func() error { return nil }}
}

// isRefused reports whether a file could not be resumed.
func isRefused(err error) bool {
	var damaged *dump.DamagedError
	var version *dump.VersionError
	var mismatch *dump.MismatchError
	return errors.Is(err, dump.ErrForeign) || errors.As(err, &damaged) || errors.As(err, &version) || errors.As(err, &mismatch)
}

// besideServer returns an error that explains how to read data that another program uses.
func besideServer(dir string, err error) error {
	var locked *lockedError
	if errors.As(err, &locked) {
		return fmt.Errorf(
			"the data in %s is in use by another process: stop that process first, "+
				"or make it copy the data with kill -USR1 and choose the copy with --store embedded:DIR",
			dir,
		)
	}
	return err
}

// interrupted returns the error of an interrupted command.
func interrupted(err error) error {
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted")
	}
	return err
}

// exportable returns an error if a store lacks tables or contains an incomplete import.
// Tables that are not quite as declared can be exported: the file contains items, and no
// indexes.
func exportable(ctx context.Context, client dynamodbiface.DynamoDBAPI, s Settings) error {
	db := openTables(dynamo.NewFromIface(client), s)
	differences, err := db.Compare(ctx)
	if err != nil {
		return explainRemote(s, err)
	}
	for _, d := range differences {
		if d.Missing {
			return fmt.Errorf("table %s %s in %s: choose the store with --store, or its tables with --table-prefix", d.Table, d.Text, s.Store)
		}
	}
	return demandWhole(ctx, db, s)
}

// openSource returns the source of an export: a snapshot of an embedded store, or a remote
// store in its changing state.
func openSource(client dynamodbiface.DynamoDBAPI) (dump.Source, func() error, error) {
	local, ok := client.(*engine.Engine)
	if !ok {
		return dump.Scan{DB: client}, func() error { return nil }, nil
	}
	snapshot, err := local.Snapshot()
	if err != nil {
		return nil, nil, err
	}
	return snapshot, snapshot.Close, nil
}

func exportHeader(ctx context.Context, client dynamodbiface.DynamoDBAPI, s Settings) (dump.Header, error) {
	h := dump.Header{
		ID: uuid.NewString(), TakenAt: time.Now().UTC(), Prefix: s.TablePrefix,
		Source: exportSource(s), OneMoment: s.Store.Embedded(),
	}
	var err error
	h.Tables, err = describeTables(ctx, client, s)
	return h, err
}

// exportSource identifies a store as far as the order of its items depends on it. A
// directory may be moved before an export is resumed.
func exportSource(s Settings) string {
	switch {
	case s.Store.Embedded():
		return "embedded"
	case s.Store.Endpoint != "":
		return s.Store.Endpoint
	default:
		return "aws " + s.Region
	}
}

func describeTables(ctx context.Context, client dynamodbiface.DynamoDBAPI, s Settings) (all []dump.Table, err error) {
	for _, declared := range host.Tables(s.systems()...) {
		t, err := dump.Describe(ctx, client, s.TablePrefix, s.TablePrefix+declared.Name)
		if err != nil {
			return nil, explainRemote(s, err)
		}
		all = append(all, t)
	}
	return all, nil
}

// openExport opens the output file, which only its owner can read.
func openExport(name string, resume bool) (*os.File, error) {
	flags := os.O_RDWR
	if !resume {
		flags |= os.O_CREATE | os.O_EXCL
	}
	file, err := os.OpenFile(name, flags, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, fmt.Errorf("%s exists: choose another name, or continue it with --resume", name)
	case resume && errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s does not exist: omit --resume to create it", name)
	case err != nil:
		return nil, fmt.Errorf("the export cannot be written: %w", err)
	}
	return file, nil
}

// keep closes a file and syncs it and its directory, so that it survives a power failure.
func keep(file *os.File) error {
	return errors.Join(file.Sync(), file.Close(), syncDir(file.Name()))
}

// items describes the number of items by table.
func items(of dump.Summary, s Settings) string {
	var parts []string
	for _, t := range host.Tables(s.all()...) {
		if n, exported := of.Items[t.Name]; exported {
			parts = append(parts, fmt.Sprintf("%d in %s", n, t.Name))
		}
	}
	return fmt.Sprintf("%d items (%s)", of.Total(), strings.Join(parts, ", "))
}
