package archive

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// CSV reads the rows of a file of records in constant memory. Reading can be continued by
// another CSV.
type CSV struct {
	reader *csv.Reader
	budget *budget
	// headers are the collection's headers in the order of the file. household is the index of
	// the one with the number of the household, or -1.
	headers   []string
	household int
	// base is the offset at which the reader started, and row the number of rows before it.
	base int64
	row  int
}

// Position is a position in a file after a number of rows.
type Position struct {
	Offset int64
	Row    int
}

// OpenCSV starts reading a file for a collection. It fails if the headers are not those of
// the collection.
func OpenCSV(file io.Reader, c *Collection) (*CSV, error) {
	text, skipped, err := withoutMark(file)
	if err != nil {
		return nil, BadCSV(1, "%s", err)
	}
	r := &CSV{row: 1, base: skipped}
	r.begin(text)
	r.reader.FieldsPerRecord = 0
	header, err := r.reader.Read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, BadCSV(1, "the file is empty")
	case err != nil && !errors.Is(err, errTooManyCells): // of which the first suffice to refuse the headers
		return nil, r.explain(err, len(header))
	}
	if r.headers, err = c.matchHeaders(header); err != nil {
		return nil, err
	}
	r.household = c.householdAmong(r.headers)
	return r, nil
}

// withoutMark skips the byte-order mark of a file, and returns its length.
func withoutMark(file io.Reader) (text io.Reader, skipped int64, err error) {
	buffered := bufio.NewReader(file)
	switch mark, _ := buffered.Peek(3); {
	case bytes.Equal(mark, []byte("\xef\xbb\xbf")):
		_, _ = buffered.Discard(3)
		return buffered, 3, nil
	case bytes.HasPrefix(mark, []byte("\xff\xfe")), bytes.HasPrefix(mark, []byte("\xfe\xff")):
		return nil, 0, errors.New("the file is in UTF-16: save it as UTF-8")
	}
	return buffered, 0, nil
}

// GoOnCSV continues reading a file at a position. headers are those read at the start of
// the file.
func GoOnCSV(file io.Reader, c *Collection, headers []string, at Position) *CSV {
	r := &CSV{headers: headers, household: c.householdAmong(headers), base: at.Offset, row: at.Row}
	r.begin(file)
	r.reader.FieldsPerRecord = len(headers)
	return r
}

func (r *CSV) begin(file io.Reader) {
	r.budget = &budget{file: file, left: maxRow}
	r.reader = csv.NewReader(r.budget)
	r.reader.ReuseRecord = true
}

// Headers returns the collection's headers in the order of the file.
func (r *CSV) Headers() []string { return r.headers }

// Position returns the position after the last row read.
func (r *CSV) Position() Position { return Position{r.base + r.reader.InputOffset(), r.row} }

// Next returns the data of the next row, or io.EOF after the last one.
func (r *CSV) Next() (map[string]string, error) {
	cells, err := r.next()
	if err != nil {
		return nil, err
	}
	data := make(map[string]string, len(cells))
	for i, cell := range cells {
		data[r.headers[i]] = strings.Clone(cell)
	}
	return data, nil
}

// Check checks the next row, and returns the number of its household, or io.EOF after the
// last row. It takes much less than Next, which a file of millions of cells is read with
// later.
func (r *CSV) Check() (household string, err error) {
	cells, err := r.next()
	if err != nil {
		return "", err
	}
	return r.householdOf(cells), nil
}

func (r *CSV) householdOf(cells []string) string {
	if r.household < 0 {
		return ""
	}
	return strings.TrimSpace(cells[r.household])
}

// next returns the cells of the next row.
func (r *CSV) next() ([]string, error) {
	r.row++
	cells, err := r.read()
	if err != nil {
		return nil, err
	}
	size := 0
	for i, cell := range cells {
		if err := checkCell(cell); err != nil {
			return nil, BadCSV(r.row, "%s under %q", err, r.headers[i])
		}
		size += len(r.headers[i]) + len(cell)
	}
	if err := checkSize(size); err != nil {
		return nil, BadCSV(r.row, "%s", err)
	}
	if n := r.householdOf(cells); utf8.RuneCountInString(n) > MaxHouseholdKey {
		return nil, BadCSV(r.row, "a number of a household has at most %d characters", MaxHouseholdKey)
	}
	return cells, nil
}

