package identity

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/smtp"
	"net/url"
	"strings"
	"sync"
	"time"
)

const (
	// smtpQueue is the maximum number of messages waiting for the mail server.
	smtpQueue = 256
	// smtpTimeout is the timeout for delivering one message.
	smtpTimeout = 30 * time.Second
)

// SMTP is a Mailer that delivers e-mails to a mail server, one at a time and in the
// background. It sends no text messages.
type SMTP struct {
	server *url.URL
	from   *mail.Address
	log    *slog.Logger

	mu     sync.Mutex
	closed bool
	queue  chan Message
	done   chan struct{}
}

// NewSMTP returns a mailer for a server given as smtp://user:password@host:port, with
// STARTTLS if the server supports it, or as smtps:// for implicit TLS. From is the sender's
// address, for example `Stoa <no-reply@example.com>`. A password is sent only over TLS or
// to the local host. Errors begin with the name of the setting to change.
func NewSMTP(server, from string, log *slog.Logger) (*SMTP, error) {
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
	m := &SMTP{
		server: parsed,
		from:   sender,
		log:    log,
		queue:  make(chan Message, smtpQueue),
		done:   make(chan struct{}),
	}
	go m.work()
	return m, nil
}

// Reaches reports whether channel is e-mail.
func (m *SMTP) Reaches(channel string) bool { return channel == ViaEmail }

// Send queues a message. It fails if the queue is full or the mailer is closed.
func (m *SMTP) Send(_ context.Context, message Message) error {
	if !m.Reaches(message.Channel) {
		return fmt.Errorf("no way to send over %s", message.Channel)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return errors.New("the mailer is closed")
	}
	select {
	case m.queue <- message:
		return nil
	default:
		return errors.New("too many mails are waiting for the mail server")
	}
}

// Close stops accepting messages and waits until the queued ones are delivered or have
// failed, or until ctx is done.
func (m *SMTP) Close(ctx context.Context) error {
	m.mu.Lock()
	if !m.closed {
		m.closed = true
		close(m.queue)
	}
	m.mu.Unlock()
	select {
	case <-m.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (m *SMTP) work() {
	defer close(m.done)
	for message := range m.queue {
		if err := m.deliver(message); err != nil {
			m.log.Error("e-mail not delivered", "userId", string(message.UserID), "error", err)
		}
	}
}

func (m *SMTP) deliver(message Message) error {
	body, err := m.compose(message)
	if err != nil {
		return err
	}
	client, err := m.dial()
	if err != nil {
		return err
	}
	defer client.Close()
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

func (m *SMTP) dial() (*smtp.Client, error) {
	secure := &tls.Config{ServerName: m.server.Hostname()}
	conn, err := net.DialTimeout("tcp", m.server.Host, smtpTimeout)
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
