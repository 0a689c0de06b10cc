// Package server serves graphs over HTTP, server-sent events and WebSockets on one port,
// with authentication, limits and graceful shutdown.
//
// New creates a server. Serve runs it until its context is done and then waits for running
// operations. Effects that a mutation postpones with package after happen once its response
// has been written.
package server
