package cli

import (
	"strconv"
	"time"

	"github.com/spf13/pflag"
)

// Flag is a flag of a command. In its usage, a word between backticks stands for the value.
type Flag interface {
	// Names returns the name.
	Names() []string
	// Help returns what the flag means, and the default as a text.
	Help() (usage, defaultText string)
	add(to *pflag.FlagSet)
}

// StringFlag is a flag with a text. DefaultText, if set, is shown instead of Value.
type StringFlag struct{ Name, Usage, Value, DefaultText string }

// Names implements [Flag].
func (f *StringFlag) Names() []string { return []string{f.Name} }

// Help implements [Flag].
func (f *StringFlag) Help() (usage, defaultText string) {
	if f.DefaultText != "" {
		return f.Usage, f.DefaultText
	}
	return f.Usage, f.Value
}

func (f *StringFlag) add(to *pflag.FlagSet) {
	to.String(f.Name, f.Value, f.Usage)
	_, to.Lookup(f.Name).DefValue = f.Help()
}

// BoolFlag is a flag without a value.
type BoolFlag struct{ Name, Usage string }

// Names implements [Flag].
func (f *BoolFlag) Names() []string { return []string{f.Name} }

// Help implements [Flag].
func (f *BoolFlag) Help() (usage, defaultText string) { return f.Usage, "" }

func (f *BoolFlag) add(to *pflag.FlagSet) { to.Bool(f.Name, false, f.Usage) }

// IntFlag is a flag with a number.
type IntFlag struct {
	Name, Usage string
	Value       int
}

// Names implements [Flag].
func (f *IntFlag) Names() []string { return []string{f.Name} }

// Help implements [Flag].
func (f *IntFlag) Help() (usage, defaultText string) { return f.Usage, strconv.Itoa(f.Value) }

func (f *IntFlag) add(to *pflag.FlagSet) { to.Int(f.Name, f.Value, f.Usage) }

// Uint64Flag is a flag with a number that is not negative.
type Uint64Flag struct {
	Name, Usage string
	Value       uint64
}

// Names implements [Flag].
func (f *Uint64Flag) Names() []string { return []string{f.Name} }

// Help implements [Flag].
func (f *Uint64Flag) Help() (usage, defaultText string) {
	return f.Usage, strconv.FormatUint(f.Value, 10)
}

func (f *Uint64Flag) add(to *pflag.FlagSet) { to.Uint64(f.Name, f.Value, f.Usage) }

// DurationFlag is a flag with a duration such as 250ms.
type DurationFlag struct {
	Name, Usage string
	Value       time.Duration
	// Hidden flags are not listed.
	Hidden bool
}

// Names implements [Flag].
func (f *DurationFlag) Names() []string { return []string{f.Name} }

// Help implements [Flag].
func (f *DurationFlag) Help() (usage, defaultText string) { return f.Usage, f.Value.String() }

func (f *DurationFlag) add(to *pflag.FlagSet) {
	to.Duration(f.Name, f.Value, f.Usage)
	to.Lookup(f.Name).Hidden = f.Hidden
}
