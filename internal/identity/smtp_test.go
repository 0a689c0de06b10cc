package identity_test

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strings"
	"testing"
	"time"

	"stoa/internal/identity"
)

// rules are the requirements of a mailServer.
type rules struct {
	login  string // what AUTH PLAIN must carry; empty asks for none
	refuse string // a recipient that is turned away
	curt   bool   // ends the connection with the mail
}

// mailServer accepts e-mail on the loopback interface and returns it through a channel.
func mailServer(t *testing.T, is rules) (address string, mails <-chan string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	received := make(chan string, 10)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			talk(conn, is, received)
		}
	}()
	return listener.Addr().String(), received
}

// talk implements enough of SMTP to receive one e-mail.
func talk(conn net.Conn, is rules, received chan<- string) {
	defer conn.Close()
	lines := bufio.NewReader(conn)
	loggedIn := is.login == ""
	fmt.Fprint(conn, "220 mail.test\r\n")
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		command := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(command, "EHLO"):
			fmt.Fprint(conn, "250-mail.test\r\n250 AUTH PLAIN\r\n")
		case command == "AUTH PLAIN "+base64.StdEncoding.EncodeToString([]byte(is.login)):
			loggedIn = true
			fmt.Fprint(conn, "235 welcome\r\n")
		case strings.HasPrefix(command, "AUTH"):
			fmt.Fprint(conn, "535 wrong password\r\n")
		case !loggedIn && strings.HasPrefix(command, "MAIL"):
			fmt.Fprint(conn, "530 log in first\r\n")
		case is.refuse != "" && command == "RCPT TO:<"+is.refuse+">":
			fmt.Fprint(conn, "550 no such mailbox\r\n")
		case command == "DATA":
			fmt.Fprint(conn, "354 go on\r\n")
			var text strings.Builder
			for {
				line, err := lines.ReadString('\n')
				if err != nil {
					return
				}
				if line == ".\r\n" {
					break
				}
				text.WriteString(line)
			}
			received <- text.String()
			fmt.Fprint(conn, "250 taken\r\n")
			if is.curt {
				return
			}
		case command == "QUIT":
			fmt.Fprint(conn, "221 bye\r\n")
			return
		default:
			fmt.Fprint(conn, "250 ok\r\n")
		}
	}
}

func newSMTP(t *testing.T, server string) *identity.SMTP {
	t.Helper()
	m, err := identity.NewSMTP(server, "Ähre <no-reply@app.test>")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// delivered returns the next e-mail that was sent.
func delivered(t *testing.T, mails <-chan string) string {
	t.Helper()
	select {
	case text := <-mails:
		return text
	default:
		t.Fatal("nothing was delivered")
		return ""
	}
}

func TestMailsAreDelivered(t *testing.T) {
	address, mails := mailServer(t, rules{login: "\x00user\x00secret"})
	m := newSMTP(t, "smtp://user:secret@"+address)
	h := newHouse(t, func(c *identity.Config) { c.Mode, c.Mailer = identity.Local, m })
	id := h.ana()

	parsed, err := mail.ReadMessage(strings.NewReader(delivered(t, mails)))
	if err != nil {
		t.Fatal(err)
	}
	from, err := parsed.Header.AddressList("From")
	if err != nil || from[0].Name != "Ähre" || from[0].Address != "no-reply@app.test" {
		t.Errorf("from %v, %v", from, err)
	}
	subject, _ := new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject"))
	if subject != "APP: Confirm your e-mail address" || parsed.Header.Get("To") != "<ana@example.com>" {
		t.Errorf("headers %v", parsed.Header)
	}
	if date, err := parsed.Header.Date(); err != nil || !date.Equal(h.now().Truncate(time.Second)) {
		t.Errorf("date %v, %v", date, err)
	}
	text, err := io.ReadAll(quotedprintable.NewReader(parsed.Body))
	if err != nil || !strings.Contains(string(text), "https://app.test/confirm/email/"+id+"/") {
		t.Errorf("text %q, %v", text, err)
	}
}

func TestMailsThatFail(t *testing.T) {
	address, mails := mailServer(t, rules{refuse: "ben@example.com"})
	m := newSMTP(t, "smtp://"+address)
	message := identity.Message{MessageID: "1", UserID: "u", Channel: "email", To: "ben@example.com", Subject: "S", Text: "code 123456", Code: "123456"}
	var refused *identity.RefusedError
	if err := m.Send(t.Context(), message); !errors.As(err, &refused) || !strings.Contains(err.Error(), "no such mailbox") {
		t.Errorf("a recipient who does not exist: %v", err)
	}
	message.To = "ana@example.com"
	if err := m.Send(t.Context(), message); err != nil {
		t.Error(err)
	}
	if got := delivered(t, mails); !strings.Contains(got, "<ana@example.com>") {
		t.Errorf("delivered %q", got)
	}
	if err := newSMTP(t, "smtp://user:wrong@"+address).Send(t.Context(), message); err == nil || errors.As(err, &refused) {
		t.Errorf("a wrong password: %v", err)
	}
}

// A server that has taken a mail may end the connection without a farewell.
func TestTakenMailsAreNotReportedAsLost(t *testing.T) {
	address, mails := mailServer(t, rules{curt: true})
	message := identity.Message{MessageID: "1", UserID: "u", Channel: "email", To: "ana@example.com", Subject: "S", Text: "T"}
	if err := newSMTP(t, "smtp://"+address).Send(t.Context(), message); err != nil {
		t.Error(err)
	}
	delivered(t, mails)
}

func TestMailerSettings(t *testing.T) {
	for server, want := range map[string]string{
		"mail.test:25":              "mailer: write the mail server as",
		"http://mail.test:25":       "mailer: write the mail server as",
		"smtp://mail.test":          "mailer: write the mail server as",
		"smtp://:25":                "mailer: write the mail server as",
		"smtp://u:p#w@mail.test:25": "mailer: write the mail server as",
		"smtps://mail.test:25":      `mail-from: "nobody" is not an address`,
	} {
		_, err := identity.NewSMTP(server, "nobody")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", server, err)
		}
	}
	m := newSMTP(t, "smtp://127.0.0.1:1")
	if m.Reaches("sms") || !m.Reaches("email") {
		t.Error("a mail server sends e-mails and nothing else")
	}
	if err := m.Send(t.Context(), identity.Message{Channel: "sms"}); err == nil {
		t.Error("a text message was taken")
	}
}
