package engine

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/value"
)

// KeyConditions is the one parameter from before expressions that is served,
// because guregu/dynamo still builds its queries with it.

// comparison is what a ComparisonOperator of KeyConditions means.
type comparison struct {
	op     expr.Op
	values int      // how many it takes
	types  []string // of values it is defined for
}

var (
	scalars = []string{"S", "N", "B"}
	texts   = []string{"S", "B"}
)

var comparisons = map[types.ComparisonOperator]comparison{
	types.ComparisonOperatorEq:         {expr.Equal, 1, append([]string{"SS", "NS", "BS"}, scalars...)},
	types.ComparisonOperatorLt:         {expr.Less, 1, scalars},
	types.ComparisonOperatorLe:         {expr.LessOrEqual, 1, scalars},
	types.ComparisonOperatorGt:         {expr.Greater, 1, scalars},
	types.ComparisonOperatorGe:         {expr.GreaterOrEqual, 1, scalars},
	types.ComparisonOperatorBeginsWith: {expr.BeginsWith, 1, texts},
	types.ComparisonOperatorBetween:    {expr.Between, 2, scalars},
}

// unary are the operators without a value, none of which fits a key.
var unary = []types.ComparisonOperator{types.ComparisonOperatorNull, types.ComparisonOperatorNotNull}

func errArguments(o types.ComparisonOperator) error {
	return invalid(invalidValues+"Invalid number of argument(s) for the %s ComparisonOperator", o)
}

// bounds is one condition of KeyConditions, checked and made canonical.
type bounds struct {
	op        expr.Op
	low, high types.AttributeValue
}

// keyBounds judges KeyConditions as far as that is possible without a table.
func keyBounds(conditions map[string]types.Condition) (map[string]bounds, error) {
	all := make(map[string]bounds, len(conditions))
	for name, c := range conditions {
		b, err := newBounds(c)
		if err != nil {
			return nil, err
		}
		all[name] = b
	}
	if len(all) != 1 && len(all) != 2 {
		return nil, invalid("Conditions can be of length 1 or 2 only")
	}
	return all, nil
}

func newBounds(c types.Condition) (bounds, error) {
	means, ok := comparisons[c.ComparisonOperator]
	if !ok {
		if slices.Contains(unary, c.ComparisonOperator) && len(c.AttributeValueList) > 0 {
			return bounds{}, errArguments(c.ComparisonOperator)
		}
		if slices.Contains(c.ComparisonOperator.Values(), c.ComparisonOperator) {
			return bounds{}, invalid("Attempted conditional constraint is not an indexable operation")
		}
		return bounds{}, invalid("1 validation error detected: Value '%s' at 'keyConditions.member.comparisonOperator' failed to "+
			"satisfy constraint: Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, "+
			"LE, BEGINS_WITH, GE, CONTAINS]", c.ComparisonOperator)
	}
	values := make([]types.AttributeValue, 2)
	if len(c.AttributeValueList) != means.values {
		return bounds{}, errArguments(c.ComparisonOperator)
	}
	for i, v := range c.AttributeValueList {
		v, err := value.Normalize(v)
		if err != nil {
			return bounds{}, err
		}
		if i > 0 && value.TypeOf(v) != value.TypeOf(values[0]) {
			return bounds{}, invalid(invalidValues + "AttributeValues inside AttributeValueList must be of same type")
		}
		if !slices.Contains(means.types, value.TypeOf(v)) {
			return bounds{}, invalid(invalidValues+"ComparisonOperator %s is not valid for %s AttributeValue type",
				c.ComparisonOperator, value.TypeOf(v))
		}
		values[i] = v
	}
	if means.op == expr.Between {
		if order, _ := value.Compare(values[0], values[1]); order > 0 {
			return bounds{}, invalid("The BETWEEN condition was provided a range where the lower bound is greater than the upper bound")
		}
	}
	return bounds{means.op, values[0], values[1]}, nil
}

// boundsRange applies conditions to the key of what is queried.
func boundsRange(conditions map[string]bounds, s expr.Schema) (expr.KeyRange, error) {
	if s.Sort.Name == "" && len(conditions) > 1 {
		return expr.KeyRange{}, invalid("Query key condition not supported")
	}
	hash, ok := conditions[s.Hash.Name]
	if !ok {
		return expr.KeyRange{}, invalid("Query condition missed key schema element: %s", s.Hash.Name)
	}
	if err := hash.check(s.Hash); err != nil {
		return expr.KeyRange{}, err
	}
	if hash.op != expr.Equal {
		return expr.KeyRange{}, invalid("Query key condition not supported")
	}
	sort, ok := conditions[s.Sort.Name]
	switch {
	case !ok && len(conditions) > 1:
		return expr.KeyRange{}, invalid("Query condition missed key schema element: %s", s.Sort.Name)
	case !ok:
		return expr.KeyRange{Hash: hash.low}, nil
	}
	return expr.KeyRange{Hash: hash.low, Op: sort.op, Low: sort.low, High: sort.high}, sort.check(s.Sort)
}

func (b bounds) check(k expr.Key) error {
	for _, v := range []types.AttributeValue{b.low, b.high} {
		if v == nil {
			continue
		}
		if value.TypeOf(v) != string(k.Type) {
			return invalid(invalidValues + "Condition parameter type does not match schema type")
		}
		if scalarLength(v) == 0 {
			return errEmptyKey(k.Name, k.Type)
		}
	}
	return nil
}
