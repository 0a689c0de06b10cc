package quickhttp_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

// Whatever a client sends: nothing panics, and what comes back are answers and the end of
// the connection.
func FuzzRequests(f *testing.F) {
	for _, test := range sameRequests {
		f.Add(test.text)
	}
	f.Add(post("words") + request("PUT", "/", "words") + post("behind"))
	f.Add(post(strings.Repeat("w", maxBody+1)))
	f.Add(post("", "X-Long: "+strings.Repeat("x", 17<<10)))
	f.Add("\x16\x03\x01\x02\x00\x01")
	f.Add("POST / HTTP/1.1\nHost: test\n\n")
	f.Add("POST / HTTP/1.1\r\nHost: test\r\nContent-Length : 4\r\n\r\nwords")
	f.Fuzz(func(t *testing.T, text string) {
		synctest.Test(t, func(t *testing.T) {
			s := serve(t, newPipes(), echo)
			c := s.dial(t)
			go io.WriteString(c, text) // fails when the server has enough
			for _, r := range c.all(t) {
				if r.status < 100 || r.status > 599 {
					t.Errorf("got %+v", r)
				}
			}
			if strings.Contains(s.log.String(), "panic") {
				t.Error(s.log)
			}
		})
	})
}

// Whatever a client sends: requests that both net/http and this package serve have the
// same method, target and body. Where these would differ, somebody between a client and
// the server could be told of other requests than the handler sees.
func FuzzBoundaries(f *testing.F) {
	for _, test := range sameRequests {
		f.Add(test.text)
	}
	f.Add("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 4\r\nTransfer-Encoding: identity\r\n\r\nPOST / HTTP/1.1\r\nHost: test\r\n\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		quick, standard := seen(t, text, true), seen(t, text, false)
		both := min(len(quick), len(standard))
		if !slices.Equal(quick[:both], standard[:both]) {
			t.Errorf("got  %q\nwant %q", quick, standard)
		}
	})
}

// seen returns the requests in text as handlers see them.
func seen(t *testing.T, text string, quick bool) (requests []string) {
	synctest.Test(t, func(t *testing.T) {
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if body, err := io.ReadAll(r.Body); err == nil {
				requests = append(requests, fmt.Sprintf("%s %s %q", r.Method, r.RequestURI, body))
			} else {
				w.Header().Set("Connection", "close")
			}
		})
		s := &serving{listener: newPipes()}
		if quick {
			s = serve(t, s.listener, handler)
		} else {
			web := &http.Server{Handler: http.MaxBytesHandler(handler, maxBody), ReadTimeout: timeout, WriteTimeout: 2 * timeout, ErrorLog: log.New(io.Discard, "", 0)}
			go web.Serve(s.listener)
			defer web.Close()
		}
		c := s.dial(t)
		go io.WriteString(c, text) // fails when the server has enough
		c.all(t)
	})
	return requests
}
