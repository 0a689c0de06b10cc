package cli

import (
	"fmt"
	"time"

	"github.com/spf13/pflag"
)

// Flag is a flag of a command. In its usage, a word between backticks stands for the value.
type Flag struct {
	Name, Usage string
	// Value is the default, of the type that the flag has: string, bool, int, uint64 or
	// time.Duration. Nil is an empty text.
	Value any
	// DefaultText, if set, is shown instead of Value.
	DefaultText string
	// Hidden flags are not listed.
	Hidden bool
}

// IsSwitch reports whether the flag needs no value.
func (f Flag) IsSwitch() bool {
	_, is := f.Value.(bool)
	return is
}

func (f Flag) add(to *pflag.FlagSet) {
	switch value := f.Value.(type) {
	case nil:
		to.String(f.Name, "", f.Usage)
	case string:
		to.String(f.Name, value, f.Usage)
	case bool:
		to.Bool(f.Name, value, f.Usage)
	case int:
		to.Int(f.Name, value, f.Usage)
	case uint64:
		to.Uint64(f.Name, value, f.Usage)
	case time.Duration:
		to.Duration(f.Name, value, f.Usage)
	default:
		panic(fmt.Sprintf("cli: flag %s is a %T", f.Name, value))
	}
	added := to.Lookup(f.Name)
	added.Hidden = f.Hidden
	if f.DefaultText != "" {
		added.DefValue = f.DefaultText
	}
}
