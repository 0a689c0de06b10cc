package ops

import (
	"context"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/internal/outbox"
)

// Notices that webhooks have to be told, in the order of each subject.
var notices = keyspec.Define[desk.Notice](Table, keyspec.Row{
	Key: keyspec.K("webhook/{hook}/{subject}", "{at}/{noticeId}"),
})

// AddNotice stores a notice with the event that sends it, and reports whether it was not there
// before.
func (s *Outbox) AddNotice(ctx context.Context, n desk.Notice, r outbox.Record) (bool, error) {
	tx := s.db.NewTx()
	put := notices.Create(tx, n)
	Record(tx, r)
	err := tx.Run(ctx)
	if keyspec.Refused(err, put) {
		return false, nil
	}
	return err == nil, err
}

// Notices returns the oldest notices of a webhook about a subject, in order.
func (s *Outbox) Notices(ctx context.Context, hook, subject string) ([]desk.Notice, error) {
	p, err := stored.List(ctx, s.db, notices.Begins(keyspec.Primary, hook, subject), page.Query{First: page.Max}, false, stored.Value[desk.Notice])
	return p.Items, err
}

// EndNotice removes a notice.
func (s *Outbox) EndNotice(ctx context.Context, n desk.Notice) error {
	tx := s.db.NewTx()
	notices.Delete(tx, notices.KeyOf(&n))
	return tx.Run(ctx)
}

// ParkNotice lets later notices go before one.
func (s *Outbox) ParkNotice(ctx context.Context, n desk.Notice, at time.Time) error {
	tx := s.db.NewTx()
	n.ParkedAt = at
	notices.Put(tx, n).Exists()
	return stored.Outcome(tx.Run(ctx))
}
