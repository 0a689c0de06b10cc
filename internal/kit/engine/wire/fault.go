package wire

import (
	"errors"
	"net/http"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"stoa/internal/kit/jsonstring"
)

// The namespaces of error names.
const (
	serviceSpace  = "com.amazon.coral.service#"
	validateSpace = "com.amazon.coral.validate#"
	dynamoSpace   = "com.amazonaws.dynamodb.v20120810#"
)

// fault is an error that precedes any operation.
type fault struct {
	name    string // name of the exception, in serviceSpace
	message string // may be empty
}

func (f *fault) Error() string { return f.name + ": " + f.message }

// malformed returns the error for an invalid body. For text that is not JSON, the message
// is empty.
func malformed(message string) error { return &fault{"SerializationException", message} }

func validation(message string) error {
	return &smithy.GenericAPIError{Code: "ValidationException", Message: message, Fault: smithy.FaultClient}
}

// errInternal is sent to clients in place of internal errors.
var errInternal = &types.InternalServerError{Message: aws.String("Internal server error")}

// errTooLarge is the error for a body that exceeds the limit.
var errTooLarge = &fault{name: "RequestEntityTooLargeException"}

// appendError appends the JSON form of err to dst and returns its HTTP status. It logs
// errors that are not shown to the client.
func (h *Handler) appendError(dst []byte, r *http.Request, err error) (body []byte, status int) {
	var early *fault
	if errors.As(err, &early) {
		if early == errTooLarge {
			return appendFault(dst, early), http.StatusRequestEntityTooLarge
		}
		return appendFault(dst, early), http.StatusBadRequest
	}
	var api smithy.APIError
	if !errors.As(err, &api) {
		h.log.ErrorContext(r.Context(), "request failed", "target", r.Header.Get("X-Amz-Target"), "error", err)
		api = errInternal
	}
	status = http.StatusBadRequest
	if api.ErrorFault() == smithy.FaultServer {
		status = http.StatusInternalServerError
	}
	return appendException(dst, api), status
}

func appendFault(dst []byte, f *fault) []byte {
	dst = appendType(dst, serviceSpace+f.name)
	switch {
	case f.message == "":
	case f.name == "SerializationException":
		dst = appendMember(dst, "Message", f.message)
	default:
		dst = appendMember(dst, "message", f.message)
	}
	return append(dst, '}')
}

func appendException(dst []byte, err smithy.APIError) []byte {
	dst = appendType(dst, spaceOf(err)+err.ErrorCode())
	dst = appendMember(dst, messageKey(err.ErrorCode()), err.ErrorMessage())
	return append(appendDetails(dst, err), '}')
}

func appendType(dst []byte, name string) []byte {
	return jsonstring.Append(append(dst, `{"__type":`...), name)
}

func appendMember(dst []byte, key, text string) []byte {
	dst = append(jsonstring.Append(append(dst, ','), key), ':')
	return jsonstring.Append(dst, text)
}

// spaceOf returns the namespace of an error's name.
func spaceOf(err smithy.APIError) string {
	switch err.ErrorCode() {
	case "ValidationException":
		return validateSpace
	case "UnknownOperationException":
		return serviceSpace
	default:
		return dynamoSpace
	}
}

// messageKey returns the name of an exception's message member, which is capitalized for a
// few exceptions.
func messageKey(code string) string {
	switch code {
	case "TransactionCanceledException", "TransactionInProgressException",
		"IdempotentParameterMismatchException", "InvalidEndpointException":
		return "Message"
	default:
		return "message"
	}
}

// appendDetails appends an exception's members besides its message: the item that failed a
// condition, the reasons of a cancelled transaction.
func appendDetails(dst []byte, err smithy.APIError) []byte {
	v := reflect.Indirect(reflect.ValueOf(err))
	if v.Kind() != reflect.Struct || v.Type() == reflect.TypeFor[smithy.GenericAPIError]() {
		return dst
	}
	for _, m := range encoderOf(v.Type()).members {
		if m.name == "Message" || m.name == "ErrorCodeOverride" || m.name == "Code" {
			continue
		}
		dst = m.append(dst, v, false)
	}
	return dst
}
