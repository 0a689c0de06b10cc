package keyspec_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stamp"
)

// lend stores n loans of different books to a reader, one per minute, and two by others.
func lend(t *testing.T, db *keyspec.DB, n int) {
	t.Helper()
	bulk := db.NewBulk()
	for i := range n {
		loans.PutIn(bulk, loan{BookID: fmt.Sprintf("b%02d", i), ReaderID: "ann", Status: "OUT", LentAt: stampAt(i), DueAt: stampAt(100 + i)})
	}
	loans.PutIn(bulk, loan{BookID: "b00", ReaderID: "ben", Status: "OUT", LentAt: stampAt(3), DueAt: stampAt(3)})
	loans.PutIn(bulk, loan{BookID: "b01", ReaderID: "ben", Status: "OUTSIDE", LentAt: stampAt(4)})
	if err := bulk.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// pages reads all of a range and returns the ids of its books, page by page.
func pages(t *testing.T, db *keyspec.DB, r keyspec.Range[loan], p keyspec.Page) [][]string {
	t.Helper()
	var all [][]string
	for {
		items, next, err := r.Page(t.Context(), db, p)
		if err != nil {
			t.Fatal(err)
		}
		ids := []string{}
		for _, l := range items {
			ids = append(ids, l.BookID)
		}
		all = append(all, ids)
		if next == "" {
			return all
		}
		if strings.Contains(next, "ann") || strings.ContainsAny(next, "+/=") {
			t.Errorf("cursor %q is not opaque text for URLs", next)
		}
		p.After = next
	}
}

func TestPagesFollowEachOther(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, c *client) {
		lend(t, db, 6)
		ann := loans.Begins(A1, "ann", "OUT")
		for _, test := range []struct {
			page keyspec.Page
			want string
		}{
			{keyspec.Page{Limit: 4}, "[[b00 b01 b02 b03] [b04 b05]]"},
			{keyspec.Page{Limit: 3}, "[[b00 b01 b02] [b03 b04 b05]]"}, // without an empty page at the end
			{keyspec.Page{Limit: 6}, "[[b00 b01 b02 b03 b04 b05]]"},
			{keyspec.Page{Limit: 4, Descending: true}, "[[b05 b04 b03 b02] [b01 b00]]"},
			{keyspec.Page{Limit: 1}, "[[b00] [b01] [b02] [b03] [b04] [b05]]"},
		} {
			c.take()
			got := pages(t, db, ann, test.page)
			if fmt.Sprint(got) != test.want {
				t.Errorf("%+v: pages %v, want %s", test.page, got, test.want)
			}
			if calls := c.take(); len(calls) != len(got) {
				t.Errorf("%+v: calls %v for %d pages", test.page, calls, len(got))
			}
		}
	})
}

// Prefixes match whole slots: loans that are OUTSIDE are not OUT.
func TestPrefixIsOfWholeSlots(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, _ *client) {
		lend(t, db, 1)
		if got := pages(t, db, loans.Begins(A1, "ben", "OUT"), keyspec.Page{Limit: 9}); fmt.Sprint(got) != "[[b00]]" {
			t.Errorf("OUT: %v", got)
		}
		if got := pages(t, db, loans.Begins(A1, "ben"), keyspec.Page{Limit: 9}); fmt.Sprint(got) != "[[b00 b01]]" {
			t.Errorf("any status: %v", got)
		}
		if got := pages(t, db, loans.Begins(A1, "ben", "OUT", stamp.MicroOf(stampAt(3))), keyspec.Page{Limit: 9}); fmt.Sprint(got) != "[[b00]]" {
			t.Errorf("whole key: %v", got)
		}
		if got := pages(t, db, loans.Begins(A1, "nobody", "OUT"), keyspec.Page{Limit: 9}); fmt.Sprint(got) != "[[]]" {
			t.Errorf("empty partition: %v", got)
		}
		for _, slots := range [][]string{{""}, {"ann", "A/B"}, {"ann", ""}} {
			if got := pages(t, db, loans.Begins(A1, slots...), keyspec.Page{Limit: 9}); fmt.Sprint(got) != "[[]]" {
				t.Errorf("%q can stand in no key, found %v", slots, got)
			}
		}
	})
}

