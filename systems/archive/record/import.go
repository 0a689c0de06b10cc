package record

import (
	"context"
	"errors"
	"hash/maphash"
	"io"
	"strings"

	"stoa/internal/kit/viewer"
	"stoa/systems/archive"
)

// Import replaces the records of a post by those of a file. The whole file is read before
// anything is deleted.
func (s *Service) Import(ctx context.Context, v viewer.Viewer, post archive.ID, csv string) (*archive.ImportResult, error) {
	u, p, err := s.admit(ctx, v, archive.Contributor, post)
	if err != nil {
		return nil, err
	}
	if len(csv) > archive.MaxCSV {
		return nil, archive.ErrLargeCSV
	}
	c, err := s.collection(ctx, p)
	if err != nil {
		return nil, err
	}
	if err := u.MayImport(p); err != nil {
		return nil, err
	}
	if err := p.Changeable(string(archive.Loading)); err != nil {
		return nil, err
	}
	rows, households, err := s.checkAll(csv, c)
	if err != nil {
		return nil, err
	}
	result := &archive.ImportResult{Created: rows, Households: households}
	if _, err := u.Importing(rows, s.Limits, s.Now()); err != nil {
		return nil, err // before a copy of the file is written
	}
	if p.RecordCount+rows > archive.MaxAtOnce {
		result.Post, err = s.importLater(ctx, u, rows, p, csv)
		return result, err
	}
	result.Post, err = s.replace(ctx, u, rows, p, func(ctx context.Context, _ int) (int, error) {
		return rows, s.fill(ctx, p, c, csv, rows)
	})
	if err != nil {
		return nil, err
	}
	return result, nil
}

// checkAll checks all rows of a file and returns their number and that of their households.
// It does not keep the rows, since even a small file can have a million of them, and checks
// one file at a time, since that keeps a processor busy.
func (s *Service) checkAll(csv string, c *archive.Collection) (rows, households int, err error) {
	s.checking.Lock()
	defer s.checking.Unlock()
	r, err := archive.OpenCSV(strings.NewReader(csv), c)
	if err != nil {
		return 0, 0, err
	}
	seed, sizes := maphash.MakeSeed(), map[uint64]int32{}
	for ; ; rows++ {
		number, err := r.Check()
		if errors.Is(err, io.EOF) {
			return rows, len(sizes), nil
		}
		if err == nil {
			err = s.Limits.CheckRows(rows + 1)
		}
		if err != nil {
			return 0, 0, err
		}
		if number == "" {
			continue
		}
		n := maphash.String(seed, number)
		if sizes[n]++; sizes[n] > archive.MaxHousehold {
			return 0, 0, archive.TooLarge(r.Position().Row)
		}
	}
}

// fill writes the records of a file with the given number of rows, block by block, and all
// households with the last block.
func (s *Service) fill(ctx context.Context, p *archive.Post, c *archive.Collection, csv string, rows int) error {
	if rows == 0 {
		return nil
	}
	r, err := archive.OpenCSV(strings.NewReader(csv), c)
	if err != nil {
		return err
	}
	ids, err := s.Store.Allocate(ctx, rows)
	if err != nil {
		return err
	}
	all := newBlock(c, p.ID, s.Now())
	for at := (progress{First: ids.First}); !all.last; at.First += archive.ID(len(all.records)) {
		if err := s.readInto(ctx, all, r, &at); err != nil {
			return err
		}
		var lists []*archive.Household
		if all.last {
			lists = all.households()
		}
		if err := s.Store.Write(ctx, all.records, lists); err != nil {
			return err
		}
	}
	return nil
}

// importLater replaces the records of a post in the background, from a copy of the file.
func (s *Service) importLater(ctx context.Context, u *archive.User, rows int, read *archive.Post, csv string) (*archive.Post, error) {
	by := s.NewID()
	key := archive.NewUpload(archive.RecordsUpload, s.NewID())
	if err := s.Files.Write(ctx, key, []byte(csv)); err != nil {
		return nil, err
	}
	p, _, err := s.take(ctx, u, rows, read, by, archive.ImportRequested{PostID: read.ID, By: by, Key: key})
	if err != nil {
		return nil, errors.Join(err, s.Files.Delete(context.WithoutCancel(ctx), key))
	}
	return p, nil
}

// admit reads a post and the viewer, or returns an error.
func (s *Service) admit(ctx context.Context, v viewer.Viewer, needed archive.AuthLevel, post archive.ID) (*archive.User, *archive.Post, error) {
	u, facts, err := s.Gate.AdmitWith(ctx, v, needed, archive.Wanted{Posts: []archive.ID{post}})
	if err != nil {
		return nil, nil, err
	}
	if facts.Posts[post] == nil {
		return nil, nil, archive.ErrNoPost
	}
	return u, facts.Posts[post], nil
}
