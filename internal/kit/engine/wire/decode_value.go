package wire

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/value"
)

// Attribute values are most of a request, so they are decoded without reflection.

func decodeAttribute(r *reader, v reflect.Value, at location) error {
	a, err := r.readAttribute(at)
	if err == nil && a != nil {
		v.Set(reflect.ValueOf(a))
	}
	return err
}

func decodeItem(r *reader, v reflect.Value, at location) error {
	m, err := r.readItem(at)
	if err == nil && m != nil {
		v.Set(reflect.ValueOf(m))
	}
	return err
}

// readItem decodes attributes by name; nil is null.
func (r *reader) readItem(at location) (map[string]types.AttributeValue, error) {
	if ok, err := r.isObject(itemType, at); !ok {
		return nil, err
	}
	m := map[string]types.AttributeValue{}
	for more := r.enter(); more; more = r.next() {
		name := r.sharedString()
		r.peek()
		r.pos++ // the colon
		v, err := r.readAttribute(element)
		if err != nil {
			return nil, err
		}
		m[name] = v
	}
	return m, nil
}

// readAttribute decodes one attribute value. It returns nil for one of unknown type. For
// one of several types, it returns the first that is itself invalid, or else one with the
// tag SeveralTypes. The operation refuses all of these, since it knows the location.
func (r *reader) readAttribute(at location) (types.AttributeValue, error) {
	if ok, err := r.isObject(valueType, at); !ok {
		return nil, err
	}
	var read types.AttributeValue
	several, sound := false, true
	for more := r.enter(); more; more = r.next() {
		v, err := r.readTyped(r.key())
		switch {
		case err != nil:
			return nil, err
		case v == nil:
		case read != nil:
			if !several {
				several, sound = true, isSound(read)
			}
			if sound { // each is checked once, however many there are
				read, sound = v, isSound(v)
			}
		default:
			read = v
		}
	}
	if several && sound {
		read = &types.UnknownUnionMember{Tag: value.SeveralTypes}
	}
	return read, nil
}

func isSound(v types.AttributeValue) bool {
	_, err := value.Normalize(v)
	return err == nil
}

// readTyped decodes the value of a member that is named after its type; nil is null or an
// unknown type.
func (r *reader) readTyped(name []byte) (types.AttributeValue, error) {
	switch string(name) {
	case "S":
		if s, ok, err := r.readShared(); ok || err != nil {
			return &types.AttributeValueMemberS{Value: s}, err
		}
	case "N":
		if s, ok, err := r.readShared(); ok || err != nil {
			return &types.AttributeValueMemberN{Value: s}, err
		}
	case "B":
		if b, ok, err := r.readBytes(); ok || err != nil {
			return &types.AttributeValueMemberB{Value: b}, err
		}
	case "BOOL":
		if b, ok, err := r.readBool(); ok || err != nil {
			return &types.AttributeValueMemberBOOL{Value: b}, err
		}
	case "NULL":
		if b, ok, err := r.readBool(); ok || err != nil {
			return &types.AttributeValueMemberNULL{Value: b}, err
		}
	case "M":
		if m, err := r.readItem(member); m != nil || err != nil {
			return &types.AttributeValueMemberM{Value: m}, err
		}
	case "L":
		if l, err := readList(r, func(r *reader) (types.AttributeValue, error) { return r.readAttribute(element) }); l != nil || err != nil {
			return &types.AttributeValueMemberL{Value: l}, err
		}
	case "SS":
		if l, err := readList(r, readText); l != nil || err != nil {
			return &types.AttributeValueMemberSS{Value: l}, err
		}
	case "NS":
		if l, err := readList(r, readText); l != nil || err != nil {
			return &types.AttributeValueMemberNS{Value: l}, err
		}
	case "BS":
		if l, err := readList(r, readBinary); l != nil || err != nil {
			return &types.AttributeValueMemberBS{Value: l}, err
		}
	default:
		r.skip()
	}
	return nil, nil
}

// readShared is readString for strings that do not outlive the request.
func (r *reader) readShared() (s string, ok bool, err error) {
	if r.peek() == '"' {
		return r.sharedString(), true, nil
	}
	return "", false, r.notScalar("String")
}

func readText(r *reader) (string, error) {
	s, _, err := r.readShared()
	return s, err
}

func readBinary(r *reader) ([]byte, error) {
	b, _, err := r.readBytes()
	return b, err
}

// readList decodes an array; nil is null.
func readList[T any](r *reader, read func(*reader) (T, error)) ([]T, error) {
	if ok, err := r.isArray(member); !ok {
		return nil, err
	}
	list := []T{}
	for more := r.enter(); more; more = r.next() {
		e, err := read(r)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}
