package wire

import (
	"encoding/json"
	"regexp"
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
		got, want := isJSON([]byte(text)), json.Valid([]byte(text)) && utf8.ValidString(text)
		if got != want && (got || !halfCharacter.MatchString(text)) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	})
}

// halfCharacter matches a possible half of a surrogate pair.
var halfCharacter = regexp.MustCompile(`\\u[dD][89a-fA-F]`)

func TestHalfCharacters(t *testing.T) {
	for text, want := range map[string]bool{
		`"\ud83d\ude00"`: true, `"\uD83D\uDE00"`: true, `"\ud7ff\ue000"`: true, `"\\ud800"`: true, `{"\ud83d\ude00":1}`: true,
		`"\ud800"`: false, `"\udc00"`: false, `"\ud800\ud800"`: false, `"\ude00\ud83d"`: false, `"\ud83dx"`: false, `"\ud83d\n"`: false,
		`"\ud83d\u0041"`: false, `{"\udfff":1}`: false,
	} {
		if got := isJSON([]byte(text)); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func TestNestingOfJSON(t *testing.T) {
	const maxNesting = 10000
	nested := func(n int) []byte { return []byte(strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n)) }
	if !isJSON(nested(maxNesting)) || isJSON(nested(maxNesting+1)) || isJSON([]byte(strings.Repeat("[", 1<<20))) {
		t.Error("the depth of values is not bounded as it says")
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
