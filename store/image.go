package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

var images = keyspec.Define[imageItem](Main, keyspec.Row{
	Key: keyspec.K("post/{postId}", "image"),
})

type imageItem struct {
	PostID social.PostID `dynamo:"postId,keyonly"`
	social.PostImage
}

// The metadata that a client sent with an image, unmodified.
var originalMetadata = keyspec.Define[originalMetadataItem](Main, keyspec.Row{
	Key: keyspec.K("post/{postId}", "originalMetadata"),
})

type originalMetadataItem struct {
	PostID           social.PostID `dynamo:"postId,keyonly"`
	OriginalMetadata string        `dynamo:"originalMetadata"`
}
