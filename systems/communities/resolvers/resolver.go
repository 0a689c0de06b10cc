// Package resolvers resolves the fields of the GraphQL schema of communities by calling the
// areas.
//
// A resolver takes its arguments, makes one call and returns the result; decisions are made
// in the areas. Errors are passed through and presented by the server.
package resolvers

import (
	"time"

	"stoa/systems/communities/account"
	"stoa/systems/communities/chat"
	"stoa/systems/communities/community"
	"stoa/systems/communities/message"
	"stoa/systems/communities/notice"
	"stoa/systems/communities/request"
)

// Resolver resolves all fields. Its fields are set once and shared by all requests.
type Resolver struct {
	Accounts    *account.Service
	Communities *community.Service
	Chats       *chat.Service
	Messages    *message.Service
	Requests    *request.Service
	Notices     *notice.Service

	// Gather is how long a field waits for others of its operation, to batch reads of the
	// same kind; 0 means batch.Wait.
	Gather time.Duration
}
