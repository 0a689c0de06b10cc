package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// operator 5#1 and 7#1: stoa cases works beside a server and without one, with the house rules,
// which are served.
func TestCasesCommand(t *testing.T) {
	dir := t.TempDir()
	rules := filepath.Join(dir, "rules.json")
	if err := os.WriteFile(rules, []byte(`[{"id": "spam", "title": "No spam", "text": "None, please."}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	at := []string{"--store", "embedded:" + filepath.Join(dir, "data"), "--rules-file", rules}
	cases := func(args ...string) (string, error) {
		t.Helper()
		return run(t, append(append([]string{"cases"}, args...), at...)...)
	}
	server := startProcess(t, at...)
	ana, ben := signUp(t, server.url, "ana"), signUp(t, server.url, "ben")
	for _, id := range []string{"p1", "p2"} {
		ana.ask(`mutation { addPost(postId: "`+id+`", postType: TEXT_ONLY, text: "text of `+id+`") { postId } }`, nil)
	}
	if out, err := cases("list"); err != nil || out != "There are no open cases.\n" {
		t.Errorf("list: %q, %v", out, err)
	}
	ben.ask(`mutation { p1: flagPost(postId: "p1") { postId } p2: flagPost(postId: "p2") { postId } }`, nil)
	response, err := http.Get(server.url + "/rules")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err != nil || response.StatusCode != http.StatusOK || !strings.Contains(string(body), "None, please.") {
		t.Errorf("/rules answers %d %s, %v", response.StatusCode, body, err)
	}
	for i, id := range []string{"p1", "p2"} {
		if i == 1 {
			server.end(syscall.SIGTERM)
		}
		if out, err := cases("list"); err != nil || !strings.Contains(out, "social:POST:"+id) || !strings.Contains(out, `"text of `+id+`"`) {
			t.Errorf("list: %q, %v", out, err)
		}
		for _, c := range []struct{ args, want string }{
			{"social:POST:" + id + " maybe", `there is no verdict "maybe": write keep or remove`},
			{"social:POST:none keep", "there is no case social:POST:none: see stoa cases list"},
			{"social:POST:" + id + " remove --rule none", "does not exist"},
			{"social:POST:" + id + " remove --revision 7", "changed meanwhile"},
			{"social:POST:" + id + " remove --revision x", "write a number"},
		} {
			if out, err := cases(append([]string{"decide"}, strings.Fields(c.args)...)...); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("decide %s: %q, %v", c.args, out, err)
			}
		}
		want := "social:POST:" + id + " is decided: REMOVE, revision 2.\n"
		if out, err := cases("decide", "social:POST:"+id, "remove", "--rule", "spam", "--note", "third time"); err != nil || out != want {
			t.Errorf("decide: %q, %v", out, err)
		}
	}
	if out, err := cases("list"); err != nil || out != "There are no open cases.\n" {
		t.Errorf("list: %q, %v", out, err)
	}
}

// A file of house rules with an error is refused with its place.
func TestHouseRulesOfAFile(t *testing.T) {
	for text, want := range map[string]string{
		`{`: "rules", `[{"id": "a"}]`: "rule", `[{"id": "a", "title": "A", "text": "x"}, {"id": "a", "title": "B", "text": "y"}]`: "a",
		`[{"id": "a", "title": "A", "text": "x", "more": 1}]`: "more",
	} {
		file := filepath.Join(t.TempDir(), "rules.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readHouseRules(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := readHouseRules(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a missing file is read")
	}
}
