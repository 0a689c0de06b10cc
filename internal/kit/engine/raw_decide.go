package engine

import (
	"slices"
	"strconv"
	"strings"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/raw"
	"stoa/internal/kit/engine/value"
)

// A raw write decides on its item in stored form, without decoding it.

// holds reports whether old satisfies all conditions.
func (d *rawChange) holds(old *itemcodec.View) bool {
	if (d.Exists || d.Action == raw.Update) && !old.Exists() || d.Absent && old.Exists() {
		return false
	}
	for i := range d.tests {
		if !d.tests[i].Holds(old) {
			return false
		}
	}
	for _, s := range d.Shifts {
		if s.By < 0 && !leavesSomething(old, s) {
			return false
		}
	}
	return true
}

// leavesSomething reports whether the number lowered by s exists and is large enough.
func leavesSomething(old *itemcodec.View, s raw.Shift) bool {
	v, ok := old.Get(s.Name)
	if !ok || v.Kind() != itemcodec.Number {
		return false
	}
	if n, ok := smallInteger(v.Bytes()); ok {
		return n >= -s.By
	}
	n, err := value.ParseNumber(string(v.Bytes()))
	return err == nil && n.Cmp(value.Int(s.By).Neg()) >= 0
}

// sum returns the number in old after s.
func sum(old *itemcodec.View, s raw.Shift) (string, error) {
	const tooGreat = 1 << 60
	v, ok := old.Get(s.Name)
	if !ok {
		return strconv.FormatInt(s.By, 10), nil
	}
	if n, ok := smallInteger(v.Bytes()); ok && v.Kind() == itemcodec.Number && s.By < tooGreat && s.By > -tooGreat {
		return strconv.FormatInt(n+s.By, 10), nil
	}
	return expr.Sum(v.SDK(), s.By)
}

// patch returns the item after the raw update c.
func (w *writer) patch(c *change, old itemcodec.View) (now itemcodec.View, err error) {
	d := c.raw
	w.fields = append(w.fields[:0], d.Fields...)
	for _, s := range d.Shifts {
		text, err := sum(&w.seen, s)
		if err != nil {
			return now, err
		}
		f := raw.Field{Name: s.Name, Kind: raw.Number, Text: text}
		at, _ := slices.BinarySearchFunc(w.fields, f.Name, func(f raw.Field, name string) int { return strings.Compare(f.Name, name) })
		w.fields = slices.Insert(w.fields, at, f)
	}
	now, err = w.make(c, func(dst []byte) ([]byte, error) { return itemcodec.Patch(dst, c.table.names, old, w.fields) })
	if err == nil && now.Size() > value.MaxItemSize {
		err = expr.ErrUpdateSize
	}
	return now, w.engine.noteDamage(c.table.Name, err)
}

// canonical returns the canonical notation of a number.
func canonical(text string) (string, error) {
	if _, ok := smallInteger(text); ok {
		return text, nil
	}
	n, err := value.ParseNumber(text)
	return n.String(), err
}

// smallInteger parses integers in canonical notation that are far from the limits of an
// int64, such as counters and times.
func smallInteger[T string | []byte](text T) (n int64, ok bool) {
	const maxDigits = 17
	digits := text
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 || len(digits) > maxDigits || digits[0] == '0' && len(text) > 1 {
		return 0, false
	}
	for i := range len(digits) {
		digit := digits[i] - '0'
		if digit > 9 {
			return 0, false
		}
		n = n*10 + int64(digit)
	}
	if len(digits) < len(text) {
		n = -n
	}
	return n, true
}
