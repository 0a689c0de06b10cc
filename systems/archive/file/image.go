package file

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"path"
	"runtime/debug"
	"slices"
	"strings"

	"stoa/internal/kit/refusal"
	"stoa/systems/archive"
)

// store stores an image with its thumbnail and its dimensions. It skips directories and
// files that operating systems add to archives, and refuses files other than images.
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
	if len(data) >= freeFrom {
		defer debug.FreeOSMemory() // so that the next large image does not add to this one
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

// freeFrom is the size of an image from which its memory is released as soon as it is stored.
const freeFrom = 16 << 20

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

// damaged returns a refusal of an entry whose content differs from what the directory says,
// or err if the entry could not be read.
func damaged(f *zip.File, err error) error {
	switch {
	case err == nil,
		err == io.EOF,
		errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, zip.ErrChecksum),
		errors.Is(err, zip.ErrFormat),
		strings.HasPrefix(err.Error(), "flate:"):
		return badArchive("%.250q is damaged", f.Name)
	}
	return err
}
