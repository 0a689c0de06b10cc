package history_test

import (
	"testing"

	"stoa/app"
	"stoa/internal/apptest"
	"stoa/social/socialtest"
)

// managedHot is the system in which likes, comments and first views of a post are always stored
// together with those that come at the same time.
var managedHot = socialtest.With(func(o *app.Options) { o.FollowedByAll, o.HotFrom = leader, 1 })

func hotHistory(faults int) apptest.History {
	h := history(true, faults)
	h.System = managedHot
	return h
}

// Posts that are always hot are liked, commented on and viewed like others.
func TestHistoriesOfHotPosts(t *testing.T) { hotHistory(0).Run(t, *seed, *seed+*histories) }

func TestHistoriesOfHotPostsWithFaults(t *testing.T) {
	hotHistory(15).Run(t, *seed+1000, *seed+1000+*histories)
}

// The same with users who act at the same time.
func TestUsersOnHotPosts(t *testing.T) { usersInEachOthersWay(t, managedHot, 4) }
