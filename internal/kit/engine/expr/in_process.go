package expr

import (
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/value"
)

// Test is a condition that is evaluated repeatedly with different values within the
// process, and therefore uses no maps: the attribute called status is written #status, and
// values are :0, :1, … in order. The zero Test must be bound, and can be bound again.
type Test struct {
	bound    bound
	fewNames [6]string
}

// Bind parses a condition and checks it with its values, like Compile.
func (t *Test) Bind(condition string, values []types.AttributeValue) error {
	tree, err := parsed.get(conditionKind, condition)
	if err != nil {
		return err
	}
	t.bound = bound{tree: tree, kind: conditionKind, names: t.fewNames[:0]}
	for _, name := range tree.names {
		t.bound.names = append(t.bound.names, name[1:])
	}
	for i, placeholder := range tree.values {
		if placeholder != ":"+strconv.Itoa(i) {
			return value.Invalid("the values of condition %q are not in their order", condition)
		}
	}
	if len(values) > len(tree.values) {
		return value.Invalid("condition %q takes %d values, got %d", condition, len(tree.values), len(values))
	}
	if t.bound.values, err = normalizeList(values, len(tree.values)); err != nil {
		return err
	}
	return t.bound.check()
}

// normalizeList returns values with canonical numbers, padded with nil to n.
func normalizeList(values []types.AttributeValue, n int) ([]types.AttributeValue, error) {
	normal, copied := values, len(values) < n
	if copied {
		normal = append(slices.Clone(values), make([]types.AttributeValue, n-len(values))...)
	}
	for i, v := range values {
		changed, err := value.Normalize(v)
		if err != nil {
			return nil, err
		}
		if changed == v {
			continue
		}
		if !copied {
			normal, copied = slices.Clone(values), true
		}
		normal[i] = changed
	}
	return normal, nil
}

// Holds reports whether the item satisfies the condition.
func (t *Test) Holds(item Attributes) bool { return t.bound.holds(item) }

// CheckNested returns an error for paths into key attributes; see Program.CheckNested.
func (t *Test) CheckNested(keys, indexKeys []string) error {
	return t.bound.checkNested(keys, indexKeys)
}

// Sum returns the result of ADD by to an attribute, in canonical notation. Like an update,
// it refuses values that are not numbers and results out of range.
func Sum(old types.AttributeValue, by int64) (string, error) {
	sum, err := combine(old, &types.AttributeValueMemberN{Value: strconv.FormatInt(by, 10)}, false)
	if err != nil {
		return "", err
	}
	return sum.(*types.AttributeValueMemberN).Value, nil
}
