package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"stoa/app"
	"stoa/internal/control"
	"stoa/internal/host"
	"stoa/internal/identity"
	"stoa/internal/kit/cli"
	"stoa/internal/kit/config"
	"stoa/internal/kit/ratelimit"
	"stoa/internal/operator"
	"stoa/internal/server"
)

func (m *Main) reloadCommand() *cli.Command {
	return &cli.Command{
		Name:  "reload",
		Usage: "make a server with embedded data read its settings file again",
		Description: "Limits, word lists, operators and moderators, the log level and CORS origins change at once; the command prints " +
			"what has changed, and which other changes need a restart. " +
			"If the file has an error, nothing changes. The server's own flags and environment stay in force. " +
			"Servers on other stores read the file again on SIGHUP, and log the same.\n\n" +
			"Example:\n   stoa reload --store embedded:/var/lib/stoa",
		Flags: settingFlags("store"),
		Action: m.with(func(ctx context.Context, cmd *cli.Command, settings Settings) error {
			if settings.Store.Dir == "" {
				return usage("--store %s: only a server on embedded data can be reached: send SIGHUP to the process", settings.Store)
			}
			if err := settings.Store.demand(); err != nil {
				return err
			}
			_, err := m.call(ctx, settings, "reload", control.Request{}, m.Stdout)
			return unlessServing(err, fmt.Errorf("no server uses the data in %s: choose them with --store embedded:DIR", settings.Store.Dir))
		}),
	}
}

// servedSettings returns the settings of cmd, which must suit a server.
func (m *Main) servedSettings(cmd *cli.Command) (Settings, *config.Set, error) {
	s, set, err := m.settings(cmd)
	if err == nil {
		err = s.servable(set)
	}
	return s, set, err
}

// liveSettings change without a restart.
var liveSettings = []string{
	"operators", "moderators", "bad-words", "rules-file", "log-level", "cors-origins", "rate-limit",
	"max-complexity", "max-anonymous-complexity", "max-depth", "max-answer",
	"sign-in-account-limit", "sign-in-address-limit", "sign-up-account-limit", "sign-up-address-limit", "code-account-limit", "code-address-limit",
}

// reloader reads the settings of a server again.
type reloader struct {
	read   func() (Settings, *config.Set, error)
	words  *atomic.Pointer[string]
	level  *slog.LevelVar
	host   *host.Host
	server *server.Server
	log    *slog.Logger

	mu sync.Mutex
	// set has the settings in force, and rate is the limit of operations.
	set  *config.Set
	rate ratelimit.Limit
}

// shown returns the settings in force, as operators see them.
func (r *reloader) shown() []*operator.Setting {
	r.mu.Lock()
	defer r.mu.Unlock()
	return shown(r.set)
}

// onHangup reloads at each request, until ctx is done.
func (r *reloader) onHangup(ctx context.Context, requests <-chan os.Signal) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-requests:
			_, _ = r.reload(ctx) // it is logged
		}
	}
}

// reloaded is what a reload has changed, as lines for operators.
type reloaded struct {
	changed []string
	// restart are the settings whose change needs a restart.
	restart []string
}

func (r *reloaded) print(out io.Writer) error {
	var b strings.Builder
	for _, line := range r.changed {
		fmt.Fprintf(&b, "changed: %s\n", line)
	}
	for _, line := range r.restart {
		fmt.Fprintf(&b, "needs a restart: %s\n", line)
	}
	if b.Len() == 0 {
		b.WriteString("No setting has changed.\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// reload reads the settings and puts those in force that can change, or none if there is an
// error. It logs the outcome.
func (r *reloader) reload(ctx context.Context) (*reloaded, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	report, err := r.apply(ctx)
	if err != nil {
		r.log.ErrorContext(ctx, "the settings were not reloaded, and nothing has changed", "error", oneLine(err))
		return nil, err
	}
	r.log.InfoContext(ctx, "the settings have been reloaded", "changed", report.changed, "needRestart", report.restart)
	return report, nil
}

func (r *reloader) apply(ctx context.Context) (*reloaded, error) {
	s, set, err := r.read()
	if err != nil {
		return nil, err
	}
	if _, err := readBadWords(s.BadWords); err != nil {
		return nil, usage("setting bad-words: %v", err)
	}
	rules, err := readHouseRules(s.RulesFile)
	if err != nil {
		return nil, usage("setting rules-file: %v", err)
	}
	// Rate limits go with the identity, and wait with it for a restart.
	waits := !r.set.Field("identity").Same(set.Field("identity"))
	rate := perUser(s.RateLimit)
	if waits {
		rate = r.rate
	}
	// This is the last step that can fail.
	if err := r.server.Tune(server.Tuning{Rate: rate, CORSOrigins: s.CORSOrigins, Operation: s.operationLimits()}); err != nil {
		return nil, usage("setting %v", err)
	}
	r.rate = rate
	r.host.SetRoles(s.Operators, s.Moderators)
	r.host.SetHouseRules(rules)
	switch {
	case waits:
	case s.Identity == devIdentity:
		r.host.SetLimits(s.identityLimits(identity.Dev))
	case s.Identity == localIdentity:
		r.host.SetLimits(s.identityLimits(identity.Local))
	}
	r.level.Set(slog.Level(s.LogLevel))
	r.words.Store(&s.BadWords)
	r.checkWords(ctx)

	report := &reloaded{}
	for _, f := range set.Fields() {
		now := r.set.Field(f.Name)
		switch {
		case now.Same(f):
		case slices.Contains(liveSettings, f.Name) && !(waits && strings.HasSuffix(f.Name, "-limit")):
			report.changed = append(report.changed, fmt.Sprintf("%s from %q to %q", f.Name, now.Text(), f.Text()))
			now.Take(f)
		default:
			report.restart = append(report.restart, fmt.Sprintf("%s from %q to %q", f.Name, now.Text(), f.Text()))
		}
	}
	return report, nil
}

// checkWords lets the social system look at the bad words at once instead of within a minute.
func (r *reloader) checkWords(ctx context.Context) {
	if !slices.ContainsFunc(r.host.Joined, func(j host.Joined) bool { return j.Name == app.Name }) {
		return
	}
	if err := r.host.Jobs.RunNow(ctx, app.CheckBadWords); err != nil && !errors.Is(err, context.Canceled) {
		r.log.WarnContext(ctx, "the bad words are looked at within a minute", "error", err)
	}
}
