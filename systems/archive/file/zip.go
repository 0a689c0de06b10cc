package file

import (
	"archive/zip"
	"bytes"
	"io"
	"path"
	"strings"
	"unicode/utf8"

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
		case !utf8.ValidString(name) || name == "" || len(name) > maxImagePath || strings.ContainsAny(name, "\\\x00") || path.IsAbs(name) ||
			path.Clean(name) != name || name == ".." || strings.HasPrefix(name, "../"):
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
