package store

import (
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// A view is stored under the viewed item, one per viewer, and is listed in both directions
// by the time of the first view.

var postViews = keyspec.Define[postViewItem](Main, keyspec.Row{
	Key: keyspec.K("post/{postId}", "view/{userId}"),
	On: keyspec.Indexes{
		A1: keyspec.K("postView/{postId}", "{firstViewedAt}"),
		A2: keyspec.K("postView/{userId}", "{firstViewedAt}"),
	},
})

type postViewItem struct {
	PostID social.PostID `dynamo:"postId,keyonly"`
	viewItem
	ThumbnailViewCount int `dynamo:"thumbnailViewCount"`
	FocusViewCount     int `dynamo:"focusViewCount"`
}

var screenViews = keyspec.Define[screenViewItem](Main, keyspec.Row{
	Key: keyspec.K("screen/{screenId}", "view/{userId}"),
	On: keyspec.Indexes{
		A1: keyspec.K("screenView/{screenId}", "{firstViewedAt}"),
		A2: keyspec.K("screenView/{userId}", "{firstViewedAt}"),
	},
})

type screenViewItem struct {
	// ScreenID is the name given by the client.
	ScreenID string `dynamo:"screenId,keyonly"`
	viewItem
}

var chatViews = keyspec.Define[chatViewItem](Main, keyspec.Row{
	Key: keyspec.K("chat/{chatId}", "view/{userId}"),
	On: keyspec.Indexes{
		A1: keyspec.K("chatView/{chatId}", "{firstViewedAt}"),
		A2: keyspec.K("chatView/{userId}", "{firstViewedAt}"),
	},
})

type chatViewItem struct {
	ChatID social.ChatID `dynamo:"chatId,keyonly"`
	viewItem
}

// viewItem holds the attributes common to views of all kinds.
type viewItem struct {
	UserID        social.UserID `dynamo:"userId,keyonly"`
	FirstViewedAt time.Time     `dynamo:"firstViewedAt"`
	LastViewedAt  time.Time     `dynamo:"lastViewedAt"`
	ViewCount     int           `dynamo:"viewCount"`
}
