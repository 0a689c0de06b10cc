package main

import (
	"net"
	"net/http"
	"strings"
	"testing"
)

func TestReady(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	status := http.StatusOK
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			t.Errorf("%s was asked", r.URL)
		}
		w.WriteHeader(status)
		w.Write([]byte("the store does not answer\n"))
	})}
	go s.Serve(listener)
	address := listener.Addr().String()

	if out, err := run(t, "ready", "--listen", address); err != nil || out != "ready\n" {
		t.Errorf("a server that is ready: %q, %v", out, err)
	}
	_, port, _ := net.SplitHostPort(address)
	if _, err := run(t, "ready", "--listen", "0.0.0.0:"+port); err != nil {
		t.Errorf("a server on all interfaces: %v", err)
	}
	status = http.StatusServiceUnavailable
	if _, err := run(t, "ready", "--listen", address); err == nil || err.Error() != "the server on "+address+" is not ready: the store does not answer" || exitCode(err) != 1 {
		t.Errorf("a server that is not ready: %v", err)
	}
	s.Close()
	if _, err := run(t, "ready", "--listen", address); err == nil || !strings.HasPrefix(err.Error(), "no server answers on "+address+": ") || exitCode(err) != 1 {
		t.Errorf("no server: %v", err)
	}
}

// The real server answers the command, whatever host its clients have to use.
func TestReadyAsksAServer(t *testing.T) {
	p := startProcess(t, "--store", "memory:", "--media", "memory:")
	if out, err := run(t, "ready", "--listen", strings.TrimPrefix(p.url, "http://")); err != nil || out != "ready\n" {
		t.Errorf("%q, %v", out, err)
	}
}
