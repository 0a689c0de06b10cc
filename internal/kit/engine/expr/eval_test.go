package expr

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestConditions(t *testing.T) {
	all := Item(item(example))
	for want, texts := range map[bool][]string{
		true: {
			// equality
			"s = :str", ":str = s", "n = :five", "n = :fiveAndZeros", "s <> :v", "n <> :str", "t = :t", "z = :z",
			"ss = :ba", "l[2] = :one", "m.a = :b1", ":v = :v", "b = :abc",
			// absent values differ from everything, including other absent values
			"x <> :v", "x <> y", "NOT x = y", "NOT x = :v", "NOT x < :v", "NOT x IN (:v)", "NOT x BETWEEN :n AND :m",
			// order
			"n > :n", "n >= :five", "n <= :five", "n < :ten", "s > :empty", "s < :v", "b > :b",
			"n BETWEEN :n AND :ten", "n BETWEEN :five AND :five", ":m BETWEEN l[1] AND n",
			// lists
			"n IN (:n, :five)", "s in (t, :str)", "n IN (l[1], n2, :five)", "size(s) IN (:three)",
			// logic
			"s = :str AND n = :five", "s = :v OR n = :five", "not s = :v", "NOT NOT s = :str", "NOT (s = :v AND n = :five)",
			"s = :v AND x = :v OR n = :five", "n = :five OR s = :v AND x = :v", "NOT s = :v AND n = :five",
			"(s = :v OR n = :five) AND t = :t", "((s = :v) OR n = :five)",
			// functions
			"attribute_exists(s)", "attribute_exists(m.a.b)", "attribute_exists(l[2].a)", "attribute_exists(z)", "attribute_exists (s)",
			"attribute_not_exists(x)", "attribute_not_exists(s.x)", "attribute_not_exists(l[3])", "attribute_not_exists(m[0])", "attribute_not_exists(l.a)",
			"attribute_type(s, :S)", "attribute_type(z, :NULL)", "attribute_type(l, :L)", "attribute_type(bs, :BS)",
			"begins_with(s, :st)", "begins_with(b, :b)", "begins_with(s, :empty)", "begins_with(:str, s)",
			"contains(s, :tr)", "contains(b, :bc)", "contains(ss, :a)", "contains(ns, :two)", "contains(bs, :b)",
			"contains(l, :v)", "contains(l, l[2])", "contains(l, :n)", "contains(s, :empty)", "contains(:str, s)",
			"contains(ns, size(l[2]))",
			"size(s) = :three", "size(:v) = :n", "size(b) = size(l)", "size(ss) = :two", "size(ns) = :two", "size(bs) = :n", "size(m) > :n",
			"size(wide) = :three", "size(x) <> :n", "size(n) <> :n", "NOT size(n) = :n", "size(l) BETWEEN :n AND :five",
			// spellings that resemble keywords or functions
			"n=:five", "n\n=\t:five", "l [ 2 ] . a = :n", "(s) = (:str)", "begins_with((s), (:st))", "m.#a.b = :n", "#n = :five",
			"attribute_exists <> :v", "#dot = :n",
		},
		false: {
			"s = :v", "s = n", "n = :str", "s <> :str", "n <> :fiveAndZeros", "x = y", "x = :v", "z = :t", "l = ss",
			"n < :v", "n > :v", "s > :n", "x < :n", "x > y", "t = :z",
			"n < :five", "n > :five", "n BETWEEN :n AND :m", "s BETWEEN :n AND :m", "x BETWEEN :n AND :m", "n BETWEEN x AND :ten",
			"n IN (:n)", "x IN (y)", "x IN (:v)", "s IN (:n, :m)",
			"s = :str AND x = :v", "s = :v OR x = :v", "NOT s = :str",
			"attribute_exists(x)", "attribute_exists(s.x)", "attribute_exists(l[9])", "attribute_not_exists(z)",
			"attribute_type(x, :NULL)", "attribute_type(s, :N)", "attribute_type(n, :S)",
			"begins_with(n, :st)", "begins_with(x, :st)", "begins_with(s, :b)", "begins_with(ss, :st)",
			"contains(s, :n)", "contains(n, :n)", "contains(t, :v)", "contains(ss, :ss)", "contains(l, :l)", "contains(x, :v)",
			"contains(ss, :n)", "contains(size(s), :v)", "contains(s, x)",
			"size(x) = :n", "size(n) = :n", "size(z) < :n", "size(s) = :v", "size(s) < :str", "size(wide) = :two",
		},
	} {
		for _, text := range texts {
			r := request(conditionKind, text)
			fill(r)
			p, err := Compile(r)
			if err != nil {
				t.Errorf("%s: %v", text, err)
				continue
			}
			if got := p.Condition(all); got != want {
				t.Errorf("%s is %v", text, got)
			}
		}
	}
}

// fill adds the values that only these tests use.
func fill(r *Request) {
	more := item(`{five:5 fiveAndZeros:5.00 ten:10 two:2.0 three:3 one:{a:1.0} b1:{b:1} ba:<'b' 'a'> abc:b'abc' bc:b'bc'
		st:'st' tr:'tr' a:'a' NULL:'NULL' L:'L' N:'N' BS:'BS'}`)
	for _, p := range placeholders.FindAllString(*r.Condition, -1) {
		if v, ok := more[p[1:]]; ok && p[0] == ':' {
			if r.Values == nil {
				r.Values = map[string]types.AttributeValue{}
			}
			r.Values[p] = v
		}
	}
}

// TestConditionOnNothing checks conditions on absent items.
func TestConditionOnNothing(t *testing.T) {
	for text, want := range map[string]bool{
		"attribute_not_exists(pk)":            true,
		"attribute_exists(pk)":                false,
		"n = :n":                              false,
		"n <> :n":                             true,
		"attribute_not_exists(pk) OR n = :n":  true,
		"NOT attribute_not_exists(pk)":        false,
		"attribute_not_exists(pk) AND n = :n": false,
	} {
		if got := compile(t, conditionKind, text).Condition(Item(nil)); got != want {
			t.Errorf("%s is %v", text, got)
		}
	}
}

func TestFilter(t *testing.T) {
	p := compile(t, filterKind, "n > :n")
	if !p.Filter(Item(item("{n:2}"))) || p.Filter(Item(item("{n:1}"))) {
		t.Error("the filter passes the wrong items")
	}
	if !p.Condition(Item(nil)) {
		t.Error("a program without condition has to find every item fit")
	}
}

// TestEvaluationMakesNoGarbage checks that conditions allocate nothing.
func TestEvaluationMakesNoGarbage(t *testing.T) {
	all := Item(item(example))
	for _, text := range []string{
		"attribute_not_exists(pk)", "s = :str AND n > :n", "size(l) >= :m AND begins_with(s, :str)",
		"m.a.b IN (:n, :m) OR n BETWEEN :n AND :m", "contains(ss, :v) AND ss = :ss",
	} {
		p := compile(t, conditionKind, text)
		if n := testing.AllocsPerRun(100, func() { p.Condition(all) }); n > 0 {
			t.Errorf("%s costs %v allocations", text, n)
		}
	}
}
