package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// hammer posts a cheap query all the time until stop is called, which returns how many were
// answered; every answer must succeed.
func (p *person) hammer(workers int) (stop func() int64) {
	p.t.Helper()
	var answered atomic.Int64
	var all sync.WaitGroup
	stopping := make(chan struct{})
	for range workers {
		all.Go(func() {
			for {
				select {
				case <-stopping:
					return
				default:
				}
				if !p.tries(`{ self { username } }`) {
					p.t.Error("a request failed")
					return
				}
				answered.Add(1)
			}
		})
	}
	return func() int64 { close(stopping); all.Wait(); return answered.Load() }
}

// allowsOrigin reports whether pages of an origin may read answers.
func allowsOrigin(t *testing.T, url, origin string) bool {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, url+"/livez", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Origin", origin)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.Header.Get("Access-Control-Allow-Origin") == origin
}

// errorOf returns the first error of an operation, or "".
func (p *person) errorOf(query string) string {
	p.t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		p.t.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodPost, p.url+"/graphql", bytes.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {p.token}}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	var answer struct{ Errors []struct{ Message string } }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		p.t.Fatal(err)
	}
	if len(answer.Errors) == 0 {
		return ""
	}
	return answer.Errors[0].Message
}

// reloadable returns places for the data and the settings of a server, and writes the settings.
func reloadable(t *testing.T) (data, file string, write func(text string)) {
	t.Helper()
	dir := t.TempDir()
	file = filepath.Join(dir, "settings.yaml")
	return filepath.Join(dir, "data"), file, func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// The settings file is read again under load, by SIGHUP and by the command: what can change
// is in force at once, the rest is listed, an error changes nothing, and no request fails
// (operator 5#4).
func TestReload(t *testing.T) {
	data, file, write := reloadable(t)
	reload := func() (string, error) {
		t.Helper()
		return run(t, "reload", "--store", "embedded:"+data)
	}
	dictionary := filepath.Join(filepath.Dir(file), "words.json")
	if err := os.WriteFile(dictionary, []byte(`{"mumble": 1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	write("operators: boss@example.com\n")
	server := startProcess(t, "--store", "embedded:"+data, "--config", file, "--log-level", "info")
	ana, ben := signUp(t, server.url, "ana"), signUp(t, server.url, "ben")
	ana.ask(`mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "one") { postId } }`, nil)
	ana.ask(`mutation { addPost(postId: "p2", postType: TEXT_ONLY, text: "two") { postId } }`, nil)
	stop := ana.hammer(2)

	if out, err := reload(); err != nil || out != "No setting has changed.\n" {
		t.Errorf("the same file: %q, %v", out, err)
	}
	write("operators: boss@example.com\nmoderators: ben@example.com\nmaxDepth: 5\ncorsOrigins: https://app.example\nbadWords: " + dictionary + "\nchatCapacity: 9\n")
	out, err := reload()
	for _, line := range []string{
		`changed: moderators from "" to "ben@example.com"`, `changed: max-depth from "16" to "5"`, `changed: cors-origins from "" to "https://app.example"`,
		`changed: bad-words from "" to "` + dictionary + `"`, `needs a restart: chat-capacity from "`,
	} {
		if !strings.Contains(out, line) {
			t.Errorf("no line %s in %q, %v", line, out, err)
		}
	}
	if n := strings.Count(out, "\n"); n != 5 || err != nil {
		t.Errorf("%d lines of %q, %v", n, out, err)
	}
	if !allowsOrigin(t, server.url, "https://app.example") || allowsOrigin(t, server.url, "https://other.example") {
		t.Error("the origins did not change as listed")
	}
	deep := `{ self { posts { items { postedBy { posts { items { postId } } } } } } }`
	if got := ana.errorOf(deep); got == "" {
		t.Error("a document that is too deep now is executed")
	}
	// The report of a moderator is decisive.
	ben.ask(`mutation { flagPost(postId: "p1") { flagStatus } }`, nil)
	if got := at[string](ana.ask(`{ post(postId: "p1") { postStatus } }`, nil), "post.postStatus"); got != "ARCHIVED" {
		t.Errorf("the post that the new moderator flagged is %s", got)
	}
	ben.ask(`mutation { addComment(commentId: "c", postId: "p2", text: "mumble") { commentId } }`, nil)
	if n := at[float64](ana.ask(`{ post(postId: "p2") { commentCount } }`, nil), "post.commentCount"); n != 0 {
		t.Errorf("a comment with a new bad word stays: %v", n)
	}

	// A file with an error changes nothing.
	write("maxDepth: 3\ncorsOrigins: nowhere\n")
	if _, err := reload(); err == nil || !strings.Contains(err.Error(), `cors-origins: "nowhere" is not an origin`) || exitCode(err) != 2 {
		t.Errorf("an error in the file: %v", err)
	}
	write("maxDeph: 3\n")
	if _, err := reload(); err == nil || !strings.Contains(err.Error(), "did you mean maxDepth?") || exitCode(err) != 2 {
		t.Errorf("an unknown key: %v", err)
	}
	if !allowsOrigin(t, server.url, "https://app.example") {
		t.Error("a file with an error changed the origins")
	}

	// SIGHUP does the same, and the log says so.
	hangUp := func(logged string) {
		t.Helper()
		before := strings.Count(server.log.String(), logged)
		if err := server.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		for giveUp := time.Now().Add(patience); strings.Count(server.log.String(), logged) == before; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(giveUp) {
				t.Fatalf("SIGHUP does not lead to %q:\n%s", logged, server.log)
			}
		}
	}
	hangUp("the settings were not reloaded, and nothing has changed")
	write("operators: boss@example.com\n")
	hangUp("the settings have been reloaded")
	if got := ana.errorOf(deep); got != "" {
		t.Errorf("the limit that is the default again: %s", got)
	}
	ben.ask(`mutation { flagPost(postId: "p2") { flagStatus } }`, nil)
	if got := at[string](ana.ask(`{ post(postId: "p2") { postStatus } }`, nil), "post.postStatus"); got != "COMPLETED" {
		t.Errorf("the post that the former moderator flagged is %s", got)
	}
	if n := stop(); n == 0 {
		t.Error("there was no load")
	}

	write("operators: boss@example.com\nrateLimit: 0.001\n")
	hangUp("the settings have been reloaded")
	ana.errorOf(`{ self { username } }`) // the burst is one
	if got := ana.errorOf(`{ self { username } }`); got != "Rate limit exceeded" {
		t.Errorf("beyond the new rate limit: %q", got)
	}
	if state := server.end(syscall.SIGTERM); state.ExitCode() != 0 {
		t.Errorf("the server ended with %s\n%s", state, server.log)
	}
	if _, err := reload(); err == nil || err.Error() != "no server uses the data in "+data+": choose them with --store embedded:DIR" {
		t.Errorf("without a server: %v", err)
	}
}

