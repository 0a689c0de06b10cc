package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"stoa/internal/kit/engine/raw"
)

// counted creates large items in two indexes that project all attributes, and returns a
// function that increments a counter of one.
func counted(t *testing.T, e *Engine, items int) func(i int) {
	t.Helper()
	for i := range items {
		put(t, e, item("pk", "p", "sk", fmt.Sprint(i), "n", 0, "a1", "all", "a1s", fmt.Sprint(i), "a4", "all", "a4s", -i, "text", long(maxCopy)))
	}
	return func(i int) {
		t.Helper()
		w := raw.Write{Action: raw.Update, Table: "things", Key: raw.Key{Hash: "p", Sort: fmt.Sprint(i)}, Shifts: []raw.Shift{{Name: "n", By: 1}}}
		if err := e.WriteOne(ctx, w); err != nil {
			t.Fatal(err)
		}
	}
}

// listed returns the counters in the order of an index.
func listed(t *testing.T, e *Engine, index string, each func(n int)) string {
	t.Helper()
	var all []string
	_, err := e.ReadRange(ctx, raw.Range{Table: "things", Index: index, Hash: "all"}, func(v raw.Item) error {
		if err := v.Each(func(name string, _ raw.Kind, text string) bool {
			if name == "n" {
				all = append(all, text)
			}
			return true
		}); err != nil {
			return err
		}
		if each != nil {
			each(len(all))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, " ")
}

// entriesOf returns the stored entries of an index by key.
func entriesOf(t *testing.T, e *Engine, index string) map[string]string {
	t.Helper()
	x, err := (*e.tables.Load())["things"].index(index)
	if err != nil {
		t.Fatal(err)
	}
	entries := map[string]string{}
	if err := e.each(x.prefix, func(key, value []byte) error {
		entries[string(key)] = string(value)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return entries
}

// The index entry of a large item refers to it; that of a small one is a copy.
func TestLargeItemsAreStoredOnce(t *testing.T) {
	e := withTable(t)
	put(t, e, item("pk", "p", "sk", "0", "n", 0, "a1", "all", "a1s", "0"))
	put(t, e, item("pk", "p", "sk", "1", "n", 0, "a1", "all", "a1s", "1", "text", long(maxCopy)))
	check := func(when, want string) {
		t.Helper()
		kinds := ""
		entries := entriesOf(t, e, "GSI-A1")
		for _, key := range slices.Sorted(maps.Keys(entries)) {
			value := entries[key]
			kinds += map[bool]string{true: "refers ", false: "copies "}[value == ""]
		}
		if kinds != want {
			t.Errorf("%s: %s", when, kinds)
		}
		checkIndexes(t, e, "things")
	}
	add := func(sk string, fields ...raw.Field) {
		t.Helper()
		w := raw.Write{Action: raw.Update, Table: "things", Key: raw.Key{Hash: "p", Sort: sk}, Shifts: []raw.Shift{{Name: "n", By: 1}}, Fields: fields}
		if err := e.WriteOne(ctx, w); err != nil {
			t.Fatal(err)
		}
	}
	check("one is small", "copies refers ")
	add("0")
	add("1")
	check("both are counted", "copies refers ")
	if got := listed(t, e, "GSI-A1", nil); got != "1 1" {
		t.Errorf("listed as %s", got)
	}
	add("0", raw.Field{Name: "text", Kind: raw.Text, Text: long(maxCopy)})
	add("1", raw.Field{Name: "text", Kind: raw.Removed})
	check("one grows and one shrinks", "refers copies ")
	if got := listed(t, e, "GSI-A1", nil); got != "2 2" {
		t.Errorf("listed as %s", got)
	}
}

// A reader of an index sees the snapshot at which it started, whether or not its items are
// cached, while others change, move and delete them.
func TestReadersSeeOneSnapshot(t *testing.T) {
	for name, size := range map[string]int{"without cache": 0, "with cache": 4 << 20} {
		for _, first := range []string{"nobody has read them", "all are read"} {
			t.Run(name+", "+first, func(t *testing.T) {
				e := withTable(t, WithItemCache(size))
				shift := counted(t, e, 5)
				for i := range 5 {
					shift(i)
				}
				if first == "all are read" && listed(t, e, "GSI-A1", nil) != "1 1 1 1 1" {
					t.Fatal("they are not as they were written")
				}
				got := listed(t, e, "GSI-A1", func(n int) {
					if n > 1 {
						return
					}
					for i := range 5 {
						shift(i)
					}
					put(t, e, item("pk", "p", "sk", "1", "n", 7, "a1", "all", "a1s", "9", "text", long(maxCopy)))
					for _, sk := range []string{"2", "3"} {
						if err := e.WriteOne(ctx, raw.Write{Action: raw.Delete, Table: "things", Key: raw.Key{Hash: "p", Sort: sk}}); err != nil {
							t.Fatal(err)
						}
					}
					put(t, e, item("pk", "p", "sk", "3", "n", 8))
					if within := listed(t, e, "GSI-A1", nil); within != "2 2 7" {
						t.Errorf("a later reader is shown %s", within)
					}
				})
				if got != "1 1 1 1 1" {
					t.Errorf("shown %s, want the items as of the start", got)
				}
				if after := listed(t, e, "GSI-A1", nil); after != "2 2 7" {
					t.Errorf("afterwards it is %s", after)
				}
			})
		}
	}
}

func TestSequence(t *testing.T) {
	var s sequence
	check := func(want uint64) {
		t.Helper()
		if got := s.visible(); got != want {
			t.Errorf("writes are visible up to %d, want %d", got, want)
		}
	}
	check(0)
	a, b, c := s.begin(), s.begin(), s.begin()
	check(0)
	s.end(b)
	check(a - 1)
	s.end(a)
	check(b)
	d := s.begin()
	check(b)
	s.end(c)
	check(c)
	s.end(d)
	check(d)
}
