package engine

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/value"
)

// KeyConditions is the only supported parameter that precedes expressions, because
// guregu/dynamo still builds its queries with it.

// comparison is the meaning of a ComparisonOperator of KeyConditions.
type comparison struct {
	op     expr.Op
	values int      // number of values
	types  []string // valid types of values
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

// unary are the operators without a value, which are invalid for keys.
var unary = []types.ComparisonOperator{types.ComparisonOperatorNull, types.ComparisonOperatorNotNull}

func errArguments(o types.ComparisonOperator) error {
	return invalid(invalidValues+"Invalid number of argument(s) for the %s ComparisonOperator", o)
}

// legacyConditions performs the checks of KeyConditions that need no table.
func legacyConditions(conditions map[string]types.Condition) (expr.KeyConditions, error) {
	var all expr.KeyConditions
	if len(conditions) != 1 && len(conditions) != 2 {
		return all, invalid("Conditions can be of length 1 or 2 only")
	}
	for name, c := range conditions {
		r, err := sortRange(c)
		if err != nil {
			return all, err
		}
		if err := all.Add(expr.KeyCondition{Name: name, SortRange: r}); err != nil {
			return all, err
		}
	}
	return all, nil
}

func sortRange(c types.Condition) (expr.SortRange, error) {
	means, ok := comparisons[c.ComparisonOperator]
	if !ok {
		if slices.Contains(unary, c.ComparisonOperator) && len(c.AttributeValueList) > 0 {
			return expr.SortRange{}, errArguments(c.ComparisonOperator)
		}
		return expr.SortRange{}, invalid("Attempted conditional constraint is not an indexable operation")
	}
	values := make([]types.AttributeValue, 2)
	if len(c.AttributeValueList) != means.values {
		return expr.SortRange{}, errArguments(c.ComparisonOperator)
	}
	for i, v := range c.AttributeValueList {
		v, err := value.Normalize(v)
		if err != nil {
			return expr.SortRange{}, err
		}
		if i > 0 && value.TypeOf(v) != value.TypeOf(values[0]) {
			return expr.SortRange{}, invalid(invalidValues + "AttributeValues inside AttributeValueList must be of same type")
		}
		if !slices.Contains(means.types, value.TypeOf(v)) {
			return expr.SortRange{}, invalid(invalidValues+"ComparisonOperator %s is not valid for %s AttributeValue type",
				c.ComparisonOperator, value.TypeOf(v))
		}
		values[i] = v
	}
	if means.op == expr.Between {
		if order, _ := value.Compare(values[0], values[1]); order > 0 {
			return expr.SortRange{}, invalid("The BETWEEN condition was provided a range where the lower bound is greater than the upper bound")
		}
	}
	return expr.SortRange{Op: means.op, Low: values[0], High: values[1]}, nil
}
