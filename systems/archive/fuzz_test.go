package archive

import (
	"context"
	"strings"
	"testing"

	"stoa/internal/kit/hostile"
)

// all reads to the end of a file.
func all[T any](next func() (T, error)) (read []T) {
	for {
		one, err := next()
		if err != nil {
			return read
		}
		read = append(read, one)
	}
}

// FuzzCSV searches for files that are expensive to read, and for rows that are read
// differently when reading resumes after the previous row.
func FuzzCSV(f *testing.F) {
	for _, text := range []string{
		"Name,Age\nAda,36\n", "\xef\xbb\xbfage,NAME\r\n36,Ada\r\n", "Name,Age\n\"a\n\"\"b\",\n", "Name\n", "Name,Age,Name\n", "\xff\xfeN",
		"Name,Age\n\"" + strings.Repeat("x", hostile.Size), "Name,Age\n" + strings.Repeat(",\n", hostile.Size/2), strings.Repeat(",", hostile.Size), strings.Repeat(`"`, hostile.Size),
	} {
		f.Add(text)
	}
	c := &Collection{CollectionPlan: CollectionPlan{Fields: []CollectionField{{Header: "Name"}, {Header: "Age"}}}}
	f.Fuzz(func(t *testing.T, text string) {
		hostile.Check(t, text, func() {
			r, err := OpenCSV(strings.NewReader(text), c)
			if err != nil {
				return
			}
			if _, err := r.Next(); err != nil {
				return
			}
			at := r.Position()
			again := GoOnCSV(strings.NewReader(text[at.Offset:]), c, r.Headers(), at)
			whole, rest := all(r.Next), all(again.Next)
			if len(whole) != len(rest) {
				t.Fatalf("%d rows behind the first, and %d when reading continues there", len(whole), len(rest))
			}
			for i, row := range whole {
				for header, cell := range row {
					if rest[i][header] != cell {
						t.Fatalf("row %d has %q, and %q when reading continues", i, cell, rest[i][header])
					}
				}
			}
		})
	})
}

// FuzzGazetteer searches for gazetteers that are expensive to read.
func FuzzGazetteer(f *testing.F) {
	for _, text := range []string{
		"id,name,full_name\n1,Marlow,\"Marlow, Ohio\"\n", "id,name,full_name,level,alt_names\n1,a,a,1,b|c|d\n", "id\n", "name,full_name,id\n,,\n",
		"id,name,full_name,alt_names\n1,a,a," + strings.Repeat("|", hostile.Size),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		hostile.Check(t, text, func() {
			g, err := OpenGazetteer(strings.NewReader(text))
			if err != nil {
				return
			}
			all(g.Next)
		})
	})
}

// few is a gazetteer with a state and one of its counties.
type few struct{}

func (few) Words(_ context.Context, words []string) (map[string][]ID, error) {
	known := map[string][]ID{}
	for _, w := range words {
		known[w] = map[string][]ID{"ohio": {2}, "marlow": {3}, "a": {3}}[w]
	}
	return known, nil
}

func (few) Places(_ context.Context, ids []ID) (map[ID]*Place, error) {
	all := map[ID]*Place{
		1: {ID: 1, Name: "United States", FullName: "United States", Level: 1},
		2: {ID: 2, Name: "Ohio", FullName: "Ohio, United States", Level: 2, LocatedInID: 1},
		3: {ID: 3, Name: "Marlow", FullName: "Marlow, Ohio, United States", Level: 3, LocatedInID: 2},
	}
	found := map[ID]*Place{}
	for _, id := range ids {
		found[id] = all[id]
	}
	return found, nil
}

// FuzzStandardize searches for names of places that are expensive to standardise.
func FuzzStandardize(f *testing.F) {
	for _, text := range []string{
		"Marlow Co, Ohio", "near Marlow now a, Ohio", ", ,,", "Ünïcode (of) 7", strings.Repeat("marlow,", 142), strings.Repeat("a ", 500), strings.Repeat("a or ", 200),
	} {
		f.Add(text)
	}
	z := NewStandardizer(few{}, &PlaceSettings{TypeWords: []string{"county"}, NoiseWords: []string{"near", "of"}, Abbreviations: map[string]string{"co": "county"}})
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 {
			return // is refused before
		}
		hostile.Check(t, text, func() {
			if _, err := z.Standardize(t.Context(), text, ""); err != nil {
				t.Error(err)
			}
		})
	})
}

// FuzzTexts searches for texts that are expensive to search for or to parse as a date, an
// id or the prefix of a place's name.
func FuzzTexts(f *testing.F) {
	for _, unit := range []string{"a", "a ", "a,", ",", " ", "1", "1 ", "1st", "may ", "İ", "ﬁ", "\uFDFA", "\u0300", "a\u0300", "\u1100", "\xff", "%", "-"} {
		f.Add(strings.Repeat(unit, hostile.Size/len(unit)))
	}
	for _, text := range []string{"abt 3rd of Sept 1871", "03/04/1871", "1871-13-40", "0000", "17", "2147483648", "Marlow, Ohio", "ma, oh, un"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		hostile.Check(t, text, func() {
			if date := StandardDate(text); date != "" && StandardDate(date) != date {
				t.Errorf("%q is the date %q, which is %q", text, date, StandardDate(date))
			}
			if id, err := ParseID(text); err == nil && id.String() != text {
				t.Errorf("%q is the id %s", text, id)
			}
		})
		hostile.Check(t, text, func() {
			p, ok := ParsePlacePrefix(text)
			if !ok {
				return
			}
			for range 1000 {
				p.Matches("marlow, jefferson, ohio, united states")
			}
		})
		hostile.Check(t, text, func() {
			s := RecordSearch{Household: &text, Text: &text, Place: &text, Fields: []FieldCondition{{"Name", text, Prefix}}}
			if s.Household = nil; s.Check() == nil {
				t.Error("a search without a scope is accepted")
			}
			if s.Household = &text; s.Check() != nil {
				return
			}
			s.Arguments()
			s.Query(text).Match(map[string]string{"Name": "Ada Byrne", "Place": "Marlow, Ohio", "Age": "36"}, nil)
		})
	})
}
