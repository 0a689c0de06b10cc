package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/url"
	"os"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"stoa/app"
	"stoa/internal/host"
	"stoa/internal/kit/cli"
	"stoa/internal/kit/config"
	"stoa/internal/kit/logs"
	"stoa/internal/kit/ratelimit"
	"stoa/internal/kit/trace"
	"stoa/internal/kit/trace/otlp"
	"stoa/internal/media/blob"
	"stoa/internal/operator"
	"stoa/internal/server"
	"stoa/internal/server/operation"
)

func (m *Main) serveCommand() *cli.Command {
	return &cli.Command{
		Name:  "serve",
		Usage: "serve the API, identity and GraphiQL on one port",
		Description: "Stores data in ./data by default, which is created if missing. On SIGINT or SIGTERM, " +
			"running operations are finished before the server exits. " +
			"On SIGUSR1, embedded data are copied to a directory next to them, for stoa export.\n\n" +
			"Example:\n   stoa serve --listen 127.0.0.1:9000 --store embedded:/var/lib/stoa",
		Flags: append(settingFlags(), cli.Flag{
			Name: "clock-offset", Usage: "how far the clock of this process is ahead, for tests", Value: time.Duration(0), Hidden: true,
		}),
		Action: func(ctx context.Context, cmd *cli.Command) error {
			settings, set, err := m.settings(cmd)
			if err != nil {
				return err
			}
			settings.clockOffset = cmd.Duration("clock-offset")
			if err := settings.servable(set); err != nil {
				return err
			}
			return m.serve(ctx, cmd, settings, set)
		},
	}
}

// serve serves until ctx is done. Unless a public URL is given, it is the listen address.
func (m *Main) serve(ctx context.Context, cmd *cli.Command, s Settings, set *config.Set) (err error) {
	var hangups <-chan os.Signal
	if m.Hangups != nil {
		hangups = m.Hangups()
	}
	s.words = &atomic.Pointer[string]{}
	s.words.Store(&s.BadWords)
	level := &slog.LevelVar{}
	level.Set(slog.Level(s.LogLevel))
	tuneMemory(ctx, servedHeap, s.MemoryLimit, m.LookupEnv)
	lines := logs.NewWriter(m.Stderr)
	defer lines.Close() // a failing log cannot be reported
	log := m.logger(lines, level)

	tracer, endTraces, err := otlp.Open(otlp.Config{
		LookupEnv: m.LookupEnv, Console: m.Stdout, Version: programVersion(), Instance: uuid.NewString(),
		Failed: func(err error) { log.Warn("tracing", "error", err) },
	})
	if err != nil {
		return usage("%v", err)
	}
	if tracer != nil {
		log = slog.New(trace.Logged(log.Handler()))
		defer func() {
			ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), tracesTime)
			defer cancel()
			if failed := endTraces(ending); failed != nil {
				log.Warn("tracing", "error", failed)
			}
		}()
	}

	// The port is checked first, because that is cheapest.
	listener, err := listen(ctx, s.Listen)
	if err != nil {
		return err
	}
	defer listener.Close() // already closed if Serve was called
	url := "http://" + listener.Addr().String()
	if !set.Field("public-url").Given() {
		links := s.AppURL == s.PublicURL
		s.PublicURL = "http://" + listenedOn(s.Listen, listener.Addr())
		if links {
			s.AppURL = s.PublicURL
		}
	}

	registry := newRegistry()
	h, closeAll, err := assemble(ctx, s, m.CopyRequests, log, registry, tracer)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	if err := h.RaiseFormat(ctx); err != nil {
		return err
	}
	if err := checkMedia(ctx, s, h.Media.Files); err != nil {
		return err
	}
	srv, err := newServer(h.Host, s, log, registry, tracer)
	if err != nil {
		return usage("%v", err)
	}
	live := &reloader{
		read: func() (Settings, *config.Set, error) { return m.servedSettings(cmd) }, set: set, words: s.words,
		level: level, host: h.Host, server: srv, log: log, rate: perUser(s.RateLimit),
	}
	h.Desk.Connections, h.Desk.Shown, h.Desk.Recheck = srv.Load, live.shown, srv.RecheckNow
	if dir := s.Store.Dir; dir != "" {
		h.Desk.Disk = func() (*operator.Disk, error) { return diskOf(dir) }
		watchDisk(registry, dir)
	}

	if err := serveUpkeep(ctx, s, h); err != nil {
		return err
	}

	// Events of the last operations are still delivered while these finish.
	delivering, stopDelivering := context.WithCancel(context.WithoutCancel(ctx))
	delivered := make(chan struct{})
	go func() { defer close(delivered); h.Run(delivering) }()
	defer func() { stopDelivering(); <-delivered }()

	closeControl, err := m.listenForCommands(s, h, live, log)
	if err != nil {
		return err
	}
	defer closeControl()

	reloading := make(chan struct{})
	go func() { defer close(reloading); live.onHangup(ctx, hangups) }()
	defer func() { <-reloading }()

	m.announce(url, s, h.Host)
	if m.OnServing != nil {
		m.OnServing(url)
	}
	supervised, stop := context.WithCancel(ctx)
	endSupervision := m.supervise(supervised, "http://"+dialled(listener.Addr().String()), log)
	defer func() { stop(); endSupervision() }()
	return srv.Serve(ctx, listener)
}

