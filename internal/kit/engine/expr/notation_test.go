package expr

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// The tables write attribute values in a short notation: 'text', 12, b'bytes',
// true, null, [list of values], {map:of values}, <'set'>, <1 2>, <b'set'>.

// item parses a map in the notation; "" stands for an absent item.
func item(text string) map[string]types.AttributeValue {
	if text == "" {
		return nil
	}
	return read(text).(*types.AttributeValueMemberM).Value
}

// read parses one value in the notation. It panics on syntax errors.
func read(text string) types.AttributeValue {
	r := reader{tokens: tokenPattern.FindAllString(text, -1)}
	v := r.value()
	if len(r.tokens) > 0 {
		panic("left over in " + text)
	}
	return v
}

var tokenPattern = regexp.MustCompile(`b?'[^']*'|[\[\]{}<>]|[^\s\[\]{}<>':]+:?`)

type reader struct{ tokens []string }

func (r *reader) take() string {
	token := r.tokens[0]
	r.tokens = r.tokens[1:]
	return token
}

// until collects values up to the closing bracket.
func (r *reader) until(closing string) []types.AttributeValue {
	values := []types.AttributeValue{}
	for r.tokens[0] != closing {
		values = append(values, r.value())
	}
	r.take()
	return values
}

func (r *reader) value() types.AttributeValue {
	switch token := r.take(); {
	case token[0] == '\'':
		return &types.AttributeValueMemberS{Value: token[1 : len(token)-1]}
	case strings.HasPrefix(token, "b'"):
		return &types.AttributeValueMemberB{Value: []byte(token[2 : len(token)-1])}
	case token == "[":
		return &types.AttributeValueMemberL{Value: r.until("]")}
	case token == "<":
		return setOf(r.until(">"))
	case token == "{":
		m := map[string]types.AttributeValue{}
		for r.tokens[0] != "}" {
			name := strings.TrimSuffix(r.take(), ":")
			m[name] = r.value()
		}
		r.take()
		return &types.AttributeValueMemberM{Value: m}
	case token == "null":
		return &types.AttributeValueMemberNULL{Value: true}
	case token == "true" || token == "false":
		return &types.AttributeValueMemberBOOL{Value: token == "true"}
	default:
		return &types.AttributeValueMemberN{Value: token}
	}
}

func setOf(values []types.AttributeValue) types.AttributeValue {
	var strs, nums []string
	var bins [][]byte
	for _, v := range values {
		switch v := v.(type) {
		case *types.AttributeValueMemberS:
			strs = append(strs, v.Value)
		case *types.AttributeValueMemberN:
			nums = append(nums, v.Value)
		case *types.AttributeValueMemberB:
			bins = append(bins, v.Value)
		}
	}
	switch {
	case strs != nil:
		return &types.AttributeValueMemberSS{Value: strs}
	case nums != nil:
		return &types.AttributeValueMemberNS{Value: nums}
	default:
		return &types.AttributeValueMemberBS{Value: bins}
	}
}

// show prints a value in the notation, with sorted names in maps.
func show(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return "'" + v.Value + "'"
	case *types.AttributeValueMemberN:
		return v.Value
	case *types.AttributeValueMemberB:
		return "b'" + string(v.Value) + "'"
	case *types.AttributeValueMemberBOOL:
		return fmt.Sprint(v.Value)
	case *types.AttributeValueMemberNULL:
		return "null"
	case *types.AttributeValueMemberL:
		return "[" + showAll(v.Value, show) + "]"
	case *types.AttributeValueMemberM:
		return showItem(v.Value)
	case *types.AttributeValueMemberSS:
		return "<" + showAll(v.Value, func(s string) string { return "'" + s + "'" }) + ">"
	case *types.AttributeValueMemberNS:
		return "<" + strings.Join(v.Value, " ") + ">"
	case *types.AttributeValueMemberBS:
		return "<" + showAll(v.Value, func(b []byte) string { return "b'" + string(b) + "'" }) + ">"
	default:
		return fmt.Sprintf("%T", v)
	}
}

func showAll[T any](list []T, show func(T) string) string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = show(v)
	}
	return strings.Join(texts, " ")
}

func showItem(m map[string]types.AttributeValue) string {
	return "{" + showAll(slices.Sorted(maps.Keys(m)), func(name string) string { return name + ":" + show(m[name]) }) + "}"
}

// example is the item that most tables use.
const example = `{pk:'a' sk:1 s:'str' n:5 t:true z:null b:b'abc' bs:<b'a'> ss:<'a' 'b'> ns:<1 2>
	l:['x' 1 {a:1}] m:{a:{b:1} l:[]} wide:'é😀' x.y:1}`

// The values of the placeholders in the tables; values are named without the colon.
var (
	exampleNames  = map[string]string{"#n": "n", "#s": "s", "#status": "status", "#a": "a", "#l": "l", "#pk": "pk", "#dot": "x.y"}
	exampleValues = item(`{v:'x' n:1 m:2 ss:<'a'> ns:<1> bs:<b'a'> l:['q'] t:true b:b'a' map:{a:'x'} z:null str:'str' S:'S' empty:''}`)
	placeholders  = regexp.MustCompile(`[#:][A-Za-z0-9_]+`)
)

// request returns a request with one expression and the example placeholders that it uses.
func request(k kind, text string) *Request {
	r := &Request{}
	for _, p := range placeholders.FindAllString(text, -1) {
		if name, ok := exampleNames[p]; ok {
			if r.Names == nil {
				r.Names = map[string]string{}
			}
			r.Names[p] = name
		}
		if v, ok := exampleValues[strings.TrimPrefix(p, ":")]; ok && p[0] == ':' {
			if r.Values == nil {
				r.Values = map[string]types.AttributeValue{}
			}
			r.Values[p] = v
		}
	}
	switch k {
	case updateKind:
		r.Update = &text
	case conditionKind:
		r.Condition = &text
	case filterKind:
		r.Filter = &text
	case keyConditionKind:
		r.KeyCondition = &text
	case projectionKind:
		r.Projection = &text
	}
	return r
}

func compile(t testing.TB, k kind, text string) *Program {
	t.Helper()
	p, err := Compile(request(k, text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

// refused checks that a request with one expression is refused with the given error.
func refused(t *testing.T, k kind, text, want string) {
	t.Helper()
	if _, err := Compile(request(k, text)); err == nil || err.Error() != want {
		t.Errorf("%s\n got  %v\n want %s", text, err, want)
	}
}
