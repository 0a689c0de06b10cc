package server

import (
	"bytes"
	"io"
	"net"
	"testing"
	"time"
)

// connected returns both ends of a TCP connection, the first as an outlet.
func connected(t *testing.T, timeout time.Duration) (*outlet, net.Conn) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	client, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	conn, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close(); conn.Close() })
	return newOutlet(conn, timeout), client
}

// The test writes more than a connection buffers, without a reader.
func TestAnOutletNeverWaitsAndKeepsTheOrder(t *testing.T) {
	o, client := connected(t, time.Minute)
	var want []byte
	for i := range 4096 {
		part := bytes.Repeat([]byte{byte(i), byte(i >> 8)}, 1<<11)
		want = append(want, part...)
		o.Write(part)
	}
	if o.backlog() == 0 {
		t.Fatal("nothing is queued: the test writes too little")
	}
	sent := make(chan struct{})
	o.hold()
	o.Write([]byte("held"))
	o.release(func() { close(sent) })
	select {
	case <-sent:
		t.Error("sent before anything was read")
	default:
	}
	got := make([]byte, len(want)+len("held"))
	if _, err := io.ReadFull(client, got); err != nil {
		t.Fatal(err)
	}
	<-sent
	if !bytes.Equal(got, append(want, "held"...)) || o.backlog() != 0 {
		t.Errorf("other bytes arrive, or %d are left", o.backlog())
	}
	o.Write([]byte("after the deadline of earlier writes was set"))
	if _, err := io.ReadFull(client, got[:5]); err != nil || string(got[:5]) != "after" {
		t.Errorf("then %q, %v", got[:5], err)
	}
}

func TestAnOutletGivesUpOnAClientThatReadsNothing(t *testing.T) {
	o, client := connected(t, time.Millisecond)
	sent := make(chan struct{})
	o.hold()
	o.Write(make([]byte, 64<<20))
	o.release(func() { close(sent) })
	<-sent
	if n, err := io.Copy(io.Discard, client); n >= 64<<20 {
		t.Errorf("all %d bytes arrive, %v", n, err)
	}
}

func TestAnOutletSendsTogetherWhatIsHeld(t *testing.T) {
	o, client := connected(t, time.Minute)
	o.hold()
	o.hold()
	o.Write([]byte("one "))
	o.release(nil)
	if o.backlog() != len("one ") {
		t.Error("sent although it is held twice")
	}
	o.Write([]byte("two"))
	called := false
	o.release(func() { called = true })
	got := make([]byte, 100)
	if n, err := client.Read(got); string(got[:n]) != "one two" || !called {
		t.Errorf("got %q, %v, called %v", got[:n], err, called)
	}
}
