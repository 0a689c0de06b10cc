package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

var images = keyspec.Define[imageItem](Main, keyspec.Row{
	Key: keyspec.K("post/{postId}", "image"),
})

type imageItem struct {
	PostID         social.PostID `dynamo:"postId,keyonly"`
	TakenInReal    *bool         `dynamo:"takenInReal"`
	OriginalFormat string        `dynamo:"originalFormat"`
	ImageFormat    string        `dynamo:"imageFormat"`
	Width          int           `dynamo:"width"`
	Height         int           `dynamo:"height"`
	Colors         []colorItem   `dynamo:"colors"`
	Crop           *cropItem     `dynamo:"crop"`
}

type colorItem struct {
	R int `dynamo:"r"`
	G int `dynamo:"g"`
	B int `dynamo:"b"`
}

type cropItem struct {
	UpperLeft  pointItem `dynamo:"upperLeft"`
	LowerRight pointItem `dynamo:"lowerRight"`
}

type pointItem struct {
	X int `dynamo:"x"`
	Y int `dynamo:"y"`
}

// The metadata that a client sent with an image, unmodified.
var originalMetadata = keyspec.Define[originalMetadataItem](Main, keyspec.Row{
	Key: keyspec.K("post/{postId}", "originalMetadata"),
})

type originalMetadataItem struct {
	PostID           social.PostID `dynamo:"postId,keyonly"`
	OriginalMetadata string        `dynamo:"originalMetadata"`
}
