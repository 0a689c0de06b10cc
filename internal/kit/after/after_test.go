package after_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"stoa/internal/kit/after"
)

func TestEffectsWaitForFinishAndKeepTheirOrder(t *testing.T) {
	var log []string
	note := func(s string) func() { return func() { log = append(log, s) } }

	ctx, finish := after.Scope(context.Background())
	after.Do(ctx, note("first"))
	after.Do(context.WithoutCancel(ctx), note("second"))
	after.Do(context.Background(), note("unscoped"))
	note("answered")()
	finish()
	finish()
	after.Do(ctx, note("late"))

	want := []string{"unscoped", "answered", "first", "second", "late"}
	if !slices.Equal(log, want) {
		t.Errorf("effects ran as %v, want %v", log, want)
	}
}

func TestAnEffectOfAnEffectRunsBehindTheOthers(t *testing.T) {
	var log []string
	ctx, finish := after.Scope(context.Background())
	for i := range 2 {
		after.Do(ctx, func() {
			log = append(log, fmt.Sprint("outer ", i))
			after.Do(ctx, func() { log = append(log, fmt.Sprint("inner ", i)) })
		})
	}
	finish()
	want := []string{"outer 0", "outer 1", "inner 0", "inner 1"}
	if !slices.Equal(log, want) {
		t.Errorf("effects ran as %v, want %v", log, want)
	}
}

func TestInnerScopeHidesTheOuterOne(t *testing.T) {
	var ran bool
	outer, finishOuter := after.Scope(context.Background())
	inner, finishInner := after.Scope(outer)
	after.Do(inner, func() { ran = true })
	finishOuter()
	if ran {
		t.Error("the outer scope ran an effect of the inner one")
	}
	finishInner()
	if !ran {
		t.Error("the inner scope lost its effect")
	}
}
