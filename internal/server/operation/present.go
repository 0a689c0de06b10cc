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

// Types of error as clients tell them apart.
const (
	clientError = "ClientError"
	serverError = "ServerError"
)

// present words an error of a resolver for the client. A refusal of the domain is
// shown with its text, and so is a fault whose text clients know. What a resolver never saw because an argument does not fit
// its scalar is the client's fault too. Anything else is ours: it is logged, and
// its text, which may hold anything, stays here.
func (e *Executor) present(ctx context.Context, err error) *gqlerror.Error {
	shown := &gqlerror.Error{Err: err, Path: graphql.GetPath(ctx), Locations: locations(ctx, err)}
	var refused *refusal.Error
	var outage refusal.Outage
	switch field := graphql.GetFieldContext(ctx); {
	case errors.As(err, &refused):
		errorType := clientError
		if refused.Kind == refusal.Fault {
			errorType = serverError
			// Such texts repeat what callers sent, of any length.
			e.logFault(ctx, slog.LevelError, shown.Path.String(), fmt.Errorf("%.1000s", err))
		}
		shown.Message = errorType + ": " + refused.Text
		shown.Extensions = extensions(refused.ShownCode(), errorType, refused.Info)
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

// extensions are read by newer clients; the encoder repeats the type and the info
// at the top of the error, where older ones look.
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

// lacksArguments tells that field's arguments were never read: reading them failed.
// Once read, the map is there even if it is empty.
func lacksArguments(field *graphql.FieldContext) bool {
	return field.Args == nil && field.Field.Field != nil &&
		field.Field.Definition != nil && len(field.Field.Definition.Arguments) > 0
}

// argumentMessage puts the way from the field to the bad value in front of what the
// scalar says about it.
func argumentMessage(field *graphql.FieldContext, err error) string {
	message := err.Error()
	var at *gqlerror.Error
	if !errors.As(err, &at) {
		return message
	}
	message = at.Message
	if above := field.Path(); len(at.Path) > len(above) {
		return fmt.Sprintf("argument '%s': %s", strings.TrimPrefix(at.Path[len(above):].String(), "."), message)
	}
	return message
}

// recovered turns a panic into an error that carries its stack to the log.
func (e *Executor) recovered(_ context.Context, p any) error {
	return fmt.Errorf("panic: %v\n%s", p, debug.Stack())
}
