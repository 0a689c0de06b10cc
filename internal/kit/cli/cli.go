// Package cli describes the commands of a program, which cobra parses.
//
// The libraries for commands that print help with text/template call methods by name. The
// linker then keeps all exported methods of all types, which were a third of the program.
package cli

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Command is a command of a program, or a group of commands.
type Command struct {
	Name string
	// Usage says in a line what the command does, Description the rest, with an example.
	Usage, Description string
	// ArgsUsage names the arguments.
	ArgsUsage string
	// Hidden commands are not listed.
	Hidden   bool
	Flags    []Flag
	Commands []*Command
	// Action runs the command; a group has none, and explains itself.
	Action func(context.Context, *Command) error

	// parsed, args and root are those of a command that runs.
	parsed *pflag.FlagSet
	args   []string
	root   *cobra.Command
	up     *Command
}

// Program runs commands.
type Program struct {
	Root     *Command
	Out, Err io.Writer
	// Unknown returns the error for a name that is none of a group's commands.
	Unknown func(group *Command, name string) error
	// Misused returns the error for flags that cannot be parsed.
	Misused func(c *Command, err error) error
	// Miscounted, if set, returns the error for a wrong number of arguments, or nil.
	Miscounted func(c *Command) error
}

// Run runs the command that args name.
func (p *Program) Run(ctx context.Context, args ...string) error {
	root := p.build(p.Root, nil)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	root.SetArgs(append([]string{}, args...))                         // without any, cobra would take those of the process
	root.SetHelpCommand(&cobra.Command{Hidden: true, Use: "no-help"}) // the program has its own
	root.CompletionOptions.DisableDefaultCmd = true                   // so is Completion
	// An unknown command is reported even if flags follow, such as --help.
	if len(args) > 0 && !strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		for group, at := p.Root, 0; group != nil && len(group.Commands) > 0 && at < len(args) && !strings.HasPrefix(args[at], "-"); at++ {
			next := group.find(args[at])
			if next == nil {
				return p.Unknown(group, args[at])
			}
			group = next
		}
	}
	return root.ExecuteContext(ctx)
}

func (c *Command) find(name string) *Command {
	for _, sub := range c.Commands {
		if sub.Name == name {
			return sub
		}
	}
	return nil
}

// build returns a command in the form of cobra.
func (p *Program) build(c, up *Command) *cobra.Command {
	c.up = up
	b := &cobra.Command{
		Use: strings.TrimSpace(c.Name + " " + c.ArgsUsage), Short: c.Usage, Long: strings.TrimSpace(c.Usage + "\n\n" + c.Description), Hidden: c.Hidden,
		Args: cobra.ArbitraryArgs, SilenceErrors: true, SilenceUsage: true,
	}
	b.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return p.Misused(c, err) })
	b.Flags().SortFlags = false
	for _, f := range c.Flags {
		f.add(b.Flags())
	}
	b.RunE = func(b *cobra.Command, args []string) error {
		if c.Action == nil {
			return b.Help()
		}
		c.parsed, c.args, c.root = b.Flags(), args, b.Root()
		if p.Miscounted != nil {
			if err := p.Miscounted(c); err != nil {
				return err
			}
		}
		return c.Action(b.Context(), c)
	}
	for _, sub := range c.Commands {
		b.AddCommand(p.build(sub, c))
	}
	return b
}

// FullName returns the names of the command and of those that it is in.
func (c *Command) FullName() string {
	if c.up == nil {
		return c.Name
	}
	return c.up.FullName() + " " + c.Name
}

// Args returns the arguments that are not flags.
func (c *Command) Args() []string { return c.args }

// IsSet reports whether a flag was given.
func (c *Command) IsSet(name string) bool { return c.parsed.Changed(name) }

// Value returns the text of a flag, or "" if there is none of that name.
func (c *Command) Value(name string) string {
	if f := c.parsed.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// String returns the value of a StringFlag, or "" if there is none of that name.
func (c *Command) String(name string) string { s, _ := c.parsed.GetString(name); return s }

// Bool returns the value of a BoolFlag, or false if there is none of that name.
func (c *Command) Bool(name string) bool { b, _ := c.parsed.GetBool(name); return b }

// Int returns the value of an IntFlag, or 0 if there is none of that name.
func (c *Command) Int(name string) int { n, _ := c.parsed.GetInt(name); return n }

// Uint64 returns the value of a Uint64Flag, or 0 if there is none of that name.
func (c *Command) Uint64(name string) uint64 { n, _ := c.parsed.GetUint64(name); return n }

// Duration returns the value of a DurationFlag, or 0 if there is none of that name.
func (c *Command) Duration(name string) time.Duration { d, _ := c.parsed.GetDuration(name); return d }
