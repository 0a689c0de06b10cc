package wire

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/itemcodec"
)

// storedForm encodes an item as the engine does; known names are numbers in it.
func storedForm(t *testing.T, item map[string]types.AttributeValue, known ...string) (*itemcodec.Dictionary, []byte) {
	t.Helper()
	names := itemcodec.NewDictionary(known...)
	data, err := itemcodec.Append(nil, names, item)
	if err != nil {
		t.Fatal(err)
	}
	return names, data
}

// What is written from stored bytes is read as the item that was stored.
func TestStoredItemsAsTextAreTheSameItems(t *testing.T) {
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	item := map[string]types.AttributeValue{
		"text":    text("a \"quoted\" line\nand\u2028<another> \\ \x01 日本 😀"),
		"empty":   text(""),
		"na\"me":  text("x"),
		"number":  &types.AttributeValueMemberN{Value: "-123.5"},
		"bytes":   &types.AttributeValueMemberB{Value: []byte{0, 0xff, '\n'}},
		"true":    &types.AttributeValueMemberBOOL{Value: true},
		"false":   &types.AttributeValueMemberBOOL{Value: false},
		"null":    &types.AttributeValueMemberNULL{Value: true},
		"list":    &types.AttributeValueMemberL{Value: []types.AttributeValue{text("x"), &types.AttributeValueMemberL{Value: []types.AttributeValue{}}}},
		"map":     &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"in\"ner": text("x"), "": text("y"), "z": &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{}}}},
		"texts":   &types.AttributeValueMemberSS{Value: []string{"a", "b\""}},
		"numbers": &types.AttributeValueMemberNS{Value: []string{"1", "2.5"}},
		"blobs":   &types.AttributeValueMemberBS{Value: [][]byte{{1}, {2}}},
	}
	names, data := storedForm(t, item, "text", "list", "numbers")
	v, err := itemcodec.Open(names, data)
	if err != nil {
		t.Fatal(err)
	}
	written, err := appendView(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	if read, err := ReadItem(written); err != nil || !reflect.DeepEqual(read, item) {
		t.Errorf("%s\nis read as %v, %v", written, read, err)
	}
	// A client is told that an item is damaged, never a part of it.
	for cut := range data {
		v, err := itemcodec.Open(names, data[:cut])
		if err != nil {
			continue
		}
		if written, err := appendView(nil, v); !errors.Is(err, itemcodec.ErrCorrupt) {
			t.Errorf("%d of %d bytes became %s, %v", cut, len(data), written, err)
		}
	}
}

func FuzzAppendString(f *testing.F) {
	plain := "plain text of some length, as most are"
	for at := range 20 {
		for _, c := range []string{"\"", "\\", "\n", "\x1f", "\x7f", "\x80", "é", "\xff", "😀"} {
			f.Add(plain[:at] + c + plain[at:])
		}
	}
	f.Add("")
	f.Fuzz(func(t *testing.T, s string) {
		written := appendString(nil, s)
		if again := appendString(nil, []byte(s)); string(again) != string(written) {
			t.Errorf("%q is %s as text and %s as bytes", s, written, again)
		}
		if !utf8.Valid(written) {
			t.Fatalf("%q became %q", s, written)
		}
		if got, want := unquote(written), strings.ToValidUTF8(s, "\ufffd"); utf8.ValidString(s) && got != want {
			t.Errorf("%q became %s, which is %q", s, written, got)
		}
		for i, c := range []byte(s[:plainLength(s)]) {
			if c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
				t.Errorf("%q at %d of %q passes for plain", c, i, s)
			}
		}
		if n := plainLength(s); n < len(s) && s[n] >= ' ' && s[n] < utf8.RuneSelf && s[n] != '"' && s[n] != '\\' {
			t.Errorf("%q at %d of %q does not pass for plain", s[n], n, s)
		}
	})
}
