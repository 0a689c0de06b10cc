package identity

import (
	_ "embed"
	"net/http"
)

// OpenAPI describes the requests under /auth/ and /.well-known/ and the side API in OpenAPI
// 3.1. It includes the requests of dev identity.
//
//go:embed openapi.json
var OpenAPI string

func (s *Issuer) getOpenAPI(call) (int, any, error) {
	return http.StatusOK, document{"application/json; charset=utf-8", []byte(OpenAPI)}, nil
}
