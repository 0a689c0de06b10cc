package store

import (
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// An album is deleted some time after it becomes empty. K1 lists empty albums by that time.
var albums = keyspec.Define[albumItem](Main, keyspec.Row{
	Key: keyspec.K("album/{albumId}", "-"),
	On: keyspec.Indexes{
		A1: keyspec.K("album/{ownedByUserId}", "{createdAt}"),
		K1: keyspec.K("album", "{deleteAt}"),
	},
})

type albumItem struct {
	AlbumID            social.AlbumID `dynamo:"albumId"`
	OwnedByUserID      social.UserID  `dynamo:"ownedByUserId"`
	Name               string         `dynamo:"name"`
	Description        string         `dynamo:"description"`
	CreatedAt          time.Time      `dynamo:"createdAt"`
	PostCount          int            `dynamo:"postCount"`
	RankCount          int            `dynamo:"rankCount"`
	PostsLastUpdatedAt time.Time      `dynamo:"postsLastUpdatedAt"`
	ArtHash            string         `dynamo:"artHash"`
	DeleteAt           time.Time      `dynamo:"deleteAt,keyonly"`
}
