package main

import (
	"context"
	"fmt"

	"stoa/internal/host"
	"stoa/internal/kit/cli"
)

func (m *Main) searchCommand() *cli.Command {
	return &cli.Command{
		Name:        "search",
		Usage:       "maintain the search indexes",
		Description: "Example:\n   stoa search rebuild",
		Commands: []*cli.Command{{
			Name:  "rebuild",
			Usage: "rebuild the search indexes from the stored items",
			Description: "Mutations keep the indexes up to date. Rebuild them after an import from a version without them, " +
				"or when a server reports at startup that this is necessary. " +
				"Rebuilding may be repeated, and servers may keep running; but embedded data can be used by only one program at a time: stop the server " +
				"first.\n\nExample:\n   stoa search rebuild",
			Flags: settingFlags("store", "table-prefix", "region", "systems"),
			Action: func(ctx context.Context, cmd *cli.Command) error {
				return m.onStore(ctx, cmd, func(s Settings, h *host.Host) error { return m.rebuildSearch(ctx, s, h) }, nil)
			},
		}},
	}
}

func (m *Main) rebuildSearch(ctx context.Context, s Settings, h *host.Host) error {
	for _, system := range s.systems() {
		if system.RebuildSearch == nil {
			continue
		}
		bars := map[string]func(done, total int){}
		report, err := system.RebuildSearch(ctx, h, func(index string, done int) {
			if bars[index] == nil {
				bars[index] = m.progress("indexing " + index)
			}
			bars[index](done, unknownTotal)
		})
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(m.Stdout, "%s", report); err != nil {
			return err
		}
	}
	return nil
}

// unknownTotal makes a progress bar show only what has been done.
const unknownTotal = -1
