package search

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"stoa/internal/kit/words"
)

// Kind is a kind of documents that are searched together, such as users.
type Kind struct {
	Name   string
	Fields []Field
}

// Field is a field of a document, with one or more texts.
type Field struct {
	Name string
	// Weight is the relative weight of matches in this field. It must be less than four
	// times that of any other field; see exactness.
	Weight int
	// Values keeps the texts of the field separate, so that Suggest can return them.
	Values bool
	// Pairs adds a row for each pair of words in a text, so that people whose first and
	// last names are both common are found by the combination.
	Pairs bool
}

// Document is a searchable document.
type Document struct {
	ID string
	// Fields holds the texts of each field, in the order of the kind's fields.
	Fields [][]string
}

// Limits that allow a document's rows to fit into one transaction. Anything beyond them is
// not searchable.
const (
	// MaxRows is the maximum number of rows of a document: one for each distinct word, or
	// each distinct word of each value, and those of pairs.
	MaxRows = 40
	// maxPaired is the number of words of a text that are paired.
	maxPaired = 4
	// maxText is the number of bytes of a query and of the texts of a field that are used:
	// folding may expand one byte to four.
	maxText = 8 << 10
	// maxWord is the number of bytes of a word that are part of a key.
	maxWord = 256
	// maxValue is the number of bytes of a value that are part of a key.
	maxValue = 200
)

// rows returns the rows of a document; none for nil.
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

// pairs returns all pairs of the first few words, in order.
func pairs(of []string) (pairs []string) {
	of = of[:min(len(of), maxPaired)]
	for i, first := range of {
		for _, second := range of[i+1:] {
			pairs = append(pairs, first+" "+second)
		}
	}
	return pairs
}

// distinct returns the first MaxRows distinct words.
func distinct(all []string) []string {
	var different []string
	for _, word := range all {
		if len(different) < MaxRows && !slices.Contains(different, word) {
			different = append(different, word)
		}
	}
	return different
}

// otherInitial represents all initials except the letters of the Latin alphabet and digits,
// so that partitions can be enumerated.
const otherInitial = "_"

// initial returns the partition of a word.
func initial(word string) string {
	if c := word[0]; 'a' <= c && c <= 'z' || '0' <= c && c <= '9' {
		return word[:1]
	}
	return otherInitial
}

const initials = "abcdefghijklmnopqrstuvwxyz0123456789" + otherInitial

// valueKey returns the form of a value in keys: itself, if it is short.
func (r *Rows) valueKey(value string) string {
	if len(value) > maxValue {
		sum := sha256.Sum256([]byte(value))
		value = cut(value, maxValue-2*len(sum)) + hex.EncodeToString(sum[:])
	}
	return r.escape.Replace(strings.ToValidUTF8(value, "\uFFFD"))
}

// cut returns the longest prefix of a text with at most n bytes and complete characters.
func cut(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	return strings.ToValidUTF8(text[:bytes], "")
}
