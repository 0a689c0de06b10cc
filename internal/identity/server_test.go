package identity_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"stoa/internal/identity"
	"stoa/internal/kit/viewer"
)

// serve serves a house on the loopback interface and sets its URL.
func serve(t *testing.T, h *house) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.handler.ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	config := h.issuer.Config
	config.PublicURL = server.URL
	h.issuer = identity.New(config)
	h.handler = h.issuer.Handler()
	return server
}

func seededPeople(n int) []identity.Seeded {
	people := make([]identity.Seeded, n)
	for i := range people {
		people[i] = identity.Seeded{
			UserID: viewer.UserID(fmt.Sprintf("us-east-1:00000000-0000-4000-8000-%012d", i)),
			Email:  fmt.Sprintf("person%d@example.com", i),
		}
	}
	return people
}
