// Command stoa is a social backend in one program: it serves the API, keeps the
// data and brings the tools to look after both.
//
// Everything that reaches out of the program (arguments, environment, terminal,
// signals) passes through Main, so a test starts the real program by filling one.
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
	// The first signal asks; with the handler gone, a second one ends the process.
	context.AfterFunc(ctx, stop)
	copies := make(chan os.Signal, 1)
	signal.Notify(copies, syscall.SIGUSR1)
	program := Main{Stdout: os.Stdout, Stderr: os.Stderr, LookupEnv: os.LookupEnv, Environ: os.Environ, CopyRequests: copies}
	if err := program.Run(ctx, os.Args[1:]...); err != nil {
		fmt.Fprintln(os.Stderr, "stoa:", oneLine(err))
		os.Exit(exitCode(err))
	}
}

// Main is the program together with its surroundings.
type Main struct {
	Stdout, Stderr io.Writer
	// LookupEnv is os.LookupEnv; nil is an empty environment.
	LookupEnv func(name string) (string, bool)
	// Environ is os.Environ; nil is an empty environment.
	Environ func() []string
	// CopyRequests asks a server for a copy of its embedded data, next to them; nil
	// never does.
	CopyRequests <-chan os.Signal
	// OnServing, if set, is called with the address of a server that now answers,
	// such as http://127.0.0.1:8080.
	OnServing func(url string)
}

// Run runs one command until it is done or, for a server, until ctx is. An error
// is one line that says what is wrong and what to do about it.
func (m *Main) Run(ctx context.Context, args ...string) error {
	return m.root().Run(ctx, append([]string{"stoa"}, args...))
}

func (m *Main) root() *cli.Command {
	root := &cli.Command{
		Name:           "stoa",
		Usage:          "a social backend in one program",
		Description:    "Start with `stoa serve` and open the address that it prints.\nEach command explains itself: `stoa serve --help`.\n\nExample:\n   stoa serve --listen 127.0.0.1:9000",
		HideVersion:    true,
		Writer:         m.Stdout,
		ErrWriter:      m.Stderr,
		ExitErrHandler: func(context.Context, *cli.Command, error) {},
		Commands: []*cli.Command{
			m.serveCommand(), m.seedCommand(), m.tablesCommand(), m.exportCommand(), m.importCommand(),
			m.schemaCommand(), m.checkCommand(), m.searchCommand(), m.loadCommand(), m.tokenCommand(), m.jobsCommand(), m.configCommand(), m.dynamodbCommand(), m.versionCommand(),
		},
	}
	prepare(root)
	return root
}

// prepare gives a command and those below it one manner of refusing what they do
// not know.
func prepare(cmd *cli.Command) {
	cmd.OnUsageError = func(_ context.Context, cmd *cli.Command, err error, _ bool) error {
		return usage("%s: %ssee %s --help", plainly(err), meantFlag(cmd, err), cmd.FullName())
	}
	if len(cmd.Commands) > 0 {
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

// meantCommand offers the command nearest to the one that was asked for.
func meantCommand(cmd *cli.Command) string {
	var names []string
	for _, c := range cmd.Commands {
		names = append(names, c.Name)
	}
	return meant("", nearest.Word(cmd.Args().First(), names))
}

const unknownFlag = "flag provided but not defined: -"

// meantFlag offers the flag nearest to one that is not defined.
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

// plainly words what the flag parser found the way flags are written here.
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

// arguments returns the command's arguments, which must be as many as names has.
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

// usageError is a mistake in how the program was called.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usage(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// oneLine keeps what was joined from several errors on a line.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// exitCode is 2 for a mistake in the call and 1 for any other failure.
func exitCode(err error) int {
	var u *usageError
	if errors.As(err, &u) {
		return 2
	}
	return 1
}
