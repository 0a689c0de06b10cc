package main

import (
	"bufio"
	"fmt"
	"io"
	"mime/quotedprintable"
	"net"
	"net/textproto"
	"regexp"
	"strings"
	"sync"
	"time"
)

// mailbox is a mail server that stores mails by recipient.
type mailbox struct {
	listener net.Listener

	mu    sync.Mutex
	mails map[string][]string
}

func newMailbox() (*mailbox, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &mailbox{listener: l, mails: map[string][]string{}}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go m.converse(conn)
		}
	}()
	return m, nil
}

func (m *mailbox) address() string { return m.listener.Addr().String() }

// converse implements the part of SMTP that a client needs to deliver mails.
func (m *mailbox) converse(conn net.Conn) {
	defer conn.Close()
	in := textproto.NewReader(bufio.NewReader(conn))
	say := func(line string) { io.WriteString(conn, line+"\r\n") }
	say("220 mailbox")
	to := ""
	for {
		line, err := in.ReadLine()
		if err != nil {
			return
		}
		switch verb := strings.ToUpper(line); {
		case strings.HasPrefix(verb, "RCPT TO:"):
			to = strings.Trim(strings.TrimSpace(line[len("RCPT TO:"):]), "<>")
			say("250 ok")
		case strings.HasPrefix(verb, "DATA"):
			say("354 continue")
			text, err := in.ReadDotBytes()
			if err != nil {
				return
			}
			m.mu.Lock()
			m.mails[to] = append(m.mails[to], string(text))
			m.mu.Unlock()
			say("250 ok")
		case strings.HasPrefix(verb, "QUIT"):
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

// count returns the number of mails to a recipient.
func (m *mailbox) count(to string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.mails[to])
}

var sixDigits = regexp.MustCompile(`\b\d{6}\b`)

// code waits for the code in a recipient's first mail.
func (m *mailbox) code(to string) (string, error) {
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		m.mu.Lock()
		mails := m.mails[to]
		m.mu.Unlock()
		if len(mails) == 0 {
			continue
		}
		_, body, _ := strings.Cut(mails[0], "\n\n")
		text, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(body)))
		if code := sixDigits.FindString(string(text)); err == nil && code != "" {
			return code, nil
		}
		return "", fmt.Errorf("no code in %q", mails[0])
	}
	return "", fmt.Errorf("no e-mail to %s", to)
}
