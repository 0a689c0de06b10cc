package config

import (
	"fmt"
	"strings"

	"stoa/internal/kit/nearest"
)

// Input is everything that may hold settings besides the defaults.
type Input struct {
	// FileName names File in errors and sources; it is not opened.
	FileName string
	// File is the text of the YAML file; empty means that there is none.
	File []byte
	// LookupEnv is os.LookupEnv or a test's stand-in; nil means an empty environment.
	LookupEnv func(name string) (string, bool)
	// Environ is os.Environ or a test's stand-in, in which misspelt names are looked for;
	// nil means that there are none.
	Environ func() []string
	// Flags are the flags that were given, by setting name.
	Flags map[string]string
}

// Load fills the settings. An error names the setting, the source and the remedy;
// the settings are then half filled and of no use.
//
// Unknown keys of the file are errors. An unknown environment variable is one only if a
// setting has nearly its name: container platforms add their own under a service's name,
// such as STOA_SERVICE_HOST.
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
	var known []string
	for _, f := range s.fields {
		known = append(known, strings.TrimPrefix(f.env, s.prefix+"_"))
	}
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
