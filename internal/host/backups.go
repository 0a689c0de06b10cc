package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/desk"
	"stoa/internal/job"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/operator"
)

// BackupJob is the name of the job that takes backups.
const BackupJob = "operator.backup"

var (
	errNoPlace   = refusal.New(refusal.BadInput, "", "There is no place for backups: set backup-dir")
	errBackingUp = refusal.New(refusal.Taken, "", "A backup is being written: wait until it is complete")
	errNoBackup  = errors.New("this process cannot take backups")
)

// ScheduleBackups adds the job that takes backups, if there is a place and an interval. It is
// called before anything is served.
func (d *Desk) ScheduleBackups() {
	if d.BackupPlace.Store == nil || d.BackupPlace.Every == 0 {
		return
	}
	d.host.Jobs.Jobs = append(d.host.Jobs.Jobs, job.Job{Name: BackupJob, Every: d.BackupPlace.Every, Run: func(ctx context.Context, _ time.Time) error {
		b, err := d.beginBackup(d.host.NewID())
		if err != nil {
			return err
		}
		if err := d.host.Ops.Operators.SaveBackup(ctx, *b); err != nil {
			d.forgetBackup()
			return err
		}
		return d.writeBackup(ctx, *b)
	}})
}

// watchBackups adds a metric of the age of the newest backup.
func (d *Desk) watchBackups(registry prometheus.Registerer) {
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "stoa_backup_age_seconds",
		Help: "Time since the newest complete backup was started; +Inf if there is none.",
	}, func() float64 {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.newest.IsZero() {
			return inf
		}
		return d.host.Now().Sub(d.newest).Seconds()
	}))
}

// StartBackup starts a backup in the background.
func (d *Desk) StartBackup(ctx context.Context, id string, commit func(context.Context, desk.Backup) error) (*operator.Backup, error) {
	b, err := d.beginBackup(id)
	if err != nil {
		return nil, err
	}
	if err := commit(ctx, *b); err != nil {
		d.forgetBackup()
		return nil, err
	}
	d.work.Go(func() {
		if err := d.writeBackup(d.working, *b); err != nil {
			d.host.Log.Error("the backup failed", "place", b.Place, "error", err)
		}
	})
	return shownBackup(*b), nil
}

// beginBackup reserves the only backup of this process.
func (d *Desk) beginBackup(id string) (*desk.Backup, error) {
	switch {
	case d.BackupPlace.Store == nil:
		return nil, errNoPlace
	case d.Export == nil:
		return nil, errNoBackup
	}
	at := d.host.Now().UTC().Truncate(time.Microsecond)
	key := fmt.Sprintf("stoa-%s-%.8s.ndjson.gz", at.Format("20060102T150405Z"), id)
	b := &desk.Backup{ID: id, StartedAt: at, Key: key, Place: strings.TrimSuffix(d.BackupPlace.Name, "/") + "/" + key}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.backup != nil {
		return nil, errBackingUp
	}
	d.backup = b
	return b, nil
}

func (d *Desk) forgetBackup() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.backup = nil
}

// writeBackup writes a backup that has begun, and removes those that are too many.
func (d *Desk) writeBackup(ctx context.Context, b desk.Backup) error {
	defer d.forgetBackup()
	var bytes, items atomic.Int64
	show := func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		now := b
		now.Bytes, now.Items = bytes.Load(), items.Load()
		d.backup = &now
	}
	from, to := io.Pipe()
	read := make(chan struct{})
	go func() {
		defer close(read)
		summary, err := d.Export(ctx, counting{to, &bytes}, func(done, _ int) { items.Store(int64(done)); show() })
		if err == nil {
			items.Store(summary.Total())
		}
		to.CloseWithError(err) // io.EOF without an error
	}()
	_, err := d.BackupPlace.Store.Put(ctx, b.Key, from)
	from.CloseWithError(err)
	<-read // who still reads would say that a backup is being written
	b.EndedAt, b.Bytes, b.Items = d.host.Now(), bytes.Load(), items.Load()
	if err != nil {
		b.Failure = err.Error()
	}
	// It is as complete as it will be, even if the process is ending.
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if err := errors.Join(err, d.host.Ops.Operators.SaveBackup(saving, b)); err != nil {
		return err
	}
	d.mu.Lock()
	d.newest = b.StartedAt
	d.mu.Unlock()
	return d.endBackups(ctx, b)
}

