package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"stoa/internal/kit/engine"
)

// copyOnRequest copies the database in dir at each request, while it is in use, until stop
// is called. The result is logged. An in-memory database has no dir and is not copied.
func copyOnRequest(e *engine.Engine, dir string, requests <-chan os.Signal, log *slog.Logger) (stop func()) {
	stopping, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stopping:
				return
			case <-requests:
				copyBeside(e, dir, log)
			}
		}
	}()
	return func() { close(stopping); <-stopped }
}

// copyBeside creates a copy next to dir, where unchanged files can be linked.
func copyBeside(e *engine.Engine, dir string, log *slog.Logger) {
	if dir == "" {
		log.Warn("data in memory cannot be copied")
		return
	}
	began := time.Now()
	to, err := filepath.Abs(dir)
	if err == nil {
		to += began.UTC().Format("-copy-20060102T150405Z")
		err = e.Checkpoint(to)
	}
	if err != nil {
		log.Error("the data could not be copied", "to", to, "error", err)
		return
	}
	log.Info("the data has been copied", "to", to, "took", time.Since(began).String())
}
