package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
)

// rights records the rights that requests to DynamoDB need.
type rights struct {
	mu  sync.Mutex
	all map[string]bool
}

func (r *rights) note(request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return
	}
	request.Body = io.NopCloser(bytes.NewReader(body))
	_, call, _ := strings.Cut(request.Header.Get("X-Amz-Target"), ".")
	r.mu.Lock()
	defer r.mu.Unlock()
	switch call {
	case "TransactGetItems":
		r.all["GetItem"] = true
	case "TransactWriteItems":
		var in struct{ TransactItems []map[string]any }
		if json.Unmarshal(body, &in) != nil {
			return
		}
		for _, item := range in.TransactItems {
			for kind := range item {
				r.all[map[string]string{"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}[kind]] = true
			}
		}
	default:
		r.all[call] = true
	}
}

// The policy of the template has the rights that serving needs, and no others.
func TestTheTemplateGrantsWhatIsNeeded(t *testing.T) {
	if testing.Short() {
		t.Skip("drives a server on an endpoint")
	}
	useCredentials(t, "id", "secret")
	endpoint := startDynamoDB(t)
	mustRun(t, "tables", "apply", "--store", endpoint, "--systems", "all")
	to, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	needed := &rights{all: map[string]bool{}}
	proxy := httputil.NewSingleHostReverseProxy(to)
	recorder := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		needed.note(r)
		r.Host = to.Host
		proxy.ServeHTTP(w, r)
	}))
	defer recorder.Close()

	p := startProcess(t, "--store", recorder.URL, "--media", "memory:", "--systems", "all")
	ana, ben := signUp(t, p.url, "ana"), signUp(t, p.url, "ben")
	ben.ask(`mutation($id: ID!) { followUser(userId: $id) { followedStatus } }`, map[string]any{"id": ana.userID})
	for i := range 3 {
		ana.ask(fmt.Sprintf(`mutation { addPost(postId: "p%d", postType: TEXT_ONLY, text: "hello @ben") { postId } }`, i), nil)
	}
	ben.ask(`mutation { addComment(postId: "p0", commentId: "c", text: "hi") { commentId } onymouslyLikePost(postId: "p1") { postId } }`, nil)
	ben.ask(`{ self { feed { items { postId viewedBy { items { userId } } } } cards { items { title } } } }`, nil)
	ben.ask(`mutation($id: ID!) { unfollowUser(userId: $id) { followedStatus } }`, map[string]any{"id": ana.userID})
	ana.ask(`mutation { deletePost(postId: "p0") { postId } }`, nil)
	for _, job := range []string{"social.delete-expired-posts", "social.push-cards"} {
		mustRun(t, "jobs", "run", job, "--store", recorder.URL)
	}
	mustRun(t, "check", "--store", recorder.URL, "--systems", "all")

	var used, granted []string
	for call := range maps.Keys(needed.all) {
		used = append(used, "dynamodb:"+call)
	}
	slices.Sort(used)
	granted = slices.Sorted(slices.Values(servingActions))
	if !slices.Equal(used, granted) {
		t.Errorf("the policy grants\n%q, needed are\n%q", granted, used)
	}
}

// The template has every declared table with its indexes.
func TestTheTemplateHasTheTables(t *testing.T) {
	committed := read(t, "deploy/aws/stoa.json")
	out, err := run(t, "tables", "template", "--table-prefix", "x-", "--systems", "all")
	if err != nil {
		t.Fatal(err)
	}
	var printed struct {
		Resources map[string]struct {
			Type       string
			Properties struct {
				TableName              string
				GlobalSecondaryIndexes []any
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &printed); err != nil {
		t.Fatal(err)
	}
	indexes := map[string]int{}
	for _, r := range printed.Resources {
		if r.Type == "AWS::DynamoDB::Table" {
			indexes[r.Properties.TableName] = len(r.Properties.GlobalSecondaryIndexes)
		}
	}
	if indexes["x-main"] != 7 || indexes["x-desk"] != 5 || len(indexes) < 8 {
		t.Errorf("tables with their numbers of indexes: %v", indexes)
	}
	if out, err = run(t, "tables", "template"); err != nil {
		t.Fatal(err)
	}
	if out != committed {
		t.Error("deploy/aws/stoa.json is stale: run stoa tables template > deploy/aws/stoa.json")
	}
}
