package quickhttp

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/valyala/fasthttp"
)

// exchange is a request in the form of net/http, and its answer. It is used again and
// again for what it has room for.
type exchange struct {
	request http.Request
	url     url.URL // that the request shows
	parsed  url.URL // from target
	body    body
	out     writer

	text   []byte // the values of the header, one after another
	ends   []int  // where they end
	target string
	host   string
}

var exchanges = sync.Pool{New: func() any {
	return &exchange{request: http.Request{Header: http.Header{}}, out: writer{header: http.Header{}}}
}}

// open shows the request in ctx. It fails when its target is no URL, or its header no
// header.
func (x *exchange) open(ctx *fasthttp.RequestCtx, c *conn, length int64, data []byte, failure error) error {
	h := &ctx.Request.Header
	if target := ctx.RequestURI(); string(target) != x.target || x.target == "" {
		parsed, err := url.ParseRequestURI(string(target))
		if err != nil {
			return fmt.Errorf("the target of the request is no URL: %w", err)
		}
		x.parsed, x.target = *parsed, string(target)
	}
	if host := h.Host(); string(host) != x.host {
		x.host = string(host)
	}
	header := x.request.Header
	clear(header)
	clear(x.out.header)
	if err := x.takeHeader(h); err != nil {
		return err
	}
	x.body = body{data: data, failure: failure}
	x.url = x.parsed
	x.request = http.Request{
		Method: http.MethodPost, URL: &x.url, RequestURI: x.target, Host: x.host, RemoteAddr: c.remote,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: &x.body, ContentLength: length,
	}
	if x.url.Host != "" { // the client took the server for a proxy
		x.request.Host = x.url.Host
	}
	if !h.IsHTTP11() {
		x.request.Proto, x.request.ProtoMinor = "HTTP/1.0", 0
	}
	x.out.response, x.out.conn = &ctx.Response, c
	x.out.status, x.out.length, x.out.guess = 0, 0, false
	return nil
}

// takeHeader copies the header: its values share one text and one list. It fails at names
// with spaces, which fasthttp takes: others may read them without, and see another length.
func (x *exchange) takeHeader(h *fasthttp.RequestHeader) error {
	x.text, x.ends = x.text[:0], x.ends[:0]
	for _, value := range h.All() {
		x.text = append(x.text, value...)
		x.ends = append(x.ends, len(x.text))
	}
	text := string(x.text) // values may live on
	values := make([]string, len(x.ends))
	i, from := 0, 0
	for key := range h.All() {
		end := x.ends[i]
		values[i] = text[from:end]
		name, known := headerNames[string(key)]
		if !known {
			name = string(key)
			if strings.Contains(name, " ") {
				return fmt.Errorf("the name of a header field has spaces: %q", name)
			}
		}
		if list, more := x.request.Header[name]; more {
			x.request.Header[name] = append(list, values[i])
		} else if name != "Host" { // which net/http keeps elsewhere
			x.request.Header[name] = values[i : i+1 : i+1]
		}
		i, from = i+1, end
	}
	return nil
}

// saysClose reports whether the values of Connection ask for its end.
func saysClose(connection []string) bool {
	for _, value := range connection {
		for option := range strings.SplitSeq(value, ",") {
			if strings.EqualFold(strings.TrimSpace(option), "close") {
				return true
			}
		}
	}
	return false
}

// headerNames are the names that most requests have, to be shared by all of them.
var headerNames = func() map[string]string {
	names := map[string]string{}
	for _, name := range []string{
		"Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Cache-Control", "Connection", "Content-Encoding",
		"Content-Length", "Content-Type", "Cookie", "Date", "Host", "Origin", "Referer", "User-Agent", "Via",
		"X-Amz-Content-Sha256", "X-Amz-Date", "X-Amz-Security-Token", "X-Amz-Target", "X-Amz-User-Agent", "X-Api-Key",
		"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Device", "X-Real-System", "X-Real-Uid",
		"X-Real-Version", "X-Request-Id", "Amz-Sdk-Invocation-Id", "Amz-Sdk-Request",
	} {
		names[name] = name
	}
	return names
}()

// maxKept is how large a buffer may have grown to be kept.
const maxKept = 64 << 10

func (x *exchange) close() {
	if cap(x.text) > maxKept {
		return
	}
	x.body = body{}
	x.request = http.Request{Header: x.request.Header}
	x.out.response, x.out.conn = nil, nil
	exchanges.Put(x)
}

// body is the body of a request.
type body struct {
	data    []byte
	failure error // instead of the end
}

func (b *body) Read(p []byte) (n int, err error) {
	n = copy(p, b.data)
	if b.data = b.data[n:]; len(b.data) > 0 {
		return n, nil
	}
	if b.failure != nil {
		return n, b.failure
	}
	return n, io.EOF
}

func (b *body) Close() error { return nil }

// writer takes the answer of a handler, which is sent when that has returned.
type writer struct {
	response *fasthttp.Response
	conn     *conn
	header   http.Header
	status   int // 0 before WriteHeader
	length   int
	guess    bool // the content type from the body
}

func (w *writer) Header() http.Header { return w.header }

// WriteHeader sets the status for good; later calls do nothing. What is changed in the
// header afterwards is not sent.
func (w *writer) WriteHeader(status int) {
	if w.status != 0 || status < http.StatusOK { // nothing is sent before the answer
		return
	}
	w.status = status
	w.response.SetStatusCode(status)
	h := &w.response.Header
	for name, values := range w.header {
		switch name {
		case "Content-Length": // is that of the body
		case "Content-Type":
			if len(values) > 0 {
				h.SetContentType(oneLine(values[0]))
			}
		case "Connection":
			if saysClose(values) {
				h.SetConnectionClose()
			}
		default:
			for _, value := range values {
				h.Add(name, oneLine(value))
			}
		}
	}
	_, typed := w.header["Content-Type"]
	w.guess = !typed && len(w.header["Content-Encoding"]) == 0
}

// oneLine keeps what a value holds from looking like more header, as fasthttp does not.
func oneLine(value string) string {
	if strings.ContainsAny(value, "\r\n") {
		return lineBreaks.Replace(value)
	}
	return value
}

var lineBreaks = strings.NewReplacer("\r", " ", "\n", " ")

// Write appends to the body.
func (w *writer) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if w.status == http.StatusNoContent || w.status == http.StatusNotModified {
		return 0, http.ErrBodyNotAllowed
	}
	w.response.AppendBody(p)
	w.length += len(p)
	return len(p), nil
}

func (w *writer) finish() {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if w.guess && w.length > 0 {
		w.response.Header.SetContentType(http.DetectContentType(w.response.Body()))
	}
	w.conn.begin(w.length)
}
