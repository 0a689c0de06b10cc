package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"stoa/internal/control"
	"stoa/internal/host"
)

// Commands reach the server that has embedded data open, or open the data themselves when
// none serves: also after it was killed, and its socket left behind (operator 5#1).
func TestCommandsBesideAServer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	store := []string{"--store", "embedded:" + dir}
	command := func(args ...string) (string, error) {
		t.Helper()
		return run(t, append(args, store...)...)
	}
	server := startProcess(t, store...)
	ana := signUp(t, server.url, "ana")
	socket := filepath.Join(dir, control.Name)
	if info, err := os.Lstat(socket); err != nil || info.Mode() != os.ModeSocket|0o600 {
		t.Fatalf("the socket: %v, %v", info, err)
	}

	for _, serving := range []bool{true, false} {
		if !serving {
			server.end(syscall.SIGKILL)
			if _, err := os.Lstat(socket); err != nil {
				t.Errorf("the socket of a killed server: %v", err)
			}
		}
		token, err := command("token", "ana")
		if err != nil {
			t.Errorf("serving %t: token: %v", serving, err)
		}
		if serving {
			ana.token = strings.TrimSpace(token)
			ana.ask(`{ self { username } }`, nil)
		}
		if _, err := command("token", "nobody"); err == nil || !strings.HasPrefix(err.Error(), "No account for `nobody`") {
			t.Errorf("serving %t: the token of nobody: %v", serving, err)
		}
		if out, err := command("jobs", "run", host.RotateKeys); err != nil || out != host.RotateKeys+" is done.\n" {
			t.Errorf("serving %t: jobs run: %q, %v", serving, out, err)
		}
		if out, err := command("jobs", "list"); err != nil || !strings.Contains(out, "\n"+host.RotateKeys+" ") {
			t.Errorf("serving %t: jobs list: %q, %v", serving, out, err)
		}
		want := `there is no job "identity.rotate-key": did you mean identity.rotate-keys? see stoa jobs list`
		if _, err := command("jobs", "run", "identity.rotate-key"); err == nil || err.Error() != want || exitCode(err) != 2 {
			t.Errorf("serving %t: an unknown job: %v", serving, err)
		}
		trial := "embedded:" + filepath.Join(t.TempDir(), "trial")
		mustRun(t, "import", "--store", trial, exportOf(t, store[1]))
		mustRun(t, "check", "--store", trial)
		file := filepath.Join(t.TempDir(), "backup.gz")
		if out, err := command("backup", file); err != nil || !strings.HasPrefix(out, file+" contains ") {
			t.Errorf("serving %t: backup: %q, %v", serving, out, err)
		}
		if entries, err := os.ReadDir(filepath.Dir(file)); err != nil || len(entries) != 1 {
			t.Errorf("serving %t: a backup leaves %v, %v", serving, entries, err)
		}
		trial = "embedded:" + filepath.Join(t.TempDir(), "trial")
		mustRun(t, "import", "--store", trial, file)
		mustRun(t, "check", "--store", trial)
		if _, err := command("backup", file); err == nil || err.Error() != file+" exists: choose another name" {
			t.Errorf("serving %t: a second backup: %v", serving, err)
		}
	}

	server = startProcess(t, store...)
	if _, err := command("jobs", "list"); err != nil {
		t.Errorf("beside the server that replaced the socket: %v", err)
	}
	whole := exportOf(t, store[1])
	if _, err := command("export", "--resume", whole); err == nil || !strings.Contains(err.Error(), "omit --resume") {
		t.Errorf("resumed beside a server: %v", err)
	}
	missing := filepath.Join(t.TempDir(), "x.gz")
	if _, err := command("export", "--table-prefix", "x-", missing); err == nil || !strings.HasPrefix(err.Error(), "table x-main does not exist") {
		t.Errorf("export of other tables: %v", err)
	}
	if _, err := os.Stat(missing); !os.IsNotExist(err) {
		t.Errorf("an export that failed leaves a file: %v", err)
	}
	if state := server.end(syscall.SIGTERM); state.ExitCode() != 0 {
		t.Errorf("the server ended with %s\n%s", state, server.log)
	}
	if _, err := os.Lstat(socket); !os.IsNotExist(err) {
		t.Errorf("the server left its socket behind: %v", err)
	}
}

// A backup that cannot be completed leaves nothing behind, under its name or another
// (operator 5#3).
func TestBackupThatFails(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "backup.gz")
	full := errors.New("no space left")
	err := writeWhole(name, func(to io.Writer) error {
		if _, err := to.Write([]byte("half")); err != nil {
			return err
		}
		if _, err := os.Stat(name); !os.IsNotExist(err) {
			t.Errorf("a backup in progress has its name: %v", err)
		}
		return full
	})
	if !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	// A file that has appeared meanwhile stays.
	err = writeWhole(name, func(io.Writer) error { return os.WriteFile(name, []byte("other"), 0o600) })
	if text, readErr := os.ReadFile(name); !errors.Is(err, os.ErrExist) || readErr != nil || string(text) != "other" {
		t.Errorf("a file of the same name: %v, %q, %v", err, text, readErr)
	}
}

// A socket that another user owns is refused with its path (operator 5#1).
func TestSocketOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a socket to another user")
	}
	dir := filepath.Join(t.TempDir(), "data")
	socket := filepath.Join(dir, control.Name)
	startProcess(t, "--store", "embedded:"+dir)
	if err := os.Chown(socket, 4711, 4711); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"jobs list", "token ana", "export " + filepath.Join(t.TempDir(), "x.gz")} {
		_, err := run(t, append(strings.Fields(args), "--store", "embedded:"+dir)...)
		if err == nil || !strings.HasPrefix(err.Error(), "the socket "+socket+" belongs to another user (id 4711)") || exitCode(err) != 1 {
			t.Errorf("stoa %s: %v", args, err)
		}
	}
}
