package main

import (
	"io"
	"log/slog"

	"github.com/lmittmann/tint"
)

// logger returns a logger that writes lines of a level: JSON for programs, and for terminals one
// readable line each, colored unless NO_COLOR is set (https://no-color.org).
func (m *Main) logger(lines io.Writer, level slog.Leveler) *slog.Logger {
	if m.terminal() == nil {
		return slog.New(slog.NewJSONHandler(lines, &slog.HandlerOptions{Level: level}))
	}
	plain := false
	if m.LookupEnv != nil {
		value, _ := m.LookupEnv("NO_COLOR")
		plain = value != ""
	}
	return slog.New(tint.NewHandler(lines, &tint.Options{TimeFormat: "15:04:05", Level: level, NoColor: plain}))
}
