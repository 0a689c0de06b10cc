package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// former counts the rows that removed profiles have left, by user and kind of row.
type former map[social.UserID]map[string]int

// checkFormer reports rows that belong to removed profiles. Those that the receivers of
// social.UserRemoved delete are mended by storing that event again, since removing them
// also moves counters of others.
func (c *census) checkFormer(ctx context.Context, db *keyspec.DB, now time.Time) error {
	left := former{}
	of := func(kind string, at time.Time, users ...social.UserID) {
		for _, id := range users {
			if !c.users[id].had(at) {
				if left[id] == nil {
					left[id] = map[string]int{}
				}
				left[id][kind]++
			}
		}
	}
	err := db.Walk(ctx,
		follows.Each(func(i social.Follow) { of("follows", i.FollowedAt, i.FollowerUserID, i.FollowedUserID) }),
		blocks.Each(func(i social.Block) { of("blocks", i.BlockedAt, i.BlockerUserID, i.BlockedUserID) }),
		likes.Each(func(i social.Like) { of("likes", i.LikedAt, i.LikedByUserID) }),
		posts.Each(func(i social.Post) { of("posts", i.PostedAt, i.PostedByUserID) }),
		albums.Each(func(i social.Album) { of("albums", i.CreatedAt, i.OwnedByUserID) }),
		comments.Each(func(i social.Comment) { of("comments", i.CommentedAt, i.UserID) }),
		postFlags.Each(func(i postFlagItem) { of("flags", i.CreatedAt, i.UserID) }),
		commentFlags.Each(func(i commentFlagItem) { of("flags", i.CreatedAt, i.UserID) }),
		chatFlags.Each(func(i chatFlagItem) { of("flags", i.CreatedAt, i.UserID) }),
		chatMessageFlags.Each(func(i chatMessageFlagItem) { of("flags", i.CreatedAt, i.UserID) }),
		postViews.Each(func(i social.PostView) { of("views of posts", i.FirstViewedAt, i.UserID) }),
		screenViews.Each(func(i social.ScreenView) { of("views of screens", i.FirstViewedAt, i.UserID) }),
		chatViews.Each(func(i chatViewItem) { of("views of chats", i.FirstViewedAt, i.UserID) }),
		chatMembers.Each(func(i social.ChatMember) { of("memberships of chats", i.JoinedAt, i.UserID) }),
		cards.Each(func(i social.Card) { of("cards", i.CreatedAt, i.UserID) }),
		matches.Each(func(i matchItem) { of("matches", i.CreatedAt, i.UserID, i.MatchUserID) }),
		daters.Each(func(i daterItem) {
			if c.users[i.UserID] == nil {
				of("dating records", time.Time{}, i.UserID)
			}
		}),
		appStoreSubs.Each(func(i social.AppStoreSub) { of("subscriptions", i.CreatedAt, i.UserID) }),
		userTrending.Each(func(i userTrendingItem) {
			if c.users[i.UserID] == nil {
				c.breaks(func(tx *keyspec.Tx) {
					profiles.Check(tx, profiles.Key(string(i.UserID))).Absent()
					userTrending.Delete(tx, userTrendKey(i.UserID))
				}, "user %s trends without a profile", i.UserID)
			}
		}),
		firstStories.Each(func(i social.FirstStory) {
			if c.users[i.FollowerUserID] == nil || c.users[i.FollowedUserID] == nil {
				c.breaks(func(tx *keyspec.Tx) { firstStories.Delete(tx, firstStoryKey(i.FollowerUserID, i.FollowedUserID)) },
					"a story of user %s is shown to user %s, one of whom has no profile", i.FollowedUserID, i.FollowerUserID)
			}
		}),
	)
	if err != nil {
		return err
	}
	err = db.Walk(ctx, feedRows.Each(func(i social.FeedItem) {
		if c.users[i.FeedUserID] == nil || !c.users[i.PostedByUserID].had(i.PostedAt) {
			c.breaks(func(tx *keyspec.Tx) { feedRows.Delete(tx, feedRows.KeyOf(&i)) },
				"post %s of user %s is in the feed of user %s, one of whom no longer has the profile", i.PostID, i.PostedByUserID, i.FeedUserID)
		}
	}))
	if err != nil {
		return err
	}
	for id, rows := range left {
		var kinds []string
		for _, kind := range slices.Sorted(maps.Keys(rows)) {
			kinds = append(kinds, fmt.Sprintf("%d %s", rows[kind], kind))
		}
		c.breaks(func(tx *keyspec.Tx) {
			ops.Record(tx, outbox.RecordOf(social.UserRemoved{UserID: id, RemovedAt: now}, uuid.NewString(), now))
		}, "a removed profile of user %s has left %s", id, strings.Join(kinds, ", "))
	}
	return nil
}