func TestBounds(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, _ *client) {
		lend(t, db, 6)
		at := func(minute int) string { return stamp.MicroOf(stampAt(minute)) }
		ann, due := loans.Begins(A1, "ann", "OUT"), loans.Begins(K1)
		for name, c := range map[string]struct {
			r    keyspec.Range[loan]
			want string
		}{
			"from":                {ann.From(at(4)), "[b04 b05]"},
			"to":                  {ann.To(at(1)), "[b00 b01]"},
			"between":             {ann.From(at(2)).To(at(3)), "[b02 b03]"},
			"before":              {ann.To(stamp.MicroOf(stampAt(2).Add(-time.Microsecond))), "[b00 b01]"},
			"from without prefix": {due.From(at(104)), "[b04 b05 b01]"},
			"to without prefix":   {due.To(at(101)), "[b00 b00 b01]"},
			"both without prefix": {due.From(at(101)).To(at(102)), "[b01 b02]"},
			"nothing between":     {ann.From(at(8)).To(at(9)), "[]"},
			"from after to":       {ann.From(at(3)).To(at(2)), "[]"},
			"to before from":      {due.To(at(101)).From(at(102)), "[]"},
		} {
			got := pages(t, db, c.r, keyspec.Page{Limit: 2})
			if flat := slices.Concat(got...); fmt.Sprint(flat) != c.want {
				t.Errorf("%s: %v, want %s", name, got, c.want)
			}
		}
	})
}

func TestNumberKeys(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, _ *client) {
		bulk := db.NewBulk()
		for _, score := range []float64{-1, -0.5, 0, 0.25, 10, 9} {
			books.PutIn(bulk, book{BookID: fmt.Sprint(score), Score: &score})
		}
		if err := bulk.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		number := func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
		ranking := books.Begins(A4)
		for name, c := range map[string]struct {
			r    keyspec.Range[book]
			page keyspec.Page
			want string
		}{
			"ascending":  {ranking, keyspec.Page{Limit: 2}, "[-1 -0.5 0 0.25 9 10]"},
			"descending": {ranking, keyspec.Page{Limit: 2, Descending: true}, "[10 9 0.25 0 -0.5 -1]"},
			"above":      {ranking.From(number(math.Nextafter(-1, 0))), keyspec.Page{Limit: 1}, "[-0.5 0 0.25 9 10]"},
			"between":    {ranking.From("0").To("9"), keyspec.Page{Limit: 2}, "[0 0.25 9]"},
			"up to":      {ranking.To("-0.5"), keyspec.Page{Limit: 9}, "[-1 -0.5]"},
			"crossed":    {ranking.From("10").To("9"), keyspec.Page{Limit: 9}, "[]"},
		} {
			var got []string
			for p := c.page; ; {
				items, next, err := c.r.Page(t.Context(), db, p)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				for _, b := range items {
					if *b.Score != mustFloat(t, b.BookID) {
						t.Errorf("%s: book %s has score %v", name, b.BookID, *b.Score)
					}
					got = append(got, b.BookID)
				}
				if p.After = next; next == "" {
					break
				}
			}
			if fmt.Sprint(got) != c.want {
				t.Errorf("%s: %v, want %s", name, got, c.want)
			}
		}
	})
}

func mustFloat(t *testing.T, text string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A keys-only index returns only fields that occur in keys.
func TestKeysOnly(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, _ *client) {
		l := loan{BookID: "b", ReaderID: "r", Status: "OUT", LentAt: stampAt(1), DueAt: stampAt(2), Text: "mind the cover"}
		write(t, db, func(tx *keyspec.Tx) {
			loans.Create(tx, l)
			loans.Create(tx, loan{BookID: "b", ReaderID: "s"})
		})
		items, next, err := loans.Begins(K1).Page(t.Context(), db, keyspec.Page{Limit: 5})
		want := []loan{{BookID: "b", ReaderID: "r", DueAt: stampAt(2)}, {BookID: "b", ReaderID: "s"}}
		if err != nil || next != "" || !slices.Equal(items, want) {
			t.Errorf("Page = %+v, %q, %v, want %+v", items, next, err, want)
		}
	})
}

