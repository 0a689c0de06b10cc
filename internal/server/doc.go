// Package server puts the graph on the network: HTTP, server-sent events and
// WebSockets on one port, with who calls, what is refused and how it all ends.
//
// New builds the server, Serve runs it until its context ends and then lets running
// operations finish. Effects that a mutation postpones with package after happen
// once its answer has been written.
package server
