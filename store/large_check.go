package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// checkLarge checks that all followers of large accounts have large follows, and nobody else has
// one.
func (c *census) checkLarge(ctx context.Context, db *keyspec.DB) error {
	type pair struct{ follower, followed social.UserID }
	listed := map[pair]social.LargeFollow{}
	err := db.Walk(ctx, largeFollows.Each(func(f social.LargeFollow) { listed[pair{f.FollowerUserID, f.FollowedUserID}] = f }))
	if err != nil {
		return err
	}
	err = db.Walk(ctx, follows.Each(func(f social.Follow) {
		if f.Status != social.Following {
			return
		}
		key := pair{f.FollowerUserID, f.FollowedUserID}
		account := c.users[f.FollowedUserID]
		_, is := listed[key]
		delete(listed, key)
		if is || account == nil || !account.Delivery.ListsAll() || c.users[f.FollowerUserID] == nil {
			return
		}
		c.breaks(func(tx *keyspec.Tx) {
			largeFollows.Put(tx, social.LargeFollow{FollowerUserID: f.FollowerUserID, FollowedUserID: f.FollowedUserID, Delivery: account.Delivery})
			profiles.Update(tx, profileKey(f.FollowerUserID)).Shift("largeFollowsVersion", 1)
		}, "user %s follows the large account %s, whose posts are not read with their feed", f.FollowerUserID, f.FollowedUserID)
	}))
	if err != nil {
		return err
	}
	for _, f := range listed {
		c.breaks(func(tx *keyspec.Tx) {
			largeFollows.Delete(tx, largeFollows.KeyOf(&f))
			if c.users[f.FollowerUserID] != nil {
				profiles.Update(tx, profileKey(f.FollowerUserID)).Shift("largeFollowsVersion", 1)
			}
		}, "posts of user %s are read with the feed of user %s, who does not follow them", f.FollowedUserID, f.FollowerUserID)
	}
	return nil
}

// checkLargeChats checks that the large groups that place memberships are those listed for their
// members.
func (c *census) checkLargeChats(ctx context.Context, db *keyspec.DB) error {
	listed := map[largeMemberItem]bool{}
	if err := db.Walk(ctx, largeMembers.Each(func(i largeMemberItem) { listed[i] = true })); err != nil {
		return err
	}
	err := db.Walk(ctx, chatMembers.Each(func(m social.ChatMember) {
		item, user := largeMemberItem{m.UserID, m.ChatID}, c.users[m.UserID]
		if !m.PlacedByChat {
			return
		}
		is := listed[item]
		delete(listed, item)
		if user == nil || is && user.InLargeChats {
			return
		}
		c.breaks(func(tx *keyspec.Tx) {
			largeMembers.Put(tx, item)
			profiles.Update(tx, profileKey(m.UserID)).Set("inLargeChats", true)
		}, "the large group %s is not listed for its member %s", m.ChatID, m.UserID)
	}))
	if err != nil {
		return err
	}
	for item := range listed {
		c.breaks(func(tx *keyspec.Tx) { largeMembers.Delete(tx, largeMembers.KeyOf(&item)) },
			"the large group %s is listed for user %s, whom it does not place", item.ChatID, item.UserID)
	}
	return nil
}
