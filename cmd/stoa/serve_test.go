package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"stoa/internal/kit/engine"
)

// serve runs `stoa serve` in this process until the test ends, and returns its address.
func serve(t *testing.T, args ...string) string {
	t.Helper()
	return start(t, append([]string{"serve"}, args...)...)
}

// start runs a command that serves until the test ends, and returns its address.
func start(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	serving, ended := make(chan string, 1), make(chan error, 1)
	m := Main{Stdout: io.Discard, Stderr: &lockedBuffer{}, OnServing: func(url string) { serving <- url }}
	go func() { ended <- m.Run(ctx, append(args, "--listen", "127.0.0.1:0")...) }()
	select {
	case url := <-serving:
		t.Cleanup(func() {
			cancel()
			if err := <-ended; err != nil {
				t.Errorf("the server ended with %v", err)
			}
		})
		return url
	case err := <-ended:
		t.Fatalf("the server did not start: %v", err)
	case <-time.After(patience):
		t.Fatal("the server did not start")
	}
	panic("unreachable")
}

func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// The public URL is the listen address as given, with the actual port.
func TestPublicURLOfTheListenAddress(t *testing.T) {
	taken := &net.TCPAddr{IP: net.IPv6unspecified, Port: 9000}
	for listen, want := range map[string]string{
		"localhost:9000": "localhost:9000",
		"127.0.0.1:0":    "127.0.0.1:9000",
		"0.0.0.0:9000":   "0.0.0.0:9000",
		"[::1]:0":        "[::1]:9000",
		":9000":          "[::]:9000",
	} {
		if got := listenedOn(listen, taken); got != want {
			t.Errorf("%s becomes %s, want %s", listen, got, want)
		}
	}
}

// The error for a full disk does not suggest another directory.
func TestOpenOnAFullDisk(t *testing.T) {
	for _, err := range []error{engine.ErrDiskFull, syscall.ENOSPC} {
		got := explainOpen("data", fmt.Errorf("engine: %w", err)).Error()
		if want := "the data in data cannot be opened because its disk is full: free some space and try again"; got != want {
			t.Errorf("%v is explained by %q", err, got)
		}
	}
}

func TestOpenOnADirectoryThatCannotBeWritten(t *testing.T) {
	err := &engine.UnwritableError{Dir: "data", Err: &os.PathError{Op: "open", Path: "data/PROBE", Err: syscall.EROFS}}
	got := explainOpen("data", err).Error()
	if want := "the data directory data cannot be written (read-only file system): mount it writable, "; !strings.HasPrefix(got, want) {
		t.Errorf("explained by %q", got)
	}
}

// Failures that an operator can fix are one line with the remedy, and exit code 1.
func TestServeRefusals(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	locked := filepath.Join(t.TempDir(), "locked")
	serve(t, "--store", "embedded:"+locked)
	newer := t.TempDir()
	if err := os.WriteFile(filepath.Join(newer, "ENGINE-FORMAT"), []byte("999\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"port in use", []string{"serve", "--store", "memory:", "--listen", busy.Addr().String()},
			"the address " + busy.Addr().String() + " is in use: stop the program that listens there, or choose another with --listen"},
		{"data in use", []string{"serve", "--listen", "127.0.0.1:0", "--store", "embedded:" + locked},
			"the data in " + locked + " is in use by another process: stop that process, or choose other data with --store embedded:DIR"},
		{"data in use by the server that is to be seeded", []string{"seed", "--store", "embedded:" + locked},
			"the data in " + locked + " is in use by another process: stop that process, or choose other data with --store embedded:DIR"},
		{"data of another format", []string{"serve", "--listen", "127.0.0.1:0", "--store", "embedded:" + newer},
			"the data in " + newer + " has format \"999\", and this version of stoa reads format 1: export it with the version that wrote it, and import the file"},
		{"no directory", []string{"serve", "--listen", "127.0.0.1:0", "--store", "embedded:" + file},
			"the data in " + file + " cannot be opened: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := run(t, c.args...)
			if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("got  %v\nwant %s", err, c.want)
			}
			if code := exitCode(err); code != 1 {
				t.Errorf("exit code %d, want 1", code)
			}
		})
	}
}

// A failure after the data has been opened closes it again: the error is one line, and the
// next server can open the data.
func TestServeRefusesIdentityThatCannotBeAssembled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	for _, c := range []struct {
		args string
		want string
		code int
	}{
		{"--identity oidc --oidc-issuer http://127.0.0.1:1 --oidc-audience app", "discover the issuer: ", 1},
		{"--identity local --mailer nowhere --mail-from no-reply@app.example --app-url https://app.example --app-name Example", "setting mailer: write the mail server as smtp://", 2},
		{"--identity local --mailer smtp://u:p@127.0.0.1:25 --mail-from nobody --app-url https://app.example --app-name Example", `setting mail-from: "nobody" is not an address`, 2},
	} {
		_, err := run(t, append(strings.Fields("serve --listen 127.0.0.1:0 --store embedded:"+dir), strings.Fields(c.args)...)...)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || exitCode(err) != c.code {
			t.Errorf("%s: got %v, want %s…", c.args, err, c.want)
		}
	}
	serve(t, "--store", "embedded:"+dir)
}

