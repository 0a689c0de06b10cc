package expr

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A Test and a Program with the same condition agree on all items, and return the same
// errors.
func TestTestsAgreeWithPrograms(t *testing.T) {
	text := func(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }
	number := func(v string) types.AttributeValue { return &types.AttributeValueMemberN{Value: v} }
	items := []Item{
		nil,
		{"status": text("OUT"), "size": number("3"), "tags": &types.AttributeValueMemberL{Value: []types.AttributeValue{text("a")}}},
		{"status": number("1"), "size": text("3")},
	}
	for _, c := range []struct {
		condition string
		values    []types.AttributeValue
	}{
		{"attribute_exists(#status)", nil},
		{"#status = :0 AND #size < :1", []types.AttributeValue{text("OUT"), number("4.0")}},
		{"attribute_not_exists(#size) OR #size >= :0", []types.AttributeValue{number("03")}},
		{"#size IN (:0, :1)", []types.AttributeValue{number("3e0"), text("x")}},
		{"size(#tags) BETWEEN :0 AND :1", []types.AttributeValue{number("1"), number("2")}},
		{"size(#tags) BETWEEN :0 AND :1", []types.AttributeValue{number("2"), number("1")}},
		{"begins_with(#status, :0)", []types.AttributeValue{text("O")}},
		{"begins_with(#status, :0)", []types.AttributeValue{number("1")}},
		{"#status = #status", nil},
		{"#status = :0", []types.AttributeValue{number("x")}},
		{"#status = :0", nil},
		{"#status.#size = :0", []types.AttributeValue{text("x")}},
		{"#status =", nil},
	} {
		var test Test
		r := &Request{Condition: &c.condition}
		for _, name := range []string{"status", "size", "tags"} {
			if strings.Contains(c.condition, "#"+name) {
				if r.Names == nil {
					r.Names = map[string]string{}
				}
				r.Names["#"+name] = name
			}
		}
		for i, v := range c.values {
			if r.Values == nil {
				r.Values = map[string]types.AttributeValue{}
			}
			r.Values[":"+string(rune('0'+i))] = v
		}
		p, want := Compile(r)
		for range 2 { // a Test may be bound again
			got := test.Bind(c.condition, c.values)
			if (got == nil) != (want == nil) || got != nil && !strings.Contains(want.Error(), got.Error()) {
				t.Errorf("%s %v: refused with %v, by a program with %v", c.condition, c.values, got, want)
			}
		}
		if want != nil {
			continue
		}
		for _, item := range items {
			if got, want := test.Holds(item), p.Condition(item); got != want {
				t.Errorf("%s of %v: %v, by a program %v", c.condition, item, got, want)
			}
		}
		got, want := test.CheckNested([]string{"status"}, []string{"size"}), p.CheckNested([]string{"status"}, []string{"size"})
		if (got == nil) != (want == nil) || got != nil && got.Error() != want.Error() {
			t.Errorf("%s nested: %v, by a program %v", c.condition, got, want)
		}
	}
}

func TestTestsRefuseValuesThatDoNotFit(t *testing.T) {
	x := &types.AttributeValueMemberS{Value: "x"}
	for condition, values := range map[string][]types.AttributeValue{
		"#a = :0":             {x, x},
		"#a = :1":             {x},
		"#a = :1 AND #b = :0": {x, x},
		"#a = :name":          {x},
	} {
		var test Test
		if err := test.Bind(condition, values); err == nil {
			t.Errorf("%s with %d values is bound", condition, len(values))
		}
	}
}
