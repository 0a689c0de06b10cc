package ops

import (
	"context"
	"strings"
	"time"

	"stoa/internal/idempotency"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/together"
	"stoa/internal/kit/viewer"
)

// Keys stores what was done and answered on requests with an idempotency key.
type Keys struct{ db *keyspec.DB }

const (
	// midnight is how long before and after the end of a day the clock of another process
	// may show the other day.
	midnight = time.Minute
	// maxAnswer is the maximum size of a stored answer, in bytes: an item has at most 400 kB.
	maxAnswer = 350_000
	// oldestDays is how many days before yesterday are searched for rows to remove, in case
	// no process ran for a while.
	oldestDays = 7
)

// Load returns what is stored of a request, which may have been made yesterday.
func (s *Keys) Load(ctx context.Context, k idempotency.Key, now time.Time) (r idempotency.Record, err error) {
	firsts := []keyItem{keyItemOf(k, now.Add(-idempotency.Lifetime), "")}
	for _, at := range []time.Time{now, now.Add(midnight)} {
		if first := keyItemOf(k, at, ""); first.Day != firsts[len(firsts)-1].Day {
			firsts = append(firsts, first)
		}
	}
	days := make([][]keyItem, len(firsts))
	err = together.Each(ctx, len(firsts), len(firsts), func(ctx context.Context, i int) error {
		f := firsts[i]
		for item, err := range keys.Begins(keyspec.Primary, f.Day, f.Shard, f.System, string(f.Caller), f.Digest).All(ctx, s.db) {
			if err != nil {
				return err
			}
			days[i] = append(days[i], item)
		}
		return nil
	})
	for _, day := range days {
		for i := range day {
			day[i].addTo(&r, now)
		}
	}
	return r, err
}

// Erase removes the keys of a caller in a system, with the answers they were given.
func (s *Keys) Erase(ctx context.Context, system string, caller viewer.UserID, now time.Time) error {
	b := s.db.NewBulk()
	for day := range oldestDays {
		at := now.Add(midnight).AddDate(0, 0, -day).UTC().Format(time.DateOnly)
		for _, shard := range keyShards {
			for item, err := range keys.Begins(keyspec.Primary, at, string(shard), system, string(caller)).All(ctx, s.db) {
				if err != nil {
					return err
				}
				keys.DeleteIn(b, keys.KeyOf(&item))
			}
		}
	}
	return b.Run(ctx)
}

// addTo adds an item to the record unless it is too old.
func (i *keyItem) addTo(r *idempotency.Record, now time.Time) {
	if now.Sub(i.At) >= idempotency.Lifetime {
		return
	}
	r.Document, r.At = i.Document, i.At
	if i.Part == answerPart {
		r.Answer = []byte(i.Body)
		return
	}
	if r.Done == nil {
		r.Done = map[string]bool{}
	}
	r.Done[strings.TrimPrefix(i.Part, fieldPrefix)] = true
}

// Watch returns a context whose transactions record what t says.
func (s *Keys) Watch(ctx context.Context, t *idempotency.Ticket) context.Context {
	return keyspec.WithRider(ctx, recorder{t})
}

// recorder adds rows to the transactions of a request.
type recorder struct{ *idempotency.Ticket }

// Ride adds to a transaction that it carries out a root field, unless it only writes rows of
// this table: an identity or a lease is not yet what the mutation is for.
func (r recorder) Ride(ctx context.Context, tx *keyspec.Tx) (keyspec.Action, error) {
	field := r.Due(ctx)
	if field == "" || !tx.WritesBeyond(Table) {
		return nil, nil
	}
	item := keyItemOf(r.Key, r.Now, fieldPrefix+field)
	item.Document, item.At = r.Document, r.Now
	// A process whose clock shows the other day has recorded it there.
	for _, at := range []time.Time{r.Now.Add(-midnight), r.Now.Add(midnight)} {
		if other := keyItemOf(r.Key, at, fieldPrefix+field); other.Day != item.Day {
			keys.Check(tx, keys.KeyOf(&other)).Absent()
		}
	}
	tx.OnCommit(func() { r.Committed(field) })
	return keys.Create(tx, item), idempotency.ErrDone
}

// Answer stores the answer of a request, unless there is one or it is too large. It reports
// whether it did.
func (s *Keys) Answer(ctx context.Context, k idempotency.Key, document string, at time.Time, answer []byte) (bool, error) {
	if len(answer) > maxAnswer {
		return false, nil
	}
	item := keyItemOf(k, at, answerPart)
	item.Document, item.At, item.Body = document, at, string(answer)
	tx := s.db.NewTx()
	put := keys.Create(tx, item)
	err := tx.Run(ctx)
	if keyspec.Refused(err, put) {
		return false, nil
	}
	return err == nil, err
}

// Tidy removes what is older than a day.
func (s *Keys) Tidy(ctx context.Context, now time.Time) error {
	for day := range oldestDays {
		at := now.Add(-idempotency.Lifetime * time.Duration(day+2))
		for _, shard := range keyShards {
			if err := s.clear(ctx, at.UTC().Format(time.DateOnly), string(shard)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Keys) clear(ctx context.Context, day, shard string) error {
	b, held := s.db.NewBulk(), 0
	for item, err := range keys.Begins(keyspec.Primary, day, shard).All(ctx, s.db) {
		if err != nil {
			return err
		}
		keys.DeleteIn(b, keys.KeyOf(&item))
		if held++; held%1000 == 0 {
			if err := b.Run(ctx); err != nil {
				return err
			}
			b = s.db.NewBulk()
		}
	}
	return b.Run(ctx)
}
