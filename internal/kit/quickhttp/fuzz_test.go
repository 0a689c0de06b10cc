package quickhttp_test

import (
	"io"
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
