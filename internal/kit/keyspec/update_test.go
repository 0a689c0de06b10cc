package keyspec_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stamp"
)

// After any change, an item is stored as if it had been put in that state.
func TestKeysFollowTheirAttributes(t *testing.T) {
	before := books.Sample(1)
	score := 7.25
	for name, c := range map[string]struct {
		update func(keyspec.Update) keyspec.Update
		change func(*book)
	}{
		"key of one attribute":      {func(u keyspec.Update) keyspec.Update { return u.Set("title", "New") }, func(b *book) { b.Title = "New" }},
		"key loses its attribute":   {func(u keyspec.Update) keyspec.Update { return u.Remove("title") }, func(b *book) { b.Title = "" }},
		"set to zero is removed":    {func(u keyspec.Update) keyspec.Update { return u.Set("title", "") }, func(b *book) { b.Title = "" }},
		"nil is removed":            {func(u keyspec.Update) keyspec.Update { return u.Set("rare", (*bool)(nil)) }, func(b *book) { b.Rare = nil }},
		"plain value for a pointer": {func(u keyspec.Update) keyspec.Update { return u.Set("rare", false) }, func(b *book) { b.Rare = new(bool) }},
		"attribute stored in a key": {func(u keyspec.Update) keyspec.Update { return u.Set("score", score) }, func(b *book) { b.Score = &score }},
		"computed slots":            {func(u keyspec.Update) keyspec.Update { return u.Set("soldAt", stampAt(9)).Given("kind", before.Kind) }, func(b *book) { b.SoldAt = stampAt(9) }},
		"condition stops holding":   {func(u keyspec.Update) keyspec.Update { return u.Set("kind", "GIFT").Given("soldAt", before.SoldAt) }, func(b *book) { b.Kind = "GIFT" }},
		"given as absent":           {func(u keyspec.Update) keyspec.Update { return u.Remove("soldAt").Given("kind", nil) }, func(b *book) { b.SoldAt = time.Time{} }},
		"lists, maps, numbers": {
			func(u keyspec.Update) keyspec.Update {
				return u.Set("tags", []string{}).Set("notes", map[string]string{"a": "b"}).Set("pages", 8).Set("writers", []writer{{Name: "Eve"}})
			},
			func(b *book) {
				b.Tags, b.Notes, b.Pages, b.Writers = []string{}, map[string]string{"a": "b"}, 8, []writer{{Name: "Eve"}}
			},
		},
		"counter": {func(u keyspec.Update) keyspec.Update { return u.Shift("loanCount", 4) }, func(b *book) { b.LoanCount += 4 }},
	} {
		after := before
		c.change(&after)
		want, err := books.Item(after)
		if err != nil {
			t.Fatal(err)
		}
		for way, write := range map[string]func(*keyspec.Tx){
			"update": func(tx *keyspec.Tx) { c.update(books.Update(tx, books.KeyOf(&before))) },
			"change": func(tx *keyspec.Tx) { books.Change(tx, before, after) },
		} {
			eachWay(t, func(t *testing.T, db *keyspec.DB, client *client) {
				tx := db.NewTx()
				books.Create(tx, before)
				if err := tx.Run(t.Context()); err != nil {
					t.Fatal(err)
				}
				tx = db.NewTx()
				write(tx)
				if err := tx.Run(t.Context()); err != nil {
					t.Fatalf("%s, %s: %v", name, way, err)
				}
				if got := stored(t, client, "test-library", "book/bookId-1", "-"); !reflect.DeepEqual(got, want) {
					t.Errorf("%s, %s: stored\n%v\nwant\n%v", name, way, got, want)
				}
			})
		}
	}
}

func TestKeysOfSeveralAttributes(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, _ *client) {
		l := loan{BookID: "b", ReaderID: "r", Status: "OUT", LentAt: stampAt(1)}
		write(t, db, func(tx *keyspec.Tx) { loans.Create(tx, l) })
		write(t, db, func(tx *keyspec.Tx) {
			loans.Update(tx, loans.KeyOf(&l)).Set("status", loanStatus("IN")).Given("lentAt", l.LentAt).If("status = ?", "OUT")
			loans.Update(tx, loans.KeyOf(&l)).Set("dueAt", stampAt(7))
		})
		for _, r := range []keyspec.Range[loan]{loans.Begins(A1, "r", "IN"), loans.Begins(K1).To(stamp.MicroOf(stampAt(7)))} {
			if items, _, err := r.Page(t.Context(), db, keyspec.Page{Limit: 2}); err != nil || len(items) != 1 || !items[0].DueAt.Equal(stampAt(7)) {
				t.Errorf("found %+v, %v", items, err)
			}
		}
		if items, _, err := loans.Begins(A1, "r", "OUT").Page(t.Context(), db, keyspec.Page{Limit: 2}); err != nil || len(items) > 0 {
			t.Errorf("the old key finds %+v, %v", items, err)
		}
	})
}

