package quickhttp_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

const stream = "Accept: text/event-stream"

func TestRequestsAreHandedOver(t *testing.T) {
	chunks := "POST /x HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n"
	tests := []struct {
		name, text string
		quick      bool
		body       string
	}{
		{"POST", request("POST", "/x", "words"), true, "words"},
		{"POST that accepts anything", request("POST", "/x", "words", "Accept: */*", "Accept: application/json, text/html"), true, "words"},
		{"POST of HTTP/1.0", "POST /x HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nwords", true, "words"},
		{"GET", request("GET", "/x", ""), false, ""},
		{"PUT", request("PUT", "/x", "words"), false, "words"},
		{"DELETE", request("DELETE", "/x", ""), false, ""},
		{"PUT of a long body", request("PUT", "/x", strings.Repeat("w", maxBody)), false, strings.Repeat("w", maxBody)},
		{"stream", request("POST", "/x", "words", stream), false, "words"},
		{"stream among others", request("POST", "/x", "words", "Accept: application/json;q=0.5, Text/Event-Stream;q=0.9"), false, "words"},
		{"stream in a second line", request("POST", "/x", "words", "Accept: a/b", stream), false, "words"},
		{"stream of a body in chunks", chunks + stream + "\r\n\r\n3\r\nwor\r\n2\r\nds\r\n0\r\n\r\n", false, "words"},
		{"chunks", chunks + "\r\n3\r\nwor\r\n2\r\nds\r\n0\r\n\r\n", false, "words"},
		{"upgrade that is not made use of", request("GET", "/x", "", "Connection: upgrade", "Upgrade: a"), false, ""},
	}
	s := serve(t, nil, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Quick", fmt.Sprint(isQuick(w)))
		echo(w, r)
	})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			method, _, _ := strings.Cut(test.text, " ")
			want := method + " /x " + test.body
			// First of a connection, after quick ones, and all in one piece; each time
			// with requests behind it.
			for _, together := range []bool{false, true} {
				for before := range 3 {
					c := s.dial(t)
					texts := []string{}
					for range before {
						texts = append(texts, post("before"))
					}
					texts = append(texts, test.text, test.text, post("behind"))
					if together {
						c.send(t, strings.Join(texts, ""))
					}
					for i, text := range texts {
						if !together {
							c.send(t, text)
						}
						got := c.receive(t)
						wanted, quick := want, test.quick
						switch {
						case i < before:
							wanted, quick = "POST / before", true
						case i == len(texts)-1:
							wanted = "POST / behind"
						}
						if got.body != wanted || got.header.Get("X-Quick") != fmt.Sprint(quick) || got.status != 200 {
							t.Errorf("together %v, %d before: answer %d is %+v", together, before, i, got)
						}
					}
					c.Close()
				}
			}
		})
	}
}

func TestHandedOverBodiesThatComeLate(t *testing.T) {
	c := serve(t, nil, echo).dial(t)
	c.send(t, "PUT /x HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
	if got := c.receive(t); got.status != http.StatusContinue {
		t.Errorf("got %+v", got)
	}
	c.send(t, "wor")
	c.send(t, "ds"+post("behind"))
	for _, want := range []string{"PUT /x words", "POST / behind"} {
		if got := c.receive(t); got.body != want {
			t.Errorf("got %+v", got)
		}
	}
}

// A client that waits for leave is answered without having to send what is not wanted.
func TestExpectedLeaveIsNotGivenForNothing(t *testing.T) {
	c := serve(t, nil, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusUnauthorized) }).dial(t)
	c.send(t, "POST /x HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
	if got := c.receive(t); got.status != http.StatusUnauthorized {
		t.Errorf("got %+v", got)
	}
}

func TestHandlersTakeConnections(t *testing.T) {
	s := serve(t, nil, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") == "" {
			echo(w, r)
			return
		}
		c, buffer, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		fmt.Fprint(buffer, "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n")
		buffer.Flush()
		for line, err := buffer.ReadString('\n'); err == nil; line, err = buffer.ReadString('\n') {
			fmt.Fprint(c, "said ", line)
		}
	})
	for _, method := range []string{"GET", "POST"} {
		c := s.dial(t)
		c.send(t, post("before")+request(method, "/", "", "Connection: upgrade", "Upgrade: echo")+"at once\n")
		c.receive(t)
		if got := c.receive(t); got.status != http.StatusSwitchingProtocols {
			t.Fatalf("got %+v", got)
		}
		for i, word := range []string{"at once", "later", "again"} {
			if i > 0 {
				c.send(t, word+"\n")
			}
			if line, err := c.r.ReadString('\n'); line != "said "+word+"\n" || err != nil {
				t.Fatalf("got %q, %v", line, err)
			}
		}
		c.Close()
	}
}

func TestStreamsAreSentAtOnce(t *testing.T) {
	more := make(chan struct{})
	c := serve(t, nil, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range 3 {
			io.WriteString(w, "data: x\n")
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
			<-more
		}
	}).dial(t)
	c.send(t, request("POST", "/", "words", stream))
	answer, err := http.ReadResponse(c.r, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		line := make([]byte, len("data: x\n"))
		if _, err := io.ReadFull(answer.Body, line); err != nil {
			t.Fatal(err)
		}
		more <- struct{}{}
	}
}
