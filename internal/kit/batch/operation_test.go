package batch_test

import (
	"context"
	"testing"

	"stoa/internal/kit/batch"
)

func TestLoadersOfAnOperation(t *testing.T) {
	type loaders struct{ lengths *batch.Loader[string, int] }
	made := 0
	ctx := batch.With(t.Context(), func(ctx context.Context) *loaders {
		made++
		return &loaders{batch.New(ctx, 0, func(_ context.Context, words []string) (map[string]int, error) {
			found := map[string]int{}
			for _, w := range words {
				if w != "" {
					found[w] = len(w)
				}
			}
			return found, nil
		})}
	})
	if made != 0 {
		t.Error("loaders that nobody asked for are made")
	}
	for word, want := range map[string]int{"one": 3, "three": 5, "": 0} {
		if n, err := batch.From[loaders](ctx).lengths.One(ctx, word); n != want || err != nil {
			t.Errorf("%q has %d letters, %v", word, n, err)
		}
	}
	if made != 1 {
		t.Errorf("loaders are made %d times", made)
	}
}
