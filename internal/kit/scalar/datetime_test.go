package scalar_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/scalar"
)

func TestDateTime(t *testing.T) {
	const text = "2026-01-02T03:04:05.060Z"
	for _, same := range []string{text, "2026-01-02T03:04:05.06Z", "2026-01-02T05:04:05.060+02:00", "2026-01-02T03:04:05.0609Z"} {
		at, err := scalar.UnmarshalDateTime(same)
		if err != nil {
			t.Errorf("%s: %v", same, err)
			continue
		}
		var written bytes.Buffer
		scalar.MarshalDateTime(at).MarshalGQL(&written)
		if written.String() != `"`+text+`"` || string(scalar.AppendDateTime(nil, at)) != written.String() {
			t.Errorf("%s is written as %s", same, &written)
		}
	}
	if got := string(scalar.AppendDateTime(nil, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))); got != `"2026-01-01T00:00:00.000Z"` {
		t.Errorf("a full second is written as %s", got)
	}
	for _, bad := range []any{"", "2026-01-02", "2026-01-02T03:04:05", "2026-02-30T03:04:05Z", 5, nil, json.Number("5")} {
		if _, err := scalar.UnmarshalDateTime(bad); refusal.KindOf(err) != refusal.BadInput {
			t.Errorf("%v: %v", bad, err)
		}
	}
}
