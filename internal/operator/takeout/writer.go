// Package takeout writes the ZIP of a person's data: a JSON file per kind in the words of the APIs,
// media files, and a page that shows it all without a network.
package takeout

import (
	"archive/zip"
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"iter"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"stoa/internal/kit/stamp"
)

// Writer writes the ZIP of a person's data. Its memory does not depend on how
// much there is: what index.html shows is spooled to a temporary file.
type Writer struct {
	zip  *zip.Writer
	now  time.Time
	page *os.File
	text *bufio.Writer
	// dir is the directory of the system that writes, "" for the service itself.
	dir string
}

// Fields are what a file has of an item, with the names of the API and in their order.
type Fields []Field

// Field is one of them. A value is what package encoding/json can write; a list of File stands
// for files of the archive.
type Field struct {
	Name  string
	Value any
}

// File is the path of a file in the archive, seen from its root.
type File string

// MarshalJSON returns the fields as an object, without those that are not set.
func (f Fields) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for _, field := range f {
		if unset(field.Value) {
			continue
		}
		name, err := json.Marshal(field.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(plain(field.Value))
		if err != nil {
			return nil, err
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(append(append(text, name...), ':'), value...)
	}
	return append(text, '}'), nil
}

// plain returns a value with times as the APIs write them.
func plain(v any) any {
	switch v := v.(type) {
	case time.Time:
		return stamp.MilliOf(v)
	case *time.Time:
		return stamp.MilliOf(*v)
	}
	return v
}

func unset(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case *string:
		return v == nil
	case time.Time:
		return v.IsZero()
	case *time.Time:
		return v == nil
	case []File:
		return len(v) == 0
	case []string:
		return len(v) == 0
	}
	return false
}

// New starts an archive of which a time is that of all files. It must be closed.
func New(to io.Writer, now time.Time) (*Writer, error) {
	page, err := os.CreateTemp("", "stoa-export-*.html")
	if err != nil {
		return nil, err
	}
	// Nobody else needs its name.
	if err := os.Remove(page.Name()); err != nil {
		return nil, errors.Join(err, page.Close())
	}
	a := &Writer{zip: zip.NewWriter(to), now: now, page: page, text: bufio.NewWriter(page)}
	a.text.WriteString(pageHead)
	return a, nil
}

const pageHead = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Your data</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; }
article { content-visibility: auto; contain-intrinsic-size: auto 8rem; border-top: 1px solid #8886; padding: .5rem 0; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: 12rem 1fr; margin: 0; } dt { opacity: .7; } dd { margin: 0; white-space: pre-wrap; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } }
img, video { max-width: 100%; max-height: 24rem; display: block; }
</style></head><body>
<h1>Your data</h1>
<p>Everything below is also in the JSON files beside this page.</p>
`

// Item adds a file with one object.
func (a *Writer) Item(name, title string, item Fields) error {
	w, err := a.create(a.dir + name + ".json")
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(item, "", "  ")
	if err != nil {
		return err
	}
	a.heading(title)
	if err := a.show(item); err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// List adds a file with a list. Each calls add for each item, after having added the files
// that the item names with File. No file may be added while add runs.
func (a *Writer) List(name, title string, each func(add func(Fields) error) error) error {
	w, err := a.create(a.dir + name + ".json")
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	n := 0
	a.heading(title)
	out.WriteString("[")
	err = each(func(item Fields) error {
		text, err := json.Marshal(item)
		if err != nil {
			return err
		}
		if n++; n > 1 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
		out.Write(text)
		return a.show(item)
	})
	if err != nil {
		return err
	}
	if n == 0 {
		a.text.WriteString("<p>None.</p>\n")
	}
	out.WriteString("\n]\n")
	return out.Flush()
}

// Rows adds a file with a list like List does, of what fields returns for each of some items.
func Rows[T any](a *Writer, name, title string, items iter.Seq2[T, error], fields func(T) (Fields, error)) error {
	return a.List(name, title, func(add func(Fields) error) error {
		for item, err := range items {
			if err != nil {
				return err
			}
			f, err := fields(item)
			if err != nil {
				return err
			}
			if err := add(f); err != nil {
				return err
			}
		}
		return nil
	})
}

// File adds a file.
func (a *Writer) File(name File, content io.Reader) error {
	h := &zip.FileHeader{Name: string(name), Modified: a.now, Method: zip.Store} // media are compressed
	w, err := a.zip.CreateHeader(h)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, content)
	return err
}

// Path returns the path of a file of the system that writes.
func (a *Writer) Path(elements ...string) File {
	for i, e := range elements {
		elements[i] = strings.Map(func(r rune) rune {
			if strings.ContainsRune(`\:*?"<>|`, r) {
				return '_' // not possible on every system that unpacks it
			}
			return r
		}, e)
	}
	return File(a.dir + path.Join(elements...))
}

func (a *Writer) create(name string) (io.Writer, error) {
	return a.zip.CreateHeader(&zip.FileHeader{Name: name, Modified: a.now, Method: zip.Deflate})
}

func (a *Writer) heading(title string) {
	fmt.Fprintf(a.text, "<h2>%s</h2>\n", html.EscapeString(title))
}

var (
	pictures = []string{".jpg", ".jpeg", ".png", ".gif", ".webp", ".heic", ".avif"}
	films    = []string{".mp4", ".mov", ".webm"}
)

// show adds an item to index.html, as text.
func (a *Writer) show(item Fields) error {
	a.text.WriteString("<article><dl>\n")
	for _, f := range item {
		if unset(f.Value) {
			continue
		}
		fmt.Fprintf(a.text, "<dt>%s</dt><dd>", html.EscapeString(f.Name))
		switch v := f.Value.(type) {
		case []File:
			for _, name := range v {
				a.link(name)
			}
		case string:
			a.text.WriteString(html.EscapeString(v))
		case *string:
			a.text.WriteString(html.EscapeString(*v))
		default:
			text, err := json.Marshal(plain(v))
			if err != nil {
				return err
			}
			a.text.WriteString(html.EscapeString(strings.Trim(string(text), `"`)))
		}
		a.text.WriteString("</dd>\n")
	}
	_, err := a.text.WriteString("</dl></article>\n")
	return err
}

func (a *Writer) link(name File) {
	to, ending := html.EscapeString((&url.URL{Path: string(name)}).EscapedPath()), strings.ToLower(path.Ext(string(name)))
	switch {
	case slices.Contains(pictures, ending):
		fmt.Fprintf(a.text, `<img src="%s" alt="" loading="lazy">`, to)
	case slices.Contains(films, ending):
		fmt.Fprintf(a.text, `<video src="%s" controls preload="none"></video>`, to)
	default:
		fmt.Fprintf(a.text, `<a href="%s">%s</a>`, to, html.EscapeString(string(name)))
	}
}

// In makes the archive add what follows to a directory, "" for its root.
func (a *Writer) In(dir string) {
	if a.dir = dir; dir != "" {
		a.dir += "/"
	}
}

// End adds index.html and ends the archive.
func (a *Writer) End() error {
	a.text.WriteString("</body></html>\n")
	if err := a.text.Flush(); err != nil {
		return err
	}
	if _, err := a.page.Seek(0, io.SeekStart); err != nil {
		return err
	}
	w, err := a.create("index.html")
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, a.page); err != nil {
		return err
	}
	return a.zip.Close()
}

// Close releases the temporary file.
func (a *Writer) Close() error { return a.page.Close() }
