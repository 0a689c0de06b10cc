package keyspec

import (
	"errors"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// stamps returns the key attributes that the change makes anew, nil for those it
// removes.
func (a *action) stamps() (map[string]types.AttributeValue, error) {
	for _, s := range a.sets {
		if a.row.primary.needs(s.field) {
			return nil, fmt.Errorf("keyspec: %s: %q is part of the primary key", a.key, s.field.name)
		}
	}
	a.tellKey()
	var stamps map[string]types.AttributeValue
	for _, k := range a.row.keys[1:] {
		if !slices.ContainsFunc(a.sets, func(s assignment) bool { return k.needs(s.field) }) {
			continue
		}
		var unknown error
		text := func(f *field) string {
			text, ok := a.known(f)
			if !ok {
				unknown = errors.Join(unknown, fmt.Errorf("keyspec: %s: the key on %s also needs %q: tell it with Given", a.key, k.index.Name, f.name))
			}
			return text
		}
		pk, sk, present, err := k.from(func(s *slot) string { return s.shape(text(s.field)) }, text)
		if err := errors.Join(err, unknown); err != nil {
			return nil, err
		}
		if stamps == nil {
			stamps = map[string]types.AttributeValue{}
		}
		a.stamp(stamps, k.pkName, present, func() types.AttributeValue { return &types.AttributeValueMemberS{Value: pk} })
		a.stamp(stamps, k.skName, present, func() types.AttributeValue { return k.sortValue(sk, nil) })
	}
	return stamps, nil
}

// stamp sets or removes a key attribute. One that is also an attribute of the struct
// is set as such.
func (a *action) stamp(stamps map[string]types.AttributeValue, name string, present bool, av func() types.AttributeValue) {
	switch {
	case a.row.codec.byName[name] != nil:
	case present:
		stamps[name] = av()
	default:
		stamps[name] = nil
	}
}

// tellKey makes the slots of the primary key known.
func (a *action) tellKey() {
	slots := slices.Concat(a.row.primary.pkSlots, a.row.primary.skSlots)
	for i, s := range slots {
		if s.part == nil {
			a.tell(s.field, a.key.slots[i])
		}
	}
}
