package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"stoa/internal/control"
	"stoa/internal/host"
)

// call lets the server that has the data of s open run a command. The command's error is
// returned as if it had been run here.
func (m *Main) call(ctx context.Context, s Settings, command string, r control.Request, out io.Writer) (result string, err error) {
	result, err = control.Call(ctx, s.Store.Dir, command, r, out)
	var failure *control.Failure
	if errors.As(err, &failure) && failure.Code == exitCode(&usageError{}) {
		return "", usage("%s", failure.Text)
	}
	return result, interrupted(err)
}

// unlessServing returns the error of a call, or locked if there is no server to call: another
// program uses the data.
func unlessServing(err, locked error) error {
	if errors.Is(err, control.ErrNotServing) {
		return locked
	}
	return err
}

// request returns the settings of commands that a server runs for others.
func (s *Settings) request() control.Request {
	r := control.Request{Settings: map[string]string{"table-prefix": s.TablePrefix}}
	if s.systemsGiven {
		r.Settings["systems"] = strings.Join(s.Systems, ",")
	}
	return r
}

// requested returns the settings with those of a request.
func (s Settings) requested(r control.Request) (Settings, error) {
	s.TablePrefix = r.Settings["table-prefix"]
	systems, given := r.Settings["systems"]
	if s.systemsGiven = given; given {
		s.Systems = strings.Split(systems, ",")
	}
	return s, s.checkSystems("flag --systems")
}

// demandServed returns an error unless a server with these settings serves the systems and
// tables of a request.
func (s Settings) demandServed(r control.Request) error {
	asked, err := s.requested(r)
	if err != nil {
		return err
	}
	if asked.TablePrefix != s.TablePrefix {
		return fmt.Errorf("the server that has the data open uses the tables %s*: choose them with --table-prefix %s", s.TablePrefix, s.TablePrefix)
	}
	for _, wanted := range asked.systems() {
		if !slices.ContainsFunc(s.systems(), func(served host.System) bool { return served.Name == wanted.Name }) {
			return fmt.Errorf("the server that has the data open does not serve %s: choose with --systems %s", wanted.Name, strings.Join(s.Systems, ","))
		}
	}
	return nil
}

// listenForCommands serves the commands of this machine's user on the socket in the data
// directory, until stop is called. Where there can be no socket, the server works without.
func (m *Main) listenForCommands(s Settings, h *service, live *reloader, log *slog.Logger) (stop func(), err error) {
	if s.Store.Dir == "" {
		return func() {}, nil
	}
	listener, err := control.Listen(s.Store.Dir, allCommands(s, h, live), exitCode)
	var owned *control.OwnedError
	switch {
	case errors.As(err, &owned):
		return nil, err
	case err != nil:
		log.Warn("commands cannot reach this server", "error", err)
		return func() {}, nil
	}
	return func() {
		if err := listener.Close(); err != nil {
			log.Warn("the socket for commands cannot be removed", "error", err)
		}
	}, nil
}

// allCommands returns what a server does for commands.
func allCommands(s Settings, h *service, live *reloader) map[string]control.Command {
	all := commandsOf(s, h, live)
	maps.Copy(all, personCommands(h.Host))
	return all
}

// commandsOf returns those that concern the process and its store.
func commandsOf(s Settings, h *service, live *reloader) map[string]control.Command {
	return map[string]control.Command{
		"jobs-list": served(h.Host, "jobs list", nil, (*Main).listJobs),
		"jobs-run": served(h.Host, "jobs run", []string{"NAME"}, func(m *Main, ctx context.Context, h *host.Host, r control.Request) error {
			// The server delivers its events.
			return m.runJob(ctx, h, r.Args[0], func(context.Context) error { return nil })
		}),
		"cases-list":   served(h.Host, "cases list", nil, (*Main).listCases),
		"cases-decide": served(h.Host, "cases decide", []string{"ID", "VERDICT"}, (*Main).decideCase),
		"events-list":  served(h.Host, "events", nil, (*Main).listEvents),
		"events-show":  served(h.Host, "events", []string{"ID"}, (*Main).showEvent),
		"events-retry": served(h.Host, "events", []string{"ID"}, (*Main).retryEvent),
		"events-drop":  served(h.Host, "events", []string{"ID"}, (*Main).dropEvent),
		"reload": func(ctx context.Context, _ control.Request, out *control.Output) error {
			report, err := live.reload(ctx)
			if err != nil {
				return err
			}
			return report.print(out)
		},
		"token": func(ctx context.Context, r control.Request, out *control.Output) error {
			switch {
			case s.Identity != devIdentity:
				return errors.New("stoa token requires dev identity, and the server that has the data open has another")
			case len(r.Args) != 1:
				return usage("stoa token needs USER: see stoa token --help")
			}
			_, tokens, err := h.Issuer.Mint(ctx, r.Args[0])
			out.Result = tokens.AccessToken
			return err
		},
		"check": func(ctx context.Context, r control.Request, out *control.Output) error {
			if err := s.demandServed(r); err != nil {
				return err
			}
			return printing(out).check(ctx, h.DB, r.Switches["repair"], func(ctx context.Context, found func(host.Flaw) error) error {
				return h.Desk.Check(ctx, r.Switches["repair"], found)
			})
		},
		"export": func(ctx context.Context, r control.Request, out *control.Output) (err error) {
			s, err := s.requested(r)
			if err != nil {
				return err
			}
			x, err := exportedBy(ctx, h.client, s)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, x.close()) }()
			summary, err := x.export(ctx, out, func(int, int) {})
			if err != nil {
				return err
			}
			result, err := json.Marshal(summary)
			out.Result = string(result)
			return err
		},
	}
}

// printing returns a program that prints to out.
func printing(out io.Writer) *Main { return &Main{Stdout: out, Stderr: io.Discard} }
