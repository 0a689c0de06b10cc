// Package resolvers resolves the fields of the GraphQL schema by calling the areas.
//
// A resolver takes its arguments, makes one call and returns its result; decisions are made
// in the areas. Errors are returned unchanged and presented by the server.
package resolvers

import "time"

// Resolver resolves all fields. Its parts are set once and shared by all requests.
type Resolver struct {
	Users         Users
	Accounts      Accounts
	Follows       Follows
	Posts         Posts
	Albums        Albums
	Stories       Stories
	Feed          Feed
	Likes         Likes
	Comments      Comments
	Notifications Notifications
	Cards         Cards
	Blocks        Blocks
	Chats         Chats
	Subscriptions Subscriptions
	Dating        Dating
	Screens       Screens
	Views         Views
	Trending      Trending
	Media         Media

	// Gather is how long a field waits for others of its operation to request the same kind
	// of object; 0 means batch.Wait.
	Gather time.Duration
}
