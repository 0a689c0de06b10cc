package wire

import (
	"errors"
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/itemcodec"
)

// storedForm encodes an item as the engine does, with numbers for known names.
func storedForm(t *testing.T, item map[string]types.AttributeValue, known ...string) (*itemcodec.Dictionary, []byte) {
	t.Helper()
	names := itemcodec.NewDictionary(known...)
	data, err := itemcodec.Append(nil, names, item)
	if err != nil {
		t.Fatal(err)
	}
	return names, data
}

// Stored bytes are written as JSON that decodes to the stored item.
func TestStoredItemsAsTextAreTheSameItems(t *testing.T) {
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	item := map[string]types.AttributeValue{
		"text":   text("a \"quoted\" line\nand\u2028<another> \\ \x01 日本 😀"),
		"empty":  text(""),
		"na\"me": text("x"),
		"number": &types.AttributeValueMemberN{Value: "-123.5"},
		"bytes":  &types.AttributeValueMemberB{Value: []byte{0, 0xff, '\n'}},
		"true":   &types.AttributeValueMemberBOOL{Value: true},
		"false":  &types.AttributeValueMemberBOOL{Value: false},
		"null":   &types.AttributeValueMemberNULL{Value: true},
		"list":   &types.AttributeValueMemberL{Value: []types.AttributeValue{text("x"), &types.AttributeValueMemberL{Value: []types.AttributeValue{}}}},
		"map": &types.AttributeValueMemberM{
			Value: map[string]types.AttributeValue{"in\"ner": text("x"), "": text("y"), "z": &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{}}},
		},
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
	// For a damaged item the client gets an error, never a part of it.
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
