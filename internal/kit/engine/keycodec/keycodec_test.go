package keycodec_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/keycodec"
	"stoa/internal/kit/engine/value"
)

// ascending lists numbers from the smallest to the largest.
var ascending = []string{
	"-9.9999999999999999999999999999999999999E+125", "-1E+125", "-123456789012345678901234567890",
	"-1000", "-999.9", "-100.01", "-100", "-12.5", "-12", "-1.01", "-1", "-0.5", "-0.05", "-0.049", "-1E-130",
	"0",
	"1E-130", "1.1E-130", "0.049", "0.05", "0.5", "1", "1.01", "12", "12.5", "99", "100", "100.01", "999.9", "1000", "1001",
	"123456789012345678901234567890", "1E+125", "9.9999999999999999999999999999999999999E+125",
}

func number(t testing.TB, text string) []byte {
	t.Helper()
	n, err := value.ParseNumber(text)
	if err != nil {
		t.Fatal(err)
	}
	key, err := keycodec.AppendNumber(nil, n.String())
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return key
}

func TestNumbersOrder(t *testing.T) {
	for i := 1; i < len(ascending); i++ {
		low, high := number(t, ascending[i-1]), number(t, ascending[i])
		if bytes.Compare(low, high) >= 0 {
			t.Errorf("%s: %x\nis not below\n%s: %x", ascending[i-1], low, ascending[i], high)
		}
	}
}

func TestNumberSpellings(t *testing.T) {
	for _, same := range [][]string{{"0", "-0", "0.00", "000"}, {"12.5", "12.50", "0012.5"}, {"-0.05", "-.05", "-0.050"}, {"100", "100.", "1e2", "+100"}} {
		first, err := keycodec.AppendNumber(nil, same[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range same[1:] {
			if key, err := keycodec.AppendNumber(nil, text); err != nil || !bytes.Equal(key, first) {
				t.Errorf("%s: %x, %v, want that of %s: %x", text, key, err, same[0], first)
			}
		}
	}
}

func TestNumbersRefused(t *testing.T) {
	for _, text := range []string{"", "-", ".", "1e", "1.2.3", "abc", "1" + strings.Repeat("0", 126), "0." + strings.Repeat("0", 130) + "1"} {
		if key, err := keycodec.AppendNumber(nil, text); err == nil {
			t.Errorf("%q gave %x", text, key)
		}
	}
}

// FuzzNumbers compares the order of encodings with that of the numbers, also with a suffix.
func FuzzNumbers(f *testing.F) {
	for i, text := range ascending {
		f.Add(text, ascending[len(ascending)-1-i])
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, err := value.ParseNumber(a)
		if err != nil {
			return
		}
		y, err := value.ParseNumber(b)
		if err != nil {
			return
		}
		if want, got := x.Cmp(y), bytes.Compare(append(number(t, a), 0xFF), append(number(t, b), 0xFF)); want != got {
			t.Errorf("%s and %s compare as %d, their encodings as %d", a, b, want, got)
		}
	})
}

// FuzzBytes does the same for strings, and checks that a prefix is a prefix of the
// encodings of its extensions only.
func FuzzBytes(f *testing.F) {
	for _, a := range []string{"", "a", "ab", "a\x00", "a\x00b", "a\x01", "\x00", "\x00\x00", "\xff", "a\xff"} {
		for _, b := range []string{"", "a", "a\x00", "a\x00\x01", "a\x01", "\xff\xff"} {
			f.Add(a, b)
		}
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := keycodec.AppendBytes(nil, a), keycodec.AppendBytes(nil, []byte(b))
		want, _ := value.Compare(&types.AttributeValueMemberS{Value: a}, &types.AttributeValueMemberS{Value: b})
		if got := bytes.Compare(append(x, 0xFF), append(y, 0x00)); got != want && want != 0 {
			t.Errorf("%q and %q compare as %d, their encodings as %d", a, b, want, got)
		}
		prefix := keycodec.AppendPrefix(nil, a)
		inside := bytes.Compare(y, prefix) >= 0 && (keycodec.After(prefix) == nil || bytes.Compare(y, keycodec.After(prefix)) < 0)
		if inside != strings.HasPrefix(b, a) {
			t.Errorf("%q begins with %q: %v, but its key %x lies in the range of %x: %v", b, a, !inside, y, prefix, inside)
		}
	})
}

func TestSegmentsCoverAllHashesOnce(t *testing.T) {
	for _, total := range []int{1, 2, 3, 7, 1000, 1_000_000} {
		next := uint64(0)
		for i := range total {
			from, to := keycodec.Segment(i, total)
			if from != next || to < from {
				t.Fatalf("segment %d of %d is [%d, %d), want it to begin at %d", i, total, from, to, next)
			}
			next = to
		}
		if next != 1<<32 {
			t.Errorf("%d segments end at %d", total, next)
		}
	}
}

// Similar partition values, such as sequential ids, must spread over all segments.
func TestHashSpreads(t *testing.T) {
	const values, segments = 8000, 8
	var counts [segments]int
	for i := range values {
		hash := keycodec.Hash(keycodec.AppendBytes(nil, fmt.Sprint("user/", i)))
		counts[uint64(hash)*segments>>32]++
	}
	for i, n := range counts {
		if n < values/segments*8/10 || n > values/segments*12/10 {
			t.Errorf("segment %d holds %d of %d values", i, n, values)
		}
	}
}

func TestAfter(t *testing.T) {
	for _, tt := range []struct{ prefix, want []byte }{
		{[]byte("ab"), []byte("ac")},
		{[]byte("a\xff"), []byte("b")},
		{[]byte("\xff\xff"), nil},
		{nil, nil},
	} {
		if got := keycodec.After(tt.prefix); !bytes.Equal(got, tt.want) {
			t.Errorf("after %x comes %x, want %x", tt.prefix, got, tt.want)
		}
	}
}

func BenchmarkAppendNumber(b *testing.B) {
	texts := make([]string, 64)
	for i := range texts {
		n, err := value.ParseNumber(strings.Repeat("7", 1+rand.IntN(20)))
		if err != nil {
			b.Fatal(err)
		}
		texts[i] = n.String()
	}
	var key []byte
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		var err error
		if key, err = keycodec.AppendNumber(key[:0], texts[i%len(texts)]); err != nil {
			b.Fatal(err)
		}
	}
}

func TestSkip(t *testing.T) {
	rest := []byte{0, 1, 2, 0xFF}
	check := func(what string, key []byte, isNumber bool) {
		t.Helper()
		got, ok := keycodec.Skip(append(bytes.Clone(key), rest...), isNumber)
		if !ok || !bytes.Equal(got, rest) {
			t.Errorf("%s: %x, %v is left of %x", what, got, ok, key)
		}
		for n := range key {
			if _, ok := keycodec.Skip(key[:n], isNumber); ok {
				t.Errorf("%s: %x is taken for whole", what, key[:n])
			}
		}
	}
	for _, text := range ascending {
		check(text, number(t, text), true)
	}
	for _, text := range []string{"", "a", "\x00", "a\x00\x01b", "\x00\x00", "\x01\xff\x00"} {
		check(text, keycodec.AppendBytes(nil, text), false)
	}
	if _, ok := keycodec.Skip([]byte{7, 7, 0}, true); ok {
		t.Error("what is no number is skipped")
	}
}
