// Command stoa is a social backend in one program: it serves the API, stores the data and
// includes the tools to administer both.
//
// All external dependencies (arguments, environment, terminal, signals) are fields of Main,
// so tests can run the real program.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/pflag"

	"stoa/internal/kit/cli"
	"stoa/internal/kit/nearest"
	"stoa/internal/kit/slice"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal requests a shutdown; without the handler, a second one ends the
	// process.
	context.AfterFunc(ctx, stop)
	copies := make(chan os.Signal, 1)
	if len(copySignals) > 0 { // none would stand for all
		signal.Notify(copies, copySignals...)
	}
	program := Main{Stdout: os.Stdout, Stderr: os.Stderr, LookupEnv: os.LookupEnv, Environ: os.Environ, CopyRequests: copies, Hangups: hangups}
	if err := program.Run(ctx, os.Args[1:]...); err != nil {
		fmt.Fprintln(os.Stderr, "stoa:", oneLine(err))
		os.Exit(exitCode(err))
	}
}

// hangups returns the hangup signals from now on, which then do not end the process.
func hangups() <-chan os.Signal {
	received := make(chan os.Signal, 1)
	signal.Notify(received, syscall.SIGHUP)
	return received
}

// Main is the program with its external dependencies.
type Main struct {
	Stdout, Stderr io.Writer
	// LookupEnv is os.LookupEnv; nil means an empty environment.
	LookupEnv func(name string) (string, bool)
	// Environ is os.Environ; nil means an empty environment.
	Environ func() []string
	// CopyRequests requests copies of a server's embedded data, next to the data; nil for
	// none.
	CopyRequests <-chan os.Signal
	// Hangups, if set, returns the requests to read the settings of a server again.
	Hangups func() <-chan os.Signal
	// OnServing, if set, is called with the URL of a server once it accepts requests, such
	// as http://127.0.0.1:8080.
	OnServing func(url string)
}

// Run runs one command until it is done or, for a server, until ctx is. An error is one
// line with the problem and the remedy.
func (m *Main) Run(ctx context.Context, args ...string) error {
	if slices.Equal(args, []string{"--version"}) { // which other programs have, and people try
		args = []string{"version"}
	}
	program := &cli.Program{Root: m.root(), Out: m.Stdout, Err: m.Stderr, Unknown: unknownCommand, Misused: misused, Miscounted: miscounted}
	return program.Run(ctx, args...)
}

func (m *Main) root() *cli.Command {
	return &cli.Command{
		Name:  "stoa",
		Usage: "a social backend in one program",
		Description: "Start with `stoa serve` and open the address that it prints.\nEach command explains itself: `stoa serve --help`.\n\nExample:\n   stoa " +
			"serve --listen 127.0.0.1:9000",
		Commands: []*cli.Command{
			m.serveCommand(), m.seedCommand(), m.tablesCommand(), m.exportCommand(), m.backupCommand(), m.importCommand(),
			m.schemaCommand(), m.checkCommand(), m.searchCommand(), m.loadCommand(), m.tokenCommand(), m.jobsCommand(), m.eventsCommand(),
			m.casesCommand(), m.personCommand(),
			m.configCommand(), m.reloadCommand(), m.readyCommand(), m.dynamodbCommand(),
			cli.Completion("stoa"), m.versionCommand(), m.manCommand(), m.helpCommand(),
		},
	}
}

// helpCommand explains a command like its flag --help, and refuses an unknown one as usual.
func (m *Main) helpCommand() *cli.Command {
	return &cli.Command{
		Name: "help", Usage: "explain a command", ArgsUsage: "[COMMAND]", Hidden: true,
		Description: "Example:\n   stoa help serve",
		Action: func(ctx context.Context, cmd *cli.Command) error {
			return m.Run(ctx, append(slices.Clone(cmd.Args()), "--help")...)
		},
	}
}

// unknownCommand suggests the command nearest to an unknown one.
func unknownCommand(group *cli.Command, name string) error {
	names := slice.Map(group.Commands, func(c *cli.Command) string { return c.Name })
	return usage("there is no command %q: %ssee %s --help", name, meant("", nearest.Word(name, names)), group.FullName())
}

// misused explains flags that cannot be parsed.
func misused(cmd *cli.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			return usage("there is no flag -%s: see %s --help; an argument that begins with a dash, like some ids, follows --", name, cmd.FullName())
		}
		var names []string
		for _, f := range cmd.Flags {
			names = append(names, f.Name)
		}
		return usage("there is no flag --%s: %ssee %s --help", name, meant("--", nearest.Word(name, names)), cmd.FullName())
	case errors.As(err, &invalid):
		return usage("invalid value %q for flag --%s: see %s --help", invalid.GetValue(), invalid.GetFlag().Name, cmd.FullName())
	}
	return usage("%v: see %s --help", err, cmd.FullName())
}

func meant(prefix, near string) string {
	if near == "" {
		return ""
	}
	return "did you mean " + prefix + near + "? "
}

// miscounted refuses more arguments than a command names, and fewer than it requires.
func miscounted(cmd *cli.Command) error {
	given, names := cmd.Args(), strings.Fields(cmd.ArgsUsage)
	switch {
	case len(given) > len(names) && cmd.Name != "help":
		return usage("%s does not take %q: see %s --help", cmd.FullName(), given[len(names)], cmd.FullName())
	case len(given) < len(names) && !strings.HasPrefix(names[len(given)], "["):
		return usage("%s needs %s: see %s --help", cmd.FullName(), names[len(given)], cmd.FullName())
	}
	return nil
}

// usageError is an error in the command line or settings.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usage(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// oneLine formats an error joined from several on one line.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// exitCode returns 2 for a usage error and 1 for any other failure.
func exitCode(err error) int {
	var u *usageError
	if errors.As(err, &u) {
		return 2
	}
	return 1
}
