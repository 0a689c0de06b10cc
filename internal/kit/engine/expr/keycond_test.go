package expr

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

var (
	hashOnly = Schema{Hash: Key{"pk", types.ScalarAttributeTypeS}}
	hashSort = Schema{Hash: Key{"pk", types.ScalarAttributeTypeS}, Sort: Key{"sk", types.ScalarAttributeTypeN}}
	textSort = Schema{Hash: Key{"pk", types.ScalarAttributeTypeS}, Sort: Key{"sk", types.ScalarAttributeTypeS}}
)

func TestKeyConditions(t *testing.T) {
	for _, c := range []struct {
		schema    Schema
		text      string
		op        Op
		low, high string
	}{
		{hashSort, "pk = :v", Any, "", ""},
		{hashOnly, ":v = pk", Any, "", ""},
		{hashSort, "#pk = :v AND sk = :n", Equal, "1", ""},
		{hashSort, "sk = :n AND pk = :v", Equal, "1", ""},
		{hashSort, "pk = :v and sk > :n", Greater, "1", ""},
		{hashSort, "pk = :v AND sk >= :n", GreaterOrEqual, "1", ""},
		{hashSort, "pk = :v AND sk < :n", Less, "1", ""},
		{hashSort, "pk = :v AND sk <= :n", LessOrEqual, "1", ""},
		{hashSort, "pk = :v AND :n < sk", Greater, "1", ""},
		{hashSort, "pk = :v AND :n >= sk", LessOrEqual, "1", ""},
		{hashSort, "(pk = :v AND sk BETWEEN :n AND :m)", Between, "1", "2"},
		{hashSort, "pk = :v AND (sk BETWEEN :n AND :m)", Between, "1", "2"},
		{textSort, "(pk = :v) AND (begins_with(sk, :str))", BeginsWith, "'str'", ""},
		{textSort, "((pk = :v) AND sk = :str)", Equal, "'str'", ""},
	} {
		hash, r, err := applied(compile(t, keyConditionKind, c.text), c.schema)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if show(hash) != "'x'" || r.Op != c.op || showBoundOf(r.Low) != c.low || showBoundOf(r.High) != c.high {
			t.Errorf("%s is %s with %v %s %s", c.text, show(hash), r.Op, showBoundOf(r.Low), showBoundOf(r.High))
		}
	}
}

// applied applies the conditions of p to both attributes of a key.
func applied(p *Program, s Schema) (hash types.AttributeValue, sort SortRange, err error) {
	k := p.KeyConditions()
	if hash, err = k.Hash(s); err != nil {
		return nil, sort, err
	}
	sort, err = k.Sort(s)
	return hash, sort, err
}

func showBoundOf(v types.AttributeValue) string {
	if v == nil {
		return ""
	}
	return show(v)
}

// TestRefusedKeyConditions checks the errors for key conditions of an invalid form.
func TestRefusedKeyConditions(t *testing.T) {
	const invalid = "Invalid condition in KeyConditionExpression: "
	for _, c := range []struct{ text, want string }{
		{"pk <> :v", "Invalid operator used in KeyConditionExpression: <>"},
		{"pk = :v OR sk = :n", "Invalid operator used in KeyConditionExpression: OR"},
		{"pk = :v AND (sk = :n OR sk = :m)", "Invalid operator used in KeyConditionExpression: OR"},
		{"pk = :v AND NOT sk = :n", "Invalid operator used in KeyConditionExpression: NOT"},
		{"pk = :v AND sk IN (:n)", "Invalid operator used in KeyConditionExpression: IN"},
		{"pk = :v AND contains(sk, :v)", "Invalid operator used in KeyConditionExpression: contains"},
		{"pk = :v AND attribute_exists(sk)", "Invalid operator used in KeyConditionExpression: attribute_exists"},
		{"pk = :v AND size(sk) = :n", "KeyConditionExpressions cannot contain nested operations"},
		{"pk = size(q)", "KeyConditionExpressions cannot contain nested operations"},
		{"pk.a = :v", "KeyConditionExpressions cannot have conditions on nested attributes"},
		{"pk = :v AND sk[0] = :n", "KeyConditionExpressions cannot have conditions on nested attributes"},
		{"pk = s", invalid + "Multiple attribute names used in one condition"},
		{"pk = :v AND begins_with(sk, q)", invalid + "Multiple attribute names used in one condition"},
		{":v = :v", invalid + "No key attribute specified"},
		{"pk = :v AND begins_with(:v, sk)", invalid + "begins_with operator must have the key attribute as its first operand"},
		{"pk = :v AND :n BETWEEN sk AND :m", invalid + "BETWEEN operator must have the key attribute as its first operand"},
		{"pk = :v AND pk = :v", "KeyConditionExpressions must only contain one condition per key"},
		{"pk = :v AND sk > :n AND sk < :m", "KeyConditionExpressions must only contain one condition per key"},
		{"pk = :v AND sk = :n AND q = :v", "Conditions can be of length 1 or 2 only"},
		{"pk = :v AND sk = sk", "Invalid KeyConditionExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: =, " +
			"first operand: [sk]"},
		{"pk = :v AND sk < :t", "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: <, operand type: BOOL"},
		{"((pk = :v)) AND sk = :n", "Invalid KeyConditionExpression: The expression has redundant parentheses;"},
	} {
		refused(t, keyConditionKind, c.text, c.want)
	}
}

