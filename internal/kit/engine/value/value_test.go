package value

import (
	"errors"
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Short constructors keep the tables readable.

type av = types.AttributeValue

func str(s string) av         { return &types.AttributeValueMemberS{Value: s} }
func num(s string) av         { return &types.AttributeValueMemberN{Value: s} }
func bin(s string) av         { return &types.AttributeValueMemberB{Value: []byte(s)} }
func boolean(b bool) av       { return &types.AttributeValueMemberBOOL{Value: b} }
func null() av                { return &types.AttributeValueMemberNULL{Value: true} }
func list(v ...av) av         { return &types.AttributeValueMemberL{Value: v} }
func dict(m map[string]av) av { return &types.AttributeValueMemberM{Value: m} }
func strSet(v ...string) av   { return &types.AttributeValueMemberSS{Value: v} }
func numSet(v ...string) av   { return &types.AttributeValueMemberNS{Value: v} }
func binSet(v ...string) av   { return &types.AttributeValueMemberBS{Value: byteSlices(v)} }
func nested(levels int) (v av) {
	v = str("x")
	for range levels - 1 {
		v = list(v)
	}
	return v
}

func byteSlices(texts []string) [][]byte {
	var b [][]byte
	for _, s := range texts {
		b = append(b, []byte(s))
	}
	return b
}

// countTo returns the strings "0" to n-1.
func countTo(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = strconv.Itoa(i)
	}
	return texts
}

