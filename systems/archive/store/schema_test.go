package store

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "rewrite SCHEMA.md")

func TestSchemaIsFresh(t *testing.T) {
	var want bytes.Buffer
	if err := WriteSchema(&want); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("SCHEMA.md", want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("SCHEMA.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Error("SCHEMA.md is not what the declarations say: run go test ./systems/archive/store -run Fresh -update")
	}
}
