package store

import (
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
	"stoa/social"
)

// A view is stored under the viewed item, one per viewer, and is listed in both directions
// by the time of the first view.

var postViews = keyspec.Define[social.PostView](Main, keyspec.Row{
	Key: keyspec.K("post/{postId}", "view/{userId}"),
	On: keyspec.Indexes{
		A1: keyspec.K("postView/{postId}", "{firstViewedAt}"),
		A2: keyspec.K("postView/{userId}", "{firstViewedAt}"),
	},
})

// The journal of views of hot posts: an entry is there until its views have been counted. The
// event of the same name has them.
var viewEntries = keyspec.Define[viewEntryItem](ops.Table, keyspec.Row{
	Key: keyspec.K("viewJournal/{postId}", "{id}"),
})

type viewEntryItem struct {
	PostID    social.PostID `dynamo:"postId,keyonly"`
	ID        string        `dynamo:"id,keyonly"`
	CreatedAt time.Time     `dynamo:"createdAt"`
}

var chatViews = keyspec.Define[chatViewItem](Main, keyspec.Row{
	Key: keyspec.K("chat/{chatId}", "view/{userId}"),
	On: keyspec.Indexes{
		A1: keyspec.K("chatView/{chatId}", "{firstViewedAt}"),
		A2: keyspec.K("chatView/{userId}", "{firstViewedAt}"),
	},
})

type chatViewItem struct {
	social.ChatView
	LastViewedAt time.Time `dynamo:"lastViewedAt"`
	ViewCount    int       `dynamo:"viewCount"`
}