func TestPrimaryRange(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, c *client) {
		write(t, db, func(tx *keyspec.Tx) {
			books.Create(tx, book{BookID: "b"})
			for i := range 5 {
				loans.Create(tx, loan{BookID: "b", ReaderID: fmt.Sprint(i)})
			}
		})
		c.take()
		var got []string
		for l, err := range loans.Begins(keyspec.Primary, "b").All(t.Context(), db) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, l.ReaderID)
			if l.ReaderID == "3" {
				break
			}
		}
		if fmt.Sprint(got) != "[0 1 2 3]" {
			t.Errorf("readers %v", got)
		}
		first, next, err := loans.Begins(keyspec.Primary, "b").Page(t.Context(), db, keyspec.Page{Limit: 2, Descending: true})
		if err != nil || first[1].ReaderID != "3" {
			t.Fatalf("descending: %+v, %v", first, err)
		}
		second, _, err := loans.Begins(keyspec.Primary, "b").Page(t.Context(), db, keyspec.Page{Limit: 2, Descending: true, After: next})
		if err != nil || second[0].ReaderID != "2" {
			t.Errorf("second page: %+v, %v", second, err)
		}
	})
}

func TestForeignCursors(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, _ *client) {
		lend(t, db, 6)
		ann := loans.Begins(A1, "ann", "OUT")
		_, cursor, err := ann.Page(t.Context(), db, keyspec.Page{Limit: 2})
		if err != nil || cursor == "" {
			t.Fatal(cursor, err)
		}
		position := keyspec.Position(cursor)
		forged := func(change func([]byte) []byte) string {
			return keyspec.Forge(ann, change(slices.Clone(position)))
		}
		for name, c := range map[string]struct {
			r      keyspec.Range[loan]
			cursor string
			down   bool
		}{
			"another partition": {loans.Begins(A1, "ben", "OUT"), cursor, false},
			"another prefix":    {loans.Begins(A1, "ann"), cursor, false},
			"another index":     {loans.Begins(K1), cursor, false},
			"another order":     {ann, cursor, true},
			"out of bounds":     {ann.From(stamp.MicroOf(stampAt(3))), cursor, false},
			"a range of none":   {loans.Begins(A1, ""), cursor, false},
			"no base64":         {ann, "***", false},
			"padded":            {ann, cursor + "=", false},
			"too long":          {ann, strings.Repeat("A", 10_000), false},
			"cut":               {ann, cursor[:len(cursor)-4], false},
			"forged and cut":    {ann, forged(func(b []byte) []byte { return b[:len(b)-1] }), false},
			"grown":             {ann, forged(func(b []byte) []byte { return append(b, 0) }), false},
			"empty slot":        {ann, forged(func([]byte) []byte { return []byte{0, 1, 'x'} }), false},
			"huge length":       {ann, forged(func([]byte) []byte { return []byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 1} }), false},
			"no position":       {ann, forged(func([]byte) []byte { return nil }), false},
			"half a checksum":   {ann, cursor[:2], false},
		} {
			items, next, err := c.r.Page(t.Context(), db, keyspec.Page{Limit: 2, After: c.cursor, Descending: c.down})
			if !errors.Is(err, keyspec.ErrCursor) || items != nil || next != "" {
				t.Errorf("%s: %v, %q, %v, want ErrCursor", name, items, next, err)
			}
		}
		for i, c := range cursor {
			damaged := cursor[:i] + string(c^1) + cursor[i+1:]
			if _, _, err := ann.Page(t.Context(), db, keyspec.Page{Limit: 2, After: damaged}); !errors.Is(err, keyspec.ErrCursor) {
				t.Errorf("damaged at %d: %v, want ErrCursor", i, err)
			}
		}
		same := forged(func(b []byte) []byte { return b })
		if same != cursor {
			t.Errorf("forged %s, want %s", same, cursor)
		}
		if _, _, err := ann.Page(t.Context(), db, keyspec.Page{}); err == nil {
			t.Error("a page of no items is read")
		}
	})
}

