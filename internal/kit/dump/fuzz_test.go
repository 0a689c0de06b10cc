package dump

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// FuzzReader reads files with well-formed chunks of arbitrary content: the errors are those
// that are documented.
func FuzzReader(f *testing.F) {
	header := `{"kind":"dynamodb-items","version":1,"id":"x","tables":[{"name":"t","key":[{"name":"id","type":"S"}]}]}` + "\n"
	f.Add(header, `{"table":"t","item":{"id":{"S":"a"}}}`+"\n"+`{"chunk":{"number":1,"items":1,"table":"t","after":{"id":{"S":"a"}},"sha256":""}}`+"\n")
	f.Add(header, `{"end":{"items":{"t":0},"chunks":0,"sha256":""}}`+"\n")
	f.Add(header, "")
	f.Add("", "\n")
	f.Add(strings.Replace(header, "version", "Version", 1), `{"chunk":null,"end":{}}`)
	f.Fuzz(func(t *testing.T, header, chunk string) {
		var file bytes.Buffer
		w := &writer{to: &file}
		for _, text := range []string{header, chunk} {
			if err := w.member([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Verify(&file)
		var cut *IncompleteError
		var damaged *DamagedError
		var version *VersionError
		if !errors.As(err, &cut) && !errors.As(err, &damaged) && !errors.As(err, &version) && !errors.Is(err, ErrForeign) && err != nil {
			t.Errorf("got %v", err)
		}
		if err == nil && strings.Contains(chunk, "item\"") {
			t.Error("items without a checksum are taken for whole")
		}
		if err == io.EOF {
			t.Error("the end of a file is an error")
		}
	})
}
