package main

import (
	"bufio"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/enginetest"
)

// logLines reads a log. await returns the next line with the given message.
type logLines struct {
	t     *testing.T
	lines *bufio.Scanner
}

func (l logLines) await(message string) (line map[string]any) {
	l.t.Helper()
	for l.lines.Scan() {
		line = nil
		if err := json.Unmarshal(l.lines.Bytes(), &line); err != nil {
			l.t.Fatalf("the log says %s", l.lines.Text())
		}
		if line["msg"] == message {
			return line
		}
	}
	l.t.Fatalf("the log ended before it said %q", message)
	return nil
}

// A signal makes a server copy its data while it continues to serve. The copy is a complete
// store that can be exported.
func TestASignalCopiesTheDataOfAServer(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	cmd := exec.Command(os.Args[0], "serve", "--listen", "127.0.0.1:0", "--store", "embedded:"+data)
	cmd.Env = append(os.Environ(), beProgram+"=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	giveUp := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer giveUp.Stop()
	first, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url := strings.TrimSpace(strings.TrimPrefix(first, "stoa serves "))
	signUp(t, url, "ana")

	if err := cmd.Process.Signal(syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	line := logLines{t, bufio.NewScanner(errs)}.await("the data has been copied")
	copied, _ := line["to"].(string)
	if !strings.HasPrefix(copied, data+"-copy-") {
		t.Errorf("the copy is said to be in %q", copied)
	}
	signUp(t, url, "ben") // the server continues to serve

	if _, err := run(t, "check", "--store", "embedded:"+data); err != nil {
		t.Errorf("check beside the server: %v", err)
	}
	exportOf(t, "embedded:"+copied)
	names := map[string]bool{}
	for _, item := range contents(t, "embedded:"+copied, "stoa-")["main"] {
		if name, ok := item["username"]; ok {
			names[name.(*types.AttributeValueMemberS).Value] = true
		}
	}
	if !names["ana"] || names["ben"] {
		t.Errorf("the copy knows %v", names)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// A failed copy is logged and has no other effect.
func TestACopyThatFailsIsLogged(t *testing.T) {
	e := enginetest.Memory(t)
	log, to := io.Pipe()
	lines := logLines{t, bufio.NewScanner(log)}
	requests := make(chan os.Signal)
	for dir, want := range map[string]string{
		"":          "data in memory cannot be copied",
		t.TempDir(): "the data could not be copied", // since the engine has no files
	} {
		stop := copyOnRequest(e, dir, requests, slog.New(slog.NewJSONHandler(to, nil)))
		requests <- syscall.SIGUSR1
		lines.await(want)
		stop()
	}
}
