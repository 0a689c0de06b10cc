package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"stoa/internal/kit/cli"
	"stoa/internal/kit/dump"
)

func (m *Main) backupCommand() *cli.Command {
	return &cli.Command{
		Name:      "backup",
		Usage:     "write a backup to a file, which appears under its name once it is complete",
		ArgsUsage: "FILE",
		Description: "The backup is a file like those of stoa export: restore it with stoa import. It contains accounts and signing keys: keep it as safe as the " +
			"data. Until it is complete and on disk, it has another name, which ends in .part; one that a kill left behind can be removed. " +
			"If a server has embedded data open, it takes the backup.\n\n" +
			"Example:\n   stoa backup /mnt/safe/stoa.ndjson.gz",
		Flags: settingFlags("store", "table-prefix", "region", "systems"),
		Action: m.with(func(ctx context.Context, cmd *cli.Command, settings Settings) error {
			if settings.Store.Memory {
				return usage("--store memory: always starts empty: use --store embedded:DIR, aws or an endpoint")
			}
			return m.backup(ctx, settings, cmd.Args()[0])
		}),
	}
}

func (m *Main) backup(ctx context.Context, s Settings, name string) (err error) {
	if err := s.Store.demand(); err != nil {
		return err
	}
	if _, err := os.Lstat(name); err == nil {
		return fmt.Errorf("%s exists: choose another name", name)
	}
	x, err := m.openExported(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.close()) }()
	var summary dump.Summary
	err = writeWhole(name, func(to io.Writer) (err error) {
		summary, err = x.export(ctx, to, m.progress("writing "+name))
		return err
	})
	if err != nil {
		return interrupted(err)
	}
	_, err = fmt.Fprintf(m.Stdout, "%s contains %s.\n", name, items(summary, s))
	return err
}

// writeWhole writes a new file, which only its owner can read. It has another name in the
// same directory until it is complete and on disk, and is removed if that fails.
func writeWhole(name string, write func(io.Writer) error) error {
	part, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.part")
	if err != nil {
		return fmt.Errorf("the backup cannot be written: %w", err)
	}
	err = write(part)
	if err = errors.Join(err, part.Sync(), part.Close()); err == nil {
		// Unlike a rename, a link never replaces a file that has appeared meanwhile.
		if err = os.Link(part.Name(), name); errors.Is(err, errors.ErrUnsupported) || errors.Is(err, os.ErrPermission) {
			return errors.Join(os.Rename(part.Name(), name), syncDir(name))
		}
	}
	return errors.Join(err, os.Remove(part.Name()), syncDir(name))
}

// syncDir makes the name of a file survive a power failure.
func syncDir(name string) error {
	dir, err := os.Open(filepath.Dir(name))
	if err != nil {
		return nil // it can be written but not read
	}
	return errors.Join(dir.Sync(), dir.Close())
}
