package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A gazetteer is loaded into an empty store, and loaded again; an invalid one is refused.
func TestLoad(t *testing.T) {
	file, err := filepath.Abs("../../systems/archive/app/testdata/gazetteer.csv")
	if err != nil {
		t.Fatal(err)
	}
	wrong := filepath.Join(t.TempDir(), "wrong.csv")
	if err := os.WriteFile(wrong, []byte("id,name,full_name,level\n1,A,A,high\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	data := "embedded:" + t.TempDir()
	for _, want := range []string{"50 places: 50 new, 0 changed, 0 unchanged.\n", "50 places: 0 new, 0 changed, 50 unchanged.\n"} {
		printed, err := run(t, "load", "archive", file, "--store", data)
		if want = "Loaded " + file + " into " + data + ": " + want; err != nil || printed != want {
			t.Errorf("printed %q, %v, want %q", printed, err, want)
		}
	}
	for _, c := range []struct{ system, file, want string }{
		{"archive", wrong, wrong + `: the gazetteer cannot be loaded: line 2, column level: "high" is no number from 1 to 20`},
		{"pantry", file, `"pantry" does not load files: systems that do are archive`},
	} {
		if _, err := run(t, "load", c.system, c.file, "--store", data); err == nil || err.Error() != c.want {
			t.Errorf("%s %s: %v, want %s", c.system, c.file, err, c.want)
		}
	}
}