// tracesTime is how long the last traces may take to be sent.
const tracesTime = 5 * time.Second

// checkMedia returns an error if files cannot be stored, which would otherwise be noticed by
// the first user who uploads one.
func checkMedia(ctx context.Context, s Settings, files blob.Store) error {
	bucket, remote := files.(*blob.Bucket)
	if !remote {
		return nil
	}
	if err := bucket.Check(ctx); err != nil {
		return fmt.Errorf("media cannot be kept in %s: %w", s.Media, err)
	}
	return nil
}

// listenedOn returns the listen address as it was given, with the port that was taken.
func listenedOn(listen string, taken net.Addr) string {
	host, _, err := net.SplitHostPort(listen)
	_, port, takenErr := net.SplitHostPort(taken.String())
	if err != nil || takenErr != nil || host == "" {
		return taken.String()
	}
	return net.JoinHostPort(host, port)
}

// announce prints where the server can be reached. The first line is also for scripts: it
// contains the actual address.
func (m *Main) announce(url string, s Settings, h *host.Host) {
	fmt.Fprintf(m.Stdout, "stoa serves %s\n", url)
	for _, j := range h.Joined {
		if j.Off != nil && j.Off() {
			continue
		}
		fmt.Fprintf(m.Stdout, "   API       %s%s\n", s.PublicURL, j.Path)
	}
	playground := "/"
	if s.Site != "" {
		fmt.Fprintf(m.Stdout, "   site      %s/\n", s.PublicURL)
		playground = "/playground/"
	}
	if s.Playground {
		fmt.Fprintf(m.Stdout, "   GraphiQL  %s%s\n", s.PublicURL, playground)
	}
	if h.Desk.Open() {
		fmt.Fprintf(m.Stdout, "   console   %s/console\n", s.PublicURL)
	}
	if ip := net.ParseIP(publicHost(s.PublicURL)); ip.IsUnspecified() {
		fmt.Fprintf(m.Stdout, "   warning   clients cannot reach media at %s: set --public-url to the URL at which they reach this server\n", s.PublicURL)
	}
	films := "and videos"
	if !h.Media.Films.Available() {
		films = "but no videos, since ffmpeg is not installed"
	}
	fmt.Fprintf(m.Stdout, "   identity  %s\n   data      %s\n   media     %s: images %s\n", s.Identity, s.Store, s.Media, films)
	for _, unset := range s.unset() {
		fmt.Fprintf(m.Stdout, "   not set   %s\n", unset)
	}
}

// unset lists the settings without a default that parts of the social system need, with what
// does not work without them. Push by apns and identity local refuse to start instead.
func (s *Settings) unset() []string {
	var lines []string
	if !slices.ContainsFunc(s.systems(), func(h host.System) bool { return h.Name == app.Name }) {
		return nil
	}
	if s.AppURL == "" || s.AppName == "" {
		lines = append(lines, "app-url, app-name: links in cards have no host, and texts no name of the app")
	}
	if len(s.AppleClients) == 0 && s.Identity != oidcIdentity {
		lines = append(lines, "apple-clients: Apple logins are refused")
	}
	if s.AppStoreBundle == "" {
		lines = append(lines, "app-store-bundle: App Store receipts are refused")
	}
	return lines
}

