package graph

import (
	"stoa/internal/kit/page"
	"stoa/social"
)

// Complexity says what fields cost: a list costs what one of its items costs, times
// the most items it may read. Every other field costs one.
func Complexity() (c ComplexityRoot) {
	c.User.Feed = list
	c.User.FollowedUsers = ofStatus
	c.User.FollowerUsers = ofStatus
	c.User.OnymouslyLikedPosts = list
	c.User.AnonymouslyLikedPosts = list
	c.User.Posts = func(child int, _ *social.PostStatus, _ *social.PostType, limit *int, _ *string) int {
		return times(child, limit)
	}
	c.Post.OnymouslyLikedBy = list
	c.Post.Comments = func(child int, limit *int, _ *string, _ *bool) int { return times(child, limit) }
	return c
}

func list(child int, limit *int, _ *string) int { return times(child, limit) }

func ofStatus(child int, _ *social.FollowStatus, limit *int, _ *string) int {
	return times(child, limit)
}

// times multiplies by a list's size. A size that will be refused counts as the
// largest, so that it cannot hide what it would cost.
func times(child int, limit *int) int {
	size := page.Default
	if limit != nil {
		size = *limit
	}
	if size < 1 || size > page.Max {
		size = page.Max
	}
	return 1 + size*child
}
