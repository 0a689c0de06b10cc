package search_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/search"
)

var (
	table = &keyspec.Table{Name: "ops", PK: "pk", SK: "sk"}
	rows  = search.Define(table)

	people = rows.Index(search.Kind{Name: "user", Fields: []search.Field{
		{Name: "username", Weight: 2}, {Name: "fullName", Weight: 1, Pairs: true}}})
	posts = rows.Index(search.Kind{Name: "post", Fields: []search.Field{{Name: "keywords", Weight: 1, Values: true}}})
)

// library is a store of documents with an index.
type library struct {
	t         *testing.T
	index     *search.Index
	finder    *search.Finder
	db        *keyspec.DB
	documents map[string]search.Document
	// loading, if set, is called before documents are loaded.
	loading func()
}

func open(t *testing.T) *keyspec.DB {
	t.Helper()
	e := enginetest.Memory(t)
	db := keyspec.Open(dynamo.NewFromIface(e), "", table)
	if err := db.CreateTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	return db
}

func newLibrary(t *testing.T, index *search.Index) *library {
	t.Helper()
	db := open(t)
	l := &library{t: t, index: index, finder: index.Open(db), db: db, documents: map[string]search.Document{}}
	if err := l.finder.Adopt(t.Context(), func(context.Context) (bool, error) { return true, nil }); err != nil {
		t.Fatal(err)
	}
	return l
}