// A bucket that cannot be used is noticed before anybody uploads to it.
func TestServeChecksTheBucket(t *testing.T) {
	useCredentials(t, "id", "secret")
	none := httptest.NewServer(http.NotFoundHandler())
	defer none.Close()
	media := "s3://pictures?endpoint=" + none.URL
	_, err := run(t, "serve", "--listen", "127.0.0.1:0", "--store", "memory:", "--media", media)
	if want := "media cannot be kept in " + media + ": the bucket pictures does not exist: create it, or name another"; err == nil || err.Error() != want || exitCode(err) != 1 {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// Conveniences for development are not available with other identities.
func TestConveniencesNeedDevIdentity(t *testing.T) {
	local := map[string]string{"STOA_IDENTITY": "local"}
	for command, want := range map[string]string{"seed": "require dev identity", "token ana": "requires dev identity"} {
		dir := t.TempDir()
		_, err := runIn(t, dir, local, strings.Fields(command)...)
		if err == nil || !strings.Contains(err.Error(), want) || exitCode(err) != 1 {
			t.Errorf("stoa %s: %v", command, err)
		}
		if made, _ := os.ReadDir(dir); len(made) > 0 {
			t.Errorf("stoa %s leaves %v behind", command, made)
		}
	}
}

// The login printed by seed works, and tokens can be printed whether or not a server has
// opened the data.
func TestSeedAndToken(t *testing.T) {
	data := seeded(t, 20)
	login := map[string]string{}
	for line := range strings.Lines(seedOutput[20]) {
		if fields := strings.Fields(line); len(fields) == 2 {
			login[fields[0]] = fields[1]
		}
	}
	alone, err := run(t, "token", login["username"], "--store", data)
	if err != nil {
		t.Fatal(err)
	}

	url := serve(t, "--store", data)
	signedIn := post(t, url+"/auth/sign-in", "", http.StatusOK, map[string]string{"email": login["email"], "password": login["password"]})
	served, err := run(t, "token", login["username"], "--store", data)
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{alone, served, signedIn["accessToken"].(string)} {
		p := &person{t: t, url: url, token: strings.TrimSpace(token)}
		if got := at[string](p.ask(`{ self { username } }`, nil), "self.username"); got != login["username"] {
			t.Errorf("the token is that of %s", got)
		}
		if len(p.feed()) == 0 {
			t.Error("a newcomer finds an empty feed")
		}
	}

	if _, err := run(t, "token", "nobody.at.all", "--store", data); err == nil || !strings.Contains(err.Error(), "nobody.at.all") {
		t.Errorf("token of nobody: %v", err)
	}
}

// Data that another program than a server uses has no tokens: the configured server is
// asked, which may not serve these data.
func TestTokenBesideAnotherProgram(t *testing.T) {
	data := "embedded:" + t.TempDir()
	start(t, "dynamodb", "--store", data)
	if _, err := run(t, "token", "ana", "--store", data, "--listen", "127.0.0.1:1"); err == nil || !strings.Contains(err.Error(), "no server answers on 127.0.0.1:1") {
		t.Errorf("token: %v", err)
	}
}

// Endpoints are enabled and disabled by their settings.
func TestServeEndpoints(t *testing.T) {
	open := serve(t, "--store", "memory:")
	closed := serve(t, "--store", "memory:", "--playground=false", "--introspection=false", "--public-url", "https://api.app.example/")
	for _, c := range []struct {
		url    string
		status int
		body   string
	}{
		{open + "/livez", http.StatusOK, "ok"},
		{open + "/readyz", http.StatusOK, "ok"},
		{open + "/metrics", http.StatusOK, "stoa_store_calls_total"},
		{open + "/metrics", http.StatusOK, "process_resident_memory_bytes"},
		{open + "/", http.StatusOK, "<html"},
		{open + "/.well-known/openid-configuration", http.StatusOK, `"issuer":"` + open + `"`},
		{open + "/.well-known/jwks.json", http.StatusOK, `"kty":"EC"`},
		{closed + "/", http.StatusOK, "/auth/openapi.json"},
		{closed + "/.well-known/openid-configuration", http.StatusOK, `"issuer":"https://api.app.example"`},
	} {
		if status, body := get(t, c.url); status != c.status || !strings.Contains(body, c.body) {
			t.Errorf("%s answers %d %.200s", c.url, status, body)
		}
	}
	introspection := map[string]string{"query": "{ __schema { queryType { name } } }"}
	if answer := post(t, open+"/graphql", signUp(t, open, "ana").token, http.StatusOK, introspection); answer["errors"] != nil {
		t.Errorf("introspection that is on: %v", answer)
	}
	if answer := post(t, closed+"/graphql", signUp(t, closed, "ana").token, http.StatusOK, introspection); answer["errors"] == nil {
		t.Errorf("introspection that is off: %v", answer)
	}
}

func TestServeLimits(t *testing.T) {
	url := serve(t, "--store", "memory:", "--max-depth", "3", "--max-complexity", "30")
	ana := signUp(t, url, "ana")
	for query, refused := range map[string]string{
		"{ self { feed { nextToken } } }":             "",
		"{ self { feed { items { postId } } } }":      "4 levels",
		"{ self { feed(limit: 100) { nextToken } } }": "30",
	} {
		answer := post(t, url+"/graphql", ana.token, http.StatusOK, map[string]string{"query": query})
		errs, failed := answer["errors"].([]any)
		if failed != (refused != "") || failed && !strings.Contains(at[string](errs[0], "message"), refused) {
			t.Errorf("%s is answered %v", query, answer)
		}
	}

	url = serve(t, "--store", "memory:", "--rate-limit", "0.001")
	ben := signUp(t, url, "ben") // uses up the only operation allowed
	answer := post(t, url+"/graphql", ben.token, http.StatusTooManyRequests, map[string]string{"query": "{ self { userId } }"})
	if answer["errors"] == nil {
		t.Errorf("an operation too many is answered %v", answer)
	}
}
