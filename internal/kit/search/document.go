package search

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"stoa/internal/kit/words"
)

// Kind is what is searched together, such as users.
type Kind struct {
	Name   string
	Fields []Field
}

// Field is a text, or several, of a document.
type Field struct {
	Name string
	// Weight is what a match in this field counts, compared with the others. No field
	// may count four times as much as another, see exactness.
	Weight int
	// Values keeps each text of the field apart, so that Suggest can return it.
	Values bool
	// Pairs gives each two words of a text a row of their own, so that people whose first
	// and last names are both common are found by the two together.
	Pairs bool
}

// Document is something to be found.
type Document struct {
	ID string
	// Fields holds the texts of each field of the kind, in its order.
	Fields [][]string
}

// Bounds that keep a document's rows within one transaction. What is beyond them cannot
// be found.
const (
	// MaxRows is how many rows a document has at most: one for each different word, or
	// each different word of each value, and those of pairs.
	MaxRows = 40
	// maxPaired is how many words of a text are paired.
	maxPaired = 4
	// maxText is how much of a query and of the texts of a field is looked at, in bytes: one
	// byte may become four when it is folded.
	maxText = 8 << 10
	// maxWord is how much of a word stands in a key, in bytes.
	maxWord = 256
	// maxValue is how much of a value stands in a key, in bytes.
	maxValue = 200
)

// rows returns the rows of a document; nil has none.
func (ix *Index) rows(d *Document) []wordItem {
	if d == nil {
		return nil
	}
	var rows []wordItem
	add := func(row wordItem) {
		row.Kind, row.ID = ix.kind.Name, d.ID
		row.Initial, row.Word = initial(row.Word), cut(row.Word, maxWord)
		if len(rows) < MaxRows && !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	all := make([]string, len(ix.kind.Fields))
	for i, field := range ix.kind.Fields {
		var inField []string
		left := maxText
		for _, text := range d.Fields[i] {
			text = cut(text, left)
			left -= len(text)
			row := wordItem{Field: field.Name, Value: noValue}
			if field.Values {
				row.Value, row.Text = ix.valueKey(text), text
			}
			inText := words.Split(text)
			for _, row.Word = range inText {
				add(row)
			}
			if field.Pairs {
				for _, row.Word = range pairs(inText) {
					add(row)
				}
			}
			inField = append(inField, inText[:min(len(inText), MaxRows)]...)
		}
		all[i] = strings.Join(distinct(inField), " ")
	}
	joined := strings.Join(all, "\n")
	for i := range rows {
		rows[i].Words = joined
	}
	return rows
}

// pairs returns each two words in their order, of the first few.
func pairs(of []string) (pairs []string) {
	of = of[:min(len(of), maxPaired)]
	for i, first := range of {
		for _, second := range of[i+1:] {
			pairs = append(pairs, first+" "+second)
		}
	}
	return pairs
}

// distinct returns the first MaxRows different words.
func distinct(all []string) []string {
	var different []string
	for _, word := range all {
		if len(different) < MaxRows && !slices.Contains(different, word) {
			different = append(different, word)
		}
	}
	return different
}

// otherInitial stands for all initials but those of the Latin alphabet and digits, so
// that partitions can be listed.
const otherInitial = "_"

// initial names the partition of a word.
func initial(word string) string {
	if c := word[0]; 'a' <= c && c <= 'z' || '0' <= c && c <= '9' {
		return word[:1]
	}
	return otherInitial
}

const initials = "abcdefghijklmnopqrstuvwxyz0123456789" + otherInitial

// valueKey is what stands in keys for a value: itself, where it is short.
func (r *Rows) valueKey(value string) string {
	if len(value) > maxValue {
		sum := sha256.Sum256([]byte(value))
		value = cut(value, maxValue-2*len(sum)) + hex.EncodeToString(sum[:])
	}
	return r.escape.Replace(strings.ToValidUTF8(value, "\uFFFD"))
}

// cut returns the longest prefix of a text of at most n bytes that ends between characters.
func cut(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	return strings.ToValidUTF8(text[:bytes], "")
}
