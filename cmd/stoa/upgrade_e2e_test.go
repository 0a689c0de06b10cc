//go:build e2e

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"
	"github.com/nats-io/nats-server/v2/server"
)

var former = flag.String("former", "", "commit or tag of the version before, for the test of upgrades")

// built is a program that has been built from some version.
type built struct {
	name, path string
	env        []string
}

// buildFormer builds the program of an earlier commit from the history.
func buildFormer(t *testing.T, commit string) built {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if commit == "" {
		t.Skip("no version before is given: make e2e-upgrade FORMER=COMMIT")
	}
	git := func(args ...string) *exec.Cmd { return exec.Command("git", append([]string{"-C", root}, args...)...) }
	if out, err := git("rev-parse", "--verify", "--quiet", commit+"^{commit}").CombinedOutput(); err != nil {
		t.Skipf("the history of the repository does not have %s (%v %s): clone it with git, or give another with make e2e-upgrade FORMER=COMMIT", commit, err, out)
	}
	source := t.TempDir()
	archive, unpack := git("archive", commit), exec.Command("tar", "-x", "-C", source)
	if unpack.Stdin, err = archive.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := archive.Start(); err != nil {
		t.Fatal(err)
	}
	if out, err := unpack.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := archive.Wait(); err != nil {
		t.Fatal(err)
	}
	return build(t, "former", source)
}

func build(t *testing.T, name, source string) built {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-buildvcs=false", "-o", path, "./cmd/stoa")
	cmd.Dir = source
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", name, err, out)
	}
	return built{name: name, path: path}
}

func (b built) run(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command(b.path, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: stoa %s: %v: %s", b.name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// start starts a server of this version, which is ended with the test.
func (b built) start(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{t: t, log: &lockedBuffer{}, out: &lockedBuffer{}}
	p.cmd = exec.Command(b.path, args...)
	p.cmd.Env = append(os.Environ(), b.env...)
	p.cmd.Stderr = p.log
	p.await()
	return p
}

// cluster is what a proxy in front of several processes knows: those that take requests.
type cluster struct {
	mu   sync.Mutex
	urls []string
	next int
	// client asks again over another connection if one has been closed, because each request
	// has a key that makes that safe.
	client *http.Client
	asked  atomic.Int64
	again  atomic.Int64
}

func (c *cluster) set(urls ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.urls = urls
}

func (c *cluster) url() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	return c.urls[c.next%len(c.urls)]
}

// ask runs an operation. As docs/upgrading.md says, it asks the next process with the same key if
// one does not take the request because it ends.
func (c *cluster) ask(token, query string, variables map[string]any) (map[string]any, error) {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return nil, err
	}
	key := uuid.NewString()
	c.asked.Add(1)
	for attempt := range 20 {
		if attempt > 0 {
			c.again.Add(1)
			time.Sleep(50 * time.Millisecond)
		}
		var answer map[string]any
		var retry bool
		if answer, retry, err = c.once(token, key, body); err == nil {
			return answer, nil
		} else if !retry {
			return nil, err
		}
	}
	return nil, err
}

