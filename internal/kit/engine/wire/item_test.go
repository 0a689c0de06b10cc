package wire

import (
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestItemsAsTextAreTheSameItems(t *testing.T) {
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	item := map[string]types.AttributeValue{
		"":       text(""),
		"text":   text("a \"quoted\" line\nand\u2028<another> \\ \x01"),
		"number": &types.AttributeValueMemberN{Value: "-12345678901234567890123456789012345678E-100"},
		"bytes":  &types.AttributeValueMemberB{Value: []byte{0, 0xff, '\n'}},
		"true":   &types.AttributeValueMemberBOOL{Value: true},
		"null":   &types.AttributeValueMemberNULL{Value: true},
		"map":    &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"in\"ner": &types.AttributeValueMemberL{Value: []types.AttributeValue{text("x")}}}},
		"texts":  &types.AttributeValueMemberSS{Value: []string{"a", "b"}},
		"count":  &types.AttributeValueMemberNS{Value: []string{"1", "2.5"}},
		"blobs":  &types.AttributeValueMemberBS{Value: [][]byte{{1}, {2}}},
	}
	written := AppendItem(nil, item)
	if strings.ContainsAny(string(written), "\n") {
		t.Errorf("the item takes more than a line: %s", written)
	}
	read, err := ReadItem(written)
	if err != nil || !reflect.DeepEqual(read, item) {
		t.Errorf("%s\nis read as %v, %v", written, read, err)
	}
}

func TestReadItemRefuses(t *testing.T) {
	for text, want := range map[string]string{
		``:                    "no JSON",
		`{"a":{"S":"x"}`:      "no JSON",
		`null`:                "null",
		`["a"]`:               "no DynamoDB JSON",
		`"a"`:                 "no DynamoDB JSON",
		`{"a":"x"}`:           "no DynamoDB JSON",
		`{"a":{"X":"x"}}`:     `attribute "a" has no value of a known type`,
		`{"a":null}`:          `attribute "a" has no value of a known type`,
		`{"a":{"B":"no 64"}}`: "Base64",
	} {
		if item, err := ReadItem([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is read as %v, %v", text, item, err)
		}
	}
}
