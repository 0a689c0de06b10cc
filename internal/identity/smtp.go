package identity

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/smtp"
	"net/textproto"
	"net/url"
	"strings"
	"sync"
	"time"
)

const (
	// smtpTimeout is the timeout for delivering one message.
	smtpTimeout = 30 * time.Second
	// smtpRest is how long a server that could not be reached is not tried again: each attempt
	// may take as long as its timeout, and others wait.
	smtpRest = 5 * time.Second
)

// SMTP is a Mailer that delivers e-mails to a mail server. It sends no text messages.
type SMTP struct {
	server *url.URL
	from   *mail.Address

	mu sync.Mutex
	// failedAt is when the server could not be reached, and failure why.
	failedAt time.Time
	failure  error
}

// NewSMTP returns a mailer for a server given as smtp://user:password@host:port, with
// STARTTLS if the server supports it, or as smtps:// for implicit TLS. From is the sender's
// address, for example `Stoa <no-reply@example.com>`. A password is sent only over TLS or
// to the local host. Errors begin with the name of the setting to change.
func NewSMTP(server, from string) (*SMTP, error) {
	parsed, err := url.Parse(server)
	if err != nil || parsed.Scheme != "smtp" && parsed.Scheme != "smtps" || parsed.Hostname() == "" || parsed.Port() == "" {
		return nil, errors.New(
			"mailer: write the mail server as smtp://user:password@host:port, or with smtps:// if it expects TLS from the start; in the password, write / as %2F, " +
				"@ as %40, # as %23 and % as %25",
		)
	}
	sender, err := mail.ParseAddress(from)
	if err != nil {
		return nil, fmt.Errorf("mail-from: %q is not an address: write one like Stoa <no-reply@app.example>", from)
	}
	return &SMTP{server: parsed, from: sender}, nil
}

// Reaches reports whether channel is e-mail.
func (m *SMTP) Reaches(channel string) bool { return channel == ViaEmail }

// RefusedError means that the mail server refuses the recipient for good.
type RefusedError struct{ Err error }

func (e *RefusedError) Error() string { return e.Err.Error() }

// Send delivers a message. It fails with a *RefusedError if another attempt is useless.
func (m *SMTP) Send(ctx context.Context, message Message) error {
	if !m.Reaches(message.Channel) {
		return fmt.Errorf("no way to send over %s", message.Channel)
	}
	return m.deliver(ctx, message)
}

func (m *SMTP) deliver(ctx context.Context, message Message) error {
	body, err := m.compose(message)
	if err != nil {
		return err
	}
	client, err := m.reach(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	defer context.AfterFunc(ctx, func() { client.Close() })()
	if user := m.server.User; user != nil {
		password, _ := user.Password()
		if err := client.Auth(smtp.PlainAuth("", user.Username(), password, m.server.Hostname())); err != nil {
			return err
		}
	}
	if err := client.Mail(m.from.Address); err != nil {
		return err
	}
	if err := client.Rcpt(message.To); err != nil {
		var answer *textproto.Error
		if errors.As(err, &answer) && answer.Code >= 550 && answer.Code < 560 {
			return &RefusedError{err}
		}
		return err
	}
	w, err := client.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(body); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	_ = client.Quit() // the server has taken the message: some end the connection at once
	return nil
}

// reach connects to the server, unless it could not be reached a moment ago.
func (m *SMTP) reach(ctx context.Context) (*smtp.Client, error) {
	m.mu.Lock()
	failedAt, failure := m.failedAt, m.failure
	m.mu.Unlock()
	if failure != nil && time.Since(failedAt) < smtpRest {
		return nil, failure
	}
	client, err := m.dial(ctx)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failure = err; err != nil {
		m.failedAt = time.Now()
	}
	return client, err
}

func (m *SMTP) dial(ctx context.Context) (*smtp.Client, error) {
	secure := &tls.Config{ServerName: m.server.Hostname()}
	dialer := net.Dialer{Timeout: smtpTimeout}
	conn, err := dialer.DialContext(ctx, "tcp", m.server.Host)
	if err != nil {
		return nil, err
	}
	conn.SetDeadline(time.Now().Add(smtpTimeout))
	if m.server.Scheme == "smtps" {
		conn = tls.Client(conn, secure)
	}
	client, err := smtp.NewClient(conn, m.server.Hostname())
	if err != nil {
		conn.Close()
		return nil, err
	}
	if offered, _ := client.Extension("STARTTLS"); offered && m.server.Scheme == "smtp" {
		if err := client.StartTLS(secure); err != nil {
			client.Close()
			return nil, err
		}
	}
	return client, nil
}

// compose formats a message as a plain text mail.
func (m *SMTP) compose(message Message) ([]byte, error) {
	var b bytes.Buffer
	to := mail.Address{Address: message.To}
	_, host, _ := strings.Cut(m.from.Address, "@")
	for _, line := range [][2]string{
		{"From", m.from.String()},
		{"To", to.String()},
		{"Subject", mime.QEncoding.Encode("utf-8", message.Subject)},
		{"Date", message.SentAt.Format(time.RFC1123Z)},
		{"Message-ID", "<" + message.MessageID + "@" + host + ">"},
		{"MIME-Version", "1.0"},
		{"Content-Type", "text/plain; charset=utf-8"},
		{"Content-Transfer-Encoding", "quoted-printable"},
	} {
		fmt.Fprintf(&b, "%s: %s\r\n", line[0], line[1])
	}
	b.WriteString("\r\n")
	text := quotedprintable.NewWriter(&b)
	if _, err := io.WriteString(text, message.Text); err != nil {
		return nil, err
	}
	err := text.Close()
	return b.Bytes(), err
}
