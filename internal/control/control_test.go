package control_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stoa/internal/control"
)

var errWrong = errors.New("wrong: two\nlines")

func codeOf(err error) int {
	if errors.Is(err, errWrong) {
		return 2
	}
	return 1
}

func commands(started chan<- struct{}) map[string]control.Command {
	return map[string]control.Command{
		"echo": func(_ context.Context, r control.Request, out *control.Output) error {
			_, err := fmt.Fprintln(out, r.Args, r.Settings["systems"], r.Switches["repair"])
			out.Result = "döne\n"
			return err
		},
		"fail": func(_ context.Context, _ control.Request, out *control.Output) error {
			fmt.Fprintln(out, "first")
			return errWrong
		},
		"wait": func(ctx context.Context, _ control.Request, _ *control.Output) error {
			started <- struct{}{}
			<-ctx.Done()
			return ctx.Err()
		},
	}
}

func call(t *testing.T, dir, name string, r control.Request) (string, error) {
	t.Helper()
	var out strings.Builder
	result, err := control.Call(t.Context(), dir, name, r, &out)
	return out.String() + result, err
}

// Output and errors arrive as the command wrote them, and the socket is private (operator
// 5#1).
func TestCall(t *testing.T) {
	deep := filepath.Join(t.TempDir(), strings.Repeat("deep", 30))
	if err := os.Mkdir(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{t.TempDir(), deep} {
		if _, err := call(t, dir, "echo", control.Request{}); !errors.Is(err, control.ErrNotServing) {
			t.Errorf("without a server: %v", err)
		}
		started := make(chan struct{})
		s, err := control.Listen(dir, commands(started), codeOf)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, control.Name)
		if info, err := os.Lstat(path); err != nil || info.Mode() != os.ModeSocket|0o600 {
			t.Errorf("the socket: %v, %v", info.Mode(), err)
		}
		r := control.Request{Args: []string{"a", "b"}, Settings: map[string]string{"systems": "all"}, Switches: map[string]bool{"repair": true}}
		if out, err := call(t, dir, "echo", r); err != nil || out != "[a b] all true\ndöne\n" {
			t.Errorf("echo: %q, %v", out, err)
		}
		var failure *control.Failure
		if out, err := call(t, dir, "fail", r); out != "first\n" || !errors.As(err, &failure) || *failure != (control.Failure{Text: errWrong.Error(), Code: 2}) {
			t.Errorf("fail: %q, %v", out, err)
		}
		if _, err := call(t, dir, "unknown", r); !errors.As(err, &failure) || failure.Code != 1 || !strings.Contains(err.Error(), "does not know stoa unknown") {
			t.Errorf("unknown: %v", err)
		}

		// Commands end with the server.
		ended := make(chan error)
		go func() { _, err := control.Call(t.Context(), dir, "wait", r, io.Discard); ended <- err }()
		<-started
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := <-ended; !errors.As(err, &failure) || failure.Text != context.Canceled.Error() {
			t.Errorf("a command whose server ends: %v", err)
		}
		if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the socket is left behind: %v", err)
		}
	}
}

// A socket that a killed server left behind means that nothing serves, and the next server
// replaces it (operator 5#1).
func TestSocketThatWasLeftBehind(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, control.Name)
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false)
	left.Close()
	if _, err := call(t, dir, "echo", control.Request{}); !errors.Is(err, control.ErrNotServing) {
		t.Errorf("with a stale socket: %v", err)
	}
	s, err := control.Listen(dir, commands(nil), codeOf)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if out, err := call(t, dir, "echo", control.Request{}); err != nil || out != "[]  false\ndöne\n" {
		t.Errorf("echo: %q, %v", out, err)
	}
}

// What is not the own socket is refused with its path, by servers and commands (operator
// 5#1).
func TestSocketOfSomebodyElse(t *testing.T) {
	refused := func(dir, want string) {
		t.Helper()
		_, err := call(t, dir, "echo", control.Request{})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("a command: %v", err)
		}
		if _, err := control.Listen(dir, commands(nil), codeOf); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("a server: %v", err)
		}
	}
	file := t.TempDir()
	path := filepath.Join(file, control.Name)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused(file, path+" is not a socket")

	if os.Geteuid() != 0 {
		t.Skip("a socket can be given to another user only by root")
	}
	dir := t.TempDir()
	path = filepath.Join(dir, control.Name)
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := os.Chown(path, 4711, 4711); err != nil {
		t.Fatal(err)
	}
	refused(dir, "the socket "+path+" belongs to another user (id 4711)")
}
