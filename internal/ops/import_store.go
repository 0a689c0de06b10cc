package ops

import (
	"context"

	"stoa/internal/kit/keyspec"
)

// Imports stores the unfinished import, if any.
type Imports struct{ db *keyspec.DB }

// Import is the progress of an import.
type Import struct {
	// FileID identifies the file.
	FileID string `dynamo:"fileId"`
	// Chunks is the number of chunks stored; Checksum is that of the last one.
	Chunks   int    `dynamo:"chunks"`
	Checksum string `dynamo:"checksum"`
	// Beside is set if the tables had other items before the import.
	Beside bool `dynamo:"beside"`
}

// underWay is the id of the only import there can be.
const underWay = "underWay"

// Load returns the unfinished import, or nil.
func (s *Imports) Load(ctx context.Context) (*Import, error) {
	item, err := imports.Get(ctx, s.db, imports.Key(underWay))
	if item == nil || err != nil {
		return nil, err
	}
	return &item.Import, nil
}

// Save records the progress of an unfinished import.
func (s *Imports) Save(ctx context.Context, i Import) error {
	tx := s.db.NewTx()
	imports.Put(tx, importItem{underWay, i})
	return tx.Run(ctx)
}

// Finish records that the import has finished.
func (s *Imports) Finish(ctx context.Context) error {
	tx := s.db.NewTx()
	imports.Delete(tx, imports.Key(underWay))
	return tx.Run(ctx)
}
