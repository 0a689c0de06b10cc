package otlp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// lines writes each batch of spans as a line.
type lines struct {
	mu sync.Mutex
	to io.Writer
}

func (l *lines) ExportSpans(_ context.Context, spans []sdk.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	line, err := encode(spans[0].Resource(), spans)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err = l.to.Write(append(line, '\n'))
	return err
}

func (*lines) Shutdown(context.Context) error { return nil }

// collector is an endpoint of OTLP over HTTP.
type collector struct {
	url     string
	headers map[string]string
	client  *http.Client
}

// Attempts to send a batch. While a collector refuses, later batches wait in memory, up to the
// limit of the SDK, and are dropped beyond it.
const (
	attempts   = 4
	firstPause = time.Second
	maxPause   = 10 * time.Second
)

func (c *collector) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	body, err := encode(spans[0].Resource(), spans)
	if err != nil {
		return err
	}
	for attempt := range attempts {
		var again time.Duration
		if again, err = c.post(ctx, body); err == nil || again == 0 {
			return err
		}
		if attempt == attempts-1 {
			break
		}
		select {
		case <-time.After(min(max(again, firstPause<<attempt), maxPause)):
		case <-ctx.Done():
			return err
		}
	}
	return err
}

// post sends a batch once. After an error, it may be sent again in the returned time, unless
// that is 0.
func (c *collector) post(ctx context.Context, body []byte) (again time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	for name, value := range c.headers {
		r.Header.Set(name, value)
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := c.client.Do(r)
	if err != nil {
		return firstPause, fmt.Errorf("traces are not sent: %w", err)
	}
	defer response.Body.Close()
	_, _ = io.CopyN(io.Discard, response.Body, 64<<10) // so that the connection can be used again
	switch response.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		again = firstPause
		if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds > 0 {
			again = time.Duration(seconds) * time.Second
		}
	}
	if response.StatusCode >= 300 {
		return again, fmt.Errorf("traces are not sent: %s answers %s", c.url, response.Status)
	}
	return 0, nil
}

func (c *collector) Shutdown(context.Context) error {
	c.client.CloseIdleConnections()
	return nil
}
