package wire

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzIsJSON(f *testing.F) {
	for _, text := range []string{
		``, ` `, `{}`, `[]`, ` { } `, `[ ]`, `null`, `nul`, `nulll`, `true`, `false`, `truefalse`, `{"a":1}`, `{"a" : [ 1 , 2 ] }`, `{"a":1,}`, `[1,]`, `[,1]`,
		`{,}`, `{"a"}`, `{"a":}`, `{a:1}`, `{1:1}`, `[1 2]`, `[1}`, `{"a":1]`, `"a`, `"a"b`, `"\"`, `"\\"`, `"\n\t\/\b\f\r"`, `"\x"`, `"\u12"`, `"\u12G4"`,
		`"\uD800"`, `"\u00e9é"`, "\"\x1f\"", "\"\x7f\"", "\"\xff\"", "\"\x00\"", `0`, `-0`, `01`, `-`, `-a`, `1.`, `.5`, `1.5`, `1e`, `1e+`, `1E-5`, `1.0e+10`,
		`0x1`, `+1`, `1_0`, "\ufeff{}", "{}\x00", "\x00", usualPut, strings.Repeat("[", 100) + strings.Repeat("]", 100), `{"a":{"b":{"c":[{}]}}}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := isJSON([]byte(text)), json.Valid([]byte(text)) && utf8.ValidString(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	})
}

func TestNestingOfJSON(t *testing.T) {
	nested := func(n int) []byte { return []byte(strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n)) }
	if !isJSON(nested(maxNesting)) || isJSON(nested(maxNesting+1)) || isJSON([]byte(strings.Repeat("[", 1<<20))) {
		t.Error("the depth of values is not bounded as it says")
	}
	if !json.Valid(nested(maxNesting)) || json.Valid(nested(maxNesting+1)) {
		t.Error("encoding/json has another bound")
	}
}

func BenchmarkIsJSON(b *testing.B) {
	body := []byte(usualPut)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if !isJSON(body) {
			b.Fatal("refused")
		}
	}
}
