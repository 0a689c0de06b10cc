package wire

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// AppendItem appends an item as DynamoDB JSON, on one line and unsorted:
// {"name":{"S":"text"}}.
func AppendItem(dst []byte, item map[string]types.AttributeValue) []byte {
	return appendItem(dst, item)
}

// ReadItem decodes an item or key from DynamoDB JSON. It only checks the form, not whether
// a table accepts the item.
func ReadItem(text []byte) (map[string]types.AttributeValue, error) {
	if !json.Valid(text) {
		return nil, errors.New("the item is no JSON")
	}
	item, err := (&reader{text: text}).readItem(member)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the item is no DynamoDB JSON: %w", err)
	case item == nil:
		return nil, errors.New("the item is null")
	}
	for name, v := range item {
		if v == nil {
			return nil, fmt.Errorf("the item is no DynamoDB JSON: attribute %q has no value of a known type", name)
		}
	}
	return item, nil
}
