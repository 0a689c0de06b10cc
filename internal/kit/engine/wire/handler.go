package wire

import (
	"bytes"
	"crypto/rand"
	"errors"
	"hash/crc32"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

const (
	// MaxBody is the maximum size of a request, in bytes.
	MaxBody = 16 << 20
	// keptBuffer is the size up to which buffers are reused.
	keptBuffer = 1 << 20

	targetPrefix = "DynamoDB_20120810."
)

// Handler serves an [API] over HTTP.
type Handler struct {
	operations map[string]operation
	log        *slog.Logger
	buffers    sync.Pool
}

// NewHandler returns a handler for api. Internal errors are logged to log.
func NewHandler(api API, log *slog.Logger) *Handler {
	return &Handler{operations: operations(api), log: log}
}

// exchange holds the memory of one request and its response.
type exchange struct {
	limited  io.LimitedReader // limits what the client sends
	request  bytes.Buffer
	response []byte
}

// ServeHTTP handles one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x, ok := h.buffers.Get().(*exchange)
	if !ok {
		x = &exchange{}
	}
	defer func() {
		if x.request.Cap() <= keptBuffer && cap(x.response) <= keptBuffer {
			x.limited.R = nil
			x.request.Reset()
			h.buffers.Put(x)
		}
	}()
	switch contentType, ok := jsonType(r); {
	case r.Method == http.MethodGet:
		reply(w, http.StatusOK, "", []byte("healthy: "+r.Host+" "))
	case r.Method != http.MethodPost || !ok:
		reply(w, http.StatusNotFound, "", []byte("<UnknownOperationException/>\n"))
	default:
		body, status := h.serve(x, r)
		reply(w, status, contentType, body)
	}
}

// jsonType returns the content type of a request, which the response has too, and whether
// it is supported.
func jsonType(r *http.Request) (string, bool) {
	given := header(r, "Content-Type")
	if isJSONType(given) {
		return given, true
	}
	mediaType, _, err := mime.ParseMediaType(given)
	return mediaType, err == nil && isJSONType(mediaType)
}

// header returns the value of a header by its canonical name.
func header(r *http.Request, name string) string {
	if values := r.Header[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

func isJSONType(mediaType string) bool {
	return mediaType == "application/x-amz-json-1.0" || mediaType == "application/json"
}

// reply sends a response with the id and the checksum that clients expect.
func reply(w http.ResponseWriter, status int, contentType string, body []byte) {
	headers := w.Header()
	headers["Content-Type"] = nil // prevents sniffing
	if contentType != "" {
		headers.Set("Content-Type", contentType)
	}
	headers.Set("X-Amzn-Requestid", rand.Text()+rand.Text())
	headers.Set("X-Amz-Crc32", strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10))
	headers.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // fails only if the client has disconnected
}

// serve returns the body of the response, which x owns, and its status.
func (h *Handler) serve(x *exchange, r *http.Request) (body []byte, status int) {
	if err := h.call(x, r); err != nil {
		x.response, status = h.appendError(x.response[:0], r, err)
		return x.response, status
	}
	return x.response, http.StatusOK
}

// call executes a request and leaves its output as the response.
func (h *Handler) call(x *exchange, r *http.Request) (err error) {
	x.limited = io.LimitedReader{R: r.Body, N: MaxBody + 1}
	if _, err := x.request.ReadFrom(&x.limited); err != nil {
		var longer *http.MaxBytesError
		if errors.As(err, &longer) {
			return errTooLarge
		}
		return malformed("") // malformed or incomplete body
	}
	body := x.request.Bytes()
	switch {
	case len(body) > MaxBody:
		return errTooLarge
	case !isJSON(body):
		return malformed("")
	}
	name, ok := strings.CutPrefix(header(r, "X-Amz-Target"), targetPrefix)
	if !ok {
		return &fault{name: "UnknownOperationException"}
	}
	op, ok := h.operations[name]
	if !ok && name != "DescribeEndpoints" {
		return unknownOperation(name)
	}
	if err := checkSigned(r); err != nil {
		return err
	}
	if op == nil {
		x.response = appendOutput(x.response[:0], endpoints(r))
		return nil
	}
	x.response, err = op(r.Context(), body, x.response[:0])
	return err
}

func unknownOperation(name string) error {
	if part, known := refused[name]; known {
		return &smithy.GenericAPIError{Code: "UnknownOperationException", Fault: smithy.FaultClient,
			Message: name + " is not supported: this engine has no " + part}
	}
	return &fault{name: "UnknownOperationException"}
}

// endpoints returns the endpoint that the client has called.
func endpoints(r *http.Request) *dynamodb.DescribeEndpointsOutput {
	return &dynamodb.DescribeEndpointsOutput{Endpoints: []types.Endpoint{
		{Address: aws.String(r.Host), CachePeriodInMinutes: 24 * 60},
	}}
}
