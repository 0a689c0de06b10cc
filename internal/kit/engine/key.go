package engine

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/catalog"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/keycodec"
)

// appendValue appends the encoding of a stored text, number or binary.
func appendValue(dst []byte, v itemcodec.Value) ([]byte, bool) {
	switch v.Kind() {
	case itemcodec.Number:
		dst, err := keycodec.AppendNumber(dst, string(v.Bytes()))
		return dst, err == nil
	case itemcodec.String, itemcodec.Binary:
		return keycodec.AppendBytes(dst, v.Bytes()), true
	}
	return dst, false
}

// appendScalar appends the encoding of v. It returns false if v is not of type t.
func appendScalar(dst []byte, t types.ScalarAttributeType, v types.AttributeValue) ([]byte, bool) {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return keycodec.AppendBytes(dst, v.Value), t == types.ScalarAttributeTypeS
	case *types.AttributeValueMemberN:
		dst, err := keycodec.AppendNumber(dst, v.Value)
		return dst, err == nil && t == types.ScalarAttributeTypeN
	case *types.AttributeValueMemberB:
		return keycodec.AppendBytes(dst, v.Value), t == types.ScalarAttributeTypeB
	}
	return dst, false
}

func isNumber(a catalog.Attribute) bool { return a.Type == types.ScalarAttributeTypeN }

func kindOf(t types.ScalarAttributeType) itemcodec.Kind {
	switch t {
	case types.ScalarAttributeTypeS:
		return itemcodec.String
	case types.ScalarAttributeTypeN:
		return itemcodec.Number
	}
	return itemcodec.Binary
}

// appendKey appends the stored key in r of an item, given its key attributes with canonical
// numbers. It returns false if one of them is absent or has the wrong type.
func appendKey(dst []byte, r *relation, key Item) ([]byte, bool) {
	dst, ok := appendPartition(dst, r, key[r.key.Hash.Name])
	for _, parts := range [...][]keyPart{r.parts[1:], r.ownerParts} {
		for _, p := range parts {
			if ok {
				dst, ok = appendScalar(dst, p.Type, key[p.Name])
			}
		}
	}
	return dst, ok
}

// appendPartition appends the common prefix of the keys of all items with this partition
// value.
func appendPartition(dst []byte, r *relation, hash types.AttributeValue) ([]byte, bool) {
	dst = append(dst, r.prefix...)
	at := len(dst)
	dst, ok := appendScalar(keycodec.ReserveHash(dst), r.key.Hash.Type, hash)
	if ok {
		keycodec.PutHash(dst[at:])
	}
	return dst, ok
}
