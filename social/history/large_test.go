package history_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"stoa/app"
	"stoa/internal/apptest"
	"stoa/internal/kit/page"
	"stoa/social"
	"stoa/social/socialtest"
	"stoa/store"
	"stoa/store/storetest"
)

// managedLarge is managed with large accounts: those with at least three of the four possible
// followers, until one is left.
var managedLarge = socialtest.With(func(o *app.Options) { o.FollowedByAll, o.FanOutLimit = leader, 3 })

// largeHistory is history with large accounts and more follows.
func largeHistory(faults int) apptest.History {
	h := history(false, faults)
	h.System = managedLarge
	h.New = func() apptest.Player { return &largePlayer{player{newModel(), postIDs}} }
	h.Kinds = append(h.Kinds, apptest.Kind{Weight: 25, Draw: func(d *draw) act {
		return about("followUser", d.One(everybody), d.One(everybody))
	}}, apptest.Kind{Weight: 15, Draw: func(d *draw) act {
		return about("unfollowUser", d.One(everybody), d.One(everybody))
	}})
	return h
}

// Whether posts are read or copied makes no difference to the model, nor to pages of feeds and
// their tokens.
func TestHistoriesOfLargeAccounts(t *testing.T) {
	largeHistory(0).Run(t, *seed, *seed+*histories)
}

func TestHistoriesOfLargeAccountsWithFaults(t *testing.T) {
	largeHistory(15).Run(t, *seed+1000, *seed+1000+*histories)
}

func TestHistoriesOfLargeAccountsWithRemovals(t *testing.T) {
	h := largeHistory(0)
	h.Kinds = append(h.Kinds, apptest.Kind{Weight: 60, Draw: removal}, apptest.Kind{Weight: 60, Draw: comeBack})
	h.Run(t, *seed, *seed+*histories)
}

// largePlayer is a player that also compares feeds with those of a store into which all posts are
// copied.
type largePlayer struct{ player }

func (p *largePlayer) End(w *apptest.World) string {
	if failure := p.player.End(w); failure != "" {
		return failure
	}
	return unlikeCopies(w)
}

// unlikeCopies describes the first difference between the feeds that users read and feeds into
// which all posts are copied, or returns "".
func unlikeCopies(w *apptest.World) string {
	s := store.Open(w.DB)
	copies, _ := storetest.Open(w.T)
	ctx := w.T.Context()
	posts := map[string][]social.FeedItem{}
	for _, name := range everybody {
		for p, err := range page.All(func(q page.Query) (page.Page[*social.Post], error) {
			return s.Posts.ByUser(ctx, w.ID(name), social.PostCompleted, q)
		}) {
			if err != nil {
				return err.Error()
			}
			posts[name] = append(posts[name], social.FeedItem{PostID: p.PostID, PostedByUserID: p.PostedByUserID, PostedAt: p.PostedAt})
		}
	}
	for _, viewer := range everybody {
		profile, err := s.Users.Profile(ctx, w.ID(viewer))
		if err != nil {
			return err.Error()
		}
		if profile == nil {
			continue
		}
		for _, owner := range everybody {
			pair, err := s.Follows.Pair(ctx, w.ID(viewer), w.ID(owner))
			if err != nil {
				return err.Error()
			}
			if viewer != owner && pair.Status != social.Following || len(posts[owner]) == 0 {
				continue
			}
			items := slices.Clone(posts[owner])
			for i := range items {
				items[i].FeedUserID = w.ID(viewer)
			}
			if err := copies.Feeds.Put(ctx, items); err != nil {
				return err.Error()
			}
		}
		for _, limit := range []int{1, 2, 4} {
			after, token := "", ""
			for {
				want, err := copies.Feeds.Entries(ctx, w.ID(viewer), page.Query{First: limit, After: token})
				if err != nil {
					return err.Error()
				}
				var got struct {
					Self struct {
						Feed struct {
							Items     []struct{ PostID social.PostID }
							NextToken string
						}
					}
				}
				answer := w.Ask(viewer, fmt.Sprintf(`{ self { feed(limit: %d%s) { items { postId } nextToken } } }`, limit, after))
				if err := json.Unmarshal(answer.Data, &got); err != nil {
					return err.Error()
				}
				for _, item := range got.Self.Feed.Items {
					if !slices.ContainsFunc(want.Items, func(i social.FeedItem) bool { return i.PostID == item.PostID }) {
						return fmt.Sprintf("%s reads %v on a page of the feed, which has %v", viewer, item, want.Items)
					}
				}
				if got.Self.Feed.NextToken != want.Next {
					return fmt.Sprintf("%s gets the token %q after %v, want %q", viewer, got.Self.Feed.NextToken, want.Items, want.Next)
				}
				if token = want.Next; token == "" {
					break
				}
				after = fmt.Sprintf(`, nextToken: %q`, token)
			}
		}
	}
	return ""
}
