package server

import (
	"bufio"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"
)

// outlet is the sending side of a connection, whose writes never wait for the client. What
// the connection does not accept at once is queued and written in the background; a client
// that then accepts nothing within the timeout is disconnected.
type outlet struct {
	net.Conn
	// direct is nil if the connection cannot be written to without waiting.
	direct  syscall.RawConn
	timeout time.Duration

	mu    sync.Mutex
	queue outgoing
	// size is the number of bytes in queue and being written.
	size int
	// holders is the number of callers that are about to write more.
	holders int
	// writing is set while a goroutine writes the queue.
	writing bool
}

// outgoing is a part of what is sent.
type outgoing struct {
	text *[]byte // nil if empty
	// sent are called when the text has been written, or never will be.
	sent []func()
}

// upgrading is a ResponseWriter whose hijacked connection is written through an outlet.
type upgrading struct {
	http.ResponseWriter
	timeout time.Duration
	out     *outlet
}

func (u *upgrading) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(u.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	u.out = newOutlet(conn, u.timeout)
	buffers.Writer.Reset(u.out)
	return conn, buffers, nil
}

func newOutlet(conn net.Conn, timeout time.Duration) *outlet {
	o := &outlet{Conn: conn, timeout: timeout}
	if c, ok := conn.(syscall.Conn); ok {
		o.direct, _ = c.SyscallConn()
	}
	return o
}

// backlog returns the number of bytes that the connection has not accepted yet.
func (o *outlet) backlog() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.size
}

// Write sends a copy of p. It does not fail: the reading side notices a broken connection.
func (o *outlet) Write(p []byte) (int, error) {
	o.mu.Lock()
	if o.queue.text == nil {
		o.queue.text = takeBuffer()
	}
	*o.queue.text = append(*o.queue.text, p...)
	o.size += len(p)
	starts := o.starts()
	o.mu.Unlock()
	if starts {
		o.writeQueue(false)
	}
	return len(p), nil
}

// hold queues what is written until release is called, to send it together.
func (o *outlet) hold() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.holders++
}

// release ends a hold. Sent, which may be nil, is called once everything before has been
// written, or never will be.
func (o *outlet) release(sent func()) {
	o.mu.Lock()
	o.holders--
	if sent != nil {
		o.queue.sent = append(o.queue.sent, sent)
	}
	starts := o.starts()
	o.mu.Unlock()
	if starts {
		o.writeQueue(true)
	}
}

// starts reports whether the caller is to write the queue.
func (o *outlet) starts() bool {
	starts := !o.writing && o.holders == 0
	o.writing = o.writing || starts
	return starts
}

// writeQueue writes the queue until it is empty or held back. It continues in the background
// when the connection has to be waited for, or when there is a function to call and the
// caller's locks do not permit that.
func (o *outlet) writeQueue(mayCall bool) {
	for {
		next, more := o.next()
		if !more {
			return
		}
		rest := o.offer(next.text)
		if len(rest) > 0 || len(next.sent) > 0 && !mayCall {
			go func() {
				o.writeAll(rest)
				o.end(next)
				o.writeQueue(true)
			}()
			return
		}
		o.end(next)
	}
}

func (o *outlet) next() (next outgoing, more bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	next, more = o.queue, o.holders == 0 && (o.queue.text != nil || o.queue.sent != nil)
	if o.writing = more; more {
		o.queue = outgoing{}
	}
	return next, more
}

func (o *outlet) end(of outgoing) {
	if of.text != nil {
		o.mu.Lock()
		o.size -= len(*of.text)
		o.mu.Unlock()
		giveBuffer(of.text)
	}
	for _, sent := range of.sent {
		sent()
	}
}

// offer writes what the connection accepts at once, and returns the rest.
func (o *outlet) offer(text *[]byte) (rest []byte) {
	if text == nil {
		return nil
	}
	n := 0
	if o.direct != nil {
		_ = o.direct.Write(func(fd uintptr) bool { // writeAll meets the error again
			n, _ = writeNow(fd, *text)
			return true
		})
	}
	return (*text)[max(0, n):]
}

// writeAll writes p. It closes the connection if nothing is accepted within the timeout.
func (o *outlet) writeAll(p []byte) {
	for len(p) > 0 {
		o.SetWriteDeadline(time.Now().Add(o.timeout))
		n, err := o.Conn.Write(p)
		if err != nil && n == 0 {
			o.Close()
			return
		}
		p = p[n:]
	}
	o.SetWriteDeadline(time.Time{})
}
