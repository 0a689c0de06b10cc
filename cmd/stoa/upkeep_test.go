package main

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"
)

// busy lets people post, like, comment and follow all the time until stop is called, which
// returns how much was done. A server that is killed meanwhile refuses the rest.
func busy(t *testing.T, people ...*person) (stop func() int64) {
	t.Helper()
	var done atomic.Int64
	var all sync.WaitGroup
	stopping := make(chan struct{})
	for n, p := range people {
		all.Go(func() {
			liked := people[(n+1)%len(people)]
			for i := 0; ; i++ {
				select {
				case <-stopping:
					return
				default:
				}
				post := fmt.Sprintf("%s-%d", p.userID[len(p.userID)-8:], i)
				for _, query := range []string{
					`mutation { addPost(postId: "` + post + `", postType: TEXT_ONLY, text: "one of many") { postId } }`,
					`mutation { onymouslyLikePost(postId: "` + post + `") { postId } }`,
					`mutation { addComment(commentId: "c` + post + `", postId: "` + post + `", text: "so it is") { commentId } }`,
					`mutation { followUser(userId: "` + liked.userID + `") { userId } }`,
					`mutation { dislikePost(postId: "` + post + `") { postId } }`,
					`mutation { unfollowUser(userId: "` + liked.userID + `") { userId } }`,
				} {
					p.tries(query)
					done.Add(1)
				}
			}
		})
	}
	return func() int64 { close(stopping); all.Wait(); return done.Load() }
}

// operator 5#1 and 5#2: beside a server that is written to, a check finds what is wrong and
// nothing else, whether the data are embedded or behind an endpoint; a kill in the middle of a
// check, a backup or an export leaves nothing wrong, and no half file: whether the command is killed
// or the server.
func TestCommandsUnderLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("starts six processes")
	}
	useCredentials(t, "id", "secret")
	t.Setenv("AWS_REGION", "us-east-1")
	for _, kind := range []string{"embedded", "endpoint"} {
		t.Run(kind, func(t *testing.T) {
			store := "embedded:" + filepath.Join(t.TempDir(), "data")
			if kind == "endpoint" {
				store = start(t, "dynamodb", "--store", "embedded:"+t.TempDir())
				mustRun(t, "tables", "apply", "--store", store)
			}
			safe := t.TempDir()
			server := startProcess(t, "--store", store, "--backup-dir", safe, "--operators", "ana@example.com", "--rate-limit", "0")
			var people []*person
			for _, name := range []string{"ana", "ben", "cleo"} {
				people = append(people, signUp(t, server.url, name))
			}
			stop := busy(t, people...)
			for range 3 {
				if out, err := run(t, "check", "--store", store); err != nil || out != "No problems found.\n" {
					t.Errorf("beside writes: %v\n%s", err, out)
				}
			}
			whole := filepath.Join(t.TempDir(), "whole")
			for _, args := range [][]string{{"jobs", "list"}, {"jobs", "run", "operator.end-audit"}, {"backup", whole + "-1.gz"}, {"export", whole + "-2.gz"}} {
				if out, err := run(t, append(args, "--store", store)...); err != nil {
					t.Errorf("%v: %v\n%s", args, err, out)
				}
			}
			desk := server.url + "/operator/graphql"
			ask := func(query string) map[string]any {
				t.Helper()
				return post(t, desk, people[0].token, http.StatusOK, map[string]string{"query": query})
			}
			ask(`mutation { startBackup { id } }`)
			waitUntil(t, "the backup is complete", func() bool {
				backups := at[[]any](ask(`{ backups { endedAt failure items bytes } }`), "data.backups")
				return backups[0].(map[string]any)["endedAt"] != nil && backups[0].(map[string]any)["failure"] == nil
			})
			kept := filesOf(t, safe)
			if len(kept) != 1 {
				t.Fatalf("stored %v", kept)
			}

			// Commands that are killed halfway harm nothing.
			for n, args := range [][]string{{"check"}, {"check", "--repair"}, {"jobs", "list"}, {"jobs", "run", "operator.end-audit"}, {"export"}, {"backup"}} {
				dir := t.TempDir()
				file := func(name string) []string {
					if args[0] == "export" || args[0] == "backup" {
						return []string{filepath.Join(dir, name)}
					}
					return nil
				}
				began := time.Now()
				if out, err := program(append(slices.Concat(args, file("whole.gz")), "--store", store)...).CombinedOutput(); err != nil {
					t.Errorf("%v: %v\n%s", args, err, out)
				}
				killed := program(append(slices.Concat(args, file("half.gz")), "--store", store)...)
				if err := killed.Start(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Since(began) / 2)
				if err := killed.Process.Kill(); err != nil {
					t.Logf("command %d was faster than before: %v", n, err)
				}
				_ = killed.Wait()
				if half := filepath.Join(dir, "half.gz"); args[0] == "backup" {
					if _, err := os.Stat(half); err == nil {
						mustRun(t, "import", "--store", "embedded:"+filepath.Join(t.TempDir(), "trial"), half)
					}
				}
			}
			if out, err := run(t, "check", "--store", store); err != nil || out != "No problems found.\n" {
				t.Errorf("after commands that were killed: %v\n%s", err, out)
			}

			// The server is killed in the middle of everything.
			partial := filepath.Join(t.TempDir(), "killed.gz")
			var commands sync.WaitGroup
			for _, args := range [][]string{{"check"}, {"backup", partial}, {"export", partial + ".2"}, {"jobs", "run", "operator.end-audit"}} {
				commands.Go(func() { _, _ = run(t, append(args, "--store", store)...) })
			}
			ask(`mutation { startCheck(repair: true) { id } startBackup { id } }`)
			server.end(syscall.SIGKILL)
			commands.Wait()
			if stop() == 0 {
				t.Error("nothing was written")
			}
			for _, name := range filesOf(t, safe) {
				trial := "embedded:" + filepath.Join(t.TempDir(), "trial")
				mustRun(t, "import", "--store", trial, filepath.Join(safe, name))
			}
			if kind == "embedded" {
				if _, err := os.Stat(partial); err == nil {
					mustRun(t, "import", "--store", "embedded:"+filepath.Join(t.TempDir(), "trial"), partial)
				}
			}
			server = startProcess(t, "--store", store) // delivers what was left
			if out, err := run(t, "check", "--store", store); err != nil || out != "No problems found.\n" {
				t.Errorf("after a kill: %v\n%s", err, out)
			}
			server.end(syscall.SIGTERM)
		})
	}
}

