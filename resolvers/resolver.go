// Package resolvers resolves the fields of the GraphQL schema by calling the areas.
//
// A resolver takes its arguments, makes one call and returns its result; decisions are made
// in the areas. Errors are returned unchanged and presented by the server.
package resolvers

import (
	"errors"
	"time"

	"stoa/social/album"
	"stoa/social/appeal"
	"stoa/social/block"
	"stoa/social/card"
	"stoa/social/chat"
	"stoa/social/comment"
	"stoa/social/dating"
	"stoa/social/feed"
	"stoa/social/follow"
	"stoa/social/like"
	"stoa/social/media"
	"stoa/social/notification"
	"stoa/social/post"
	"stoa/social/screen"
	"stoa/social/story"
	"stoa/social/subscription"
	"stoa/social/trending"
	"stoa/social/user"
	"stoa/social/view"
)

// Resolver resolves all fields. Its parts are set once and shared by all requests.
type Resolver struct {
	Albums        *album.Service
	Appeals       *appeal.Service
	Blocks        *block.Service
	Cards         *card.Service
	Chats         *chat.Service
	Comments      *comment.Service
	Dating        *dating.Service
	Feed          *feed.Service
	Follows       *follow.Service
	Likes         *like.Service
	Media         *media.Service
	Notifications *notification.Service
	Posts         *post.Service
	Screens       *screen.Service
	Stories       *story.Service
	Subscriptions *subscription.Service
	Trending      *trending.Service
	Users         *user.Service
	Views         *view.Service

	// Gather is how long a field waits for others of its operation to request the same kind
	// of object; 0 means batch.Wait.
	Gather time.Duration
}

// errDiagnosed stands for a failure of the store.
var errDiagnosed = errors.New("simulated store failure")