func TestNormalizeRefuses(t *testing.T) {
	const invalid = "One or more parameter values were invalid: "
	for name, c := range map[string]struct {
		in   av
		want string
	}{
		"no value":           {nil, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
		"no value in a list": {list(nil), "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
		"several types": {list(&types.UnknownUnionMember{Tag: SeveralTypes}), "Supplied AttributeValue has more than one datatypes set, " +
			"must contain exactly one of the supported datatypes"},
		"unknown type":       {&types.UnknownUnionMember{Tag: "X"}, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
		"false null":         {&types.AttributeValueMemberNULL{}, invalid + "Null attribute value types must have the value of true"},
		"bad number":         {num("abc"), "The parameter cannot be converted to a numeric value: abc"},
		"bad number deep":    {list(dict(map[string]av{"a": num("x")})), "The parameter cannot be converted to a numeric value: x"},
		"bad number in set":  {numSet("1", "abc"), "The parameter cannot be converted to a numeric value: abc"},
		"empty string set":   {strSet(), invalid + "An string set  may not be empty"},
		"empty number set":   {numSet(), invalid + "An number set  may not be empty"},
		"empty binary set":   {binSet(), invalid + "Binary sets should not be empty"},
		"empty set deep":     {list(strSet()), invalid + "An string set  may not be empty"},
		"twin strings":       {strSet("b", "a", "b"), invalid + "Input collection [b, a, b] contains duplicates."},
		"twin numbers":       {numSet("1", "2", "1.0"), "Input collection contains duplicates"},
		"twin binaries":      {binSet("a", "a"), invalid + "Input collection [YQ==, YQ==]of type BS contains duplicates."},
		"twins in a big set": {numSet(append(countTo(50), "7.0")...), "Input collection contains duplicates"},
		"empty name deep":    {dict(map[string]av{"": str("x")}), "Empty attribute name"},
		"33 levels":          {nested(33), "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"},
		"first fault by name": {dict(map[string]av{"c": num("c"), "a": str("fine"), "d": num("d"), "b": num("b")}),
			"The parameter cannot be converted to a numeric value: b"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Normalize(c.in)
			var refused *ValidationError
			if !errors.As(err, &refused) || refused.Message != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	for name, want := range map[string]string{
		"":                         "Empty attribute name",
		strings.Repeat("x", 65536): "Attribute name is too large, must be less than 65536 bytes",
	} {
		if _, err := NormalizeItem(map[string]av{name: str("x")}); err == nil || err.Error() != want {
			t.Errorf("item with a name of %d bytes: %v", len(name), err)
		}
	}
}

func TestNormalizeKeepsWhatIsCanonical(t *testing.T) {
	fresh := func() map[string]av {
		return map[string]av{
			"s": str(""), "n": num("-12.5"), "b": bin(""), "t": boolean(true), "0": null(),
			"l": list(num("0"), str("a")), "m": dict(map[string]av{"x": num("100")}),
			"ss": strSet("", "a"), "ns": numSet("-9", "0.1", "1"), "bs": binSet("", "a"),
			"deep": nested(32), "big": num(ones38), "many": numSet(countTo(50)...),
			"none": list(), "empty": dict(nil),
		}
	}
	item := fresh()
	got, err := NormalizeItem(item)
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(got, item) {
		t.Error("values were replaced although nothing had to change")
	}
	if !Equal(dict(item), dict(fresh())) {
		t.Error("the input was modified")
	}
	delete(item, "many") // a large set is checked with a map
	if n := testing.AllocsPerRun(100, func() {
		if _, err := NormalizeItem(item); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations for an item that stays as it is", n)
	}
}

// Equal sets have the same bytes, wherever they occur.
func TestNormalizeOrdersSets(t *testing.T) {
	for name, c := range map[string]struct{ given, want av }{
		"strings":     {strSet("b", "Z", "a"), strSet("Z", "a", "b")},
		"numbers":     {numSet("10", "9", "-1", "1e3"), numSet("-1", "9", "10", "1000")},
		"canonical":   {numSet("10", "9"), numSet("9", "10")},
		"binaries":    {binSet("\x80", "\x7f"), binSet("\x7f", "\x80")},
		"in a list":   {list(strSet("b", "a")), list(strSet("a", "b"))},
		"in a map":    {dict(map[string]av{"x": numSet("2", "1")}), dict(map[string]av{"x": numSet("1", "2")})},
		"list itself": {list(str("b"), str("a")), list(str("b"), str("a"))},
	} {
		before := show(c.given)
		got, err := Normalize(c.given)
		if err != nil || show(got) != show(c.want) {
			t.Errorf("%s: %s became %s, %v", name, before, show(got), err)
		}
		if show(c.given) != before {
			t.Errorf("%s: the input was modified", name)
		}
	}
}

func TestNormalizeRewritesNumbers(t *testing.T) {
	item := map[string]av{
		"n": num("1.50"), "ns": numSet("1", "1e2"), "s": str("1.50"),
		"l": list(str("x"), num("-0"), dict(map[string]av{"y": num("007"), "z": num("8")})),
	}
	got, err := NormalizeItem(item)
	if err != nil {
		t.Fatal(err)
	}
	inner := got["l"].(*types.AttributeValueMemberL).Value
	for where, pair := range map[string][2]string{
		"n":      {got["n"].(*types.AttributeValueMemberN).Value, "1.5"},
		"ns":     {got["ns"].(*types.AttributeValueMemberNS).Value[1], "100"},
		"l[1]":   {inner[1].(*types.AttributeValueMemberN).Value, "0"},
		"l[2].y": {inner[2].(*types.AttributeValueMemberM).Value["y"].(*types.AttributeValueMemberN).Value, "7"},
		"s":      {got["s"].(*types.AttributeValueMemberS).Value, "1.50"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s is %s, want %s", where, pair[0], pair[1])
		}
	}
	if item["n"].(*types.AttributeValueMemberN).Value != "1.50" ||
		item["ns"].(*types.AttributeValueMemberNS).Value[1] != "1e2" {
		t.Error("the input was modified")
	}
}

// normal returns v in its stored form; nil is unchanged.
func normal(t *testing.T, v av) av {
	t.Helper()
	if v == nil {
		return nil
	}
	n, err := Normalize(v)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b av
		want bool
	}{
		{str("a"), str("a"), true},
		{str("a"), str("A"), false},
		{num("1"), num("1.0"), true},
		{num("1"), str("1"), false},
		{num("1"), num("1e-38"), false},
		{bin("a"), bin("a"), true},
		{bin("a"), str("a"), false},
		{boolean(true), boolean(true), true},
		{boolean(true), boolean(false), false},
		{null(), null(), true},
		{null(), boolean(false), false},
		{list(num("1"), str("a")), list(num("1.0"), str("a")), true},
		{list(num("1"), str("a")), list(str("a"), num("1")), false},
		{list(), list(null()), false},
		{dict(map[string]av{"a": num("1")}), dict(map[string]av{"a": num("1.0")}), true},
		{dict(map[string]av{"a": num("1")}), dict(map[string]av{"b": num("1")}), false},
		{dict(map[string]av{"a": num("1")}), dict(map[string]av{"a": num("1"), "b": null()}), false},
		{strSet("a", "b"), strSet("b", "a"), true},
		{strSet("a", "b"), strSet("a", "c"), false},
		{strSet("a", "b"), list(str("a"), str("b")), false},
		{numSet("1", "2"), numSet("2.0", "1"), true},
		{numSet("1", "2"), numSet("2", "1", "3"), false},
		{numSet(countTo(100)...), numSet(countTo(100)...), true},
		{binSet("a", "b"), binSet("b", "a"), true},
		{nil, nil, false},
	} {
		c.a, c.b = normal(t, c.a), normal(t, c.b)
		if got := Equal(c.a, c.b); got != c.want {
			t.Errorf("Equal(%s, %s) = %v", show(c.a), show(c.b), got)
		}
		if got := Equal(c.b, c.a); got != c.want {
			t.Errorf("Equal(%s, %s) = %v", show(c.b), show(c.a), got)
		}
	}
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		a, b  av
		order int
		ok    bool
	}{
		{str("a"), str("b"), -1, true},
		{str("Z"), str("a"), -1, true},
		{str("\uffff"), str("\U00010000"), -1, true}, // UTF-8 bytes, not UTF-16 units
		{num("10"), num("9"), 1, true},
		{num("-10"), num("-9"), -1, true},
		{num("-10"), num("9"), -1, true},
		{num("0"), num("-1"), 1, true},
		{num("-12"), num("-13"), 1, true},
		{num("123"), num("1e2"), 1, true},
		{num("1.0"), num("1"), 0, true},
		{num("x"), num("1"), 0, false},
		{bin("\x80"), bin("\x7f"), 1, true},
		{str("1"), num("1"), 0, false},
		{boolean(true), boolean(false), 0, false},
		{strSet("a"), strSet("a"), 0, false},
	} {
		if order, ok := Compare(c.a, c.b); order != c.order || ok != c.ok {
			t.Errorf("Compare(%s, %s) = %d, %v", show(c.a), show(c.b), order, ok)
		}
	}
}

func TestSets(t *testing.T) {
	many := countTo(40)
	for name, c := range map[string]struct{ a, b, union, rest av }{
		"strings":       {strSet("a", "b"), strSet("b", "c"), strSet("a", "b", "c"), strSet("a")},
		"numbers":       {numSet("1", "2"), numSet("2.0", "3"), numSet("1", "2", "3"), numSet("1")},
		"binaries":      {binSet("a", "b"), binSet("b"), binSet("a", "b"), binSet("a")},
		"nothing left":  {strSet("a"), strSet("a", "b"), strSet("a", "b"), nil},
		"large":         {numSet(many...), numSet(many[1:]...), numSet(many...), numSet("0")},
		"element types": {strSet("1"), numSet("1"), nil, nil},
		"no set":        {str("a"), strSet("a"), nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			c.a, c.b, c.union, c.rest = normal(t, c.a), normal(t, c.b), normal(t, c.union), normal(t, c.rest)
			before := show(c.a)
			union, ok := Union(c.a, c.b)
			if ok != (c.union != nil) || ok && !Equal(union, c.union) {
				t.Errorf("union is %s", show(union))
			}
			rest, ok := Difference(c.a, c.b)
			if ok != (c.union != nil) || (rest == nil) != (c.rest == nil) || rest != nil && !Equal(rest, c.rest) {
				t.Errorf("difference is %s", show(rest))
			}
			if show(c.a) != before {
				t.Errorf("the operand became %s", show(c.a))
			}
		})
	}
}

func TestHas(t *testing.T) {
	for _, c := range []struct {
		set, element av
		want         bool
	}{
		{strSet("a", "b"), str("b"), true},
		{strSet("a", "b"), str("c"), false},
		{strSet("1"), num("1"), false},
		{numSet("1", "2"), num("2.0"), true},
		{numSet("1", "2"), num("3"), false},
		{binSet("a"), bin("a"), true},
		{binSet("a"), bin("b"), false},
		{list(str("a")), str("a"), false},
	} {
		if got := Has(normal(t, c.set), normal(t, c.element)); got != c.want {
			t.Errorf("Has(%s, %s) = %v", show(c.set), show(c.element), got)
		}
	}
}

func TestSize(t *testing.T) {
	for _, c := range []struct {
		v    av
		want int
	}{
		{str(""), 0},
		{str("abc"), 3},
		{str("é"), 2},
		{bin("abc"), 3},
		{boolean(false), 1},
		{null(), 1},
		{num("0"), 1},
		{num("7"), 2},
		{num("27"), 2},
		{num("-27"), 3},
		{num("270000"), 2},
		{num("0.0027"), 2},
		{num("123"), 3},
		{num(ones38), 20},
		{num("-" + ones38), 21},
		{list(), 3},
		{list(str("abc"), num("27")), 3 + 1 + 3 + 1 + 2},
		{dict(nil), 3},
		{dict(map[string]av{"ab": str("abc")}), 3 + 1 + 2 + 3},
		{strSet("a", "bc"), 3},
		{numSet("27", "123"), 5},
		{binSet("a", "bc"), 3},
	} {
		if got := Size(c.v); got != c.want {
			t.Errorf("Size(%s) = %d, want %d", show(c.v), got, c.want)
		}
	}
	for _, over := range []int{0, 1} {
		item := map[string]av{"a": list(dict(map[string]av{"b": str(strings.Repeat("x", MaxItemSize-10+over))}))}
		if size := ItemSize(item); size != MaxItemSize+over || Fits(item) != (over == 0) {
			t.Errorf("an item of %d bytes fits: %v", size, Fits(item))
		}
	}
	if got := ItemSize(map[string]av{"pk": str("user/1"), "n": num("5")}); got != 2+6+1+2 {
		t.Errorf("ItemSize = %d", got)
	}
}

func TestDepth(t *testing.T) {
	for _, c := range []struct {
		v    av
		want int
	}{
		{str("x"), 1},
		{strSet("x"), 1},
		{list(), 1},
		{nested(33), 33},
		{dict(map[string]av{"a": list(list()), "b": str("x")}), 3},
	} {
		if got := Depth(c.v); got != c.want {
			t.Errorf("%s has depth %d, want %d", show(c.v), got, c.want)
		}
	}
}

// show prints a value for a failure message.
func show(v av) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return strconv.Quote(v.Value)
	case *types.AttributeValueMemberN:
		return v.Value
	case *types.AttributeValueMemberB:
		return "b" + strconv.Quote(string(v.Value))
	case *types.AttributeValueMemberSS:
		return "SS" + strings.Join(v.Value, ",")
	case *types.AttributeValueMemberNS:
		return "NS" + strings.Join(v.Value, ",")
	case *types.AttributeValueMemberL:
		var parts []string
		for _, e := range v.Value {
			parts = append(parts, show(e))
		}
		return "[" + strings.Join(parts, " ") + "]"
	default:
		return TypeOf(v)
	}
}