// waitUntil waits until something holds.
func waitUntil(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for until := time.Now().Add(patience); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("it never comes to this: %s", what)
		}
	}
}

// filesOf returns the names of the files in a directory.
func filesOf(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// operator 5#2: beside a server, a check repairs what is wrong, and finds the rest.
func TestRepairBesideAServer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	store := "embedded:" + dir
	server := startProcess(t, "--store", store)
	ana := signUp(t, server.url, "ana")
	server.end(syscall.SIGTERM)
	damage(t, dir, func(table func(string) dynamo.Table) {
		if err := table("main").Update("partitionKey", "user/"+ana.userID).Range("sortKey", "profile").Set("postCount", 9).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
	server = startProcess(t, "--store", store)
	wrong := "main user/" + ana.userID + ` | profile postCount: wrong count: is "9", want "0"`
	for _, step := range []struct {
		flag, out, err string
	}{
		{"--repair=false", wrong + "\n", "1 problems found: stoa check --repair corrects most of them"},
		{"--repair", wrong + ": repaired\nAll problems have been repaired.\n", ""},
		{"--repair=false", "No problems found.\n", ""},
	} {
		out, err := run(t, "check", step.flag, "--store", store)
		if failure := fmt.Sprint(err); out != step.out || failure != step.err && (err != nil || step.err != "") {
			t.Errorf("%s: %q, %v", step.flag, out, err)
		}
	}
	if _, err := run(t, "check", "--store", store, "--systems", "all"); err == nil || !strings.Contains(err.Error(), "does not serve pantry") {
		t.Errorf("of systems that are not served: %v", err)
	}
}

// operator 5#3: backups by schedule appear in the directory, and their age is a metric; one
// is streamed to operators alone.
func TestScheduledBackups(t *testing.T) {
	safe := t.TempDir()
	url := serve(t, "--store", "memory:", "--backup-dir", safe, "--backup-every", "1h", "--backup-keep", "2", "--operators", "ana@example.com")
	ana, ben := signUp(t, url, "ana"), signUp(t, url, "ben")
	waitUntil(t, "the first backup is there", func() bool { return len(filesOf(t, safe)) == 1 })
	waitUntil(t, "its age is a metric", func() bool {
		_, text := get(t, url+"/metrics")
		return strings.Contains(text, "stoa_backup_age_seconds 0.") || strings.Contains(text, "stoa_backup_age_seconds 1.") || strings.Contains(text, "stoa_backup_age_seconds 2.")
	})
	fetch := func(p *person) (int, []byte) {
		t.Helper()
		request, err := http.NewRequest(http.MethodGet, url+"/operator/backup", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", p.token)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		content, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, content
	}
	if status, _ := fetch(ben); status != http.StatusForbidden {
		t.Errorf("ben fetches a backup: %d", status)
	}
	status, content := fetch(ana)
	if status != http.StatusOK {
		t.Fatalf("ana fetches a backup: %d %s", status, content)
	}
	file := filepath.Join(t.TempDir(), "fetched.gz")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	trial := "embedded:" + filepath.Join(t.TempDir(), "trial")
	mustRun(t, "import", "--store", trial, file)
	mustRun(t, "check", "--store", trial)
	for _, args := range [][]string{
		{"--backup-every", "1h"}, {"--backup-dir", "x", "--backup-every", "1s"}, {"--backup-dir", "x", "--backup-keep", "0"}, {"--backup-dir", "s3://b?x=y"},
	} {
		_, err := run(t, append([]string{"serve", "--listen", "127.0.0.1:0", "--store", "memory:"}, args...)...)
		if err == nil || exitCode(err) != 2 || !strings.Contains(err.Error(), "backup-") {
			t.Errorf("%v: %v", args, err)
		}
	}
}

// operator 5#6: mail that cannot be sent waits, also for the next process, and answers do not
// wait for it.
func TestMailWaitsForItsServer(t *testing.T) {
	mails := newMailbox(t)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	store := "embedded:" + filepath.Join(t.TempDir(), "data")
	local := func(mailer string) *process {
		return startProcess(t, "--store", store, "--identity", "local", "--mailer", "smtp://"+mailer, "--mail-from", "no-reply@chirp.example",
			"--app-url", "https://chirp.example", "--app-name", "Chirp", "--operators", "ana@example.com", "--metrics")
	}
	server := local(closed.Addr().String())
	user := map[string]string{"email": "ana@example.com", "password": "correct horse battery"}
	id := post(t, server.url+"/auth/sign-up", "", http.StatusCreated, user)["userId"].(string)
	waitUntil(t, "an attempt fails", func() bool {
		_, text := get(t, server.url+"/metrics")
		return strings.Contains(text, `stoa_mail_total{outcome="failed"}`)
	})
	server.end(syscall.SIGKILL)

	server = local(mails.address)
	if mail := mails.next(t); !strings.Contains(mail, "ana@example.com") || !strings.Contains(mail, id[:12]) {
		t.Errorf("the mail is %s", mail)
	}
	server.end(syscall.SIGTERM)
}

// operator 5#4 and 1#1: the first operator needs no restart.
func TestTheFirstOperatorByReload(t *testing.T) {
	dir := t.TempDir()
	data, file := filepath.Join(dir, "data"), filepath.Join(dir, "settings.yaml")
	if err := os.WriteFile(file, []byte("appName: Chirp\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	mails := newMailbox(t)
	server := startProcess(t, "--store", "embedded:"+data, "--config", file, "--identity", "local", "--mailer", "smtp://"+mails.address,
		"--mail-from", "no-reply@chirp.example", "--app-url", "https://chirp.example")
	user := map[string]string{"email": "ana@example.com", "password": "correct horse battery"}
	id := post(t, server.url+"/auth/sign-up", "", http.StatusCreated, user)["userId"].(string)
	code := codeIn.FindString(mails.next(t))
	post(t, server.url+"/auth/confirm", "", http.StatusOK, map[string]string{"userId": id, "code": code})
	token := post(t, server.url+"/auth/sign-in", "", http.StatusOK, user)["accessToken"].(string)
	status := func() int {
		t.Helper()
		request, err := http.NewRequest(http.MethodPost, server.url+"/operator/graphql", strings.NewReader(`{"query":"{ me { role } }"}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {token}}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return response.StatusCode
	}
	if got := status(); got != http.StatusNotFound {
		t.Errorf("without operators: %d", got)
	}
	if err := os.WriteFile(file, []byte("appName: Chirp\noperators: ana@example.com\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := run(t, "reload", "--store", "embedded:"+data)
	if lines := strings.Split(out, "\n"); err != nil || !slices.Contains(lines, `changed: operators from "" to "ana@example.com"`) {
		t.Errorf("reload: %q, %v", out, err)
	}
	answer := post(t, server.url+"/operator/graphql", token, http.StatusOK, map[string]string{"query": `{ me { role } health { store processes { version } } }`})
	if role := at[string](answer, "data.me.role"); role != "OPERATOR" {
		t.Errorf("ana has the role %s", role)
	}
}

// operator 8#1: a receiver that refuses for a while, and the death of the server, lose no
// notice; they come signed, and in order per subject.
func TestWebhooks(t *testing.T) {
	key := []byte("01234567890123456789012345678901")
	var mu sync.Mutex
	refusing := true
	seen := map[string]bool{}
	bySubject := map[string][]string{}
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.%s", r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp"), body)
		if want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)); r.Header.Get("webhook-signature") != want {
			t.Errorf("signed %q, want %q", r.Header.Get("webhook-signature"), want)
		}
		mu.Lock()
		defer mu.Unlock()
		if refusing {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		if id := r.Header.Get("webhook-id"); !seen[id] {
			seen[id] = true
			var notice struct {
				Type string
				Data struct{ PostID, UserID string }
			}
			if err := json.Unmarshal(body, &notice); err != nil {
				t.Error(err)
			}
			subject := cmp.Or(notice.Data.PostID, notice.Data.UserID)
			bySubject[subject] = append(bySubject[subject], notice.Type)
		}
	}))
	defer receiver.Close()
	store := "embedded:" + filepath.Join(t.TempDir(), "data")
	hooks, err := json.Marshal([]map[string]any{{
		"url": receiver.URL, "secret": "whsec_" + base64.StdEncoding.EncodeToString(key), "events": []string{"person.created", "post.published", "post.removed"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"--store", store, "--webhooks", string(hooks), "--webhook-private"}
	server := startProcess(t, args...)
	ana := signUp(t, server.url, "ana")
	publish := func(id string) {
		ana.ask(`mutation { addPost(postId: "`+id+`", postType: TEXT_ONLY, text: "one") { postId } }`, nil)
	}
	publish("p1")
	publish("p2")
	ana.ask(`mutation { archivePost(postId: "p1") { postId } }`, nil)
	server.end(syscall.SIGKILL)

	server = startProcess(t, args...)
	ana = ana.from(server)
	mu.Lock()
	refusing = false
	mu.Unlock()
	publish("p3")
	want := map[string]string{ana.userID: "person.created", "p1": "post.published post.removed", "p2": "post.published", "p3": "post.published"}
	waitUntil(t, "everything has been told", func() bool {
		mu.Lock()
		defer mu.Unlock()
		for subject, told := range want {
			if strings.Join(bySubject[subject], " ") != told {
				return false
			}
		}
		return true
	})
	server.end(syscall.SIGTERM)
	if out, err := run(t, "check", "--store", store); err != nil {
		t.Errorf("afterwards: %v\n%s", err, out)
	}

	for _, c := range []struct{ hooks, want string }{
		{`{`, "is not a list of webhooks"},
		{`[{"url": "https://app.example", "secret": "x", "events": ["case.opened"]}]`, "setting webhooks: the secret of"},
		{`[{"url": "https://app.example", "key": "x"}]`, "is not a list of webhooks"},
	} {
		_, err := run(t, "serve", "--listen", "127.0.0.1:0", "--store", "memory:", "--webhooks", c.hooks)
		if err == nil || exitCode(err) != 2 || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.hooks, err)
		}
	}
	shown, err := run(t, "config", "--webhooks", string(hooks))
	if err != nil || strings.Contains(shown, "whsec_") {
		t.Errorf("config shows secrets: %v\n%s", err, shown)
	}
	file := filepath.Join(t.TempDir(), "stoa.yaml")
	yaml := "webhooks:\n  - url: https://app.example/hook\n    secret: short\n    events: [case.opened, post.removed]\n"
	if err := os.WriteFile(file, []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, "serve", "--listen", "127.0.0.1:0", "--store", "memory:", "--config", file); err == nil ||
		!strings.Contains(err.Error(), "the secret of https://app.example/hook") {
		t.Errorf("webhooks of a file: %v", err)
	}
}
