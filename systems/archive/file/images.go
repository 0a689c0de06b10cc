package file

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/internal/outbox"
	"stoa/systems/archive"
)

// Limits of archive files.
const (
	maxEntries   = 20_000
	maxImage     = 64 << 20
	maxUnpacked  = 16 << 30
	maxImagePath = 1_000
	// maxDeflation is the highest ratio of compression.
	maxDeflation = 1032
)

// unpacked is the number of images unpacked at a time.
const unpacked = 20

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

// begun returns the post after starting its load, or nil if the load is no longer
// requested.
func (s *Service) begun(ctx context.Context, e archive.ImagesRequested) (*archive.Post, error) {
	return s.change(ctx, e, func(p *archive.Post) (*archive.Post, bool, error) {
		if p.Images.Status == archive.Loading {
			return p, false, nil
		}
		after, err := p.ReportImages(archive.Started, "", e.By, s.Events.Now())
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
		after, err := p.ReportImages(r, message, e.By, s.Events.Now())
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
		after.Touch(s.Events.Now())
		return &after, true, nil
	})
	return err
}

// change decides on a post whose load is requested or in progress, and returns nil for
// others.
func (s *Service) change(ctx context.Context, e archive.ImagesRequested, decide func(p *archive.Post) (after *archive.Post, changes bool, err error)) (*archive.Post, error) {
	return retry.OnConflict(func() (*archive.Post, error) {
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
		events := s.Events.New(ctx, after.Changed())
		if err := s.Store.Change(ctx, before, after, events...); err != nil {
			return nil, err
		}
		s.Events.Committed(ctx, events...)
		return after, nil
	})
}

