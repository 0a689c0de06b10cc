package ops

import (
	"context"

	"stoa/internal/kit/keyspec"
)

// What a program must be able to read in order to use the tables.
var formats = keyspec.Define[Format](Table, keyspec.Row{
	Key: keyspec.K("format", "-"),
})

// Format is what a program must be able to read in order to use the tables.
type Format struct {
	// Number is that of the newest format of items in the tables.
	Number int `dynamo:"formatNumber"`
	// Version is that of the program that wrote it first.
	Version string `dynamo:"version"`
}

// FirstFormat is the number of a format that no row states.
const FirstFormat = 1

// Formats stores the format of the tables.
type Formats struct{ db *keyspec.DB }

// Load returns the format of the tables.
func (s *Formats) Load(ctx context.Context) (Format, error) {
	item, err := formats.Get(ctx, s.db, formats.Key())
	if item == nil || err != nil {
		return Format{Number: FirstFormat}, err
	}
	return *item, nil
}

// Raise stores a format unless the tables have it or a later one.
func (s *Formats) Raise(ctx context.Context, f Format) error {
	tx := s.db.NewTx()
	put := formats.Put(tx, f).If("attribute_not_exists(formatNumber) OR formatNumber < ?", f.Number)
	err := tx.Run(ctx)
	if keyspec.Refused(err, put) {
		return nil
	}
	return err
}
