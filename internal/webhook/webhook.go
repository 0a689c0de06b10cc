// Package webhook posts notices to receivers elsewhere, signed as Standard Webhooks
// (standardwebhooks.com, version 1.0.0) describes.
package webhook

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"stoa/internal/kit/trace"
)

const (
	// timeout is how long a receiver may take for everything.
	timeout = 10 * time.Second
	// maxAnswer is how much of an answer is read, in bytes.
	maxAnswer = 64 << 10
	// secretPrefix may precede the base64 of a secret.
	secretPrefix = "whsec_"
	// Secrets have 24 to 64 bytes, as Standard Webhooks recommends.
	minSecret, maxSecret = 24, 64
)

// Hook is a receiver.
type Hook struct {
	URL string
	// Key signs what is sent there.
	Key []byte
	// Events are the types that it receives.
	Events []string
}

// ID identifies the hook as long as its URL stays the same.
func (h Hook) ID() string {
	sum := sha256.Sum256([]byte(h.URL))
	return hex.EncodeToString(sum[:8])
}

// Wants reports whether the hook receives a type.
func (h Hook) Wants(event string) bool { return slices.Contains(h.Events, event) }

// New checks what a receiver is configured with.
func New(address, secret string, events, known []string) (Hook, error) {
	if err := checkURL(address); err != nil {
		return Hook{}, err
	}
	key, err := keyOf(address, secret)
	if err != nil {
		return Hook{}, err
	}
	if len(events) == 0 {
		return Hook{}, fmt.Errorf("%s receives no events: list some of %s", address, strings.Join(known, ", "))
	}
	for _, e := range events {
		if !slices.Contains(known, e) {
			return Hook{}, fmt.Errorf("there is no event %q for %s: write some of %s", e, address, strings.Join(known, ", "))
		}
	}
	return Hook{URL: address, Key: key, Events: events}, nil
}

// NewQuestioned checks what a receiver of questions is configured with. The secret may be empty.
func NewQuestioned(address, secret string) (h Hook, err error) {
	if err := checkURL(address); err != nil {
		return h, err
	}
	h.URL = address
	if secret != "" {
		h.Key, err = keyOf(address, secret)
	}
	return h, err
}

func checkURL(address string) error {
	if u, err := url.Parse(address); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return fmt.Errorf("%q is not the URL of a receiver: write one like https://app.example/hook", address)
	}
	return nil
}

func keyOf(address, secret string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
	if err != nil || len(key) < minSecret || len(key) > maxSecret {
		return nil, fmt.Errorf("the secret of %s is not the base64 of %d to %d bytes: make one with openssl rand -base64 32", address, minSecret, maxSecret)
	}
	return key, nil
}

// Sender posts to hooks.
type Sender struct{ client *http.Client }

// NewSender returns a sender, which refuses addresses of private networks unless private is
// set. The address is judged when the connection is made, whatever its name resolves to.
func NewSender(private bool) *Sender {
	dialer := &net.Dialer{Timeout: timeout}
	if !private {
		dialer.Control = func(_, address string, _ syscall.RawConn) error { return demandPublic(address) }
	}
	return &Sender{&http.Client{
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		// Through a proxy, the address of the receiver would not be judged.
		Transport: &http.Transport{
			DialContext: dialer.DialContext, TLSHandshakeTimeout: timeout, MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: maxAnswer,
		},
	}}
}

// carrierGrade is the address space that providers share among customers (RFC 6598), and
// translated the prefix of IPv4 addresses in IPv6 (RFC 6052).
var (
	carrierGrade = netip.MustParsePrefix("100.64.0.0/10")
	translated   = netip.MustParsePrefix("64:ff9b::/96")
)

// ErrPrivate means that a hook leads to a private network.
var ErrPrivate = errors.New("the address is of a private network: set webhook-private to allow it")

func demandPublic(address string) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("the address %s cannot be judged: %w", address, err)
	}
	ip := at.Addr().Unmap()
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || carrierGrade.Contains(ip) || translated.Contains(ip) {
		return ErrPrivate
	}
	return nil
}

// Send posts a notice, and fails unless the receiver takes it with a status of 2xx. The id is
// the same at each attempt, now the time of this one.
func (s *Sender) Send(ctx context.Context, h Hook, id string, now time.Time, body []byte) error {
	return s.post(ctx, h, id, now, body, func(answer io.Reader) error {
		_, _ = io.CopyN(io.Discard, answer, maxAnswer) // so that the connection can be used again
		return nil
	})
}

// Ask posts a question as Send does, signed unless the hook has no key, and returns the answer.
func (s *Sender) Ask(ctx context.Context, h Hook, id string, now time.Time, body []byte) (answer []byte, err error) {
	err = s.post(ctx, h, id, now, body, func(r io.Reader) error {
		answer, err = io.ReadAll(io.LimitReader(r, maxAnswer+1))
		if len(answer) > maxAnswer {
			err = fmt.Errorf("the answer is longer than %d bytes", maxAnswer)
		}
		return err
	})
	return answer, err
}

func (s *Sender) post(ctx context.Context, h Hook, id string, now time.Time, body []byte, read func(answer io.Reader) error) error {
	ctx, span := trace.Start(ctx, trace.Called, "webhook", "")
	defer span.End()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	stamp := strconv.FormatInt(now.Unix(), 10)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "stoa")
	r.Header.Set("webhook-id", id)
	r.Header.Set("webhook-timestamp", stamp)
	if len(h.Key) > 0 {
		r.Header.Set("webhook-signature", "v1,"+sign(h.Key, id, stamp, body))
	}
	response, err := s.client.Do(r)
	if err != nil {
		span.Fail("failed")
		return err
	}
	defer response.Body.Close()
	err = read(response.Body)
	if response.StatusCode < 200 || response.StatusCode > 299 {
		span.Fail(response.Status)
		return fmt.Errorf("the receiver answers %s", response.Status)
	}
	return err
}

func sign(key []byte, id, stamp string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, stamp, body)
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
