package operation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/trace"
	"stoa/internal/server/wire"
)

// outage is an error of a dependency whose text may be shown to clients.
type outage struct{}

func (outage) Error() string  { return "disk 7 is full" }
func (outage) Outage() string { return "try again later" }

func TestErrorsAsClientsSeeThem(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	late, end := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer end()
	coded := &refusal.Error{Kind: refusal.Invalid, Text: "not now", Info: []string{"WAIT"}, Reason: "EARLY", Code: "LATER", Details: map[string]any{"version": 3}}
	for name, test := range map[string]struct {
		ctx           context.Context
		err           error
		message, code string
		errorType     string
		logged        string
	}{
		"refused":           {t.Context(), refusal.Invalidf("no %d", 1), "ClientError: no 1", "INVALID", clientError, ""},
		"refused, wrapped":  {t.Context(), fmt.Errorf("deep: %w", refusal.Forbiddenf("no")), "ClientError: no", "FORBIDDEN", clientError, ""},
		"with a code":       {t.Context(), coded, "ClientError: not now", "LATER", clientError, ""},
		"fault with a text": {t.Context(), refusal.Faultf("broken"), "ServerError: broken", "INTERNAL", serverError, "broken"},
		"outage":            {t.Context(), fmt.Errorf("put: %w", outage{}), "ServerError: try again later", "INTERNAL", serverError, "disk 7 is full"},
		"reads too much": {t.Context(), fmt.Errorf("page: %w", trace.ErrReadTooMuch), "ClientError: The operation reads too much at once: ask for fewer fields or shorter lists",
			"ANSWER_TOO_LARGE", clientError, ""},
		"timeout":            {late, context.DeadlineExceeded, "ServerError: Execution timed out", "TIMEOUT", serverError, "deadline"},
		"timeout of a part":  {t.Context(), context.DeadlineExceeded, "ServerError: Internal server error", "INTERNAL", serverError, "deadline"},
		"canceled":           {canceled, context.Canceled, "ServerError: Execution was cancelled", "CANCELLED", serverError, ""},
		"canceled by a part": {t.Context(), context.Canceled, "ServerError: Internal server error", "INTERNAL", serverError, "canceled"},
		"anything else":      {t.Context(), errors.New("password: secret"), "ServerError: Internal server error", "INTERNAL", serverError, "secret"},
		"a very long fault": {t.Context(), refusal.Faultf("%s", strings.Repeat("x", 5000)), "ServerError: " + strings.Repeat("x", 5000), "INTERNAL", serverError,
			strings.Repeat("x", 1000)},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			e := &Executor{log: slog.New(slog.NewTextHandler(&log, nil))}
			shown := e.present(test.ctx, test.err)
			if shown.Message != test.message || shown.Extensions[wire.Code] != test.code || shown.Extensions[wire.ErrorType] != test.errorType {
				t.Errorf("shown as %q with %v", shown.Message, shown.Extensions)
			}
			if test.logged == "" && log.Len() > 0 || !strings.Contains(log.String(), test.logged) {
				t.Errorf("logged: %q", &log)
			}
			if log.Len() > 1200 {
				t.Errorf("%d bytes logged", log.Len())
			}
		})
	}
	shown := (&Executor{}).present(t.Context(), coded)
	if info, _ := shown.Extensions[wire.ErrorInfo].([]string); !slices.Equal(info, coded.Info) || shown.Extensions[wire.Reason] != "EARLY" || shown.Extensions["version"] != 3 {
		t.Errorf("extensions are %v", shown.Extensions)
	}
}
