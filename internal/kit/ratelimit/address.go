package ratelimit

import (
	"net"
	"net/http"
)

// AddressOf returns the address of a request's client, without the port: limits of strangers
// count by it. Trusted proxies must have been resolved.
func AddressOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
