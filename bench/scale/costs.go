package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// cost is what an operation and its effects consume.
type cost struct{ calls, reads, writes float64 }

func (c cost) plus(o cost) cost {
	return cost{c.calls + o.calls, c.reads + o.reads, c.writes + o.writes}
}

func (c cost) times(n float64) cost { return cost{n * c.calls, n * c.reads, n * c.writes} }

// readCosts returns the costs in the tables of docs/costs.md, by operation.
func readCosts(file string) (map[string]cost, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	costs := map[string]cost{}
	var header []string
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case !strings.HasPrefix(line, "|"):
			header = nil
		case header == nil:
			header = cells
		case !strings.HasPrefix(cells[0], "---"):
			c, err := costOf(header, cells)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			costs[cells[0]] = c
		}
	}
	return costs, nil
}

func costOf(header, cells []string) (c cost, err error) {
	if len(cells) != len(header) {
		return c, fmt.Errorf("%q has %d cells, want %d", cells[0], len(cells), len(header))
	}
	// Units of effects are in columns of the same or a longer name.
	for i, name := range header {
		var to *float64
		switch strings.TrimPrefix(name, "effects: ") {
		case "calls":
			to = &c.calls
		case "read units":
			to = &c.reads
		case "write units":
			to = &c.writes
		default:
			continue
		}
		n, err := strconv.ParseFloat(cells[i], 64)
		if err != nil {
			return c, fmt.Errorf("%q: %w", cells[0], err)
		}
		*to += n
	}
	return c, nil
}
