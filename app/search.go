package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"stoa/internal/host"
	"stoa/internal/kit/search"
	"stoa/store"
)

// adoptSearch marks the search indexes of an empty store as ready. Indexes that must be
// built first refuse queries until then.
func adoptSearch(ctx context.Context, s *store.Store, log *slog.Logger) error {
	for _, index := range s.SearchIndexes() {
		err := s.Adopt(ctx, index)
		if incomplete := (*search.IncompleteError)(nil); errors.As(err, &incomplete) {
			log.WarnContext(ctx, "search answers with errors until its index is built", "index", index.Name, "run", "stoa search rebuild")
			continue
		}
		if err != nil {
			return fmt.Errorf("search index of %s: %w", index.Name, err)
		}
	}
	return nil
}

// rebuildSearch rebuilds all search indexes while servers are running.
func rebuildSearch(ctx context.Context, h *host.Host, progress func(index string, done int)) (report string, err error) {
	s := store.Open(h.DB)
	var lines strings.Builder
	for _, index := range s.SearchIndexes() {
		done, err := s.Rebuild(ctx, index, func(done int) { progress(index.Name, done) })
		if err != nil {
			return "", fmt.Errorf("search index of %s: %w", index.Name, err)
		}
		fmt.Fprintf(&lines, "%s: %d indexed under %d words; %d stale words removed\n", index.Name, done.Documents, done.Rows, done.Removed)
	}
	return lines.String(), nil
}
