package keyspec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stoa/internal/kit/engine/raw"
)

// plan is an action ready to be sent: its errors have been found, and an update without
// changes has become a check.
type plan struct {
	kind kind
	// fields are the attributes to put, set and remove, sorted by name.
	fields []raw.Field
	// shifts are the counter shifts of an update.
	shifts []raw.Shift
}

// makePlan plans the action in its current state.
func (a *action) makePlan() (err error) {
	if a.err != nil {
		return a.err
	}
	p := plan{kind: a.kind}
	switch a.kind {
	case put:
		p.fields, err = a.shifted()
	case update:
		if p.fields, err = a.changed(); len(p.fields)+len(a.shifts)+len(a.within) == 0 {
			p.kind = check
		}
		p.shifts = a.shifts
	}
	if err != nil {
		return err
	}
	if p.kind == check && a.kind != update && len(a.tests) == 0 && !a.exists && !a.absent {
		return fmt.Errorf("keyspec: a check of %s without a condition", a.key)
	}
	a.plan = p
	return nil
}

// shifted returns the item of a put with its counter shifts applied.
func (a *action) shifted() ([]raw.Field, error) {
	if len(a.sets) > 0 {
		return nil, fmt.Errorf("keyspec: %s is put and its attribute %q is set in one transaction", a.key, a.sets[0].field.name)
	}
	if len(a.within) > 0 {
		return nil, fmt.Errorf("keyspec: %s is put and a part of %q is changed in one transaction", a.key, a.within[0].path[0])
	}
	if len(a.shifts) == 0 {
		return a.item, nil
	}
	item := slices.Clone(a.item)
	for _, s := range a.shifts {
		i, found := slices.BinarySearchFunc(item, s.Name, byName)
		if !found {
			item = slices.Insert(item, i, raw.Field{Name: s.Name, Kind: raw.Number, Text: "0"})
		}
		n, err := strconv.ParseInt(item[i].Text, 10, 64)
		if err != nil {
			n = 0
		}
		if n += s.By; n < 0 {
			return nil, fmt.Errorf("keyspec: %s is put with %q below zero", a.key, s.Name)
		}
		item[i].Text = strconv.FormatInt(n, 10)
	}
	return item, nil
}

func byName(f raw.Field, name string) int { return strings.Compare(f.Name, name) }

// changed returns the attributes that an update sets and removes.
func (a *action) changed() (fields []raw.Field, err error) {
	for _, s := range a.sets {
		if !s.field.keyOnly {
			fields = append(fields, s.value)
		}
	}
	if fields, err = a.stamps(fields); err != nil {
		return nil, err
	}
	for _, s := range a.shifts {
		if a.isSet(a.row.codec.byName[s.Name]) {
			return nil, fmt.Errorf("keyspec: %s: %q is both set and shifted", a.key, s.Name)
		}
	}
	slices.SortFunc(fields, func(f, g raw.Field) int { return strings.Compare(f.Name, g.Name) })
	return fields, nil
}