func newServer(h *host.Host, s Settings, log *slog.Logger, registry *prometheus.Registry, tracer *trace.Tracer) (*server.Server, error) {
	config := server.Config{
		Authenticator: h.Authenticator,
		Rate:          perUser(s.RateLimit),
		Ready:         h.Ready,
		Keys:          h.Ops.Keys,
		Mounts:        h.Mounts(),
		CORSOrigins:   s.CORSOrigins,
		LocalOrigins:  s.Identity == devIdentity && !s.InsecureDev,
		Playground:    s.Playground,
		Console:       h.Desk.Open,
		PublicURL:     s.PublicURL,
		Introspection: s.Introspection,
		EventDelay:    s.EventDelay,
		Limits:        server.DefaultLimits,
		Log:           log,
		Registry:      registry,
		Tracer:        tracer,

		OpenIntrospection: s.Identity == devIdentity,
		Metrics:           s.Metrics,
		TrustedProxies:    s.Proxies,
	}
	if s.Site != "" {
		site, err := openSite(s.Site)
		if err != nil {
			return nil, err
		}
		config.Site = site.FS()
	}
	for _, j := range h.Joined {
		config.Systems = append(config.Systems, server.System{
			Name: j.Name, Path: j.Path, Schema: j.Schema, Authenticator: j.Authenticator, OperationContext: j.OperationContext, Scalars: j.Scalars, Public: j.Public,
			Prices: j.Prices, BodyBytes: j.BodyBytes, Admit: j.Admit, Introspection: j.Introspection, Recheck: j.Recheck,
			Off: j.Off,
		})
	}
	if s.Identity == devIdentity && !s.InsecureDev {
		config.Hosts = []string{publicHost(s.PublicURL)}
	}
	config.Limits.Operation = s.operationLimits()
	return server.New(config)
}

func (s *Settings) operationLimits() operation.Limits {
	l := server.DefaultLimits.Operation
	l.Complexity, l.AnonymousComplexity, l.Depth, l.AnswerBytes = s.MaxComplexity, s.MaxAnonymousComplexity, s.MaxDepth, int64(s.MaxAnswer)
	return l
}

// openSite opens the directory of a built web app. A link in it cannot lead out of it.
func openSite(directory string) (*os.Root, error) {
	root, err := os.OpenRoot(directory)
	if err != nil {
		return nil, fmt.Errorf("setting site: %w", err)
	}
	if _, err := root.Stat("index.html"); err != nil {
		return nil, errors.Join(fmt.Errorf("setting site: %s has no index.html: build the app, and give the directory it is built into", directory), root.Close())
	}
	return root, nil
}

// publicHost returns the host name of a valid public URL.
func publicHost(publicURL string) string {
	u, err := url.Parse(publicURL)
	if err != nil {
		return publicURL
	}
	return u.Hostname()
}

// burstSeconds is the number of seconds' worth of operations that a user may start at once:
// an app sends a screenful of requests when it is opened.
const burstSeconds = 2

// perUser returns the limit per user; 0 means none.
func perUser(perSecond float64) ratelimit.Limit {
	if perSecond == 0 {
		return ratelimit.Limit{}
	}
	return ratelimit.Limit{Burst: int(math.Ceil(perSecond * burstSeconds)), Every: time.Duration(min(float64(time.Second)/perSecond, math.MaxInt64/2))}
}

func newRegistry() *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return registry
}

func listen(ctx context.Context, address string) (net.Listener, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("the address %s is in use: stop the program that listens there, or choose another with --listen", address)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("no permission to listen on %s: ports below 1024 need privileges, choose another with --listen", address)
	case err != nil:
		return nil, fmt.Errorf("cannot listen on %s: %w", address, err)
	}
	return listener, nil
}
