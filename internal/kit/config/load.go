package config

import (
	"fmt"
	"strings"

	"stoa/internal/kit/nearest"
	"stoa/internal/kit/slice"
)

// Input holds all sources of settings besides the defaults.
type Input struct {
	// FileName is the name of File in errors and sources; it is not opened.
	FileName string
	// File is the text of the YAML file; empty if there is none.
	File []byte
	// LookupEnv is os.LookupEnv or a fake; nil means an empty environment.
	LookupEnv func(name string) (string, bool)
	// Environ is os.Environ or a fake, in which misspelled names are searched for; nil
	// means an empty environment.
	Environ func() []string
	// Flags are the given flags, by setting name.
	Flags map[string]string
}

// Load fills the settings. An error names the setting, the source and the remedy; the
// settings are then incomplete and unusable.
//
// Unknown keys of the file are errors. Unknown environment variables are errors only if
// their names resemble that of a setting: container platforms add variables prefixed by a
// service's name, such as STOA_SERVICE_HOST.
func (s *Set) Load(in Input) error {
	if err := s.loadFile(in.FileName, in.File); err != nil {
		return err
	}
	for _, f := range s.fields {
		if in.LookupEnv == nil {
			break
		}
		if text, ok := in.LookupEnv(f.env); ok {
			if err := f.set(text, Source{Environment, f.env}); err != nil {
				return err
			}
		}
	}
	if err := s.refuseMisspelt(in.Environ); err != nil {
		return err
	}
	for name, text := range in.Flags {
		f := s.find(func(f *Field) bool { return f.Name == name })
		if f == nil {
			return fmt.Errorf("flag --%s is not a setting", name)
		}
		if err := f.set(text, Source{Flag, f.Flag()}); err != nil {
			return err
		}
	}
	return nil
}

func (s *Set) refuseMisspelt(environ func() []string) error {
	if environ == nil {
		return nil
	}
	known := slice.Map(s.fields, func(f *Field) string { return strings.TrimPrefix(f.env, s.prefix+"_") })
	for _, variable := range environ() {
		full, _, _ := strings.Cut(variable, "=")
		name, ours := strings.CutPrefix(full, s.prefix+"_")
		if !ours || s.find(func(f *Field) bool { return f.env == full }) != nil {
			continue
		}
		if near := nearest.Word(name, known); near != "" {
			return fmt.Errorf("there is no setting %s: did you mean %s_%s?", full, s.prefix, near)
		}
	}
	return nil
}
