package keyspec

import (
	"fmt"
	"maps"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// upgrade converts a copy of item from its stored version to the current one, step by step.
func (r *row) upgrade(item map[string]types.AttributeValue, stored string) (map[string]types.AttributeValue, error) {
	version, err := strconv.Atoi(stored)
	if err != nil {
		return nil, fmt.Errorf("%s: %s is %q, expected a whole number", r, versionAttribute, stored)
	}
	if version > r.spec.Version {
		return nil, &NewerError{Row: r.String(), Stored: version, Known: r.spec.Version}
	}
	item = maps.Clone(item)
	for ; version < r.spec.Version; version++ {
		step := r.spec.Upgrade[version]
		if step == nil {
			return nil, fmt.Errorf("%s: no upgrade leads from version %d to %d", r, version, version+1)
		}
		if err := step(item); err != nil {
			return nil, fmt.Errorf("%s: upgrade from version %d: %w", r, version, err)
		}
	}
	item[versionAttribute] = &types.AttributeValueMemberN{Value: r.version}
	return item, nil
}
