package expr

import (
	"errors"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/value"
)

func TestPathsBelowKeys(t *testing.T) {
	const refused = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "
	text := func(s string) *string { return &s }
	values := map[string]types.AttributeValue{":v": &types.AttributeValueMemberN{Value: "1"}}
	for _, tt := range []struct {
		name    string
		request Request
		want    string
	}{
		{"projection", Request{Projection: text("a, pk.x")}, refused + "Key: pk"},
		{"list element", Request{Projection: text("pk[0]")}, refused + "Key: pk"},
		{"placeholder", Request{Projection: text("#k.x"), Names: map[string]string{"#k": "pk"}}, refused + "Key: pk"},
		{"index key", Request{Projection: text("g.x")}, refused + "IndexKey: g"},
		{"comparison", Request{Condition: text("pk.x = :v"), Values: values}, refused + "Key: pk"},
		{"function deep inside", Request{Condition: text("a = :v OR NOT (size(pk.x) > :v AND b = :v)"), Values: values}, refused + "Key: pk"},
		{"list of IN", Request{Filter: text(":v IN (a, g.x)"), Values: values}, refused + "IndexKey: g"},
		{"between", Request{Filter: text("a BETWEEN g.x AND :v"), Values: values}, refused + "IndexKey: g"},
		{"keys in the order of the schema", Request{Projection: text("sk.x, pk.x")}, refused + "Key: pk"},
		{"keys before index keys", Request{Projection: text("g.x, sk.x")}, refused + "Key: sk"},
		{"update target", Request{Update: text("SET g.x = :v"), Values: values}, refused + "IndexKey: g"},
		{"update operand", Request{Update: text("SET a = if_not_exists(pk.x, :v) + :v"), Values: values}, refused + "Key: pk"},
		{"keys themselves and others below", Request{Projection: text("pk, g, a.pk, b[1].g")}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Compile(&tt.request)
			if err != nil {
				t.Fatal(err)
			}
			err = p.CheckNested([]string{"pk", "sk"}, []string{"g"})
			var bad *value.ValidationError
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case tt.want != "" && (!errors.As(err, &bad) || bad.Message != tt.want):
				t.Errorf("got %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestFilterNames(t *testing.T) {
	filter := "#b.x = :v AND (attribute_exists(a[1]) OR size(c) > :v) AND a < :v"
	p, err := Compile(&Request{Filter: &filter, Names: map[string]string{"#b": "b"},
		Values: map[string]types.AttributeValue{":v": &types.AttributeValueMemberN{Value: "1"}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.FilterNames(); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("filter mentions %v", got)
	}
}
