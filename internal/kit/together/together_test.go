package together

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestWorkMeets(t *testing.T) {
	meet := make(chan string)
	var heard string
	err := Do(t.Context(),
		func(context.Context) error { meet <- "hello"; return nil },
		func(context.Context) error { heard = <-meet; return nil })
	if err != nil || heard != "hello" {
		t.Errorf("heard %q, %v", heard, err)
	}
}

func TestAFailureEndsTheOthers(t *testing.T) {
	fault := errors.New("store is away")
	err := Do(t.Context(),
		func(context.Context) error { return fault },
		func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
	if !errors.Is(err, fault) {
		t.Errorf("err = %v, want %v", err, fault)
	}
}

func TestAPanicIsAnError(t *testing.T) {
	err := Do(t.Context(),
		func(context.Context) error { panic("not read") },
		func(context.Context) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "not read") {
		t.Errorf("err = %v, want the panic", err)
	}
}

func TestOneWorkRunsHere(t *testing.T) {
	fault := errors.New("store is away")
	if err := Do(t.Context(), func(context.Context) error { return fault }); !errors.Is(err, fault) {
		t.Errorf("err = %v, want %v", err, fault)
	}
}
