package file

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"stoa/internal/decision"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/systems/archive"
)

// ImagesRequested is the loader of images. The cursor contains the archive file being
// unpacked, and the number of its entries that have been.
func (s *Service) ImagesRequested(ctx context.Context, e archive.ImagesRequested, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	p, err := s.begun(ctx, e)
	if p == nil || err != nil {
		return "", 0, err
	}
	fresh := slices.DeleteFunc(slices.Clone(p.ImageKeys), func(key string) bool { return slices.Contains(p.LoadedImages, key) })
	if len(fresh) == 0 {
		return "", 0, s.report(ctx, e, archive.Completed, "", nil)
	}
	slices.Sort(fresh)
	done := 0
	if key, n, ok := strings.Cut(cursor, " "); ok && key == fresh[0] {
		if done, err = strconv.Atoi(n); err != nil {
			return "", 0, err
		}
	}
	more, err := s.unpack(ctx, p.ID, fresh[0], done)
	switch kind := refusal.KindOf(err); {
	case err != nil && kind != 0 && kind != refusal.Conflict:
		return "", 0, s.report(ctx, e, archive.Failed, err.Error(), nil)
	case err != nil:
		return "", 0, err
	case more > 0:
		return fresh[0] + " " + strconv.Itoa(more), outbox.Later, nil
	}
	loaded := append(slices.Clone(p.LoadedImages), fresh[0])
	if len(fresh) == 1 {
		return "", 0, s.report(ctx, e, archive.Completed, "", loaded)
	}
	if err := s.note(ctx, e, loaded); err != nil {
		return "", 0, err
	}
	return "next", outbox.Later, nil
}

// unpacked is the number of images unpacked at a time.
const unpacked = 20

// unpack stores the next images of an archive file, and returns the number of entries that
// are done, or 0 when all are.
func (s *Service) unpack(ctx context.Context, post archive.ID, key string, done int) (more int, err error) {
	file, size, end, err := s.Files.Archive(ctx, key)
	if err != nil {
		return 0, err
	}
	defer end()
	z, err := open(file, size)
	if errors.Is(err, zip.ErrFormat) || errors.Is(err, zip.ErrAlgorithm) || errors.Is(err, zip.ErrChecksum) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, zip.ErrInsecurePath) {
		return 0, badArchive("%s is no ZIP archive that can be read", key)
	}
	if err != nil {
		return 0, err
	}
	if done == 0 {
		if err := inspect(z.File); err != nil {
			return 0, err
		}
	}
	for i := done; i < len(z.File); i++ {
		if i-done == unpacked {
			return i, nil
		}
		if err := s.store(ctx, post, z.File[i]); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// begun returns the post after starting its load, or nil if the load is no longer
// requested.
func (s *Service) begun(ctx context.Context, e archive.ImagesRequested) (*archive.Post, error) {
	return s.change(ctx, e, func(p *archive.Post) (*archive.Post, bool, error) {
		if p.Images.Status == archive.Loading {
			return p, false, nil
		}
		after, err := p.ReportImages(archive.Started, "", e.By, s.Now())
		return after, true, err
	})
}

// report ends the load. loaded lists the archive files that were unpacked, nil if
// unchanged.
func (s *Service) report(ctx context.Context, e archive.ImagesRequested, r archive.WorkerReport, message string, loaded []string) error {
	_, err := s.change(ctx, e, func(p *archive.Post) (*archive.Post, bool, error) {
		if p.Images.Status != archive.Loading {
			return nil, false, nil
		}
		after, err := p.ReportImages(r, message, e.By, s.Now())
		if err == nil && loaded != nil {
			after.LoadedImages = loaded
		}
		return after, true, err
	})
	return err
}

// note stores which archive files were unpacked.
func (s *Service) note(ctx context.Context, e archive.ImagesRequested, loaded []string) error {
	_, err := s.change(ctx, e, func(p *archive.Post) (*archive.Post, bool, error) {
		after := *p
		after.LoadedImages = loaded
		after.Touch(s.Now())
		return &after, true, nil
	})
	return err
}

// change decides on a post whose load is requested or in progress, and returns nil for
// others.
func (s *Service) change(
	ctx context.Context,
	e archive.ImagesRequested,
	decide func(p *archive.Post) (after *archive.Post, changes bool, err error),
) (*archive.Post, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*archive.Post, error) {
		facts, err := s.Store.Facts(ctx, archive.Wanted{Posts: []archive.ID{e.PostID}})
		if err != nil {
			return nil, err
		}
		before := facts.Posts[e.PostID]
		if before == nil || before.Deleting || !before.Images.Awaits(e.By) {
			return nil, nil
		}
		after, changes, err := decide(before)
		if err != nil || !changes {
			return after, err
		}
		return after, s.Store.Change(ctx, before, after, a.Emit(after.Changed())...)
	})
}
