package quickhttp_test

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// dump writes down what a handler sees of a request.
func dump(r *http.Request) string {
	var b strings.Builder
	body, err := io.ReadAll(r.Body)
	fmt.Fprintf(&b, "%s %s %s %d.%d\nhost %q url %q path %q raw %q query %q\nlength %d encoding %q trailer %q body %q %v\n",
		r.Method, r.RequestURI, r.Proto, r.ProtoMajor, r.ProtoMinor, r.Host, r.URL, r.URL.Path, r.URL.RawPath, r.URL.RawQuery,
		r.ContentLength, r.TransferEncoding, r.Trailer, body, err)
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		fmt.Fprintf(&b, "%s: %q\n", name, r.Header[name])
	}
	return b.String()
}

// exchange sends text, and no more, over a connection of its own.
func exchange(t *testing.T, address, text string) []reply {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	if err := c.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	return (&client{c, bufio.NewReader(c)}).all(t)
}

// both serves a handler by quickhttp and by net/http.
func both(t *testing.T, handler http.HandlerFunc) (quick, standard string) {
	listener := loopback(t)
	web := &http.Server{Handler: http.MaxBytesHandler(handler, maxBody)}
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(listener) }()
	t.Cleanup(func() { web.Close(); <-ended })
	return serve(t, nil, handler).listener.Addr().String(), listener.Addr().String()
}

const form = "Content-Type: application/x-www-form-urlencoded"

var sameRequests = []struct{ name, text string }{
	{"short", post("words")},
	{"no body", "POST /graphql HTTP/1.1\r\nHost: test\r\nContent-Length: 0\r\n\r\n"},
	{"query and escapes", request("POST", "/a%2Fb/%C3%A9?q=1&q=%20+x&empty=", "x")},
	{"slashes and dots", request("POST", "//a/../b//c/.?x=//y", "x")},
	{"question mark at the end", request("POST", "/a?", "x")},
	{"fragment", request("POST", "/a#b", "x")},
	{"absolute form", request("POST", "http://Other.example:8080/a?b=c", "x")},
	{"absolute form with a user", request("POST", "http://ana:secret@other.example/a", "x")},
	{"target is a star", request("POST", "*", "x")},
	{"target is no path", request("POST", "graphql", "x")},
	{"target with a bad escape", request("POST", "/%zz", "x")},
	{"Host in capitals", "POST / HTTP/1.1\r\nHost: Test.Example:80\r\nContent-Length: 1\r\n\r\nx"},
	{"Host is an address", "POST / HTTP/1.1\r\nHost: [::1]:80\r\nContent-Length: 1\r\n\r\nx"},
	{"no Host", "POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx"},
	{"nothing in Host", "POST / HTTP/1.1\r\nHost: \r\nContent-Length: 1\r\n\r\nx"},
	{"repeated header", post("x", "X-List: a", "Other: 1", "X-List: b, c", "x-list: d")},
	{"odd names", post("x", "x-lOWER-cAsE: 1", "X_Under: 2", "etag: 3", "x-amz-target: T", "CONTENT-TYPE: a/b", "X-Real-UID: 4")},
	{"odd values", post("x", "Tabs:\t a\tb \t", "Empty:", "Colons: a:b::c", "Text: caf\xc3\xa9", "Spaces:    x   ")},
	{"value over two lines", post("x", "Folded: a\r\n  b", "Next: c")},
	{"cookies", post("x", `Cookie: a=1; b=2; c=x=y; d=`)},
	{"form", post("a=b&c=d", form)},
	{"form in parts", post("--x\r\nContent-Disposition:form-data; name=a\r\n\r\nb\r\n--x--\r\nmore", "Content-Type: multipart/form-data; boundary=x")},
	{"no form in parts", post("words", "Content-Type: multipart/form-data; boundary=x")},
	{"wishes to close", post("x", "Connection: close")},
	{"wishes to close in capitals", post("x", "Connection: Close")},
	{"wishes to close among others", post("x", "Connection: x-other, close")},
	{"wishes to stay", post("x", "Connection: keep-alive")},
	{"two, one behind the other", post("one") + post("two", "X-A: b")},
	{"chunks", "POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\n\r\n"},
	{"no chunks", "POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
	{"chunks with a trailer", "POST / HTTP/1.1\r\nHost: test\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Sum: 9\r\n\r\n"},
	{"broken chunks", "POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"},
	{"chunks and a length", "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"},
	{"expects leave", "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nwords"},
	{"expects leave in capitals", "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\nExpect: 100-Continue\r\n\r\nwords"},
	{"expects something else", "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\nExpect: wonders\r\n\r\nwords"},
	{"HTTP/2.0", "POST / HTTP/2.0\r\nHost: test\r\n\r\n"},
	{"method in small letters", request("post", "/", "x")},
	{"GET", request("GET", "/a?b=c", "")},
	{"GET with a body", request("GET", "/", "words")},
	{"HEAD", request("HEAD", "/", "")},
	{"PUT", request("PUT", "/a", "words", "Expect: 100-continue", "Trailer: X")},
	{"OPTIONS of all", request("OPTIONS", "*", "")},
	{"event stream", post("words", "Accept: text/event-stream")},
	{"HTTP/1.0 GET", "GET /old HTTP/1.0\r\n\r\n"},
}

func TestHandlersSeeWhatNetHTTPShows(t *testing.T) {
	handler := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		io.WriteString(w, dump(r))
	}
	quick, standard := both(t, handler)
	for _, test := range sameRequests {
		t.Run(test.name, func(t *testing.T) {
			sameReplies(t, exchange(t, quick, test.text), exchange(t, standard, test.text))
		})
	}
}

