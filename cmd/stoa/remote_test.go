package main

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/engine/wire"
)

// startDynamoDB serves an empty engine over DynamoDB's protocol.
func startDynamoDB(t *testing.T) (endpoint string) {
	t.Helper()
	e := enginetest.Memory(t)
	s := httptest.NewServer(wire.NewHandler(e, slog.New(slog.DiscardHandler)))
	t.Cleanup(s.Close)
	return s.URL
}

// useCredentials sets the only credentials that the AWS client can find.
func useCredentials(t *testing.T, id, secret string) {
	t.Setenv("AWS_ACCESS_KEY_ID", id)
	t.Setenv("AWS_SECRET_ACCESS_KEY", secret)
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	t.Setenv("AWS_CONFIG_FILE", "/dev/null")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")
	// One retry is allowed, because the SDK occasionally closes the body of a request that
	// is answered early while the connection still reads it, which breaks the connection.
	t.Setenv("AWS_MAX_ATTEMPTS", "2")
}

// A remote store that speaks the protocol works like the embedded one, once its tables have
// been created.
func TestServeOnRemoteTables(t *testing.T) {
	useCredentials(t, "id", "secret")
	endpoint := startDynamoDB(t)
	_, err := run(t, "serve", "--listen", "127.0.0.1:0", "--store", endpoint)
	if err == nil || !strings.Contains(err.Error(), "table stoa-main does not exist in "+endpoint+": create it with stoa tables apply") {
		t.Errorf("without tables: %v", err)
	}
	for _, step := range []struct{ command, want string }{
		{"plan", "+ stoa-main does not exist: apply corrects this\n+ stoa-feed does not exist: apply corrects this\n+ stoa-ops does not exist: apply corrects this\n" +
			"+ stoa-desk does not exist: apply corrects this\n"},
		{"apply", "+ stoa-main: created\n+ stoa-feed: created\n+ stoa-ops: created\n+ stoa-desk: created\nall tables match their declarations\n"},
		{"plan", "all tables match their declarations\n"},
		{"apply", "all tables match their declarations\n"},
	} {
		if out, err := run(t, "tables", step.command, "--store", endpoint); err != nil || out != step.want {
			t.Fatalf("stoa tables %s: %v\n%s", step.command, err, out)
		}
	}
	ana := signUp(t, serve(t, "--store", endpoint), "ana")
	if got := at[string](ana.ask("{ self { username } }", nil), "self.username"); got != "ana" {
		t.Errorf("the profile is that of %s", got)
	}
}

// A table of another form is left as it is, and nothing is made beside it.
func TestTablesOfAnotherForm(t *testing.T) {
	useCredentials(t, "id", "secret")
	endpoint := startDynamoDB(t)
	other := follows()
	other.TableName = aws.String("stoa-feed")
	if _, err := sdk(endpoint).CreateTable(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	differs := "! stoa-feed has the key followed:S,follower:S, expected "
	for _, step := range []struct{ command, out, want string }{
		{"plan", "+ stoa-main does not exist: apply corrects this\n+ stoa-feed lacks index GSI-A2: apply corrects this\n+ stoa-ops does not exist: apply corrects this\n" +
			"+ stoa-desk does not exist: apply corrects this\n" + differs,
			"the tables in " + endpoint + ": differences that must be resolved manually: "},
		{"apply", differs, "the tables in " + endpoint + ": nothing was created because of differences that must be resolved manually: "},
		{"plan", "+ stoa-main does not exist: apply corrects this\n", "the tables in " + endpoint + ": "},
	} {
		out, err := run(t, "tables", step.command, "--store", endpoint)
		if err == nil || !strings.HasPrefix(err.Error(), step.want) || !strings.HasPrefix(out, step.out) || exitCode(err) != 1 {
			t.Errorf("stoa tables %s: %v\n%s", step.command, err, out)
		}
	}
}

func TestRemoteRefusals(t *testing.T) {
	denying := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.WriteHeader(http.StatusBadRequest)
		w.Write([]byte(`{"__type":"com.amazon.coral.service#UnrecognizedClientException","message":"The security token included in the request is invalid."}`))
	}))
	defer denying.Close()
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>") }))
	defer foreign.Close()
	for _, c := range []struct{ name, id, secret, store, want string }{
		{"no credentials", "", "", denying.URL, "no usable AWS credentials ("},
		{"bad credentials", "id", "wrong", denying.URL, denying.URL + " refuses the AWS credentials (UnrecognizedClientException): check"},
		{"something else there", "id", "secret", foreign.URL, foreign.URL + " does not answer like DynamoDB ("},
		{"no TLS there", "id", "secret", strings.Replace(denying.URL, "http:", "https:", 1), strings.Replace(denying.URL, "http:", "https:", 1) + " cannot be reached ("},
		{"nobody there", "id", "secret", "http://127.0.0.1:1", "http://127.0.0.1:1 cannot be reached ("},
	} {
		t.Run(c.name, func(t *testing.T) {
			useCredentials(t, c.id, c.secret)
			for _, command := range []string{"serve --listen 127.0.0.1:0", "tables plan"} {
				_, err := run(t, append(strings.Fields(command), "--store", c.store)...)
				if err == nil || !strings.HasPrefix(err.Error(), c.want) || exitCode(err) != 1 || strings.Contains(err.Error(), "\n") {
					t.Errorf("stoa %s: %v", command, err)
				}
			}
		})
	}
}

// No call waits forever for an endpoint that does not answer.
func TestRemoteCallsHaveATimeout(t *testing.T) {
	useCredentials(t, "id", "secret")
	client, err := openRemote(t.Context(), Settings{Region: "us-east-1", Store: Storage{Endpoint: "http://127.0.0.1:1"}})
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := client.(*dynamodb.Client).Options().HTTPClient.(*awshttp.BuildableClient); !ok || c.GetTimeout() != storeCall {
		t.Errorf("calls are made by %T", client.(*dynamodb.Client).Options().HTTPClient)
	}
}

// Truncated responses are retried.
func TestBrokenAnswers(t *testing.T) {
	useCredentials(t, "id", "secret")
	t.Setenv("AWS_MAX_ATTEMPTS", "2")
	e := enginetest.Memory(t)
	whole := wire.NewHandler(e, slog.New(slog.DiscardHandler))
	var asked atomic.Int32
	breaking := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) > 1 {
			whole.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Length", "1000")
		w.Write([]byte(`{"Table":`))
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}))
	defer breaking.Close()
	if out, err := run(t, "tables", "plan", "--store", breaking.URL); err != nil || !strings.Contains(out, "stoa-main does not exist") {
		t.Errorf("%v: %s", err, out)
	}
	if n := asked.Load(); n != 5 {
		t.Errorf("%d requests for four tables, the first of which broke off", n)
	}
}
