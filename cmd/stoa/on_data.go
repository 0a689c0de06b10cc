package main

import (
	"cmp"
	"context"
	"strings"

	"stoa/internal/control"
	"stoa/internal/host"
	"stoa/internal/kit/cli"
)

// deed is what a command does with the data, in this process or in the server that has them
// open.
type deed func(m *Main, ctx context.Context, h *host.Host, r control.Request) error

// onData returns c as a subcommand of group with a deed. Its flags are strings and switches of
// the request, beside those of the named settings.
func (m *Main) onData(group string, c cli.Command, settings []string, do deed) *cli.Command {
	flags := c.Flags
	c.Flags = append(settingFlags(settings...), flags...)
	c.Action = func(ctx context.Context, cmd *cli.Command) error {
		r := control.Request{Args: cmd.Args(), Settings: map[string]string{}, Switches: map[string]bool{}}
		for _, f := range flags {
			if f.IsSwitch() {
				r.Switches[f.Name] = cmd.Bool(f.Name)
			} else {
				r.Settings[f.Name] = cmd.String(f.Name)
			}
		}
		return m.onStore(ctx, cmd, func(_ Settings, h *host.Host) error { return do(m, ctx, h, r) }, func(s Settings) error {
			_, err := m.call(ctx, s, group+"-"+c.Name, r, m.Stdout)
			return err
		})
	}
	return &c
}

// served returns a deed as a server does it for the command of that name. Wanted names the
// arguments.
func served(h *host.Host, name string, wanted []string, do deed) control.Command {
	return func(ctx context.Context, r control.Request, out *control.Output) error {
		if len(r.Args) != len(wanted) {
			return usage("stoa %s needs %s: see stoa %s --help", name, cmp.Or(strings.Join(wanted, " and "), "no arguments"), name)
		}
		return do(printing(out), ctx, h, r)
	}
}
