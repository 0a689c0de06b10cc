package archive

import (
	"strings"
	"testing"

	"stoa/internal/kit/refusal"
)

// A file of a million columns is refused with an error of ordinary size.
func TestUnknownHeadersAreNamedInPart(t *testing.T) {
	c := &Collection{CollectionPlan: CollectionPlan{Fields: []CollectionField{{Header: "Name"}}}}
	_, err := OpenCSV(strings.NewReader("Name"+strings.Repeat(",x", 1<<18)+"\n"), c)
	e, ok := err.(*refusal.Error)
	if !ok || e.Reason != "HEADERS" || len(e.Text) > 1000 {
		t.Fatalf("%T %.200v", err, err)
	}
	if extra := e.Details["params"].(map[string]any)["extra"].([]string); len(extra) != maxExtra {
		t.Errorf("%d headers are named", len(extra))
	}
}
