package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// An album is deleted some time after it becomes empty. K1 lists empty albums by that time.
var albums = keyspec.Define[social.Album](Main, keyspec.Row{
	Key: keyspec.K("album/{albumId}", "-"),
	On: keyspec.Indexes{
		A1: keyspec.K("album/{ownedByUserId}", "{createdAt}"),
		K1: keyspec.K("album", "{deleteAt}"),
	},
})
