package engine

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// What was read is given back, all of it when the table is closed, and nothing else.
func TestMergedTablesGiveBackWhatWasRead(t *testing.T) {
	type span struct{ from, length int64 }
	for _, c := range []struct {
		name  string
		reads []span
		want  []span
	}{
		{"nothing", nil, nil},
		{"a little", []span{{0, 8000}, {8000, 8000}}, []span{{0, 16000}}},
		{"from the middle", []span{{5000, 100}}, []span{{5000, 100}}},
		{"more than a step, and the rest", []span{{0, mergeStep}, {mergeStep, 10}}, []span{{0, mergeStep}, {0, mergeStep + 10}}},
		{"its end first", []span{{900_000, 50}, {0, 60}, {60, 40}}, []span{{900_000, 50}, {0, 100}}},
		{"again", []span{{0, 100}, {0, 100}}, []span{{0, 100}, {0, 100}}},
		{"beyond its end", []span{{999_990, 100}}, []span{{999_990, 10}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "000001.sst")
			if err := os.WriteFile(name, make([]byte, 1_000_000), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := tableFiles{vfs.Default}.Open(name, vfs.SequentialReadsOption)
			if err != nil {
				t.Fatal(err)
			}
			var got []span
			f.(*mergedTable).giveBack = func(from, length int64) { got = append(got, span{from, length}) }
			for _, r := range c.reads {
				if n, err := f.ReadAt(make([]byte, r.length), r.from); err != nil && r.from+int64(n) != 1_000_000 {
					t.Fatal(err)
				}
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("gave back %v, want %v", got, c.want)
			}
		})
	}
}

func TestOnlyMergedTablesGiveBack(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name   string
		opts   []vfs.OpenOption
		merged bool
	}{
		{"000001.sst", []vfs.OpenOption{vfs.SequentialReadsOption}, true},
		{"000001.sst", []vfs.OpenOption{vfs.RandomReadsOption}, false},
		{"000001.sst", nil, false},
		{"000001.log", []vfs.OpenOption{vfs.SequentialReadsOption}, false},
	} {
		name := filepath.Join(dir, c.name)
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := tableFiles{vfs.Default}.Open(name, c.opts...)
		if err != nil {
			t.Fatal(err)
		}
		if _, merged := f.(*mergedTable); merged != c.merged {
			t.Errorf("%s with %v is a %T", c.name, c.opts, f)
		}
		f.Close()
	}
	if _, err := (tableFiles{vfs.Default}).Open(filepath.Join(dir, "none.sst"), vfs.SequentialReadsOption); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// Merged data are what they were, on pages that were given back too.
func TestMergedTablesAreWhole(t *testing.T) {
	dir := t.TempDir()
	e, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	create(t, e, testTable("things"))
	random := rand.New(rand.NewPCG(7, 8))
	want := map[string]string{}
	for round := range 3 {
		for range 400 {
			k := fmt.Sprint("item ", random.IntN(600))
			want[k] = strings.Repeat(fmt.Sprint(round), 3000)
			put(t, e, item("pk", k, "sk", "-", "text", want[k]))
		}
		if err := e.db.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.db.Compact(ctx, []byte{0}, bytes.Repeat([]byte{0xFF}, 8), false); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if e, err = Open(dir); err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for k, text := range want {
		if got := get(t, e, key(k, "-")); !reflect.DeepEqual(got["text"], s(text)) {
			t.Fatalf("%s is damaged", k)
		}
	}
}
