// Package quickhttp serves HTTP handlers with little work for each request.
//
// Most requests are short texts that are answered with short texts. They are read and
// answered by fasthttp, behind the types of net/http, so that handlers are written and
// tested as always. What is not of that kind, which is streams, WebSockets, bodies in
// chunks or that wait for leave to be sent, and everything that is not sent by POST, goes
// on over net/http: the connection is handed over with the request, and stays there.
package quickhttp
