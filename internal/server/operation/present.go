package operation

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/trace"
	"stoa/internal/server/wire"
)

// Error types that clients distinguish.
const (
	clientError = "ClientError"
	serverError = "ServerError"
)

// present converts a resolver's error for the client. Domain refusals, and faults with
// texts known to clients, are shown with their text. An argument that does not match its
// scalar, which no resolver has seen, is also the client's error. All other errors are
// internal: they are logged without showing their text, which may contain anything.
func (e *Executor) present(ctx context.Context, err error) *gqlerror.Error {
	shown := &gqlerror.Error{Err: err, Path: graphql.GetPath(ctx), Locations: locations(ctx, err)}
	var refused *refusal.Error
	var outage refusal.Outage
	switch field := graphql.GetFieldContext(ctx); {
	case errors.As(err, &refused):
		errorType := clientError
		if refused.Kind == refusal.Fault {
			errorType = serverError
			// Such texts contain input from callers, of any length.
			e.logFault(ctx, slog.LevelError, shown.Path.String(), fmt.Errorf("%.1000s", err))
		}
		shown.Message = errorType + ": " + refused.Text
		shown.Extensions = extensions(refused.ShownCode(), errorType, refused.Info)
		if field != nil && lacksArguments(field) { // the value of a scalar, which has no name
			if path := argumentPath(field, err); path != "" {
				shown.Extensions["field"] = path
			}
		}
		maps.Copy(shown.Extensions, refused.Details)
		if refused.Reason != "" {
			shown.Extensions[wire.Reason] = refused.Reason
		}
	case errors.As(err, &outage):
		shown.Message = serverError + ": " + outage.Outage()
		shown.Extensions = extensions(refusal.Kind(0).String(), serverError, nil)
		e.logFault(ctx, slog.LevelWarn, shown.Path.String(), err)
	case errors.Is(err, trace.ErrReadTooMuch):
		shown.Message = clientError + ": The operation reads too much at once: ask for fewer fields or shorter lists"
		shown.Extensions = extensions("ANSWER_TOO_LARGE", clientError, nil)
	case field != nil && lacksArguments(field):
		shown.Path = field.Path()
		shown.Message = "Validation error of type WrongType: " + argumentMessage(field, err)
		shown.Extensions = extensions(errcode.ValidationFailed, invalid, nil)
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil:
		shown.Message = serverError + ": Execution timed out"
		shown.Extensions = extensions("TIMEOUT", serverError, nil)
		e.logFault(ctx, slog.LevelWarn, shown.Path.String(), err)
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		shown.Message = serverError + ": Execution was cancelled"
		shown.Extensions = extensions("CANCELLED", serverError, nil)
	default:
		shown.Message = serverError + ": Internal server error"
		shown.Extensions = extensions(refusal.Kind(0).String(), serverError, nil)
		e.logFault(ctx, slog.LevelError, shown.Path.String(), err)
	}
	return shown
}

// extensions returns the extensions read by newer clients; the encoder repeats the type and
// the info at the top level of the error for older ones.
func extensions(code, errorType string, info []string) map[string]any {
	m := map[string]any{wire.Code: code, wire.ErrorType: errorType, wire.ErrorInfo: nil}
	if len(info) > 0 {
		m[wire.ErrorInfo] = info
	}
	return m
}

func locations(ctx context.Context, err error) []gqlerror.Location {
	var located *gqlerror.Error
	if errors.As(err, &located) && len(located.Locations) > 0 {
		return located.Locations
	}
	if field := graphql.GetFieldContext(ctx); field != nil && field.Field.Field != nil && field.Field.Position != nil {
		return []gqlerror.Location{{Line: field.Field.Position.Line, Column: field.Field.Position.Column}}
	}
	return nil
}

// lacksArguments reports whether parsing field's arguments failed. Once parsed, the map
// exists even if it is empty.
func lacksArguments(field *graphql.FieldContext) bool {
	return field.Args == nil && field.Field.Field != nil &&
		field.Field.Definition != nil && len(field.Field.Definition.Arguments) > 0
}

// argumentMessage prefixes a scalar's message with the path from the field to the invalid
// value.
func argumentMessage(field *graphql.FieldContext, err error) string {
	message := err.Error()
	var at *gqlerror.Error
	if !errors.As(err, &at) {
		return message
	}
	message = at.Message
	if path := argumentPath(field, err); path != "" {
		return fmt.Sprintf("argument '%s': %s", path, message)
	}
	return message
}

// argumentPath returns the path from the field to an invalid value of its arguments, or "" if
// it is unknown.
func argumentPath(field *graphql.FieldContext, err error) string {
	var at *gqlerror.Error
	if above := field.Path(); errors.As(err, &at) && len(at.Path) > len(above) {
		return strings.TrimPrefix(at.Path[len(above):].String(), ".")
	}
	return ""
}

// recovered converts a panic to an error with a stack trace for the log.
func (e *Executor) recovered(_ context.Context, p any) error {
	return fmt.Errorf("panic: %v\n%s", p, debug.Stack())
}
