package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2/dynamodbiface"

	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/engine/wire"
)

const (
	throttled = "ProvisionedThroughputExceededException"
	failed    = "InternalServerError"
)

// startRefusing serves DynamoDB's protocol. Before calls are passed on, refuse may return
// the code of an error for the n-th call.
func startRefusing(t *testing.T, refuse func(n int) string) (endpoint string, calls *atomic.Int64) {
	t.Helper()
	e := enginetest.Memory(t)
	if _, err := e.CreateTable(t.Context(), follows()); err != nil {
		t.Fatal(err)
	}
	behind := wire.NewHandler(e, slog.New(slog.DiscardHandler))
	calls = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		code := refuse(int(calls.Add(1)))
		if code == "" {
			behind.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.WriteHeader(map[string]int{throttled: http.StatusBadRequest, failed: http.StatusInternalServerError}[code])
		w.Write([]byte(`{"__type":"com.amazonaws.dynamodb.v20120810#` + code + `","message":"refused"}`))
	}))
	t.Cleanup(s.Close)
	return s.URL, calls
}

func getOne(ctx context.Context, client dynamodbiface.DynamoDBAPI) error {
	_, err := client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: follows().TableName, Key: map[string]types.AttributeValue{"followed": text("ana"), "follower": text("ben")},
	})
	return err
}

// impatient returns a client of an endpoint that does not wait between attempts.
func impatient(endpoint string) *dynamodb.Client {
	cfg := aws.Config{Region: "us-east-1", Credentials: sdk("").Options().Credentials}
	return remoteClient(cfg, endpoint, newPatient(func(int) time.Duration { return 0 }))
}

func TestThrottledCallsAreRepeated(t *testing.T) {
	useCredentials(t, "id", "secret")
	t.Setenv("AWS_MAX_ATTEMPTS", "")
	endpoint, calls := startRefusing(t, func(n int) string {
		if n <= 10 {
			return throttled
		}
		return ""
	})
	client, err := openRemote(t.Context(), Settings{Region: "us-east-1", Store: Storage{Endpoint: endpoint}})
	if err != nil {
		t.Fatal(err)
	}
	if err := getOne(t.Context(), client); err != nil || calls.Load() != 11 {
		t.Errorf("%v after %d calls, want success after 11", err, calls.Load())
	}
}

// An operator can restrict the attempts, as with all AWS tools.
func TestAttemptsCanBeRestricted(t *testing.T) {
	useCredentials(t, "id", "secret")
	t.Setenv("AWS_MAX_ATTEMPTS", "2")
	endpoint, calls := startRefusing(t, func(int) string { return throttled })
	client, err := openRemote(t.Context(), Settings{Region: "us-east-1", Store: Storage{Endpoint: endpoint}})
	if err != nil {
		t.Fatal(err)
	}
	err = getOne(t.Context(), client)
	if calls.Load() != 2 || !errors.As(err, new(*types.ProvisionedThroughputExceededException)) {
		t.Errorf("%v after %d calls, want to give up after 2", err, calls.Load())
	}
}

func TestThrottledCallsEndWithTheirRequest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	endpoint, calls := startRefusing(t, func(n int) string {
		if n == 7 {
			cancel()
		}
		return throttled
	})
	if err := getOne(ctx, impatient(endpoint)); !errors.Is(err, context.Canceled) || calls.Load() != 7 {
		t.Errorf("%v after %d calls, want to end with the 7th", err, calls.Load())
	}
	calls.Store(100) // work without a deadline
	err := getOne(t.Context(), impatient(endpoint))
	if n := calls.Load() - 100; n != throttledAttempts || !errors.As(err, new(*types.ProvisionedThroughputExceededException)) {
		t.Errorf("%v after %d calls, want to give up after %d", err, n, throttledAttempts)
	}
}

// Failures are repeated however many calls have been throttled.
func TestThrottlingTakesNothingFromOthers(t *testing.T) {
	var refusal atomic.Value
	refusal.Store(throttled)
	endpoint, calls := startRefusing(t, func(n int) string {
		code := refusal.Load().(string)
		if code == failed && n > 2 {
			return ""
		}
		return code
	})
	client := impatient(endpoint)
	for range 5 {
		if err := getOne(t.Context(), client); err == nil {
			t.Fatal("no call is throttled")
		}
	}
	refusal.Store(failed)
	calls.Store(0)
	if err := getOne(t.Context(), client); err != nil || calls.Load() != 3 {
		t.Errorf("%v after %d calls, want success after 3", err, calls.Load())
	}
}

func TestFailedCallsAreRepeatedTwice(t *testing.T) {
	endpoint, calls := startRefusing(t, func(int) string { return failed })
	err := getOne(t.Context(), impatient(endpoint))
	if calls.Load() != failedAttempts || err == nil || !strings.Contains(err.Error(), "exceeded maximum number of attempts, 3") {
		t.Errorf("%v after %d calls", err, calls.Load())
	}
}
