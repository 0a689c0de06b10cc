package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// A card is listed for its owner (A1), is found by the post or comment it refers to (A2,
// A3), and waits for its push notification (K1).
//
// The ids of well-known cards contain their owner's id, which contains a colon: split them
// from the right.
var cards = keyspec.Define[social.Card](Main, keyspec.Row{
	Version: 1,
	Key:     keyspec.K("card/{cardId}", "-"),
	On: keyspec.Indexes{
		A1: keyspec.K("user/{userId}", "card/{createdAt}"),
		A2: keyspec.K("card/{postId}", "{userId}"),
		A3: keyspec.K("card/{commentId}", "-"),
		K1: keyspec.K("card", "{notifyUserAt}/{userId}"),
	},
})
