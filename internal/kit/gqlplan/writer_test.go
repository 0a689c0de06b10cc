package gqlplan

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
)

func TestStringsAreWrittenAsGqlgenDoes(t *testing.T) {
	var texts []string
	for c := range 256 {
		for at := range 20 {
			text := []byte(strings.Repeat("ü-", 7))[:20]
			text[at] = byte(c)
			texts = append(texts, string(text), string(text[:at+1]))
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		text := make([]byte, r.IntN(60))
		for i := range text {
			text[i] = byte(r.IntN(256))
			if r.IntN(2) == 0 {
				text[i] = "\"\\\x1f !#[]\x7f\x80\xdc\xa2"[r.IntN(12)]
			}
		}
		texts = append(texts, string(text))
	}
	for _, text := range texts {
		var want bytes.Buffer
		graphql.MarshalString(text).MarshalGQL(&want)
		w := Writer{Buf: []byte("before")}
		if !w.String(text) || string(w.Buf) != "before"+want.String() {
			t.Fatalf("%q: got %s, want %s", text, w.Buf[6:], want.String())
		}
	}
}

func BenchmarkString(b *testing.B) {
	text := "A text of some length, as people write them 🎈 and then go on."
	w := Writer{}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		w.Buf = w.Buf[:0]
		w.String(text)
	}
}
