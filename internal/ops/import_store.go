package ops

import (
	"context"

	"stoa/internal/kit/keyspec"
)

// Imports keeps which import into the store has not finished.
type Imports struct{ db *keyspec.DB }

// Import is how far the import of a file has come.
type Import struct {
	// FileID tells the file from others.
	FileID string
	// Chunks is how many chunks of the file are stored, Checksum that of the last.
	Chunks   int
	Checksum string
	// Beside says that the tables held other items before the import.
	Beside bool
}

// underWay is the name of the one import that there can be.
const underWay = "underWay"

// Load returns the import that has not finished, nil when there is none.
func (s *Imports) Load(ctx context.Context) (*Import, error) {
	item, err := imports.Get(ctx, s.db, imports.Key(underWay))
	if item == nil || err != nil {
		return nil, err
	}
	return &Import{FileID: item.FileID, Chunks: int(item.Chunks), Checksum: item.Checksum, Beside: item.Beside}, nil
}

// Save records how far the import has come, which is not finished.
func (s *Imports) Save(ctx context.Context, i Import) error {
	tx := s.db.NewTx()
	imports.Put(tx, importItem{Name: underWay, FileID: i.FileID, Chunks: int64(i.Chunks), Checksum: i.Checksum, Beside: i.Beside})
	return tx.Run(ctx)
}

// Finish records that no import is under way.
func (s *Imports) Finish(ctx context.Context) error {
	tx := s.db.NewTx()
	imports.Delete(tx, imports.Key(underWay))
	return tx.Run(ctx)
}