func (c *cluster) once(token, key string, body []byte) (answer map[string]any, retry bool, err error) {
	request, err := http.NewRequest(http.MethodPost, c.url()+"/graphql", bytes.NewReader(body))
	if err != nil {
		return nil, false, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", token)
	request.Header.Set("Idempotency-Key", key)
	response, err := c.client.Do(request)
	if err != nil {
		return nil, true, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, true, err
	}
	if response.StatusCode == http.StatusServiceUnavailable || response.StatusCode == http.StatusConflict {
		return nil, true, fmt.Errorf("%s: %s", response.Status, text)
	}
	var result struct {
		Data   map[string]any
		Errors []any
	}
	if err := json.Unmarshal(text, &result); err != nil || len(result.Errors) > 0 || response.StatusCode != http.StatusOK {
		return nil, false, fmt.Errorf("%s: %s", response.Status, text)
	}
	return result.Data, false, nil
}

// The version before and this one serve the same tables at the same time, under load, while
// processes are replaced one by one: to this version, and back. No request fails, nothing that
// was acknowledged is lost, and every event is delivered.
func TestRollingUpgrade(t *testing.T) {
	old := buildFormer(t, *former)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	current := build(t, "current", root)
	current.env = []string{"OTEL_TRACES_EXPORTER=console"} // its events have an attribute that the other does not know

	bus, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	go bus.Start()
	if !bus.ReadyForConnections(patience) {
		t.Fatal("the NATS server does not start")
	}
	t.Cleanup(bus.Shutdown)
	useCredentials(t, "any", "any")
	t.Setenv("AWS_REGION", "us-east-1")
	t.Setenv("AWS_MAX_ATTEMPTS", "6") // on a busy machine, the SDK closes bodies that it still reads
	tables := current.start(t, "dynamodb", "--listen", "127.0.0.1:0", "--store", "embedded:"+t.TempDir()).url
	old.run(t, "tables", "apply", "--store", tables)
	media := "file:" + t.TempDir()
	join := func(b built) *process {
		return b.start(t, "serve", "--listen", "127.0.0.1:0", "--store", tables, "--bus", bus.ClientURL(), "--media", media, "--rate-limit", "0")
	}

	processes := []*process{join(old), join(old)}
	c := &cluster{client: &http.Client{Timeout: patience}}
	c.set(processes[0].url, processes[1].url)
	ana, ben := signUp(t, processes[0].url, "ana"), signUp(t, processes[1].url, "ben")
	ben.ask(`mutation($id: ID!) { followUser(userId: $id) { followedStatus } }`, map[string]any{"id": ana.userID})

	ctx, stop := context.WithCancel(t.Context())
	var load sync.WaitGroup
	var posts, chats atomic.Int64
	var mu sync.Mutex
	var failures []string
	fail := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		failures = append(failures, err.Error())
	}
	loop := func(step func(n int) error) {
		load.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				if err := step(n); err != nil {
					fail(err)
				}
				time.Sleep(20 * time.Millisecond) // the machine is for both versions and the tables
			}
		})
	}
	for worker := range 2 {
		loop(func(n int) error {
			_, err := c.ask(ana.token, `mutation($id: ID!) { addPost(postId: $id, postType: TEXT_ONLY, text: "hello @ben") { postId } }`,
				map[string]any{"id": fmt.Sprintf("p%d-%d", worker, n)})
			if err == nil {
				posts.Add(1)
			}
			return err
		})
		loop(func(int) error {
			_, err := c.ask(ben.token, `{ self { postCount feed(limit: 20) { items { postId text postedBy { username } } } cards(limit: 5) { items { title } } } }`, nil)
			return err
		})
	}
	if _, err := c.ask(ana.token, `mutation($id: ID!) { createDirectChat(chatId: "c", userId: $id, messageId: "m", messageText: "hi") { chatId } }`,
		map[string]any{"id": ben.userID}); err != nil {
		t.Fatal(err)
	}
	loop(func(n int) error {
		_, err := c.ask(ana.token, `mutation($id: ID!) { addChatMessage(chatId: "c", messageId: $id, text: "hi") { messageId } }`, map[string]any{"id": fmt.Sprint("m", n)})
		if err == nil {
			chats.Add(1)
		}
		return err
	})

	dwell := func(what string) {
		before, again := c.asked.Load(), c.again.Load()
		time.Sleep(4 * time.Second)
		mu.Lock()
		defer mu.Unlock()
		t.Logf("%-34s %5d requests, %d asked again, %d failed", what, c.asked.Load()-before, c.again.Load()-again, len(failures))
	}
	replace := func(i int, by built) {
		next := join(by)
		leaving := processes[i]
		processes[i] = next
		c.set(processes[0].url, processes[1].url, leaving.url) // a proxy learns late that one is leaving
		ended := make(chan *os.ProcessState)
		go func() { ended <- leaving.end(syscall.SIGTERM) }()
		state := <-ended
		c.set(processes[0].url, processes[1].url)
		if !state.Success() {
			t.Errorf("a process ended with %s:\n%s", state, leaving.log)
		}
	}
	dwell("two former")
	t.Log(current.run(t, "tables", "apply", "--store", tables))
	replace(0, current)
	dwell("one current, one former")
	replace(1, current)
	dwell("two current")
	replace(1, old)
	dwell("back: one current, one former")
	replace(0, old)
	dwell("back: two former")
	stop()
	load.Wait()
	mu.Lock()
	if len(failures) > 0 {
		t.Errorf("%d of %d requests failed, first: %s", len(failures), c.asked.Load(), failures[0])
	}
	mu.Unlock()

	// What was acknowledged is there, with its effects.
	deadline := time.Now().Add(patience)
	reader := ben.from(processes[0])
	for {
		data := reader.ask(`{ self { cardCount chats { items { messagesCount } } } }`, nil)
		feed, messages := reader.feedCount(), at[float64](at[[]any](data, "self.chats.items")[0], "messagesCount")
		kept := at[float64](ana.from(processes[1]).ask(`{ self { postCount } }`, nil), "self.postCount")
		pending := pendingEvents(t, tables)
		if int64(kept) == posts.Load() && int64(feed) == posts.Load() && int64(messages) == chats.Load()+1 && len(pending) == 0 {
			t.Logf("%d posts, as many in the feed of the follower; %d messages; no event waits", feed, int(messages))
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("of %d posts %v are kept and %d in the feed; of %d messages %v; events wait: %q", posts.Load(), kept, feed, chats.Load()+1, messages, pending)
		}
		time.Sleep(200 * time.Millisecond)
	}
	for _, p := range processes {
		if state := p.end(syscall.SIGTERM); !state.Success() {
			t.Errorf("a process ended with %s:\n%s", state, p.log)
		}
	}
	t.Log(current.run(t, "check", "--store", tables))
	t.Log(old.run(t, "check", "--store", tables))
}

// pendingEvents returns the keys of events and lanes that have not been delivered, and of dead
// letters.
func pendingEvents(t *testing.T, tables string) (keys []string) {
	t.Helper()
	client := dynamodb.New(dynamodb.Options{
		Region: "us-east-1", BaseEndpoint: aws.String(tables), Credentials: credentials.NewStaticCredentialsProvider("any", "any", ""),
	})
	pages := dynamodb.NewScanPaginator(client, &dynamodb.ScanInput{TableName: aws.String("stoa-ops")})
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Items {
			pk, ok := item["partitionKey"].(*types.AttributeValueMemberS)
			if !ok {
				t.Fatalf("an item has no partition key: %v", item)
			}
			for _, prefix := range []string{"outbox/", "lane/", "deadLetters"} {
				if strings.HasPrefix(pk.Value, prefix) {
					keys = append(keys, pk.Value)
				}
			}
		}
	}
	return keys
}