// A file with which the server would not start again is refused as a whole, also where its
// error is in a setting that waits for a restart.
func TestReloadChecksWhatWaitsForARestart(t *testing.T) {
	data, file, write := reloadable(t)
	write("maxDepth: 16\n")
	startProcess(t, "--store", "embedded:"+data, "--config", file)
	mailed := "identity: local\nappUrl: https://app.example\nappName: Example\n"
	for text, want := range map[string]string{
		"media: gopher://x\n":                    "setting media: ",
		"backupDir: s3://bucket/folder\n":        "setting backup-dir: ",
		"backupDir: gs://bucket\n":               "setting backup-dir: \"gs://bucket\" names no place for files",
		"backupEvery: 24h\n":                     "setting backup-every needs a place for backups",
		"placeholderPhotos: " + data + "/none\n": "setting placeholder-photos: ",
		"site: " + data + "\n":                   "setting site: " + data + " has no index.html",
		"push: pigeon\n":                         "setting push: \"pigeon\" is not a push sender",
		"push: apns\n":                           "push by apns needs a key",
		mailed + "mailFrom: a@app.example\nmailer: mail.app.example\n":    "setting mailer: ",
		mailed + "mailer: smtp://mail.app.example:25\nmailFrom: nobody\n": "setting mail-from: ",
		"eventDelay: 1h\n":                "event-delay must lie between 0 and 2s",
		"trustedProxies: proxy.example\n": "trusted-proxies: \"proxy.example\" is neither an address nor a network",
		"webhooks:\n  - url: nowhere\n    secret: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n    events: [case.opened]\n": "setting webhooks: ",
	} {
		write("maxDepth: 5\n" + text)
		if out, err := run(t, "reload", "--store", "embedded:"+data); err == nil || !strings.Contains(err.Error(), want) || exitCode(err) != 2 {
			t.Errorf("%s: %s, %v", text, out, err)
		}
	}
	write("maxDepth: 16\n")
	if out, err := run(t, "reload", "--store", "embedded:"+data); err != nil || out != "No setting has changed.\n" {
		t.Errorf("after the errors: %s, %v", out, err)
	}
}

// A rate of almost nothing is not one without a limit.
func TestTheLeastRate(t *testing.T) {
	if l := perUser(1e-15); l.Burst != 1 || l.Every < time.Hour {
		t.Errorf("the limit is %+v", l)
	}
}

// Limits go with the identity: while another one awaits a restart, so do they.
func TestReloadOfAnotherIdentity(t *testing.T) {
	data, file, write := reloadable(t)
	const common = "mailer: smtp://127.0.0.1:1\nmailFrom: a@app.example\nappUrl: https://app.example\nappName: Example\n"
	write(common + "identity: local\nsignUpAddressLimit: 1+1/1h\n")
	server := startProcess(t, "--store", "embedded:"+data, "--config", file)
	post(t, server.url+"/auth/anonymous", "", http.StatusCreated, nil)
	write(common + "identity: dev\nmaxDepth: 5\n")
	out, err := run(t, "reload", "--store", "embedded:"+data)
	for _, line := range []string{
		`changed: max-depth from "16" to "5"`, `needs a restart: identity from "local" to "dev"`,
		`needs a restart: rate-limit from "100" to "0"`, `needs a restart: sign-up-address-limit from "1+1/1h0m0s" to "0"`,
	} {
		if !strings.Contains(out, line) {
			t.Errorf("no line %s in %s, %v", line, out, err)
		}
	}
	post(t, server.url+"/auth/anonymous", "", http.StatusTooManyRequests, nil)
	write(common + "identity: local\nsignUpAddressLimit: 2+1/1h\nmaxDepth: 5\n")
	if out, err := run(t, "reload", "--store", "embedded:"+data); err != nil || out != "changed: sign-up-address-limit from \"1+1/1h0m0s\" to \"2+1/1h0m0s\"\n" {
		t.Errorf("%s, %v", out, err)
	}
	post(t, server.url+"/auth/anonymous", "", http.StatusCreated, nil)
}
