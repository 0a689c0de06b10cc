package trace

import (
	"context"
	"log/slog"
)

// Logged returns a handler that adds to each record the ids of the trace and the span that its
// context has reached, under the names that OpenTelemetry gives them.
func Logged(h slog.Handler) slog.Handler { return logged{h} }

type logged struct{ slog.Handler }

func (l logged) Handle(ctx context.Context, r slog.Record) error {
	if trace, span := IDs(ctx); trace != "" {
		r = r.Clone()
		r.AddAttrs(slog.String("trace_id", trace), slog.String("span_id", span))
	}
	return l.Handler.Handle(ctx, r)
}

func (l logged) WithAttrs(attrs []slog.Attr) slog.Handler { return logged{l.Handler.WithAttrs(attrs)} }

func (l logged) WithGroup(name string) slog.Handler { return logged{l.Handler.WithGroup(name)} }
