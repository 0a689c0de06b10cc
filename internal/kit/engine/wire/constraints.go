package wire

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// checkConstraints checks an input against the rules of its shape. All violations
// are reported at once, in the order of the rules.
func checkConstraints(in any) error {
	v := reflect.ValueOf(in).Elem()
	if requiresTable[v.Type()] && v.FieldByName("TableName").IsNil() {
		return validation("The parameter 'TableName' is required but was not present in the request")
	}
	found := violations{shapes: shapes, unnamed: true}
	if found.checkShape(v, ""); !found.any {
		return nil
	}
	found.unnamed = false
	found.checkShape(v, "")
	switch len(found.texts) {
	case 1:
		return validation("1 validation error detected: " + found.texts[0])
	default:
		return validation(strconv.Itoa(len(found.texts)) + " validation errors detected: " + strings.Join(found.texts, "; "))
	}
}

// violations collects what breaks the rules of shapes.
type violations struct {
	shapes map[reflect.Type][]rule
	// unnamed says that it is enough to know whether there are any: the paths to members
	// are not made up then.
	unnamed bool
	any     bool
	texts   []string
}

// rule is what the members of a name have to satisfy. Rules for an absent member
// are met, except required.
type rule struct {
	member string
	checks []constraint
}

// constraint adds to f what v, which is found at path, violates.
type constraint func(f *violations, path string, v reflect.Value)

func (f *violations) add(v reflect.Value, path, must string) {
	f.any = true
	if f.unnamed {
		return
	}
	shown := "null"
	if !isAbsent(v) {
		shown = quoted(v)
	}
	f.texts = append(f.texts, "Value "+shown+" at '"+path+"' failed to satisfy constraint: "+must)
}

// checkShape applies the rules for v's type to a struct that is found at path,
// which ends with a point unless it is empty.
func (f *violations) checkShape(v reflect.Value, path string) {
	for _, r := range f.rulesOf(v.Type()) {
		at := ""
		if !f.unnamed {
			at = path + r.shown
		}
		m := v.Field(r.index)
		for _, check := range r.checks {
			check(f, at, m)
		}
	}
}

// placedRule is a rule for the field at index of a struct, which texts show so.
type placedRule struct {
	index  int
	shown  string
	checks []constraint
}

// placedRules holds the rules of each type met so far.
var placedRules sync.Map // reflect.Type → []placedRule

func (f *violations) rulesOf(t reflect.Type) []placedRule {
	if known, ok := placedRules.Load(t); ok {
		return known.([]placedRule)
	}
	var all []placedRule
	for _, r := range f.shapes[t] {
		member, _ := t.FieldByName(r.member)
		all = append(all, placedRule{member.Index[0], strings.ToLower(r.member[:1]) + r.member[1:], r.checks})
	}
	known, _ := placedRules.LoadOrStore(t, all)
	return known.([]placedRule)
}

// required refuses absence.
func required(f *violations, path string, v reflect.Value) {
	if isAbsent(v) {
		f.add(v, path, "Member must not be null")
	}
}

// minLength and maxLength bound texts, lists and maps.
func minLength(n int) constraint {
	return func(f *violations, path string, v reflect.Value) {
		if !isAbsentPointer(v) && reflect.Indirect(v).Len() < n {
			f.add(v, path, "Member must have length greater than or equal to "+strconv.Itoa(n))
		}
	}
}

func maxLength(n int) constraint {
	return func(f *violations, path string, v reflect.Value) {
		if !isAbsentPointer(v) && reflect.Indirect(v).Len() > n {
			f.add(v, path, "Member must have length less than or equal to "+strconv.Itoa(n))
		}
	}
}

// atLeast and atMost bound numbers.
func atLeast(n int64) constraint {
	return func(f *violations, path string, v reflect.Value) {
		if !isAbsentPointer(v) && v.Elem().Int() < n {
			f.add(v, path, fmt.Sprintf("Member must have value greater than or equal to %d", n))
		}
	}
}

