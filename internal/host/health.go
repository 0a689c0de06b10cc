package host

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/internal/kit/together"
	"stoa/internal/operator"
	"stoa/internal/ops"
	"stoa/internal/outbox"
)

const (
	// maxUndelivered is the number of waiting events that are shown.
	maxUndelivered = 100
	// shardReaders is the number of shards that are read at a time.
	shardReaders = 8
)

// addDetails adds events, processes, figures and backups.
func (d *Desk) addDetails(ctx context.Context, health *operator.Health, now time.Time) (err error) {
	var mails int
	if health.Undelivered, mails, err = d.undelivered(ctx); err != nil {
		return err
	}
	if len(health.Undelivered) > 0 {
		health.EventLag = max(0, now.Sub(health.Undelivered[0].At).Seconds())
	}
	if health.DeadEvents, err = d.deadEvents(ctx); err != nil {
		return err
	}
	if health.Processes, err = d.processes(ctx); err != nil {
		return err
	}
	newest, err := d.newestBackup(ctx)
	if err != nil {
		return err
	}
	health.NewestBackup = optional.IfSet(newest)
	health.OperationsPerMinute, health.ErrorsPerMinute = d.perMinute()
	health.Mail = d.mail(mails)
	return nil
}

// undelivered returns the events that wait longest, and how many of those it has seen are mail.
func (d *Desk) undelivered(ctx context.Context) (all []*operator.UndeliveredEvent, mails int, err error) {
	shards := make([][]*operator.UndeliveredEvent, outbox.Shards)
	err = together.Each(ctx, outbox.Shards, shardReaders, func(ctx context.Context, shard int) error {
		waiting, err := d.host.Ops.Outbox.Pending(ctx, shard, page.Query{First: maxUndelivered})
		for _, r := range waiting.Items {
			e := &operator.UndeliveredEvent{ID: ops.EventID(r), Name: r.Name, About: r.Key, At: r.At}
			attempts, failure := d.host.Outbox.Failing(r.ID)
			e.Attempts, e.LastError = attempts, optional.IfSet(failure)
			shards[shard] = append(shards[shard], e)
		}
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	all = append([]*operator.UndeliveredEvent{}, slices.Concat(shards...)...)
	slices.SortStableFunc(all, func(a, b *operator.UndeliveredEvent) int { return a.At.Compare(b.At) })
	for _, e := range all {
		if e.Name == mailRequested {
			mails++
		}
	}
	return all[:min(len(all), maxUndelivered)], mails, nil
}

func cutEventID(event string) (shard, id string, ok bool) { return strings.Cut(event, "/") }

// processes returns the processes that deliver events.
func (d *Desk) processes(ctx context.Context) ([]*operator.ProcessInfo, error) {
	roster, err := d.host.Ops.Outbox.Roster(ctx)
	if err != nil {
		return nil, err
	}
	differences := d.host.Outbox.ClockDifferences()
	all := []*operator.ProcessInfo{}
	for _, m := range roster.Members {
		all = append(all, &operator.ProcessInfo{
			ID: m.ID, Version: cmp.Or(m.Version, "unknown"), StartedAt: m.StartedAt, SeenAt: m.SeenAt, ClockDifference: differences[m.ID].Seconds(),
		})
	}
	return all, nil
}
