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
	"strings"
	"syscall"

	"github.com/urfave/cli/v3"

	"stoa/internal/kit/nearest"
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
	return m.root().Run(ctx, append([]string{"stoa"}, args...))
}

func (m *Main) root() *cli.Command {
	root := &cli.Command{
		Name:  "stoa",
		Usage: "a social backend in one program",
		Description: "Start with `stoa serve` and open the address that it prints.\nEach command explains itself: `stoa serve --help`.\n\nExample:\n   stoa " +
			"serve --listen 127.0.0.1:9000",
		HideVersion:     true,
		HideHelpCommand: true,
		// `stoa completion SHELL` prints the script that makes a shell complete commands.
		EnableShellCompletion: true,
		Writer:                m.Stdout,
		ErrWriter:             m.Stderr,
		ExitErrHandler:        func(context.Context, *cli.Command, error) {},
		Commands: []*cli.Command{
			m.serveCommand(), m.seedCommand(), m.tablesCommand(), m.exportCommand(), m.backupCommand(), m.importCommand(),
			m.schemaCommand(), m.checkCommand(), m.searchCommand(), m.loadCommand(), m.tokenCommand(), m.jobsCommand(), m.eventsCommand(),
			m.casesCommand(), m.personCommand(),
			m.configCommand(), m.reloadCommand(), m.readyCommand(), m.dynamodbCommand(),
			m.versionCommand(), m.manCommand(), m.helpCommand(),
		},
	}
	prepare(root)
	return root
}

// helpCommand explains a command like its flag --help. Unlike the library's, it refuses an
// unknown one as usual.
func (m *Main) helpCommand() *cli.Command {
	return &cli.Command{
		Name: "help", Usage: "explain a command", ArgsUsage: "[COMMAND]", Hidden: true,
		Description: "Example:\n   stoa help serve",
		Action: func(_ context.Context, cmd *cli.Command) error {
			// The context of this command would make it the parent of the other one.
			return m.Run(context.Background(), append(cmd.Args().Slice(), "--help")...)
		},
	}
}

// prepare makes a command and its subcommands report unknown arguments in the same way.
func prepare(cmd *cli.Command) {
	cmd.OnUsageError = func(_ context.Context, cmd *cli.Command, err error, _ bool) error {
		return usage("%s: %ssee %s --help", plainly(err), meantFlag(cmd, err), cmd.FullName())
	}
	if len(cmd.Commands) > 0 {
		cmd.StopOnNthArg = new(1) // flags after an unknown command are not this one's
		cmd.Action = func(_ context.Context, cmd *cli.Command) error {
			if cmd.Args().Present() {
				return usage("there is no command %q: %ssee %s --help", cmd.Args().First(), meantCommand(cmd), cmd.FullName())
			}
			return cli.ShowSubcommandHelp(cmd)
		}
	}
	for _, sub := range cmd.Commands {
		sub.HideHelpCommand = true
		prepare(sub)
	}
}

// meantCommand suggests the command nearest to an unknown one.
func meantCommand(cmd *cli.Command) string {
	var names []string
	for _, c := range cmd.Commands {
		names = append(names, c.Name)
	}
	return meant("", nearest.Word(cmd.Args().First(), names))
}

const unknownFlag = "flag provided but not defined: -"

// meantFlag suggests the flag nearest to an unknown one.
func meantFlag(cmd *cli.Command, err error) string {
	given, unknown := strings.CutPrefix(err.Error(), unknownFlag)
	if !unknown {
		return ""
	}
	var names []string
	for _, f := range cmd.Flags {
		names = append(names, f.Names()[0])
	}
	return meant("--", nearest.Word(given, names))
}

func meant(prefix, near string) string {
	if near == "" {
		return ""
	}
	return "did you mean " + prefix + near + "? "
}

// plainly rewrites errors of the flag parser in the notation of flags used here.
func plainly(err error) string {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, unknownFlag); ok {
		return "there is no flag --" + name
	}
	if head, _, ok := strings.Cut(text, ": strconv."); ok {
		return strings.Replace(head, "for flag -", "for flag --", 1)
	}
	return text
}

// arguments returns the command's arguments, whose number must be that of names.
func arguments(cmd *cli.Command, names ...string) ([]string, error) {
	given := cmd.Args().Slice()
	switch {
	case len(given) > len(names):
		return nil, usage("%s does not take %q: see %s --help", cmd.FullName(), given[len(names)], cmd.FullName())
	case len(given) < len(names):
		return nil, usage("%s needs %s: see %s --help", cmd.FullName(), names[len(given)], cmd.FullName())
	}
	return given, nil
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
