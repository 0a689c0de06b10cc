package server

import (
	"mime"
	"strconv"
	"strings"
)

// media is the format of a response, chosen by the client's Accept header.
type media int

const (
	unacceptable media = iota
	// plainJSON always has status 200, as older clients require.
	plainJSON
	// responseJSON is GraphQL's own media type, with meaningful status codes.
	responseJSON
	// eventStream sends results as server-sent events.
	eventStream
)

// Header values are shared by all responses and never modified.
var contentTypes = [...][]string{
	plainJSON:    {"application/json; charset=utf-8"},
	responseJSON: {"application/graphql-response+json; charset=utf-8"},
	eventStream:  {"text/event-stream; charset=utf-8"},
}

var mediaRanges = map[string]media{
	"*/*":                               plainJSON,
	"application/*":                     plainJSON,
	"application/json":                  plainJSON,
	"application/graphql-response+json": responseJSON,
	"text/event-stream":                 eventStream,
}

// negotiate returns the format that the client prefers: the one with the highest quality,
// or the first among equals. No Accept header accepts any.
func negotiate(accept []string) media {
	if len(accept) == 0 {
		return plainJSON
	}
	if len(accept) == 1 {
		if m, ok := mediaRanges[accept[0]]; ok {
			return m
		}
	}
	best, bestQuality := unacceptable, 0.0
	for _, item := range strings.Split(strings.Join(accept, ","), ",") {
		mediaRange, parameters, err := mime.ParseMediaType(item)
		if err != nil {
			continue
		}
		quality := 1.0
		if q, ok := parameters["q"]; ok {
			if quality, err = strconv.ParseFloat(q, 64); err != nil {
				continue
			}
		}
		if m, ok := mediaRanges[mediaRange]; ok && quality > bestQuality {
			best, bestQuality = m, quality
		}
	}
	if best == unacceptable && strings.TrimSpace(strings.Join(accept, "")) == "" {
		return plainJSON
	}
	return best
}

// sendsJSON reports whether a request's content type is supported.
func sendsJSON(contentType string) bool {
	if contentType == "application/json" {
		return true
	}
	mediaType, parameters, err := mime.ParseMediaType(contentType)
	if err != nil || mediaType != "application/json" {
		return false
	}
	charset, given := parameters["charset"]
	return !given || strings.EqualFold(charset, "utf-8")
}
