package identity

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"

	"stoa/internal/kit/pace"
	"stoa/internal/kit/refusal"
)

// maxBody is the maximum size of a request body in bytes. All requests consist of a few
// short fields.
const maxBody = 16 << 10

// fields are the members present in a request. All are strings.
type fields map[string]string

// readFields parses a body that may only have the named members. Null is the same as
// absent.
func readFields(w http.ResponseWriter, r *http.Request, names []string) (fields, error) {
	// A page of another origin cannot send this content type without a preflight request.
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); (err != nil || media != "application/json") && sendsBody(r) {
		return nil, &failure{http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", "Send the request as Content-Type: application/json"}
	}
	body, err := io.ReadAll(pace.NewReader(w, http.MaxBytesReader(w, r.Body, maxBody)))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return nil, &failure{http.StatusRequestEntityTooLarge, "TOO_LARGE", fmt.Sprintf("The request body may have %d bytes", maxBody)}
	}
	if pace.TooSlow(err) {
		w.Header().Set("Connection", "close")
		return nil, &failure{http.StatusRequestTimeout, "TIMEOUT", "The request body arrives too slowly"}
	}
	if err != nil {
		return nil, badRequest("The request body ended early")
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil || members == nil {
		return nil, badRequest("The request body must be a JSON object")
	}
	given := fields{}
	for _, name := range slices.Sorted(maps.Keys(members)) { // so that the error is always the same one
		if !slices.Contains(names, name) {
			return nil, badRequest(fmt.Sprintf("Unknown field `%s`: known are `%s`", name, strings.Join(names, "`, `")))
		}
		var value *string
		if json.Unmarshal(members[name], &value) != nil {
			return nil, badRequest(fmt.Sprintf("Field `%s` must be a string", name))
		}
		if value != nil {
			given[name] = *value
		}
	}
	return given, nil
}

// need refuses a request that lacks any of the fields.
func (f fields) need(names ...string) error {
	for _, name := range names {
		if f[name] == "" {
			return refusal.Invalidf("Field `%s` is required", name)
		}
	}
	return nil
}

// name returns the single field of kinds that is present.
func (f fields) name(kinds ...string) (name, error) {
	var found []name
	for _, kind := range kinds {
		if value := f[kind]; value != "" {
			found = append(found, name{kind, value})
		}
	}
	if len(found) != 1 {
		return name{}, refusal.Invalidf("Give exactly one of `%s`", strings.Join(kinds, "`, `"))
	}
	return found[0], nil
}

// sendsBody reports whether a request has a body or declares its type.
func sendsBody(r *http.Request) bool {
	return r.ContentLength != 0 || r.Header.Get("Content-Type") != ""
}
