package main

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// supervise tells systemd, if it has started this process as a service of Type=notify, that
// the server serves, and that it is stopping once ctx is done; end waits for that. If the unit
// has WatchdogSec, the server reports itself alive as long as /livez answers; systemd restarts
// it when the reports cease. Whether the store answers does not count, since a restart would
// not help.
func (m *Main) supervise(ctx context.Context, url string, log *slog.Logger) (end func()) {
	end = func() {}
	if m.LookupEnv == nil {
		return end
	}
	if _, supervised := m.LookupEnv("NOTIFY_SOCKET"); !supervised {
		return end
	}
	notify := func(state string) {
		if _, err := daemon.SdNotify(false, state); err != nil {
			log.WarnContext(ctx, "systemd cannot be told", "state", state, "error", err)
		}
	}
	notify(daemon.SdNotifyReady)
	timeout, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		log.WarnContext(ctx, "the watchdog of systemd is not used", "error", err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer notify(daemon.SdNotifyStopping)
		if timeout <= 0 {
			<-ctx.Done()
			return
		}
		beat := time.NewTicker(timeout / 3)
		defer beat.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-beat.C:
				if alive(ctx, url, timeout/3) {
					notify(daemon.SdNotifyWatchdog)
				}
			}
		}
	}()
	return func() { <-done }
}

// alive reports whether a server responds within a time.
func alive(ctx context.Context, url string, timeout time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/livez", nil)
	if err != nil {
		return false
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}