func TestKeysThatAreAttributes(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, _ *client) {
		p := places.Sample(1)
		write(t, db, func(tx *keyspec.Tx) { places.Create(tx, p) })
		write(t, db, func(tx *keyspec.Tx) { places.Update(tx, places.KeyOf(&p)).Set("placedAt", stampAt(3)) })
		got, err := places.Get(t.Context(), db, places.KeyOf(&p))
		if err != nil || !got.PlacedAt.Equal(stampAt(3)) {
			t.Errorf("got %+v, %v", got, err)
		}
	})
}

// Number keys of an index are incremented atomically.
func TestNumberKeysAreRaised(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, _ *client) {
		score := 1.189207115
		write(t, db, func(tx *keyspec.Tx) { books.Put(tx, book{BookID: "1", Score: &score, Pages: 5}) })
		write(t, db, func(tx *keyspec.Tx) {
			books.Update(tx, books.Key("1")).If("pages = ?", 5).Raise("score", "2.828427125")
		})
		got, _, err := books.Begins(A4).Page(t.Context(), db, keyspec.Page{Limit: 2})
		if err != nil || len(got) != 1 || got[0].Score == nil || *got[0].Score != 4.01763424 {
			t.Errorf("got %+v, %v", got, err)
		}
		tx := db.NewTx()
		absent := books.Update(tx, books.Key("2")).Raise("score", "1")
		if err := tx.Run(t.Context()); !keyspec.Refused(err, absent) {
			t.Errorf("an absent item was raised: %v", err)
		}
		tx = db.NewTx()
		books.Update(tx, books.Key("1")).Raise("pages", "1")
		if err := tx.Run(t.Context()); err == nil {
			t.Error("what is no key was raised")
		}
	})
}

func TestUpdateNeedsItsItem(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, _ *client) {
		tx := db.NewTx()
		update := books.Update(tx, books.Key("1")).Set("pages", 1).Shift("loanCount", 1)
		if err := tx.Run(t.Context()); !keyspec.Refused(err, update) {
			t.Errorf("Run = %v, want the update to be refused", err)
		}
	})
}

// Only differences are written: concurrent changes of other attributes are kept.
func TestChangeWritesDifferences(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, _ *client) {
		before := books.Sample(1)
		write(t, db, func(tx *keyspec.Tx) { books.Create(tx, before) })
		write(t, db, func(tx *keyspec.Tx) {
			books.Update(tx, books.KeyOf(&before)).Shift("loanCount", 10).Set("tags", []string{"other"})
		})
		after := before
		after.Title, after.Pages = "New", 0
		write(t, db, func(tx *keyspec.Tx) { books.Change(tx, before, after).If("title = ?", before.Title) })
		got, err := books.Get(t.Context(), db, books.KeyOf(&before))
		want := after
		want.LoanCount, want.Tags = 11, []string{"other"}
		if err != nil || !reflect.DeepEqual(*got, want) {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	})
}

