package host

import (
	"testing"

	"stoa/internal/kit/designtest"
	"stoa/internal/ops"
)

// A version that announces a format keeps earlier versions out, and no others; a later start of
// an earlier version does not lower it.
func TestFormats(t *testing.T) {
	db, _ := designtest.Open(t, "", ops.Tables...)
	formats := ops.Open(db).Formats
	accepted := func(read int) {
		t.Helper()
		if err := checkFormat(t.Context(), formats, read); err != nil {
			t.Errorf("a version that reads format %d: %v", read, err)
		}
	}
	raise := func(number int, version string) {
		t.Helper()
		if err := raiseFormat(t.Context(), formats, ops.Format{Number: number, Version: version}); err != nil {
			t.Fatal(err)
		}
	}
	accepted(1)
	raise(1, "v1.0.0")
	accepted(1)
	raise(3, "v1.4.0")
	raise(2, "v1.3.0")
	accepted(3)
	const want = "the tables have items of format 3, written by stoa v1.4.0, and this version reads up to format 2: start v1.4.0 or later"
	if err := checkFormat(t.Context(), formats, 2); err == nil || err.Error() != want {
		t.Errorf("a version that reads format 2: %v", err)
	}
}