// The cursor computed for an item is the one that a page returns, and names the item.
func TestCursorsOfItems(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, _ *client) {
		lend(t, db, 6)
		ann := loans.Begins(A1, "ann", "OUT")
		for _, descending := range []bool{false, true} {
			items, next, err := ann.Page(t.Context(), db, keyspec.Page{Limit: 2, Descending: descending})
			if err != nil {
				t.Fatal(err)
			}
			if cursor, err := ann.CursorAfter(&items[1], descending); err != nil || cursor != next {
				t.Errorf("cursor %q, %v, want %q", cursor, err, next)
			}
			got, err := ann.ItemBefore(next, descending)
			if err != nil || got.BookID != items[1].BookID || got.ReaderID != "ann" || got.Status != "OUT" || !got.LentAt.Equal(items[1].LentAt) {
				t.Errorf("item %+v, %v", got, err)
			}
			if _, err := ann.ItemBefore(next, !descending); !errors.Is(err, keyspec.ErrCursor) {
				t.Errorf("of the other order: %v", err)
			}
			// An item that does not exist has a place as well.
			between := loan{BookID: "b", ReaderID: "ann", Status: "OUT", LentAt: stampAt(2).Add(time.Second)}
			cursor, err := ann.CursorAfter(&between, descending)
			if err != nil {
				t.Fatal(err)
			}
			want := "[b03]"
			if descending {
				want = "[b02]"
			}
			if rest, _, err := ann.Page(t.Context(), db, keyspec.Page{Limit: 1, After: cursor, Descending: descending}); err != nil || fmt.Sprint([]string{rest[0].BookID}) != want {
				t.Errorf("after it: %v, %v, want %s", rest, err, want)
			}
		}
		if _, err := ann.CursorAfter(&loan{BookID: "b", ReaderID: "ben", Status: "OUT", LentAt: stampAt(2)}, false); err == nil {
			t.Error("an item of another partition has a cursor")
		}
	})
}

func TestCursorOfRankingIsNumber(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, _ *client) {
		one, two := 1.0, 2.0
		write(t, db, func(tx *keyspec.Tx) {
			books.Create(tx, book{BookID: "1", Score: &one})
			books.Create(tx, book{BookID: "2", Score: &two})
		})
		_, cursor, err := books.Begins(A4).Page(t.Context(), db, keyspec.Page{Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		position := keyspec.Position(cursor)
		for _, score := range []string{"x", "inf", "nan", "0x1", ""} {
			forged := append(slices.Clone(position[:len(position)-2]), byte(len(score)))
			after := keyspec.Forge(books.Begins(A4), append(forged, score...))
			if _, _, err := books.Begins(A4).Page(t.Context(), db, keyspec.Page{Limit: 1, After: after}); !errors.Is(err, keyspec.ErrCursor) {
				t.Errorf("score %q: %v, want ErrCursor", score, err)
			}
		}
	})
}

func TestBeginsPanics(t *testing.T) {
	table := &keyspec.Table{Name: "t", PK: "pk", SK: "sk"}
	type thing struct {
		A string `dynamo:"a"`
		B string `dynamo:"b"`
	}
	outer := keyspec.Define[thing](table, keyspec.Row{Key: keyspec.K("x/{a}", "p/{b}"), Overlaps: []string{"p/{b}/q"}})
	keyspec.Define[thing](table, keyspec.Row{Key: keyspec.K("x/{a}", "p/{b}/q"), Overlaps: []string{"p/{b}"}})
	for name, f := range map[string]func(){
		"no key on the index": func() { loans.Begins(A4) },
		"too few slots":       func() { loans.Begins(A1) },
		"too many slots":      func() { loans.Begins(A1, "a", "b", "c", "d") },
		"a number as slot":    func() { books.Begins(A4, "1") },
		"overlapping rows":    func() { outer.Begins(keyspec.Primary, "a") },
		"a bound too many":    func() { loans.Begins(A1, "a", "b", "c").From("d") },
		"a key of another":    func() { loans.Get(t.Context(), nil, books.Key("1")) },
		"a wrong key":         func() { loans.Key("1") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// No cursor makes a read panic, or fail with an error other than ErrCursor.
func FuzzCursor(f *testing.F) {
	byCalls, _, directly := openWays(f)
	bulk := byCalls.NewBulk()
	for i := range 5 {
		loans.PutIn(bulk, loan{BookID: fmt.Sprint(i), ReaderID: "ann", Status: "OUT", LentAt: stampAt(i)})
	}
	if err := bulk.Run(f.Context()); err != nil {
		f.Fatal(err)
	}
	ann := loans.Begins(A1, "ann", "OUT").To(stamp.MicroOf(stampAt(4)))
	_, cursor, err := ann.Page(f.Context(), byCalls, keyspec.Page{Limit: 2})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(keyspec.Position(cursor))
	f.Fuzz(func(t *testing.T, position []byte) {
		after := keyspec.Forge(ann, position)
		for _, db := range []*keyspec.DB{byCalls, directly} {
			if _, _, err := ann.Page(t.Context(), db, keyspec.Page{Limit: 2, After: after}); err != nil && !errors.Is(err, keyspec.ErrCursor) {
				t.Errorf("%x: %v", position, err)
			}
		}
	})
}
