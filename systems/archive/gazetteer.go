package archive

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Gazetteer files are CSV with a header. These are their columns; what is optional may be
// left out or empty. Lists have their entries separated by listSeparator.
var placeColumns = map[string]func(p *Place, text string) error{
	"id": func(p *Place, text string) (err error) {
		p.ID, err = parsePlaceID(text)
		return err
	},
	"name": func(p *Place, text string) error {
		p.Name = text
		return checkName("place", text, maxPlace)
	},
	"full_name": func(p *Place, text string) error {
		p.FullName = text
		return checkName("place", text, maxPlace)
	},
	"level": func(p *Place, text string) (err error) {
		p.Level, err = parseCount(text, 1, maxLevel)
		return err
	},
	"alt_names": func(p *Place, text string) error {
		p.AltNames = splitList(text)
		return checkTexts("alt_names", p.AltNames)
	},
	"types": func(p *Place, text string) error {
		p.Types = splitList(text)
		return checkTexts("types", p.Types)
	},
	"located_in_id": unlessEmpty(func(p *Place, text string) (err error) {
		p.LocatedInID, err = parsePlaceID(text)
		return err
	}),
	"also_located_in_ids": func(p *Place, text string) error {
		for _, entry := range splitList(text) {
			id, err := parsePlaceID(entry)
			if err != nil {
				return err
			}
			p.AlsoLocatedInIDs = append(p.AlsoLocatedInIDs, id)
		}
		return nil
	},
	"country_id": unlessEmpty(func(p *Place, text string) (err error) {
		p.CountryID, err = parsePlaceID(text)
		return err
	}),
	"latitude":  unlessEmpty(func(p *Place, text string) (err error) { p.Latitude, err = parseDegrees(text, 90); return err }),
	"longitude": unlessEmpty(func(p *Place, text string) (err error) { p.Longitude, err = parseDegrees(text, 180); return err }),
	"count": unlessEmpty(func(p *Place, text string) (err error) {
		p.Count, err = parseCount(text, 0, 1<<31-1)
		return err
	}),
}

var requiredPlaceColumns = []string{"id", "name", "full_name", "level"}

const listSeparator = "|"

func unlessEmpty(set func(p *Place, text string) error) func(p *Place, text string) error {
	return func(p *Place, text string) error {
		if text == "" {
			return nil
		}
		return set(p, text)
	}
}

func splitList(text string) (entries []string) {
	for entry := range strings.SplitSeq(text, listSeparator) {
		if entry = strings.TrimSpace(entry); entry != "" {
			entries = append(entries, entry)
		}
	}
	return entries
}

func parsePlaceID(text string) (ID, error) {
	id, err := ParseID(text)
	if err != nil || id > MaxPlaceID {
		return 0, fmt.Errorf("%.40q is no id of a place: those are numbers from 1 to %d", text, MaxPlaceID)
	}
	return id, nil
}

func parseCount(text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("%.40q is no number from %d to %d", text, least, most)
	}
	return n, nil
}

func parseDegrees(text string, most float64) (*float64, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= -most && n <= most) {
		return nil, fmt.Errorf("%.40q is no number of degrees from %v to %v", text, -most, most)
	}
	return &n, nil
}

// GazetteerFile reads places from a file, in constant memory.
type GazetteerFile struct {
	reader  *csv.Reader
	budget  *budget
	columns []string
	// seen are the ids of the rows before, a bit each.
	seen []uint64
}

// OpenGazetteer begins to read a file. It fails when its columns are not those of a
// gazetteer.
func OpenGazetteer(file io.Reader) (*GazetteerFile, error) {
	text, _, err := withoutMark(file)
	if err != nil {
		return nil, badGazetteer(1, "", "%s", err)
	}
	g := &GazetteerFile{budget: &budget{file: text}, seen: make([]uint64, MaxPlaceID/64+1)}
	g.reader = csv.NewReader(g.budget)
	row, err := g.read()
	if errors.Is(err, io.EOF) {
		return nil, badGazetteer(1, "", "the file is empty")
	}
	if err != nil {
		return nil, err
	}
	for _, name := range row {
		name = strings.ToLower(strings.TrimSpace(name))
		switch {
		case placeColumns[name] == nil:
			return nil, badGazetteer(1, name, "there is no such column of places")
		case slices.Contains(g.columns, name):
			return nil, badGazetteer(1, name, "the column is there twice")
		}
		g.columns = append(g.columns, name)
	}
	for _, name := range requiredPlaceColumns {
		if !slices.Contains(g.columns, name) {
			return nil, badGazetteer(1, name, "the column is missing")
		}
	}
	return g, nil
}

// Next returns the next place, and io.EOF behind the last.
func (g *GazetteerFile) Next() (*Place, error) {
	row, err := g.read()
	if err != nil {
		return nil, err
	}
	p := &Place{}
	for i, text := range row {
		err := checkCell(text)
		if err == nil {
			err = placeColumns[g.columns[i]](p, strings.TrimSpace(text))
		}
		if err != nil {
			line, _ := g.reader.FieldPos(i)
			return nil, badGazetteer(line, g.columns[i], "%s", err)
		}
	}
	line, _ := g.reader.FieldPos(0)
	word, bit := p.ID/64, uint64(1)<<(p.ID%64)
	if g.seen[word]&bit != 0 {
		return nil, badGazetteer(line, "id", "the place %s was there before", p.ID)
	}
	g.seen[word] |= bit
	if err := p.Check(); err != nil {
		return nil, badGazetteer(line, "", "%s", err)
	}
	return p, nil
}

func (g *GazetteerFile) read() ([]string, error) {
	g.budget.left = maxRow
	row, err := g.reader.Read()
	var wrong *csv.ParseError
	switch {
	case errors.As(err, &wrong) && errors.Is(err, csv.ErrFieldCount):
		return nil, badGazetteer(wrong.Line, "", "%d cells, but %d columns", len(row), g.reader.FieldsPerRecord)
	case errors.As(err, &wrong):
		return nil, badGazetteer(wrong.Line, "", "%s", wrong.Err)
	case errors.Is(err, errRowTooLarge):
		return nil, badInput("GAZETTEER", "the gazetteer cannot be loaded: a row has at most %d bytes: a quote may never have been closed", maxRow)
	}
	return row, err
}

// badGazetteer refuses a file for what stands in a line of it, and in a column where that
// is not empty.
func badGazetteer(line int, column, format string, args ...any) error {
	at := fmt.Sprint("line ", line)
	if column != "" {
		at += ", column " + cut(column, maxHeader)
	}
	return badInput("GAZETTEER", "the gazetteer cannot be loaded: %s: %s", at, fmt.Sprintf(format, args...))
}