// set sets the texts of a document, or removes it if there are none.
func (l *library) set(id string, fields ...[]string) {
	l.t.Helper()
	tx := l.db.NewTx()
	l.index.Change(tx, l.document(id), l.keep(id, fields))
	if err := tx.Run(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
}

func (l *library) document(id string) *search.Document {
	if d, ok := l.documents[id]; ok {
		return &d
	}
	return nil
}

// keep changes a document without its index.
func (l *library) keep(id string, fields [][]string) *search.Document {
	if delete(l.documents, id); len(fields) > 0 {
		l.documents[id] = search.Document{ID: id, Fields: fields}
	}
	return l.document(id)
}

// person sets the names of a user.
func (l *library) person(id, username, fullName string) {
	l.t.Helper()
	l.set(id, []string{username}, []string{fullName})
}

func (l *library) find(text string) []string {
	l.t.Helper()
	hits, err := l.finder.Find(l.t.Context(), search.Query{Text: text, Limit: 100})
	if err != nil {
		l.t.Fatal(err)
	}
	return hits.IDs
}

func (l *library) want(text string, ids ...string) {
	l.t.Helper()
	if got := l.find(text); !slices.Equal(got, ids) {
		l.t.Errorf("%q finds %q, want %q", text, got, ids)
	}
}

func (l *library) All(context.Context) iter.Seq2[search.Document, error] {
	return func(yield func(search.Document, error) bool) {
		for _, d := range l.documents {
			if !yield(d, nil) {
				return
			}
		}
	}
}

func (l *library) Load(_ context.Context, ids []string) (map[string]search.Document, error) {
	if l.loading != nil {
		l.loading()
	}
	found := map[string]search.Document{}
	for _, id := range ids {
		if d, ok := l.documents[id]; ok {
			found[id] = d
		}
	}
	return found, nil
}

func TestFind(t *testing.T) {
	l := newLibrary(t, people)
	l.person("1", "ana", "Maria Clara Luz")
	l.person("2", "ana_k", "Ana Kowalski")
	l.person("3", "ben.o", "Ben O'Brien")
	l.person("4", "zoe", "Zoë Anan")
	l.person("5", "__x__", "Ｗｉｄｅ 東京")
	l.person("6", "Anabel", "")
	for text, want := range map[string][]string{
		// In order: a whole word in the username, one in the full name, then prefixes of
		// both.
		"ana":                       {"1", "2", "6", "4"},
		"ANA":                       {"1", "2", "6", "4"},
		"ａｎａ":                       {"1", "2", "6", "4"},
		"anan":                      {"4"},
		"na":                        nil, // no infix
		"maria luz":                 {"1"},
		"luz maria":                 {"1"},
		"maria cl":                  {"1"},
		"cl maria":                  {"1"}, // cl is not the last word, so it is no prefix
		"cl nobody":                 nil,
		"kow ana":                   {"1", "2", "6", "4"},
		"ana kow":                   {"2", "1"}, // ana is whole here
		"ana_k":                     {"2"},
		"ana_":                      {"2"},
		"ben.o":                     {"3"},
		"ben.":                      {"3"},
		"o'b":                       {"3"},
		"brien":                     nil,
		"zoë":                       {"4"},
		"zoe":                       {"4"}, // the username only
		"zoe\u0308":                 {"4"},
		"wide":                      {"5"},
		"京":                         {"5"},
		"__x":                       {"5"},
		"x":                         nil,
		"  ana \t ":                 {"1", "2", "6", "4"},
		"":                          nil,
		"+*/\\\"?-_.'":              nil,
		"ana*":                      {"1", "2", "6", "4"},
		"a?a":                       {"2", "6", "1", "4"}, // two words, both a
		"a b c d e f g h i j k zoe": {"4"},
		"anabel ana":                {"6", "1", "2", "4"},
		strings.Repeat("y", 10_000): nil,
	} {
		l.want(text, want...)
	}
}

// TestRank checks the rule that clients see: a username equal to the query ranks before one
// that merely starts with it, even if the full name contains the query.
func TestRank(t *testing.T) {
	l := newLibrary(t, people)
	l.person("longer", "name123", "name surname")
	l.person("exact", "name", "Somebody Else")
	l.want("name", "exact", "longer")
}

func TestPages(t *testing.T) {
	l := newLibrary(t, people)
	for i := range 7 {
		l.person(fmt.Sprint(i), fmt.Sprintf("ana%d", i), "")
	}
	for _, c := range []struct {
		offset, limit int
		want          string
		more          bool
	}{
		{0, 3, "0 1 2", true}, {3, 3, "3 4 5", true}, {6, 3, "6", false}, {4, 3, "4 5 6", false},
		{7, 3, "", false}, {1 << 62, 3, "", false}, {-1, 2, "0 1", true}, {0, 0, "", false}, {0, 1 << 62, "0 1 2 3 4 5 6", false},
	} {
		hits, err := l.finder.Find(t.Context(), search.Query{Text: "ana", Offset: c.offset, Limit: c.limit})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(hits.IDs, " "); got != c.want || hits.More != c.more {
			t.Errorf("%d from %d: %q, more %v, want %q, %v", c.limit, c.offset, got, hits.More, c.want, c.more)
		}
	}
}

// TestChange searches for the old and new texts after each kind of change.
func TestChange(t *testing.T) {
	l := newLibrary(t, people)
	l.person("1", "ana", "Ana Kowalski")
	l.person("1", "ben", "Ana Nowak")
	l.want("kowalski")
	l.want("nowak", "1")
	l.want("ben", "1")
	l.want("ana", "1")
	l.person("1", "ben", "")
	l.want("ana")
	l.set("1")
	l.want("ben")
	if items := l.stored(); items != 0 {
		t.Errorf("%d rows are left of nobody", items)
	}
}

// stored returns the number of rows of the index.
func (l *library) stored() int {
	l.t.Helper()
	removed, err := l.finder.Rebuild(l.t.Context(), &library{t: l.t}, nil)
	if err != nil {
		l.t.Fatal(err)
	}
	return removed.Removed
}

// TestLongTexts checks that a document fits into a transaction however long its texts are.
func TestLongTexts(t *testing.T) {
	l := newLibrary(t, people)
	var long []string
	for i := range 500 {
		long = append(long, fmt.Sprintf("word%d", i))
	}
	l.person("1", "ana", strings.Join(long, " "))
	l.want("word1", "1")
	l.want("word399")
	l.person("1", "ben", strings.Repeat("x", 100_000))
	l.want("word1")
	l.want(strings.Repeat("x", 100_000), "1")
	l.want(strings.Repeat("x", 300), "1")
	l.person("2", "cem", strings.Repeat("x", 300)+"y")
	l.want(strings.Repeat("x", 300)+"y", "2")
	l.person("2", "cem", strings.Repeat("\xff", 100))
	l.set("1")
	l.set("2")
	if items := l.stored(); items != 0 {
		t.Errorf("%d rows are left of nobody", items)
	}
}

// TestPairs finds a user by two common names.
func TestPairs(t *testing.T) {
	l := newLibrary(t, people)
	l.person("zz", "zz", "Ana Maria Nowak")
	for i := range 2 * search.Window {
		l.person(fmt.Sprintf("a%05d", i), fmt.Sprintf("u%d", i), []string{"Ana Kowalski", "Ben Nowak"}[i%2])
	}
	for _, text := range []string{"ana nowak", "ana now", "maria nowak"} {
		if got := l.find(text); len(got) != 100 || got[0] != "zz" {
			t.Errorf("%q finds %d, first %q", text, len(got), got[0])
		}
	}
}

func TestSuggest(t *testing.T) {
	l := newLibrary(t, posts)
	l.set("1", []string{"Red Shirt", "shirt", "a/b", "100%"})
	l.set("2", []string{"shirt", "shorts", "Shirt"})
	for i := range 100 {
		l.set(fmt.Sprintf("p%d", i), []string{"shirt", "shield"})
	}
	long := strings.Repeat("shore ", 100)
	l.set("3", []string{long, long + "!"})
	for _, c := range []struct {
		text  string
		limit int
		want  []string
	}{
		{"shirt", 20, []string{"Red Shirt", "Shirt", "shirt"}},
		{"sh", 20, []string{"Red Shirt", "Shirt", "shield", "shirt", long, long + "!", "shorts"}},
		{"sh", 2, nil},
		{"red", 20, []string{"Red Shirt"}},
		{"red shie", 20, []string{"Red Shirt", "shield"}},
		{"a/b", 20, []string{"a/b"}},
		{"100", 20, []string{"100%"}},
		{"hirt", 20, []string{}},
		{"", 20, []string{}},
		{"%", 20, []string{}},
	} {
		got, err := l.finder.Suggest(t.Context(), c.text, c.limit)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(got)
		if c.want == nil && len(got) != c.limit || c.want != nil && !slices.Equal(got, c.want) {
			t.Errorf("%q suggests %q, want %q", c.text, got, c.want)
		}
	}
	l.set("1")
	got, err := l.finder.Suggest(t.Context(), "red", 20)
	if err != nil || len(got) != 0 {
		t.Errorf("suggests %q of a removed document, %v", got, err)
	}
	if hits := l.find("shirt"); len(hits) != 101 && len(hits) != 100 {
		t.Errorf("finds %d", len(hits))
	}
}

// TestIncomplete checks that an index that was never built refuses queries.
func TestIncomplete(t *testing.T) {
	l := &library{t: t, index: people, db: open(t), documents: map[string]search.Document{}}
	l.finder = people.Open(l.db)
	l.keep("1", [][]string{{"ana"}, {"Ana"}})
	incomplete := func(err error) {
		t.Helper()
		if e := (*search.IncompleteError)(nil); !errors.As(err, &e) || e.Kind != "user" {
			t.Fatalf("got %v, want an *IncompleteError", err)
		}
	}
	query := search.Query{Text: "ana", Limit: 20}
	_, err := l.finder.Find(t.Context(), query)
	incomplete(err)
	incomplete(l.finder.Adopt(t.Context(), func(context.Context) (bool, error) { return false, nil }))
	_, err = l.finder.Suggest(t.Context(), "ana", 1)
	incomplete(err)
	if _, err := l.finder.Rebuild(t.Context(), l, nil); err != nil {
		t.Fatal(err)
	}
	l.want("ana", "1")
	if err := l.finder.Adopt(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
}

// TestRebuild repairs an index with missing, wrong and left-over rows.
func TestRebuild(t *testing.T) {
	l := newLibrary(t, people)
	for i := range 500 {
		l.person(fmt.Sprintf("%03d", i), fmt.Sprintf("ana%03d", i), "Ana Nowak")
	}
	l.keep("000", nil)
	l.keep("001", [][]string{{"ben"}, {"Zoë"}})
	l.keep("new", [][]string{{"cem"}, {"Zoë"}})
	done, err := l.finder.Rebuild(t.Context(), l, nil)
	if err != nil {
		t.Fatal(err)
	}
	if done.Documents != 500 || done.Removed != 8 {
		t.Errorf("rebuilt %+v", done)
	}
	l.want("ana000")
	l.want("ana001")
	l.want("zoë", "001", "new")
	l.want("cem", "new")
}

// TestRebuildMeetsChanges changes documents while an index is built, so that the build
// could overwrite their rows with outdated ones.
func TestRebuildMeetsChanges(t *testing.T) {
	l := newLibrary(t, people)
	l.person("1", "ana", "Ana")
	l.person("2", "ben", "Ben")
	l.keep("gone", [][]string{{"gone"}, {"Gone"}})
	round := 0
	l.loading = func() {
		switch round++; round {
		case 1:
			l.person("1", "anna", "Anna")
			l.set("gone")
		case 2:
			l.person("1", "hanna", "Hanna")
			l.set("2")
		case 3:
			l.person("2", "ben", "Ben")
		}
	}
	if _, err := l.finder.Rebuild(t.Context(), l, nil); err != nil {
		t.Fatal(err)
	}
	l.loading = nil
	l.want("ana")
	l.want("anna")
	l.want("gone")
	l.want("hanna", "1")
	l.want("ben", "2")
}