// sameReplies compares answers, but refusals of what is no good by their status only:
// everybody has words of their own for them.
func sameReplies(t *testing.T, got, want []reply) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %d answers, want %d:\n%+v\n%+v", len(got), len(want), got, want)
	}
	for i := range got {
		g, w := got[i], want[i]
		if g.status != w.status {
			t.Errorf("got status %d, want %d: %s", g.status, w.status, g.body)
		}
		if w.status >= http.StatusBadRequest && w.header.Get("Date") == "" {
			continue
		}
		if _, err := http.ParseTime(g.header.Get("Date")); err != nil && g.status >= http.StatusOK {
			t.Error(err)
		}
		for _, r := range []reply{g, w} {
			r.header.Del("Date")
			if r.status != http.StatusNoContent && r.status != http.StatusNotModified {
				r.header.Del("Content-Length") // net/http sends chunks of what grows large
			}
		}
		if g.body != w.body {
			t.Errorf("got\n%s\nwant\n%s", g.body, w.body)
		}
		if !maps.EqualFunc(g.header, w.header, slices.Equal) || g.close != w.close {
			t.Errorf("got  %v close %v\nwant %v close %v", g.header, g.close, w.header, w.close)
		}
	}
}

func TestHandlersSeeOtherThanWithNetHTTP(t *testing.T) {
	tests := []struct{ name, text, want, not string }{
		{"cookies come in one line with one space between", post("x", "Cookie: a=1;b=2", "Cookie: c=3"), `Cookie: ["a=1; b=2; c=3"]`, ""},
		{"cookies come without quotes", post("x", `Cookie: a="1"`), `Cookie: ["a=1"]`, ""},
		{"no length becomes 0", "POST / HTTP/1.1\r\nHost: test\r\n\r\n", `Content-Length: ["0"]`, ""},
		{"the last of two counts where only one makes sense", post("x", "Content-Type: a/b", "Content-Type: c/d"), `Content-Type: ["c/d"]`, "a/b"},
		{"no type is none", post("x", "Content-Type:"), "host", "Content-Type:"},
		{"of HTTP/1.0 the answer is 1.1", "POST / HTTP/1.0\r\nContent-Length: 1\r\n\r\nx", "HTTP/1.0 1.0", ""},
	}
	quick, _ := both(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, dump(r)) })
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := exchange(t, quick, test.text)
			if len(got) != 1 || !strings.Contains(got[0].body, test.want) || test.not != "" && strings.Contains(got[0].body, test.not) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// What fasthttp takes and net/http does not, and could be read as something else.