// counting counts what is written.
type counting struct {
	io.Writer
	bytes *atomic.Int64
}

func (c counting) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.bytes.Add(int64(n))
	return n, err
}

// endBackups removes the complete backups that are more than are kept, oldest first, and what
// is known of those that failed before them. Files in another place stay. So does the backup that
// has just been written, even if a wrong clock has dated others later.
func (d *Desk) endBackups(ctx context.Context, written desk.Backup) error {
	kept := 1
	for b, err := range page.All(page.In(ctx, d.host.Ops.Operators.Backups)) {
		if err != nil {
			return err
		}
		if b.ID == written.ID {
			continue
		}
		if kept < d.BackupPlace.Keep {
			if b.Complete() {
				kept++
			}
			continue
		}
		if b.Place == strings.TrimSuffix(d.BackupPlace.Name, "/")+"/"+b.Key {
			if err := d.BackupPlace.Store.Delete(ctx, b.Key); err != nil {
				return err
			}
		}
		if err := d.host.Ops.Operators.ForgetBackup(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// Backups returns the backups of all processes, newest first.
func (d *Desk) Backups(ctx context.Context) ([]*operator.Backup, error) {
	d.mu.Lock()
	running := d.backup
	d.mu.Unlock()
	all := []*operator.Backup{}
	for b, err := range page.All(page.In(ctx, d.host.Ops.Operators.Backups)) {
		if err != nil {
			return nil, err
		}
		if running != nil && running.ID == b.ID && b.EndedAt.IsZero() {
			b = *running
		}
		all = append(all, shownBackup(b))
	}
	return all, nil
}

func shownBackup(b desk.Backup) *operator.Backup {
	return &operator.Backup{
		ID: b.ID, StartedAt: b.StartedAt, EndedAt: optional.IfSet(b.EndedAt), Bytes: b.Bytes, Items: b.Items, Place: b.Place, Failure: optional.IfSet(b.Failure),
	}
}

// newestBackup returns when the newest complete backup was started, or the zero time, and
// remembers it for the metric.
func (d *Desk) newestBackup(ctx context.Context) (newest time.Time, err error) {
	for b, err := range page.All(page.In(ctx, d.host.Ops.Operators.Backups)) {
		if err != nil {
			return newest, err
		}
		if b.Complete() {
			newest = b.StartedAt
			break
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.newest = newest
	return newest, nil
}

// backupPath is where operators fetch a backup.
const backupPath = "GET /operator/backup"

// streamTime is how long a client may take for a piece of a backup or an export.
const streamTime = time.Minute

// streamBackup sends a backup that is taken as it is sent.
func (d *Desk) streamBackup(w http.ResponseWriter, r *http.Request) {
	if d.host.deskOff() {
		http.NotFound(w, r)
		return
	}
	ctx, err := d.host.callerOf(r)
	if err == nil {
		err = d.Service.StreamBackup(ctx)
	}
	if err == nil && d.Export == nil {
		err = errNoBackup
	}
	if err != nil {
		d.host.refuse(w, r, err)
		return
	}
	name := "stoa-" + d.host.Now().UTC().Format("20060102T150405Z") + ".ndjson.gz"
	w.Header().Set("Content-Type", "application/gzip")
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	w.Header().Set("Cache-Control", "no-store")
	_, err = d.Export(ctx, patiently{w, http.NewResponseController(w)}, func(int, int) {})
	if err != nil {
		d.host.Log.WarnContext(ctx, "a backup was not sent to its end", "error", err)
		panic(http.ErrAbortHandler) // the client must not take it for complete
	}
}

// patiently gives each piece of a long response its own time.
type patiently struct {
	io.Writer
	control *http.ResponseController
}

func (p patiently) Write(piece []byte) (int, error) {
	// Without a connection, as in tests, there is no deadline to set.
	_ = p.control.SetWriteDeadline(time.Now().Add(streamTime))
	return p.Writer.Write(piece)
}
