package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
)

// Clients that wait for events after a response need to know where it ends. realtime 3#6
func TestAnswersCarryTheirLength(t *testing.T) {
	s := newService(t, nil)
	base := s.listen(t)
	for _, query := range []string{
		`{ greeting(name: "ben") }`,
		`{ items(limit: 2000) { itemId text likeCount } }`,
		`mutation { touch(note: "n") }`,
		`mutation { touch(note: "` + strings.Repeat("long ", 20_000) + `") }`,
		`{ items(limit: 100) { itemId } fail(how: CLIENT) }`,
		`{ unknown }`,
	} {
		body := document(t, query, nil)
		direct := httptest.NewRecorder()
		s.ServeHTTP(direct, call(t, http.MethodPost, "/graphql", body))
		for _, connection := range []string{"keep-alive", "close"} {
			r := call(t, http.MethodPost, base+"/graphql", body, "Connection", connection, "Accept-Encoding", "gzip, br")
			got := do(t, r)
			if got.body != direct.Body.String() || got.header.Get("Content-Length") != fmt.Sprint(len(got.body)) || got.header.Get("Content-Encoding") != "" {
				t.Errorf("%.40s, %s: headers %v, got %.80q, want %.80q", query, connection, got.header, got.body, direct.Body)
			}
		}
	}
}

// Request smuggling: requests whose body length is ambiguous are refused.
func TestAmbiguousRequestsAreRefused(t *testing.T) {
	address := strings.TrimPrefix(newService(t, nil).listen(t), "http://")
	const head = "POST /graphql HTTP/1.1\r\nHost: stoa.test\r\nAuthorization: ana\r\nContent-Type: application/json\r\n"
	const body = `{"query":"{__typename}"}`
	for name, request := range map[string]string{
		"two hosts":                   "POST /graphql HTTP/1.1\r\nHost: a.test\r\nHost: b.test\r\nContent-Length: 0\r\n\r\n",
		"identity":                    head + "Transfer-Encoding: identity\r\nContent-Length: 24\r\n\r\n" + body,
		"two lengths":                 head + "Content-Length: 24\r\nContent-Length: 25\r\n\r\n" + body,
		"a length that is no number":  head + "Content-Length: +24\r\n\r\n" + body,
		"a header longer than 32 KiB": head + "X-Long: " + strings.Repeat("x", 40<<10) + "\r\nContent-Length: 24\r\n\r\n" + body,
	} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, request); err != nil {
			t.Fatal(err)
		}
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || answer.StatusCode < 400 || answer.StatusCode > 501 {
			t.Errorf("%s: answered %v, %v", name, answer, err)
		}
	}
}

func TestAQueryEndsWhenItsClientHangsUp(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, s *service, net *memoryNet, _ func()) {
		ctx, hangUp := context.WithCancel(t.Context())
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			if _, err := net.client().Do(call(t, "POST", "http://stoa.test/graphql", document(t, `{wait}`, nil)).WithContext(ctx)); err == nil {
				t.Error("the query was answered")
			}
		}()
		<-s.graph.Waiting
		hangUp()
		<-gone
		synctest.Wait()
		if !strings.Contains(s.log.String(), "CANCELLED") {
			t.Errorf("the query still runs: %s", s.log)
		}
	})
}
