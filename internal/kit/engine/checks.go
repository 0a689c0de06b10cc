package engine

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/catalog"
	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/value"
)

// judgeKey validates the values of a Key and, before that, whether the placeholders given
// with it are used. It returns the key with canonical numbers.
func judgeKey(key Item, r *expr.Request) (Item, error) {
	if err := r.CheckUse(); err != nil {
		return nil, err
	}
	return value.NormalizeItem(key)
}

// storedKeyOf validates key as a whole and returns the stored key of its item.
func (t *table) storedKeyOf(key Item) ([]byte, error) {
	key, err := value.NormalizeItem(key)
	if err != nil {
		return nil, err
	}
	return t.storedKey(key)
}

// checkKey validates the Key of a request for one item of t. Its numbers must be canonical;
// it must be exactly the table's key.
func (t *table) checkKey(key Item) error {
	if len(key) != len(t.parts) {
		return errKeySchema()
	}
	for _, p := range t.parts {
		if v, ok := key[p.Name]; !ok || value.TypeOf(v) != string(p.Type) {
			return errKeySchema()
		}
	}
	for _, p := range t.parts {
		if err := p.checkLength(scalarLength(key[p.Name])); err != nil {
			return err
		}
	}
	return nil
}

func errKeySchema() error { return invalid("The provided key element does not match the schema") }

func errKeyType(a catalog.Attribute, is string) error {
	return &keyMismatch{invalid(invalidValues+"Type mismatch for key %s expected: %s actual: %s", a.Name, a.Type, is)}
}

func errKeyMissing(a catalog.Attribute) error {
	return &keyMismatch{invalid(invalidValues+"Missing the key %s in the item", a.Name)}
}

// checkLength validates the length of a value for a key.
func (p *keyPart) checkLength(n int) error {
	switch {
	case n == 0:
		return errEmptyKey(p.Name, p.Type)
	case p.isHash && n > value.MaxHashKeySize:
		return errHashKeyLength()
	case !p.isHash && n > value.MaxSortKeySize:
		return errSortKeyLength()
	}
	return nil
}

// keyMismatch is the error for an item whose key does not match its table's.
type keyMismatch struct{ error }

func (m *keyMismatch) Unwrap() error { return m.error }

func errEmptyKey(name string, t types.ScalarAttributeType) error {
	return invalid("One or more parameter values are not valid. The AttributeValue for a key attribute "+
		"cannot contain an empty %s value. Key: %s", emptyKind(t), name)
}

func errHashKeyLength() error {
	return invalid(invalidValues+"Size of hashkey has exceeded the maximum size limit of%d bytes", value.MaxHashKeySize)
}

func errSortKeyLength() error {
	return invalid(invalidValues+"Aggregated size of all range keys has exceeded the size limit of %d bytes", value.MaxSortKeySize)
}

// scalarLength returns the number of bytes of a text or binary; the length of numbers is
// always valid.
func scalarLength(v types.AttributeValue) int {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return len(v.Value)
	case *types.AttributeValueMemberB:
		return len(v.Value)
	}
	return 1
}

func emptyKind(t types.ScalarAttributeType) string {
	if t == types.ScalarAttributeTypeB {
		return "binary"
	}
	return "string"
}
