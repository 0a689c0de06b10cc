package main

import (
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A service of systemd with a watchdog says that it serves, keeps saying that it is alive,
// and says that it stops.
func TestSystemdIsTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	t.Setenv("NOTIFY_SOCKET", path)
	t.Setenv("WATCHDOG_USEC", "300000")
	p := startProcess(t, "--store", "memory:", "--media", "memory:")
	expect := func(state string) {
		t.Helper()
		buffer := make([]byte, 100)
		socket.SetReadDeadline(time.Now().Add(patience))
		for {
			n, err := socket.Read(buffer)
			if err != nil {
				t.Fatalf("waiting for %s: %v", state, err)
			}
			switch got := string(buffer[:n]); {
			case got == state:
				return
			case got != "WATCHDOG=1":
				t.Fatalf("got %s, want %s", got, state)
			}
		}
	}
	expect("READY=1")
	expect("WATCHDOG=1")
	expect("WATCHDOG=1")
	p.cmd.Process.Signal(os.Interrupt)
	expect("STOPPING=1")
}
