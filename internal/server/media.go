package server

import (
	"mime"
	"strconv"
	"strings"
)

// media is the form of an answer, as a client's Accept header chose it.
type media int

const (
	unacceptable media = iota
	// plainJSON answers 200 whatever a document did, as older clients rely on.
	plainJSON
	// responseJSON is GraphQL's own media type: its status codes mean something.
	responseJSON
	// eventStream is a sequence of results as server-sent events.
	eventStream
)

// Header values are shared by all answers and never written to.
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

// negotiate picks what the client prefers: the highest quality, and among equals
// the first in the list. No Accept header accepts anything.
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

// sendsJSON reports whether a request body's content type can be read.
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
