package cli_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/cli"
)

// program returns a program that prints what its commands are given.
func program(out *bytes.Buffer) *cli.Program {
	show := func(_ context.Context, c *cli.Command) error {
		fmt.Fprintf(out, "%s %q %s %t %d %d %v %t %s", c.FullName(), c.Args(), c.String("text"), c.Bool("on"), c.Int("n"), c.Uint64("u"), c.Duration("d"), c.IsSet("text"), c.Value("n"))
		return nil
	}
	flags := []cli.Flag{
		{Name: "text", Usage: "a `WORD`", Value: "none", DefaultText: "nothing"}, {Name: "on", Usage: "a switch", Value: false},
		{Name: "n", Usage: "a number", Value: 1}, {Name: "u", Usage: "a number", Value: uint64(2)},
		{Name: "d", Usage: "a time", Value: time.Second},
	}
	root := &cli.Command{Name: "app", Usage: "does things", Description: "Example:\n   app do a", Commands: []*cli.Command{
		{Name: "do", Usage: "do it", ArgsUsage: "THING", Description: "Example:\n   app do a-b", Flags: flags, Action: show},
		{Name: "many", Usage: "do more", Description: "Example:\n   app many one", Commands: []*cli.Command{{Name: "one", Usage: "do one", Flags: flags, Action: show}}},
		{Name: "secret", Usage: "not listed", Hidden: true, Action: show},
		cli.Completion("app"),
	}}
	return &cli.Program{
		Root: root, Out: out, Err: out,
		Unknown: func(group *cli.Command, name string) error { return fmt.Errorf("%s has no %s", group.FullName(), name) },
		Misused: func(c *cli.Command, err error) error { return fmt.Errorf("%s: %w", c.FullName(), err) },
	}
}

func TestRun(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"do a --text x b --on --n 3 --u=4 --d 2s", `app do ["a" "b"] x true 3 4 2s true 3`},
		{"many one", `app many one [] none false 1 2 1s false 1`},
		{"do -- --on", `app do ["--on"] none false 1 2 1s false 1`},
		{"undo", "error: app has no undo"},
		{"undo --help", "error: app has no undo"},
		{"many two --n 1", "error: app many has no two"},
		{"completion nope", "error: app completion has no nope"},
		{"do --off", "error: app do: unknown flag: --off"},
		{"do --n many", `error: app do: invalid argument "many" for "--n" flag: must be an integer`},
	} {
		var out bytes.Buffer
		got := ""
		if err := program(&out).Run(t.Context(), strings.Fields(c.args)...); err != nil {
			got = "error: " + err.Error()
		} else {
			got = out.String()
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.args, got, c.want)
		}
	}
}

func TestFailureOfAnAction(t *testing.T) {
	var out bytes.Buffer
	p := program(&out)
	failure := errors.New("broken")
	p.Root.Commands[0].Action = func(context.Context, *cli.Command) error { return failure }
	if err := p.Run(t.Context(), "do"); err != failure || out.Len() > 0 {
		t.Errorf("error %v, printed %q", err, &out)
	}
}

func TestHelpAndCompletion(t *testing.T) {
	for args, want := range map[string][]string{
		"":                      {"does things", "app do a", "do it", "do more"},
		"many":                  {"do more", "do one"},
		"do --help":             {"app do THING", "--text WORD", `(default "nothing")`, "a switch"},
		"completion bash":       {"__start_app"},
		"completion zsh":        {"#compdef app"},
		"completion fish":       {"complete -c app"},
		"completion powershell": {"Register-ArgumentCompleter"},
		"__complete m":          {"many"},
		"__complete do --t":     {"--text"},
	} {
		var out bytes.Buffer
		if err := program(&out).Run(t.Context(), strings.Fields(args)...); err != nil {
			t.Errorf("%s: %v", args, err)
		}
		for _, part := range want {
			if !strings.Contains(out.String(), part) {
				t.Errorf("%s does not print %q:\n%s", args, part, &out)
			}
		}
		if strings.Contains(out.String(), "not listed") {
			t.Errorf("%s lists a hidden command", args)
		}
	}
}

func TestMan(t *testing.T) {
	page := cli.Man(program(&bytes.Buffer{}).Root)
	for _, part := range []string{
		".TH APP 8\n.SH NAME\napp \\- does things\n", ".SS app do THING\ndo it\n", ".nf\n   app do a\\-b\n.fi\n",
		".TP\n\\fB\\-\\-text\\fR \\fIWORD\\fR\na WORD (default nothing)\n", ".SS app many one",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %q:\n%s", part, page)
		}
	}
	if strings.Contains(page, "secret") {
		t.Error("the page has a hidden command")
	}
}
