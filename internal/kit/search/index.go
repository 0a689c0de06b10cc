package search

import (
	"cmp"
	"fmt"
	"strings"

	"stoa/internal/kit/keyspec"
)

// Rows are the rows of all indexes in one table.
type Rows struct {
	words  *keyspec.Entity[wordItem]
	states *keyspec.Entity[stateItem]
	// separator separates the parts of keys, nextChar is the character after it, and escape
	// replaces it in values.
	separator, nextChar string
	escape              *strings.Replacer
}

// wordItem is a word of a document. Words sort lexically, so that a prefix is a range of
// them.
type wordItem struct {
	Kind    string `dynamo:"kind,keyonly"`
	Field   string `dynamo:"field,keyonly"`
	Initial string `dynamo:"initial,keyonly"`
	Word    string `dynamo:"word,keyonly"`
	// Value is the key of the text with the word, if texts are kept separate.
	Value string `dynamo:"value,keyonly"`
	ID    string `dynamo:"id,keyonly"`
	// Words are all words of the document: those of a field are separated by spaces, fields
	// by line ends.
	Words string `dynamo:"words"`
	// Text is the text with the word, if texts are kept separate.
	Text string `dynamo:"text"`
}

// noValue is the value for fields whose texts are not kept separate.
const noValue = "-"

// Define declares the rows of indexes in a table.
func Define(table *keyspec.Table) *Rows {
	sep := cmp.Or(table.Separator, "/")
	join := func(parts ...string) string { return strings.Join(parts, sep) }
	return &Rows{
		words: keyspec.Define[wordItem](table, keyspec.Row{
			Key: keyspec.K(join("word", "{kind}", "{field}", "{initial}"), join("{word}", "{value}", "{id}")),
		}),
		states: keyspec.Define[stateItem](table, keyspec.Row{
			Key: keyspec.K(join("wordIndex", "{kind}"), "-"),
		}),
		separator: sep,
		nextChar:  string(rune(sep[0] + 1)),
		escape:    strings.NewReplacer("%", "%25", sep, fmt.Sprintf("%%%02X", sep[0])),
	}
}

// Index is the index of one kind of documents.
type Index struct {
	*Rows
	kind Kind
}

// Index returns the index of a kind.
func (r *Rows) Index(kind Kind) *Index { return &Index{r, kind} }

// Fill adds the rows of a new document to a bulk write, and returns their number.
func (ix *Index) Fill(b *keyspec.Bulk, d Document) int {
	rows := ix.rows(&d)
	for _, row := range rows {
		ix.words.PutIn(b, row)
	}
	return len(rows)
}

// Change updates the rows of a document from one state to another; nil means that the
// document does not exist. It takes up to 2 × MaxRows items of the transaction.
func (ix *Index) Change(tx *keyspec.Tx, before, after *Document) {
	was, is := ix.rows(before), ix.rows(after)
	stays := make(map[keyspec.Key]bool, len(is))
	same := make(map[wordItem]bool, len(was))
	for _, row := range was {
		same[row] = true
	}
	for _, row := range is {
		stays[ix.words.KeyOf(&row)] = true
		if !same[row] {
			ix.words.Put(tx, row)
		}
	}
	for _, row := range was {
		if key := ix.words.KeyOf(&row); !stays[key] {
			ix.words.Delete(tx, key)
		}
	}
}
