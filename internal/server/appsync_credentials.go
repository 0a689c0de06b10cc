package server

import (
	"encoding/base64"
	"maps"
	"net/http"
	"slices"
	"strings"

	"stoa/internal/server/wire"
)

// headers are a client's substitute for HTTP headers, by lower-case name.
type headers map[string]string

// handshakeHeaders returns the headers of a handshake in the AppSync protocol: a
// subprotocol "header-…" or else the query parameter "header", both JSON in base64.
func handshakeHeaders(r *http.Request) headers {
	for _, value := range r.Header["Sec-Websocket-Protocol"] {
		for item := range strings.SplitSeq(value, ",") {
			if encoded, ok := strings.CutPrefix(strings.TrimSpace(item), "header-"); ok {
				return decodeHeaders(encoded)
			}
		}
	}
	// Old links contain unescaped base64 in the query, where "+" is decoded as a space.
	return decodeHeaders(strings.ReplaceAll(r.URL.Query().Get("header"), " ", "+"))
}

// base64Alphabet maps the two alphabets that clients use to one.
var base64Alphabet = strings.NewReplacer("-", "+", "_", "/", "=", "")

// decodeHeaders returns nil unless encoded is an object: such a client has no credentials.
func decodeHeaders(encoded string) headers {
	text, err := base64.RawStdEncoding.DecodeString(base64Alphabet.Replace(encoded))
	if err != nil {
		return nil
	}
	return parseHeaders(text)
}

// parseHeaders returns nil unless text is an object.
func parseHeaders(text []byte) headers {
	object, err := wire.DecodeObject(text)
	if err != nil {
		return nil
	}
	return headersOf(object)
}

// headersOf returns the texts of an object. Of names that differ in case alone, the one in lower
// case counts, so that the same object always has the same caller.
func headersOf(object map[string]any) headers {
	h := headers{}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if text, ok := object[name].(string); ok {
			h[strings.ToLower(name)] = text
		}
	}
	return h
}
