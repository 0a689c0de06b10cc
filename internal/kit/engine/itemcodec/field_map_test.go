package itemcodec_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/itemcodec"
)

func TestFieldsAsMap(t *testing.T) {
	for name, item := range map[string]m{"none": {}, "typical": typical, "everything": everything, "a number in another notation": {"n": n("1.50e3")}} {
		want, err := itemcodec.AppendValue([]byte("before"), &types.AttributeValueMemberM{Value: item})
		if err != nil {
			t.Fatal(err)
		}
		got, err := itemcodec.AppendMap([]byte("before"), fieldsOf(item))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: got %x, %v\nwant %x", name, got, err, want)
		}
	}
	for _, fields := range [][]itemcodec.Field{
		{{Name: "b", Form: itemcodec.True}, {Name: "b", Form: itemcodec.True}}, {{Name: "b", Form: itemcodec.True}, {Name: "a", Form: itemcodec.True}}} {
		if _, err := itemcodec.AppendMap(nil, fields); !errors.Is(err, itemcodec.ErrFields) {
			t.Errorf("fields in disorder: %v", err)
		}
	}
	if _, err := itemcodec.AppendMap(nil, []itemcodec.Field{{Name: "a"}}); err == nil {
		t.Error("a field without a value is appended")
	}
}