func TestAmbiguousRequestsAreRefused(t *testing.T) {
	quick, _ := both(t, echo)
	for name, text := range map[string]string{
		"space before the colon": "POST / HTTP/1.1\r\nHost: test\r\nContent-Length : 40\r\n\r\n" + post("hidden"),
		"space in a name":        "POST / HTTP/1.1\r\nHost: test\r\nTransfer Encoding: chunked\r\n\r\n" + post("hidden"),
		"two lengths":            "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx" + post("hidden"),
		"length with a sign":     "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: +1\r\n\r\nx" + post("hidden"),
		"length beyond counting": "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 18446744073709551617\r\n\r\nx" + post("hidden"),
		"unknown encoding":       "POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + post("hidden"),
	} {
		t.Run(name, func(t *testing.T) {
			got := exchange(t, quick, text)
			if len(got) != 1 || got[0].status < 400 || !got[0].close {
				t.Errorf("got %+v", got)
			}
		})
	}
}

var sameAnswers = map[string]http.HandlerFunc{
	"nothing at all": func(w http.ResponseWriter, r *http.Request) {},
	"no status":      func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "words") },
	"200":            func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(200) },
	"201":            func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(201); io.WriteString(w, "made") },
	"204":            func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204) },
	"204 with words": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204); wantNoBody(w) },
	"204 with a length": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "2")
		w.WriteHeader(204)
	},
	"304":                func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(304); wantNoBody(w) },
	"404":                http.NotFound,
	"status twice":       func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(202); w.WriteHeader(500) },
	"status after words": func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "words"); w.WriteHeader(500) },
	"redirect":           func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", 307) },
	"error":              func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", 418) },
	"looks like HTML":    func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<html>") },
	"HTML in two writes": func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<ht"); io.WriteString(w, "ml>") },
	"type is withheld":   func(w http.ResponseWriter, r *http.Request) { w.Header()["Content-Type"] = nil; io.WriteString(w, "x") },
	"type of encoded": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write([]byte{31, 139, 8})
	},
	"repeated header":     func(w http.ResponseWriter, r *http.Request) { w.Header()["X-List"] = []string{"a", "b", "a"} },
	"cookies":             cookies,
	"closes":              func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Connection", "close") },
	"header after status": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(200); w.Header().Set("X-Late", "1") },
	"header over lines":   func(w http.ResponseWriter, r *http.Request) { w.Header().Set("X-A", "b\r\nX-Forged: c\nX-D: e") },
	"type over lines":     func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Content-Type", "a/b\r\nX-Forged: c") },
	"length is told": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "2")
		io.WriteString(w, "ok")
	},
	"empty value": func(w http.ResponseWriter, r *http.Request) { w.Header().Set("X-Empty", "") },
	"server":      func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Server", "x") },
}

func wantNoBody(w http.ResponseWriter) {
	if _, err := io.WriteString(w, "words"); err != http.ErrBodyNotAllowed {
		w.Header().Set("X-Late", "and never seen")
		panic(fmt.Sprint("a body was taken: ", err))
	}
}

func cookies(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: "a", Value: "1", Path: "/", HttpOnly: true})
	http.SetCookie(w, &http.Cookie{Name: "b", Value: "2 x"})
	http.SetCookie(w, &http.Cookie{Name: "a", Value: "3"})
}

func TestAnswersAreThoseOfNetHTTP(t *testing.T) {
	log.SetOutput(io.Discard) // for what net/http has to say of some
	defer log.SetOutput(os.Stderr)
	for name, handler := range sameAnswers {
		t.Run(name, func(t *testing.T) {
			quick, standard := both(t, handler)
			sameReplies(t, exchange(t, quick, post("x")), exchange(t, standard, post("x")))
		})
	}
	for _, size := range []int{0, 10, 2048, 3072, 4 << 10, 9 << 10, 60 << 10, 60<<10 + 1, 500_000} {
		t.Run(strconv.Itoa(size), func(t *testing.T) {
			quick, standard := both(t, func(w http.ResponseWriter, r *http.Request) {
				for i := range size {
					w.Write([]byte{'a' + byte(i%26)})
				}
			})
			got := exchange(t, quick, post("x")+post("y"))
			if len(got) != 2 || got[0].length != int64(size) {
				t.Fatalf("%d answers", len(got))
			}
			sameReplies(t, got, exchange(t, standard, post("x")+post("y")))
		})
	}
}
