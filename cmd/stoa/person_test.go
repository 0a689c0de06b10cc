package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// operator 5#1 and 4#2: stoa person works beside a server and without one: a suspended person's
// token is refused at once, and the audit log names the command.
func TestPersonBesideAServer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	store := []string{"--store", "embedded:" + dir}
	person := func(args ...string) (string, error) {
		t.Helper()
		return run(t, append(append([]string{"person"}, args...), store...)...)
	}
	server := startProcess(t, store...)
	ana := signUp(t, server.url, "ana")
	for _, serving := range []bool{true, false} {
		if !serving {
			server.end(syscall.SIGKILL)
		}
		if out, err := person("show", "ana"); err != nil || !strings.Contains(out, "ana@example.com") || !strings.Contains(out, "ACTIVE") {
			t.Errorf("serving %t: show: %q, %v", serving, out, err)
		}
		if out, err := person("suspend", "--reason", "spam", "--until", "2100-01-01T00:00:00Z", "ana"); err != nil || !strings.HasSuffix(out, " is suspended.\n") {
			t.Errorf("serving %t: suspend: %q, %v", serving, out, err)
		}
		if serving {
			post(t, server.url+"/graphql", ana.token, http.StatusUnauthorized, map[string]any{"query": `{ self { username } }`})
			// operator 7#2: a sign-in leads to a token for appeals, and for nothing else.
			refused := post(t, server.url+"/auth/sign-in", "", http.StatusForbidden, map[string]string{"email": "ana@example.com", "password": "correct horse battery"})
			token := at[string](refused, "error.appealToken")
			post(t, server.url+"/graphql", token, http.StatusUnauthorized, map[string]any{"query": `{ self { username } }`})
			appeal := post(t, server.url+"/graphql", token, http.StatusOK, map[string]any{"query": `mutation { appealDecision(caseId: "social:POST:none", text: "why") { status } }`})
			if text := fmt.Sprint(appeal["errors"]); !strings.Contains(text, "Case `social:POST:none` does not exist") {
				t.Errorf("an appeal is answered %s", text)
			}
		}
		if out, err := person("show", "ana"); err != nil || !strings.Contains(out, "Account is suspended until 2100-01-01T00:00:00.000Z: spam") {
			t.Errorf("serving %t: show: %q, %v", serving, out, err)
		}
		if out, err := person("reinstate", "ana"); err != nil || !strings.HasSuffix(out, " is reinstated.\n") {
			t.Errorf("serving %t: reinstate: %q, %v", serving, out, err)
		}
		if _, err := person("suspend", "ana"); err == nil || !strings.Contains(err.Error(), "reason") {
			t.Errorf("serving %t: without a reason: %v", serving, err)
		}
		if out, err := person("show", "ana@example.com"); err != nil || !strings.Contains(out, "ana@example.com") {
			t.Errorf("serving %t: by contact: %q, %v", serving, out, err)
		}
		for _, part := range []string{"an", "a@"} { // though ana is the only one whose name begins like that
			if _, err := person("reinstate", part); err == nil || !strings.HasPrefix(err.Error(), `nobody is called "`+part+`"`) {
				t.Errorf("serving %t: a part of a name: %v", serving, err)
			}
		}
		if _, err := person("show", "nobody"); err == nil || !strings.HasPrefix(err.Error(), `nobody is called "nobody"`) {
			t.Errorf("serving %t: nobody: %v", serving, err)
		}
	}
	out, err := person("export", "--reason", "asked", "ana")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := zip.NewReader(bytes.NewReader([]byte(out)), int64(len(out))); err != nil {
		t.Errorf("the export: %v", err)
	}
	if _, err := person("erase", "--reason", "asked", "ana"); err == nil || !strings.Contains(err.Error(), "--yes") {
		t.Errorf("erase without --yes: %v", err)
	}
	if out, err := person("erase", "--reason", "asked", "--yes", "ana"); err != nil || !strings.HasSuffix(out, " is being erased.\n") {
		t.Errorf("erase: %q, %v", out, err)
	}
	if _, err := person("show", "ana"); err == nil {
		t.Error("an erased person is shown")
	}
}
