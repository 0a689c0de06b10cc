package main

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress returns a function that shows a progress bar on stderr. It shows nothing if
// stderr is not a terminal.
func (m *Main) progress(what string) func(done, total int) {
	file := m.terminal()
	if file == nil {
		return func(int, int) {}
	}
	var bar *progressbar.ProgressBar
	return func(done, total int) {
		if bar == nil {
			bar = progressbar.NewOptions(total,
				progressbar.OptionSetWriter(file), progressbar.OptionSetDescription(what), progressbar.OptionShowCount(),
				progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(), progressbar.OptionFullWidth())
		}
		_ = bar.Set(done) // failing to draw the bar is harmless
	}
}

// terminal returns stderr if it is one, nil otherwise.
func (m *Main) terminal() *os.File {
	if file, ok := m.Stderr.(*os.File); ok && isTerminal(file) {
		return file
	}
	return nil
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
