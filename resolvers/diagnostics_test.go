package resolvers_test

import (
	"testing"

	. "stoa/social/socialtest"
)

func TestDiagnostics(t *testing.T) {
	Run(t, []Scenario{
		{Name: "a fault of the client", Given: Given{}.Identity("ana"), As: "ana", Query: `mutation { lambdaClientError(arg1: "a") }`,
			Want: `{"lambdaClientError":null}`, Error: "ClientError: Test of lambda client error, request `a` ``", Code: "INVALID"},
		{Name: "a fault of the server", Given: Given{}.Identity("ana"), As: "ana", Query: `mutation { lambdaServerError }`,
			Want: `{"lambdaServerError":null}`, Error: "ServerError: Test of lambda server error"},
		{Name: "a fault of the store", Given: Given{}.Identity("ana"), As: "ana", Query: `mutation { dynamoServerError }`,
			Want: `{"dynamoServerError":null}`, Error: "ServerError: Internal server error", Code: "INTERNAL"},
	})
}

func TestSetUserAcceptedEULAVersion(t *testing.T) {
	const set = `mutation { setUserAcceptedEULAVersion(version: "v2") { acceptedEULAVersion } }`
	Run(t, []Scenario{
		{Name: "shown to oneself alone", Given: Users("ana", "ben"), As: "ana", Query: set, Want: `{"setUserAcceptedEULAVersion":{"acceptedEULAVersion":"v2"}}`,
			Then: []Scenario{
				{As: "ben", Query: `{ user(userId: "{ana}") { acceptedEULAVersion } }`, Want: `{"user":{"acceptedEULAVersion":null}}`},
				{As: "ana", Query: `mutation { setUserAcceptedEULAVersion(version: "") { acceptedEULAVersion } }`, Want: `{"setUserAcceptedEULAVersion":{"acceptedEULAVersion":null}}`},
				{As: "ana", Query: `{ self { acceptedEULAVersion } }`, Want: `{"self":{"acceptedEULAVersion":null}}`},
			}},
	})
}
