package engine

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/catalog"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/keycodec"
)

// keySource is the source of a key's attributes.
type keySource interface {
	// appendPart appends the encoding of attribute a. It returns false if the attribute is
	// absent or has the wrong type.
	appendPart(dst []byte, a catalog.Attribute) ([]byte, bool)
}

// stored is an item in stored form.
type stored struct{ itemcodec.View }

func (s stored) appendPart(dst []byte, a catalog.Attribute) ([]byte, bool) {
	v, ok := s.Get(a.Name)
	if !ok || kindOf(a.Type) != v.Kind() {
		return dst, false
	}
	return appendValue(dst, v)
}

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

// given is an item or a key from a client, with canonical numbers.
type given Item

func (g given) appendPart(dst []byte, a catalog.Attribute) ([]byte, bool) {
	return appendScalar(dst, a.Type, g[a.Name])
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

// appendKey appends the place of source in r. It returns false if source lacks an attribute
// of r's key, which for an index means that there is no entry.
func appendKey[S keySource](dst []byte, r *relation, source S) ([]byte, bool) {
	dst = append(dst, r.prefix...)
	at := len(dst)
	dst, ok := source.appendPart(keycodec.ReserveHash(dst), r.key.Hash)
	if !ok {
		return dst, false
	}
	keycodec.PutHash(dst[at:])
	if r.key.HasSort() {
		if dst, ok = source.appendPart(dst, r.key.Sort); !ok {
			return dst, false
		}
	}
	if r.owner == nil {
		return dst, true
	}
	if dst, ok = source.appendPart(dst, r.owner.Hash); ok && r.owner.HasSort() {
		dst, ok = source.appendPart(dst, r.owner.Sort)
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
