package wire_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"

	"stoa/internal/kit/engine"
	"stoa/internal/kit/engine/wire"
)

// serve starts a server for api.
func serve(t testing.TB, api wire.API) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(wire.NewHandler(api, slog.New(slog.NewTextHandler(io.Discard, nil))))
	t.Cleanup(server.Close)
	return server
}

// memory opens an empty engine for the duration of a test.
func memory(t testing.TB) *engine.Engine {
	t.Helper()
	e, err := engine.OpenMemory()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// client returns the SDK's client for a server. It never retries.
func client(server *httptest.Server, options ...func(*middleware.Stack) error) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(server.URL),
		Region:       "eu-central-1",
		HTTPClient:   &http.Client{Transport: wholeBodies{server.Client().Transport}},
		Retryer:      aws.NopRetryer{},
		APIOptions:   options,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "anyone", SecretAccessKey: "anything"}, nil
		}),
	})
}

// wholeBodies sends bodies of its own: the SDK closes its body as soon as the response begins,
// and if net/http has not looked for the body's end by then, it closes the connection.
type wholeBodies struct{ http.RoundTripper }

func (w wholeBodies) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err = errors.Join(err, r.Body.Close()); err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(body))
	return w.RoundTripper.RoundTrip(r)
}

// signed holds the headers of a valid request.
var signed = map[string]string{
	"Content-Type":  "application/x-amz-json-1.0",
	"Authorization": "AWS4-HMAC-SHA256 Credential=anyone/20250101/eu-central-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=00",
	"X-Amz-Date":    "20250101T000000Z",
}

// post sends a body to an operation, with the headers of signed by default; headers
// override them.
func post(t testing.TB, server *httptest.Server, operation, body string, headers map[string]string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, server.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	for _, set := range []map[string]string{signed, headers} {
		for name, v := range set {
			r.Header.Set(name, v)
			if v == "" {
				r.Header.Del(name)
			}
		}
	}
	return do(t, server, r)
}

func do(t testing.TB, server *httptest.Server, r *http.Request) (*http.Response, string) {
	t.Helper()
	response, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}