// TestKeyConditionsThatDoNotFit checks the errors for key conditions that do not match the
// key of the table.
func TestKeyConditionsThatDoNotFit(t *testing.T) {
	const mismatch = "One or more parameter values were invalid: Condition parameter type does not match schema type"
	for _, c := range []struct {
		schema     Schema
		text, want string
	}{
		{hashSort, "sk = :n", "Query condition missed key schema element: pk"},
		{hashSort, "q = :v AND sk = :n", "Query condition missed key schema element: pk"},
		{hashSort, "pk = :v AND q = :n", "Query condition missed key schema element: sk"},
		{hashOnly, "pk = :v AND sk = :n", "Query key condition not supported"},
		{hashSort, "pk > :v", "Query key condition not supported"},
		{hashSort, "begins_with(pk, :v) AND sk = :n", "Query key condition not supported"},
		{hashSort, "pk BETWEEN :v AND :v", "Query key condition not supported"},
		{hashSort, "pk > :v AND q = :n", "Query key condition not supported"},
		{hashSort, "pk > :v AND sk = :v", "Query key condition not supported"},
		{hashSort, "pk > :n", mismatch},
		{hashSort, "pk = :n AND q = :n", mismatch},
		{hashSort, "pk = :n", mismatch},
		{hashSort, "pk = :ss", mismatch},
		{hashSort, "pk = :t", mismatch},
		{hashSort, "pk = :v AND sk = :v", mismatch},
		{hashSort, "pk = :v AND begins_with(sk, :v)", mismatch},
		{textSort, "pk = :empty", "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"},
		{textSort, "pk = :v AND begins_with(sk, :empty)", "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. " +
			"Key: sk"},
	} {
		if _, _, err := applied(compile(t, keyConditionKind, c.text), c.schema); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
	want := "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."
	if _, _, err := applied(compile(t, filterKind, "n = :n"), hashSort); err == nil || err.Error() != want {
		t.Errorf("no key condition: %v", err)
	}
}

func TestCheckFilter(t *testing.T) {
	for text, key := range map[string]string{
		"pk = :v":                       "pk",
		"sk > :n":                       "sk",
		"sk.a > :n":                     "sk",
		"NOT size(sk) > :n":             "sk",
		"attribute_exists(#pk)":         "pk",
		"n BETWEEN :n AND sk":           "sk",
		"n IN (:n, sk)":                 "sk",
		"s = :v AND sk = :n OR pk = :v": "pk",
		"s = :v AND m.pk = :v AND contains(l, n)": "",
	} {
		err := compile(t, filterKind, text).CheckFilter(hashSort)
		if key == "" {
			if err != nil {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		want := "Filter Expression can only contain non-primary key attributes: Primary key attribute: " + key
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v", text, err)
		}
	}
	if err := compile(t, filterKind, "sk = :n").CheckFilter(hashOnly); err != nil {
		t.Errorf("an attribute that is no key: %v", err)
	}
}
