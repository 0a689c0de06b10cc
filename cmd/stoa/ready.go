package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"stoa/internal/kit/cli"
)

// readyTimeout is how long a server may take to say whether it is ready.
const readyTimeout = 5 * time.Second

func (m *Main) readyCommand() *cli.Command {
	return &cli.Command{
		Name:  "ready",
		Usage: "say whether a server can serve requests",
		Description: "Asks /readyz of the server that listens on the given address. Prints why it is not ready, and exits with 1, if it answers " +
			"anything but 200 within five seconds. Containers can use it as their health check.\n\n" +
			"Example:\n   stoa ready --listen 127.0.0.1:9000",
		Flags: settingFlags("listen"),
		Action: m.with(func(ctx context.Context, cmd *cli.Command, settings Settings) error {
			if err := checkReady(ctx, settings.Listen); err != nil {
				return err
			}
			_, err := fmt.Fprintln(m.Stdout, "ready")
			return err
		}),
	}
}

// checkReady returns why the server that listens on an address is not ready.
func checkReady(ctx context.Context, listen string) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+dialled(listen)+"/readyz", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return fmt.Errorf("no server answers on %s: %w", listen, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	why, err := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
	if err != nil {
		return err
	}
	return fmt.Errorf("the server on %s is not ready: %s", listen, strings.TrimSpace(string(why)))
}

// dialled returns the address at which a local client reaches a server that listens on an
// address, which may be that of all interfaces.
func dialled(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return listen
	}
	if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}
