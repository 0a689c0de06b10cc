package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/util/teststorage"
)

// serving starts the program with metrics and returns its URL.
func serving(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "stoa")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "./cmd/stoa")
	build.Dir = "../.."
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	server := exec.Command(program, "serve", "--listen", "127.0.0.1:0", "--store", "embedded:"+filepath.Join(t.TempDir(), "data"), "--metrics")
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGTERM)
		_ = server.Wait()
	})
	first := make([]byte, 200)
	n, err := out.Read(first)
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, out)
	line, _, _ := strings.Cut(string(first[:n]), "\n")
	return strings.TrimPrefix(line, "stoa serves ")
}

func call(t *testing.T, url, token string, body map[string]any) map[string]any {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", token)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var answer map[string]any
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// use does what gives every kind of metric a value: operations, events, and an error.
func use(t *testing.T, url, name string) {
	t.Helper()
	credentials := map[string]any{"email": name + "@example.com", "password": "correct horse battery"}
	call(t, url+"/auth/sign-up", "", credentials)
	token := call(t, url+"/auth/sign-in", "", credentials)["accessToken"].(string)
	ask := func(query string) map[string]any {
		return call(t, url+"/graphql", token, map[string]any{"query": query})
	}
	ask(fmt.Sprintf(`mutation { createCognitoOnlyUser(username: %q) { userId } }`, name))
	if a := ask(fmt.Sprintf(`mutation { addPost(postId: "post-%s", postType: TEXT_ONLY, text: "hello") { postId } }`, name)); a["errors"] != nil {
		t.Fatal(a)
	}
	if a := ask(`mutation { addComment(postId: "none", commentId: "c", text: "hello") { commentId } }`); a["errors"] == nil {
		t.Fatalf("a comment on a post that does not exist: %v", a)
	}
}

// scraped is a storage with what two visits of /metrics have read.
func scraped(t *testing.T) (*teststorage.TestStorage, time.Time) {
	t.Helper()
	url := serving(t)
	at := time.Now().Truncate(time.Second)
	store := teststorage.New(t)
	for i, name := range []string{"ana", "ben", "cleo"} {
		use(t, url, name)
		response, err := http.Get(url + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		// As if they were read every 15 s.
		appendSamples(t, store, text, at.Add(time.Duration(i-2)*15*time.Second))
	}
	return store, at
}

func appendSamples(t *testing.T, to *teststorage.TestStorage, text []byte, at time.Time) {
	t.Helper()
	p := textparse.NewPromParser(text, labels.NewSymbolTable(), false)
	app := to.Appender(context.Background())
	add := func(l labels.Labels, v float64) {
		b := labels.NewBuilder(l).Set("job", "stoa").Set("instance", "127.0.0.1:8080")
		if _, err := app.Append(0, b.Labels(), at.UnixMilli(), v); err != nil {
			t.Fatal(err)
		}
	}
	for {
		entry, err := p.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if entry != textparse.EntrySeries {
			continue
		}
		_, _, value := p.Series()
		var l labels.Labels
		p.Labels(&l)
		add(l, value)
	}
	add(labels.FromStrings("__name__", "up"), 1)
	if err := app.Commit(); err != nil {
		t.Fatal(err)
	}
}

// The queries of the dashboard and of the alerts are valid, and find what a running server tells
// of itself. Those that find nothing are about what has not happened here.
func TestDeployedQueriesFindMetrics(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	store, at := scraped(t)
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 1_000_000, Timeout: time.Minute, LookbackDelta: 5 * time.Minute, Parser: parser.NewParser(parser.Options{})})
	defer engine.Close()
	find := func(expr string) promql.Vector {
		q, err := engine.NewInstantQuery(t.Context(), store, nil, expr, at)
		if err != nil {
			t.Fatalf("%s: %v", expr, err)
		}
		defer q.Close()
		found, err := q.Exec(t.Context()).Vector()
		if err != nil {
			t.Fatalf("%s: %v", expr, err)
		}
		return slices.Clone(found)
	}

	text, err := os.ReadFile("../grafana/stoa.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	variables := strings.NewReplacer("$job", "stoa", "$instance", ".*", "$__rate_interval", "1m")
	queries := 0
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			queries++
			found := find(variables.Replace(target.Expr))
			// Quantiles of what has not happened in the last minute are not numbers.
			found = slices.DeleteFunc(found, func(s promql.Sample) bool { return math.IsNaN(s.F) })
			unused := slices.ContainsFunc([]string{"stoa_outbox_failures_total", "stoa_outbox_parked_total", "stoa_mail_total", "stoa_subscriptions_open",
				`outcome!~"ok|condition"`}, func(name string) bool { return strings.Contains(target.Expr, name) })
			if len(found) == 0 && !unused {
				t.Errorf("panel %s: %s finds nothing", p.Title, target.Expr)
			}
		}
	}
	if queries < 25 {
		t.Errorf("the dashboard has %d queries", queries)
	}

	rules, errs := rulefmt.ParseFile("../prometheus/alerts.yml", false, model.UTF8Validation, parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	var firing []string
	for _, r := range rules.Groups[0].Rules {
		if len(find(r.Expr)) > 0 {
			firing = append(firing, r.Alert)
		}
	}
	// A server without backups is reported, and nothing else is wrong with this one.
	firing = slices.DeleteFunc(firing, func(name string) bool { return name == "StoaDiskFills" }) // of this machine
	if !slices.Equal(firing, []string{"StoaBackupOld"}) {
		t.Errorf("alerts of a healthy server: %q", firing)
	}
}