// A counter that cannot be shifted does not prevent the change that it counts (chats 0.7).
func TestShiftsThatCannotBe(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, c *client) {
		var drifts []keyspec.Drift
		db.OnDrift = func(_ context.Context, d keyspec.Drift) { drifts = append(drifts, d) }
		var tokens []string
		c.transact = func(in *dynamodb.TransactWriteItemsInput) error {
			tokens = append(tokens, *in.ClientRequestToken)
			return nil
		}
		write(t, db, func(tx *keyspec.Tx) { books.Create(tx, book{BookID: "1", LoanCount: 1, Pages: 5}) })
		drift := func(id, attribute string, by int) keyspec.Drift {
			return keyspec.Drift{Table: "library", PK: "book/" + id, SK: "-", Attribute: attribute, By: by}
		}
		for _, test := range []struct {
			name   string
			add    func(*keyspec.Tx)
			loans  int
			pages  int
			drifts []keyspec.Drift
		}{
			{"down to zero", func(tx *keyspec.Tx) { books.Update(tx, books.Key("1")).Shift("loanCount", -1) }, 0, 5, nil},
			{"below zero", func(tx *keyspec.Tx) { books.Update(tx, books.Key("1")).Shift("loanCount", -1) }, 0, 5, []keyspec.Drift{drift("1", "loanCount", -1)}},
			{"below zero beside another", func(tx *keyspec.Tx) { books.Update(tx, books.Key("1")).Shift("loanCount", -2).Shift("pages", -2) }, 0, 3,
				[]keyspec.Drift{drift("1", "loanCount", -2)}},
			{"below zero beside a change", func(tx *keyspec.Tx) {
				books.Update(tx, books.Key("1")).Shift("loanCount", -2).Set("title", "T").If("pages = ?", 3)
			}, 0, 3,
				[]keyspec.Drift{drift("1", "loanCount", -2)}},
			{"of an absent item", func(tx *keyspec.Tx) {
				books.Update(tx, books.Key("none")).Shift("loanCount", 1).Shift("pages", -1)
				books.Update(tx, books.Key("1")).Shift("loanCount", 3)
			}, 3, 3, []keyspec.Drift{drift("none", "loanCount", 1), drift("none", "pages", -1)}},
		} {
			drifts, tokens = nil, nil
			write(t, db, test.add)
			got, err := books.Get(t.Context(), db, books.Key("1"))
			if err != nil || got.LoanCount != test.loans || got.Pages != test.pages {
				t.Errorf("%s: got %+v, %v, want %d loans and %d pages", test.name, got, err, test.loans, test.pages)
			}
			if !slices.Equal(drifts, test.drifts) {
				t.Errorf("%s: drifts %+v, want %+v", test.name, drifts, test.drifts)
			}
			if len(tokens) > 1 && tokens[0] == tokens[1] {
				t.Errorf("%s: two requests with one token", test.name)
			}
		}
		if got, _ := books.Get(t.Context(), db, books.Key("none")); got != nil {
			t.Errorf("a shift made %+v", got)
		}

		drifts = nil
		tx := db.NewTx()
		refused := books.Update(tx, books.Key("1")).Shift("loanCount", -9).If("pages = ?", 100)
		if err := tx.Run(t.Context()); !keyspec.Refused(err, refused) || drifts != nil {
			t.Errorf("Run = %v with drifts %v, want a conflict without any", err, drifts)
		}
		tx = db.NewTx()
		refused = books.Update(tx, books.Key("none")).Shift("loanCount", 1).Set("pages", 1)
		if err := tx.Run(t.Context()); !keyspec.Refused(err, refused) || drifts != nil {
			t.Errorf("Run = %v with drifts %v, want a conflict without any", err, drifts)
		}
	})
}

var loanCounts = keyspec.Count(loans, keyspec.Counters[loan]{
	{Attribute: "loanCount", Owner: func(l *loan) keyspec.Key { return books.Key(l.BookID) }, Counts: func(l *loan) bool { return l.Status == "OUT" }},
	{Attribute: "pages", Owner: func(l *loan) keyspec.Key { return books.Key(l.BookID) }},
})

func TestCountersFollowWhatTheyCount(t *testing.T) {
	out, in := &loan{BookID: "1", Status: "OUT"}, &loan{BookID: "1", Status: "IN"}
	for _, c := range []struct {
		before, after *loan
		loans, all    int
	}{
		{nil, out, 1, 1}, {nil, in, 0, 1}, {out, in, -1, 0}, {in, out, 1, 0}, {out, out, 0, 0}, {out, nil, -1, -1}, {in, nil, 0, -1}, {nil, nil, 0, 0},
	} {
		db, _ := open(t)
		write(t, db, func(tx *keyspec.Tx) { books.Create(tx, book{BookID: "1", LoanCount: 5, Pages: 5}) })
		write(t, db, func(tx *keyspec.Tx) { loanCounts.Moved(tx, c.before, c.after) })
		got, err := books.Get(t.Context(), db, books.Key("1"))
		if err != nil || got.LoanCount != 5+c.loans || got.Pages != 5+c.all {
			t.Errorf("%+v to %+v: got %d and %d, %v, want shifts of %d and %d", c.before, c.after, got.LoanCount, got.Pages, err, c.loans, c.all)
		}
	}
}

func TestStoredOfAnotherError(t *testing.T) {
	db, _ := open(t)
	tx := db.NewTx()
	created := books.Create(tx, book{BookID: "1"})
	for _, err := range []error{nil, errors.New("no route"), fmt.Errorf("x: %w", &keyspec.Conflict{})} {
		if got, readErr := books.Stored(err, created); got != nil || readErr != nil || keyspec.Refused(err, created) {
			t.Errorf("%v: Stored = %+v, %v", err, got, readErr)
		}
	}
}
