package server

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"

	"stoa/internal/server/wire"
)

// headers are what a client sends in place of HTTP headers, by name in lower case.
type headers map[string]string

// handshakeHeaders reads what a handshake carries for the AppSync protocol: a
// subprotocol "header-…" or else the query parameter "header", both JSON in base64.
func handshakeHeaders(r *http.Request) headers {
	for _, value := range r.Header["Sec-Websocket-Protocol"] {
		for item := range strings.SplitSeq(value, ",") {
			if encoded, ok := strings.CutPrefix(strings.TrimSpace(item), "header-"); ok {
				return decodeHeaders(encoded)
			}
		}
	}
	// Old links put base64 into the query as it is, where "+" stands for a blank.
	return decodeHeaders(strings.ReplaceAll(r.URL.Query().Get("header"), " ", "+"))
}

// base64Alphabet makes one alphabet of the two that clients use.
var base64Alphabet = strings.NewReplacer("-", "+", "_", "/", "=", "")

// decodeHeaders returns nil for what is no object: such a client has no credentials.
func decodeHeaders(encoded string) headers {
	text, err := base64.RawStdEncoding.DecodeString(base64Alphabet.Replace(encoded))
	if err != nil {
		return nil
	}
	return parseHeaders(text)
}

func parseHeaders(text []byte) headers {
	object, err := wire.DecodeObject(text)
	if err != nil {
		return nil
	}
	h := headers{}
	for name, value := range object {
		if text, ok := value.(string); ok {
			h[strings.ToLower(name)] = text
		}
	}
	return h
}

// startHeaders reads the headers that a start message carries.
func startHeaders(extensions json.RawMessage) headers {
	var members struct {
		Authorization json.RawMessage `json:"authorization"`
	}
	if len(extensions) == 0 || json.Unmarshal(extensions, &members) != nil || members.Authorization == nil {
		return nil
	}
	return parseHeaders(members.Authorization)
}
