package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"stoa/internal/host"
	"stoa/internal/kit/dump"
	"stoa/internal/kit/keyspec"
	"stoa/internal/media/blob"
)

// serveUpkeep lets operators check and back up the store of a server.
func serveUpkeep(ctx context.Context, s Settings, h *service) (err error) {
	d := h.Desk
	d.Source = func() (keyspec.Source, func() error, error) { return openSource(h.client) }
	d.Snapshots = s.Store.Embedded()
	d.Export = func(ctx context.Context, to io.Writer, progress dump.Progress) (_ dump.Summary, err error) {
		x, err := exportedBy(ctx, h.client, s)
		if err != nil {
			return dump.Summary{}, err
		}
		defer func() { err = errors.Join(err, x.close()) }()
		return x.export(ctx, to, progress)
	}
	if d.BackupPlace, err = s.backupPlace(ctx); err != nil {
		return err
	}
	d.ScheduleBackups()
	return nil
}

// backupAddress returns the address of the store of backups, and what it is called. Both are
// empty if there is none.
func (s *Settings) backupAddress() (address, name string, err error) {
	address = s.BackupDir
	switch {
	case address == "" && s.BackupEvery != 0:
		return "", "", usage("setting backup-every needs a place for backups: set backup-dir")
	case address == "":
		return "", "", nil
	case strings.Contains(address, "://"):
		if err := blob.CheckAddress(address); err != nil {
			return "", "", usage("setting backup-dir: %v", err)
		}
		name, _, _ = strings.Cut(address, "?")
		return address, name, nil
	}
	name, err = filepath.Abs(strings.TrimPrefix(address, "file:"))
	return "file:" + name, name, err
}

// backupPlace opens the place of backups, if one is set.
func (s *Settings) backupPlace(ctx context.Context) (host.BackupPlace, error) {
	p := host.BackupPlace{Every: s.BackupEvery, Keep: s.BackupKeep}
	address, name, err := s.backupAddress()
	if err != nil || address == "" {
		return p, err
	}
	p.Name = name
	if p.Store, err = blob.Open(ctx, address); err != nil {
		return p, fmt.Errorf("backups cannot be kept in %s: %w", p.Name, err)
	}
	if bucket, remote := p.Store.(*blob.Bucket); remote {
		if err := bucket.Check(ctx); err != nil {
			return p, fmt.Errorf("backups cannot be kept in %s: %w", p.Name, err)
		}
	}
	return p, nil
}
