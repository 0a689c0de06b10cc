package dump

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// members returns the texts of a file's gzip members.
func members(t *testing.T, file []byte) (texts []string) {
	t.Helper()
	r := &Reader{from: offsetReader{buffer: bufio.NewReader(bytes.NewReader(file))}}
	for int(r.from.offset) < len(file) {
		text, err := r.member()
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}

// packed returns a file with the given members.
func packed(t *testing.T, texts []string) []byte {
	t.Helper()
	var file bytes.Buffer
	for _, text := range texts {
		w := gzip.NewWriter(&file)
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return file.Bytes()
}

// Changes in a file are detected, even if it has been compressed again.
func TestDamagedFiles(t *testing.T) {
	whole := members(t, exported(t, filled(t)))
	if len(whole) < 5 {
		t.Fatalf("%d members, want several chunks", len(whole))
	}
	last := len(whole) - 1
	replace := func(i int, old, new string) func([]string) []string {
		return func(m []string) []string {
			if !strings.Contains(m[i], old) {
				t.Fatalf("member %d has no %s", i, old)
			}
			m[i] = strings.Replace(m[i], old, new, 1)
			return m
		}
	}
	for name, change := range map[string]func([]string) []string{
		"a changed item":     replace(1, `"id":{"S":"x-people`, `"id":{"S":"X-people`),
		"a changed header":   replace(0, `"tablePrefix":"x-"`, `"tablePrefix":"y-"`),
		"a changed count":    replace(last, `"people":900`, `"people":901`),
		"a changed sum":      replace(last, `"sha256":"`, `"sha256":"0`),
		"a changed position": replace(2, `"after":{`, `"after":{"other":{"S":""},`),
		"a lost chunk":       func(m []string) []string { return slices.Delete(m, 2, 3) },
		"a lost last chunk":  func(m []string) []string { return slices.Delete(m, last-1, last) },
		"a chunk twice":      func(m []string) []string { return slices.Insert(m, 2, m[1]) },
		"swapped chunks":     func(m []string) []string { m[1], m[2] = m[2], m[1]; return m },
		"more behind":        func(m []string) []string { return append(m, m[1]) },
		"no JSON":            func(m []string) []string { m[2] = "{\n"; return m },
		"a chunk without end": func(m []string) []string {
			m[2] = m[2][:strings.LastIndex(m[2][:len(m[2])-1], "\n")+1]
			return m
		},
		"a bomb": func(m []string) []string { m[2] = strings.Repeat(" ", maxMember+1); return m },
	} {
		t.Run(name, func(t *testing.T) {
			var damaged *DamagedError
			if _, err := Verify(bytes.NewReader(packed(t, change(slices.Clone(whole))))); !errors.As(err, &damaged) {
				t.Errorf("got %v", err)
			}
		})
	}
	if _, err := Verify(bytes.NewReader(packed(t, whole))); err != nil {
		t.Errorf("unchanged: %v", err)
	}
}

// A flipped bit is detected wherever it is, and nothing after it is returned.
func TestFlippedBits(t *testing.T) {
	file := exported(t, filled(t))
	for at := 10; at < len(file); at += len(file) / 40 {
		flipped := slices.Clone(file)
		flipped[at] ^= 0x10
		// A few padding bits have no meaning.
		if _, err := Verify(bytes.NewReader(flipped)); err == nil && !slices.Equal(members(t, flipped), members(t, file)) {
			t.Errorf("byte %d of %d", at, len(file))
		}
	}
}

func TestForeignFiles(t *testing.T) {
	good := members(t, exported(t, open(t)))
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"text":          {[]byte("id,name\n1,Ana\n and more"), "the file is not an export of tables"},
		"other gzip":    {packed(t, []string{"id,name\n"}), "the file is not an export of tables"},
		"other JSON":    {packed(t, []string{`{"id":1}`}), "the file is not an export of tables"},
		"nothing":       {nil, "the export is incomplete: it ends after 0 items"},
		"newer":         {packed(t, []string{strings.Replace(good[0], `"version":1`, `"version":2`, 1)}), "the export has format 2, but only formats up to 1 are supported"},
		"without names": {packed(t, []string{strings.Replace(good[0], `"file-1"`, `""`, 1)}), "the file is not an export of tables"},
	} {
		if _, err := NewReader(bytes.NewReader(c.file)); fmt.Sprint(err) != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}