// read returns the cells of a row.
func (r *CSV) read() ([]string, error) {
	r.budget.left = maxRow
	cells, err := r.reader.Read()
	if err != nil {
		return nil, r.explain(err, len(cells))
	}
	return cells, nil
}

// explain returns a refusal for an error due to the content of a row.
func (r *CSV) explain(err error, cells int) error {
	var wrong *csv.ParseError
	switch {
	case errors.Is(err, errRowTooLarge):
		return BadCSV(r.row, "a row has at most %d bytes: a quote may never have been closed", maxRow)
	case errors.Is(err, errTooManyCells):
		return BadCSV(r.row, "more than %d cells, but %d headers", maxCells, r.reader.FieldsPerRecord)
	case errors.As(err, &wrong) && errors.Is(err, csv.ErrFieldCount):
		return BadCSV(r.row, "%d cells, but %d headers", cells, r.reader.FieldsPerRecord)
	case errors.As(err, &wrong):
		return BadCSV(r.row, "%s", wrong.Err)
	}
	return err
}

// checkCell refuses an invalid value.
func checkCell(cell string) error {
	switch {
	case len(cell) > maxCell:
		return fmt.Errorf("a value has at most %d bytes, not %d", maxCell, len(cell))
	case !utf8.ValidString(cell):
		return errors.New("a value is not valid UTF-8")
	case strings.ContainsRune(cell, 0):
		return errors.New("a value has a zero byte")
	}
	return nil
}

// maxRow is the maximum number of bytes read for one row. Quoting can double those of a
// record, which has at most maxRecord.
const maxRow = 1 << 20

// maxCells is the maximum number of cells read for one row: more than any row of a collection
// has. Each takes 24 bytes while it is read, and the reader doubles that as it grows, so the
// million commas of a row of maxRow would take more than 100 MB.
const maxCells = 4 * MaxFields

var (
	errRowTooLarge  = errors.New("the row is too large")
	errTooManyCells = errors.New("the row has too many cells")
)

// budget is a reader that fails if a row is too long or has too many cells.
type budget struct {
	file io.Reader
	left int
	// cells is the number of cells that the current row has so far. Separators within quotes
	// do not count.
	cells  int
	quoted bool
}

func (b *budget) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errRowTooLarge
	}
	n, err := b.file.Read(p)
	b.left -= n
	for i, c := range p[:n] {
		switch {
		case c > ',': // most are
		case c == '"':
			b.quoted = !b.quoted
		case b.quoted:
		case c == '\n':
			b.cells = 0
		case c == ',':
			if b.cells++; b.cells == maxCells {
				return i, errTooManyCells
			}
		}
	}
	return n, err
}

// matchHeaders returns the headers of the collection in the order of a file.
func (c *Collection) matchHeaders(row []string) ([]string, error) {
	known := make(map[string]string, len(c.Fields))
	for _, f := range c.Fields {
		known[foldHeader(f.Header)] = f.Header
	}
	headers := make([]string, len(row))
	var extra []string
	seen := map[string]bool{}
	for i, h := range row {
		if !utf8.ValidString(h) {
			return nil, BadCSV(1, "a header is not valid UTF-8")
		}
		header, ok := known[foldHeader(h)]
		if !ok {
			if len(extra) < maxExtra {
				extra = append(extra, cut(h, maxHeader))
			}
			continue
		}
		if seen[header] {
			return nil, BadCSV(1, "the header %q is there twice", header)
		}
		seen[header] = true
		headers[i] = header
	}
	var missing []string
	for _, f := range c.Fields {
		if !seen[f.Header] {
			missing = append(missing, f.Header)
		}
	}
	if len(missing)+len(extra) > 0 {
		return nil, badHeaders(missing, extra)
	}
	return headers, nil
}
