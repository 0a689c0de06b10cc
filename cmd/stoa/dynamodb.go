package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"stoa/internal/kit/cli"
	"stoa/internal/kit/engine"
	"stoa/internal/kit/engine/wire"
	"stoa/internal/kit/logs"
)

// maxCreateDelay is the maximum delay. A larger one, perhaps with a wrong unit, would look
// like a hanging server.
const maxCreateDelay = time.Minute

func (m *Main) dynamodbCommand() *cli.Command {
	return &cli.Command{
		Name:  "dynamodb",
		Usage: "serve the embedded engine as a DynamoDB endpoint, for any AWS SDK or the AWS CLI",
		Description: "For tests and tools. Requests must be signed, with any credentials: signatures are not verified, " +
			"so anyone who can connect has full access.\n\n" +
			"Example:\n   stoa dynamodb --store embedded:./tables\n   AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any aws dynamodb list-tables --region us-east-1 " +
			"--endpoint-url http://127.0.0.1:8000",
		Flags: []cli.Flag{
			{Name: "listen", Usage: "`HOST:PORT` to listen on, of this machine only; port 0 picks a free one", Value: "127.0.0.1:8000"},
			{Name: "store", Usage: "where tables are stored: embedded:DIR, or memory: until the program ends", Value: "memory:"},
			{Name: "create-delay", Usage: "how long tables stay CREATING, UPDATING or DELETING, up to 1m", Value: time.Duration(0)},
		},
		Action: func(ctx context.Context, cmd *cli.Command) error {
			listen := cmd.String("listen")
			host, port, err := net.SplitHostPort(listen)
			switch {
			case err != nil || !isPort(port):
				return usage("--listen: %q is not an address: write HOST:PORT like 127.0.0.1:8000", listen)
			case !loopback(host):
				return usage("--listen: anyone who reaches %s could read and change everything: listen on 127.0.0.1:%s", listen, port)
			}
			var storage Storage
			if err := storage.UnmarshalText([]byte(cmd.String("store"))); err != nil || !storage.Embedded() {
				return usage("--store: %q is not an embedded store: write embedded:DIR or memory:", cmd.String("store"))
			}
			delay := cmd.Duration("create-delay")
			if delay < 0 || delay > maxCreateDelay {
				return usage("--create-delay %v: use a duration from 0s to %v", delay, maxCreateDelay)
			}
			return m.serveEngine(ctx, listen, storage, delay)
		},
	}
}

// serveEngine serves the engine over HTTP until ctx is done.
func (m *Main) serveEngine(ctx context.Context, address string, storage Storage, delay time.Duration) (err error) {
	tuneMemory(ctx, engineHeap, defaultMemoryLimit, m.LookupEnv)
	lines := logs.NewWriter(m.Stderr)
	defer lines.Close() // a failing log cannot be reported
	log := m.logger(lines, slog.LevelInfo)

	listener, err := listen(ctx, address)
	if err != nil {
		return err
	}
	defer listener.Close() // already closed if Serve was called
	e, err := openEngine(storage, engine.WithLogger(log), engine.WithStateDelay(delay))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	defer copyOnRequest(e, storage.Dir, m.CopyRequests, log)()

	url := "http://" + listener.Addr().String()
	fmt.Fprintf(m.Stdout, "stoa serves DynamoDB on %s\n   data  %s\n", url, storage)
	if m.OnServing != nil {
		m.OnServing(url)
	}
	return serveHTTP(ctx, listener, wire.NewHandler(e, log), log)
}

// lastRequests is the timeout of running requests when the server ends.
const lastRequests = 10 * time.Second

// serveHTTP serves until ctx is done and running requests have been answered.
func serveHTTP(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger) error {
	srv := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       2 * time.Minute,
		WriteTimeout:      2 * time.Minute,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	finishing, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastRequests)
	defer cancel()
	if err := srv.Shutdown(finishing); err != nil {
		return errors.Join(errors.New("some requests were still running when the server stopped"), srv.Close())
	}
	return nil
}