// unpack stores the next images of an archive file, and returns the number of entries that
// are done, or 0 when all are.
func (s *Service) unpack(ctx context.Context, post archive.ID, key string, done int) (more int, err error) {
	file, size, end, err := s.Files.Archive(ctx, key)
	if err != nil {
		return 0, err
	}
	defer end()
	z, err := open(file, size)
	if errors.Is(err, zip.ErrFormat) || errors.Is(err, zip.ErrAlgorithm) || errors.Is(err, zip.ErrChecksum) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, zip.ErrInsecurePath) {
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

// open reads the directory of an archive file. It fails with a refusal if it has so many
// entries that reading them would take much memory.
func open(file io.ReaderAt, size int64) (*zip.Reader, error) {
	d := &directory{file: file}
	z, err := zip.NewReader(d, size)
	d.known = true
	return z, err
}

// directory is an archive file whose directory is read first: zip.NewReader reads all of it,
// whatever number of entries the file says it has.
type directory struct {
	file    io.ReaderAt
	entries int
	known   bool
}

// entryMark starts each entry of a directory.
const entryMark = "PK\x01\x02"

func (d *directory) ReadAt(p []byte, at int64) (int, error) {
	n, err := d.file.ReadAt(p, at)
	if d.known {
		return n, err
	}
	// The end of the file is read more than once.
	if d.entries += bytes.Count(p[:n], []byte(entryMark)); d.entries > 2*maxEntries {
		return 0, badArchive("an archive has at most %d entries", maxEntries)
	}
	return n, err
}

// inspect refuses archive files before any of their content is stored, if they contain
// paths that lead elsewhere or are too expensive to unpack.
func inspect(entries []*zip.File) error {
	if len(entries) > maxEntries {
		return badArchive("an archive has at most %d entries, not %d", maxEntries, len(entries))
	}
	total := uint64(0)
	seen := map[string]bool{}
	for _, f := range entries {
		name := strings.TrimSuffix(f.Name, "/")
		switch {
		case !utf8.ValidString(name) || name == "" || len(name) > maxImagePath || strings.ContainsAny(name, "\\\x00") || path.IsAbs(name) || path.Clean(name) != name || name == ".." || strings.HasPrefix(name, "../"):
			return badArchive("the path %.250q leads out of the archive, or is no path", f.Name)
		case f.Mode()&^(0o777) != 0 && !f.FileInfo().IsDir():
			return badArchive("%.250q is no plain file", f.Name)
		case f.UncompressedSize64 > maxImage:
			return badArchive("%.250q has more than %d bytes", f.Name, maxImage)
		case seen[name]:
			return badArchive("%.250q is there twice", f.Name)
		}
		seen[name] = true
		if total += f.UncompressedSize64; total > maxUnpacked {
			return badArchive("an archive has at most %d bytes when it is unpacked", uint64(maxUnpacked))
		}
	}
	return nil
}

func badArchive(format string, args ...any) error {
	return archive.BadInput("ARCHIVE", "The archive of images cannot be loaded: "+format, args...)
}

// store stores an image with its thumbnail and its dimensions. It skips directories and
// files that operating systems add to archives, and refuses other files than images.
func (s *Service) store(ctx context.Context, post archive.ID, f *zip.File) error {
	if f.FileInfo().IsDir() || strings.HasPrefix(f.Name, "__MACOSX/") || slices.Contains([]string{".DS_Store", "Thumbs.db"}, path.Base(f.Name)) {
		return nil
	}
	end, err := s.Pictures.Reading(ctx, int64(f.UncompressedSize64))
	if err != nil {
		return err
	}
	defer end()
	data, err := s.content(f)
	if err != nil {
		return err
	}
	scan, err := s.Pictures.Scan(ctx, data)
	if err != nil {
		return notAnImage(f, err)
	}
	size, err := json.Marshal(struct {
		Width  int `json:"width"`
		Height int `json:"height"`
	}{scan.Width, scan.Height})
	if err != nil {
		return err
	}
	key := archive.ImageFile(post, f.Name)
	for key, data := range map[string][]byte{key: scan.Image, archive.ThumbnailFile(key): scan.Thumbnail, archive.SizeFile(key): size} {
		if err := s.Files.Write(ctx, key, data); err != nil {
			return err
		}
	}
	return nil
}

// notAnImage names the entry whose content was refused.
func notAnImage(f *zip.File, err error) error {
	if refusal.KindOf(err) == 0 {
		return err
	}
	return badArchive("%.250q: %s", f.Name, err)
}

// checkedBytes is the size of the beginning of an image that is checked before the rest is
// unpacked: a small archive can have many entries of maxImage that are no images.
const checkedBytes = 64 << 10

// content reads an entry.
func (s *Service) content(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, badArchive("%.250q cannot be unpacked: %s", f.Name, err)
	}
	defer r.Close()
	// inspect has checked the size, which the reader compares with the content. Memory is not
	// allocated for more than a compressed entry can be.
	if f.UncompressedSize64 > f.CompressedSize64*maxDeflation {
		return nil, damaged(f, nil)
	}
	size := int(f.UncompressedSize64)
	data := make([]byte, min(size, checkedBytes))
	if err := unpackInto(data, r, f); err != nil {
		return nil, err
	}
	if err := s.Pictures.Check(data); err != nil {
		return nil, notAnImage(f, err)
	}
	if size > len(data) {
		checked := data
		data = make([]byte, size)
		if err := unpackInto(data[len(checked):], r, f); err != nil {
			return nil, err
		}
		// Last: a copy right after make is one call that cannot be preempted, which for a large
		// image stops the world for as long as the kernel takes to map the memory.
		copy(data, checked)
	}
	var more [1]byte
	if n, err := r.Read(more[:]); n > 0 || err != io.EOF {
		return nil, damaged(f, err)
	}
	return data, nil
}

// unpackInto fills p with the content of an entry.
func unpackInto(p []byte, r io.Reader, f *zip.File) error {
	if _, err := io.ReadFull(r, p); err != nil {
		return damaged(f, err)
	}
	return nil
}

// damaged returns a refusal of an entry that does not have the content that the directory
// says, or err if it could not be read.
func damaged(f *zip.File, err error) error {
	switch {
	case err == nil, err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, zip.ErrChecksum), errors.Is(err, zip.ErrFormat), strings.HasPrefix(err.Error(), "flate:"):
		return badArchive("%.250q is damaged", f.Name)
	}
	return err
}
