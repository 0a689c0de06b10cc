// Package config fills a struct of settings from flags, the environment, a file and the
// struct's own values, in this order of precedence, and records the source of each value.
//
// The struct given to New must contain the defaults. Changing a field after Load changes
// the value for the program, but not the origin reported by Field.
package config

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// Origin is the kind of source of a value. Later kinds take precedence over earlier ones.
type Origin uint8

const (
	Default Origin = iota
	File
	Environment
	Flag
)

func (o Origin) String() string {
	return [...]string{"default", "file", "environment", "flag"}[o]
}

// Source is the source of a value: its origin and location, such as `stoa.yaml:3`,
// `STOA_LISTEN` or `--listen`. A default has no location.
type Source struct {
	Origin Origin
	Place  string
}

func (s Source) String() string {
	if s.Place == "" {
		return s.Origin.String()
	}
	return s.Origin.String() + " " + s.Place
}

// Set is the settings of a program, in the order of the struct's fields.
type Set struct {
	prefix string
	fields []*Field
}

// New returns the settings declared by the struct that settings points to. The tags of
// each field contain its name and description:
//
//	Listen string `setting:"listen" help:"address to serve on"`
//	Mailer string `setting:"mailer" help:"where mail goes" secret:"true"`
//
// A setting foo-bar has the flag --foo-bar, the key fooBar in the file and, with the
// prefix STOA, the environment variable STOA_FOO_BAR. Exported fields are strings, bools, ints,
// float64s, time.Durations, []strings (written a,b) or types that implement both
// encoding.TextUnmarshaler and TextMarshaler. New panics for other types, which are
// programming errors.
func New(prefix string, settings any) *Set {
	v := reflect.ValueOf(settings)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("config: %T is not a pointer to a struct", settings))
	}
	v = v.Elem()
	set := &Set{prefix: prefix}
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			continue
		}
		set.fields = append(set.fields, newField(prefix, v.Type().Field(i), v.Field(i)))
	}
	return set
}

// Fields returns all settings.
func (s *Set) Fields() []*Field { return s.fields }

// Field returns the setting with a name. It panics if there is none, which is a programming
// error.
func (s *Set) Field(name string) *Field {
	if f := s.find(func(f *Field) bool { return f.Name == name }); f != nil {
		return f
	}
	panic(fmt.Sprintf("config: there is no setting %q", name))
}

func (s *Set) find(match func(*Field) bool) *Field {
	if i := slices.IndexFunc(s.fields, match); i >= 0 {
		return s.fields[i]
	}
	return nil
}

// Field is one setting.
type Field struct {
	// Name is the setting's name with dashes: the flag is -- followed by Name.
	Name string
	// Help describes the setting in a phrase.
	Help string
	// Secret values are masked by Text.
	Secret bool

	env    string
	key    string
	value  reflect.Value
	source Source
}

func newField(prefix string, tag reflect.StructField, value reflect.Value) *Field {
	f := &Field{Name: tag.Tag.Get("setting"), Help: tag.Tag.Get("help"), Secret: tag.Tag.Get("secret") == "true", value: value}
	if f.Name == "" || f.Help == "" {
		panic(fmt.Sprintf("config: field %s needs a setting and a help tag", tag.Name))
	}
	if _, err := f.text(); err != nil {
		panic(fmt.Sprintf("config: setting %s: %v", f.Name, err))
	}
	f.env = prefix + "_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
	words := strings.Split(f.Name, "-")
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	f.key = strings.Join(words, "")
	return f
}

// Flag returns the setting's flag with its dashes.
func (f *Field) Flag() string { return "--" + f.Name }

// Env returns the name of the setting's environment variable.
func (f *Field) Env() string { return f.env }

// Key returns the setting's key in the file.
func (f *Field) Key() string { return f.key }

// Source returns the source of the current value.
func (f *Field) Source() Source { return f.source }

// Given reports whether the value was set explicitly, even to the default.
func (f *Field) Given() bool { return f.source.Origin != Default }

// Switch reports whether the setting is a bool, whose flag may have no value.
func (f *Field) Switch() bool { return f.value.Kind() == reflect.Bool }

// Same reports whether the setting of another set has the same value.
func (f *Field) Same(other *Field) bool {
	return reflect.DeepEqual(f.value.Interface(), other.value.Interface())
}

// Take takes over value and source of the setting of another set.
func (f *Field) Take(other *Field) {
	f.value.Set(other.value)
	f.source = other.source
}

// Text returns the current value in the form of a flag, masked if it is secret and not
// empty. Passwords in URLs are masked in any setting.
func (f *Field) Text() string {
	text, err := f.text()
	if err != nil {
		panic(fmt.Sprintf("config: setting %s: %v", f.Name, err))
	}
	if f.Secret && text != "" {
		return mask
	}
	return redact(text)
}

const mask = "********"

// password matches the password of a URL, such as nats://user:password@host, even if the
// URL is otherwise invalid.
var password = regexp.MustCompile(`(://[^:@/?&=\s]*:)\S*@`)

func redact(text string) string { return password.ReplaceAllString(text, "${1}xxxxx@") }
