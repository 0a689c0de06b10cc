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

// checkConstraints validates an input against its shape. All violations are reported at
// once, in the order of the rules.
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

// violations collects violations of shapes' rules.
type violations struct {
	shapes map[reflect.Type][]rule
	// unnamed is set if only the existence of violations matters, so that paths to members
	// are not built.
	unnamed bool
	any     bool
	texts   []string
}

// rule is the set of constraints of a member. An absent member satisfies all constraints
// except required.
type rule struct {
	member string
	checks []constraint
}

// constraint adds the violations of v, which is at path, to f.
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

// checkShape applies the rules for v's type to a struct at path, which ends with a dot
// unless it is empty.
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

// placedRule is a rule for the field at index of a struct, and its name in texts.
type placedRule struct {
	index  int
	shown  string
	checks []constraint
}

// placedRules caches the rules of types.
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

// required refuses absent values.
func required(f *violations, path string, v reflect.Value) {
	if isAbsent(v) {
		f.add(v, path, "Member must not be null")
	}
}

// minLength and maxLength limit texts, lists and maps.
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

// atLeast and atMost limit numbers.
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

// oneOf limits enumerations; the names are in the order of the texts.
func oneOf(names ...string) constraint {
	return func(f *violations, path string, v reflect.Value) {
		if s := v.String(); s != "" && !slices.Contains(names, s) {
			f.add(v, path, "Member must satisfy enum value set: ["+strings.Join(names, ", ")+"]")
		}
	}
}

// namePattern limits the names of tables and indexes.
func namePattern(f *violations, path string, v reflect.Value) {
	if !isAbsentPointer(v) && !isName(v.Elem().String()) {
		f.add(v, path, "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")
	}
}

// namePatternIfFits is namePattern for names of a valid length.
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

// indexed returns the entries of a map by the text of their keys.
func indexed(v reflect.Value) map[string]reflect.Value {
	m := make(map[string]reflect.Value, v.Len())
	for entries := v.MapRange(); entries.Next(); {
		m[entries.Key().String()] = entries.Value()
	}
	return m
}

// tableKeys limits the keys of a map whose keys are table names.
func tableKeys(f *violations, path string, v reflect.Value) {
	for key := range indexed(v) {
		if !isName(key) || len(key) < 3 || len(key) > 255 {
			f.add(v, path, "Map keys must satisfy constraint: [Member must have length less than or equal to 255, "+
				"Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]")
			return
		}
	}
}

// valuesOf limits the number of elements of the lists in a map.
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

// quoted formats a value for a text.
func quoted(v reflect.Value) string {
	v = reflect.Indirect(v)
	if v.Kind() == reflect.String {
		return "'" + v.String() + "'"
	}
	return "'" + string(appendValue(nil, v)) + "'"
}