func atMost(n int64) constraint {
	return func(f *violations, path string, v reflect.Value) {
		if !isAbsentPointer(v) && v.Elem().Int() > n {
			f.add(v, path, fmt.Sprintf("Member must have value less than or equal to %d", n))
		}
	}
}

// oneOf bounds enumerations; the order of the names is that of the texts.
func oneOf(names ...string) constraint {
	return func(f *violations, path string, v reflect.Value) {
		if s := v.String(); s != "" && !slices.Contains(names, s) {
			f.add(v, path, "Member must satisfy enum value set: ["+strings.Join(names, ", ")+"]")
		}
	}
}

// namePattern is how tables and indexes may be called.
func namePattern(f *violations, path string, v reflect.Value) {
	if !isAbsentPointer(v) && !isName(v.Elem().String()) {
		f.add(v, path, "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")
	}
}

// namePatternIfFits is namePattern for names of a length that is allowed.
func namePatternIfFits(f *violations, path string, v reflect.Value) {
	if !isAbsentPointer(v) && v.Elem().Len() >= 3 && v.Elem().Len() <= 255 {
		namePattern(f, path, v)
	}
}

func isName(s string) bool {
	for _, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '.', c == '-':
		default:
			return false
		}
	}
	return s != ""
}

// inside applies the rules of the member's own shape.
func inside(f *violations, path string, v reflect.Value) {
	if v = reflect.Indirect(v); !v.IsValid() {
		return
	}
	if !f.unnamed {
		path += "."
	}
	f.checkShape(v, path)
}

// each applies constraints to every element of a list or entry of a map.
func each(checks ...constraint) constraint {
	return func(f *violations, path string, v reflect.Value) {
		if v.Len() == 0 {
			return
		}
		apply := func(key string, e reflect.Value) {
			at := ""
			if !f.unnamed {
				at = path + "." + key + ".member"
			}
			for _, check := range checks {
				check(f, at, e)
			}
		}
		if v.Kind() == reflect.Slice {
			for i := range v.Len() {
				key := ""
				if !f.unnamed {
					key = strconv.Itoa(i + 1)
				}
				apply(key, v.Index(i))
			}
			return
		}
		keys := slices.SortedFunc(maps.Keys(indexed(v)), strings.Compare)
		for _, key := range keys {
			apply(key, v.MapIndex(reflect.ValueOf(key)))
		}
	}
}

// indexed returns the entries of a map by their keys as text.
func indexed(v reflect.Value) map[string]reflect.Value {
	m := make(map[string]reflect.Value, v.Len())
	for entries := v.MapRange(); entries.Next(); {
		m[entries.Key().String()] = entries.Value()
	}
	return m
}

// tableKeys bounds the keys of a map from table names.
func tableKeys(f *violations, path string, v reflect.Value) {
	for key := range indexed(v) {
		if !isName(key) || len(key) < 3 || len(key) > 255 {
			f.add(v, path, "Map keys must satisfy constraint: [Member must have length less than or equal to 255, "+
				"Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]")
			return
		}
	}
}

// valuesOf bounds how many elements the lists in a map may have.
func valuesOf(least, most int) constraint {
	return func(f *violations, path string, v reflect.Value) {
		for _, list := range indexed(v) {
			if list.Len() < least || list.Len() > most {
				f.add(v, path, fmt.Sprintf("Map value must satisfy constraint: [Member must have length less than or equal to %d, "+
					"Member must have length greater than or equal to %d]", most, least))
				return
			}
		}
	}
}

func isAbsentPointer(v reflect.Value) bool { return v.Kind() != reflect.String && isAbsent(v) }

// quoted shows a value in a text.
func quoted(v reflect.Value) string {
	v = reflect.Indirect(v)
	if v.Kind() == reflect.String {
		return "'" + v.String() + "'"
	}
	return "'" + string(appendValue(nil, v)) + "'"
}
