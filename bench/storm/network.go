package main

import (
	"context"
	"fmt"
	"time"

	"stoa/bench/cluster"
	"stoa/social"
	"stoa/store"
)

// network has stars, whom all fans follow, or none do yet, and pairs of friends.
type network struct {
	stars, fans, friends []cluster.Person
}

// fill stores a network. Friends 0 and 1 follow each other, and so on.
func fill(ctx context.Context, c *cluster.Cluster, stars, fans, friends int, followed bool) (*network, error) {
	var names []string
	for _, group := range []struct {
		name string
		n    int
	}{{"star", stars}, {"fan", fans}, {"friend", friends}} {
		for i := range group.n {
			names = append(names, fmt.Sprintf("%s%04d", group.name, i))
		}
	}
	people, err := c.People(ctx, names...)
	if err != nil {
		return nil, err
	}
	n := &network{people[:stars], people[stars : stars+fans], people[stars+fans:]}
	w := writer{ctx: ctx, fill: c.Store().NewFill()}
	if !followed {
		stars, fans = 0, 0
	}
	for _, p := range n.stars {
		w.user(p, fans, 0)
	}
	for _, p := range n.fans {
		w.user(p, 0, stars)
	}
	for _, p := range n.friends {
		w.user(p, 1, 1)
	}
	for i, p := range n.friends {
		w.follow(p, n.friends[i^1])
	}
	if followed {
		for _, star := range n.stars {
			for _, fan := range n.fans {
				w.follow(fan, star)
			}
		}
	}
	w.flush(1)
	return n, w.err
}

// writer stores rows in bulks.
type writer struct {
	ctx  context.Context
	fill *store.Fill
	n    int
	err  error
}

var epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

func (w *writer) user(p cluster.Person, followers, followed int) {
	w.fill.User(social.User{
		UserID: p.ID, Username: p.Name, Email: p.Name + "@example.com", Privacy: social.Public, SignedUpAt: epoch,
		FollowerCount: followers, FollowedCount: followed,
	}, 0)
	w.flush(5000)
}

func (w *writer) follow(follower, followed cluster.Person) {
	w.n++
	w.fill.Follow(social.Follow{
		FollowerUserID: follower.ID, FollowedUserID: followed.ID, Status: social.Following, FollowedAt: epoch.Add(time.Duration(w.n) * time.Microsecond),
	})
	w.flush(5000)
}

func (w *writer) flush(least int) {
	if w.err == nil && w.fill.Len() >= least {
		w.err = w.fill.Run(w.ctx)
	}
}

const addPost = `mutation($id: ID!) { addPost(postId: $id, postType: TEXT_ONLY, text: "hello") { postId } }`

// post adds a post.
func post(ctx context.Context, at *cluster.Process, by cluster.Person, id string) error {
	return at.Ask(ctx, cluster.Request{As: by, Query: addPost, Variables: map[string]any{"id": id}}, nil)
}

func deletePost(ctx context.Context, at *cluster.Process, by cluster.Person, id string) error {
	const mutation = `mutation($id: ID!) { deletePost(postId: $id) { postId } }`
	return at.Ask(ctx, cluster.Request{As: by, Query: mutation, Variables: map[string]any{"id": id}}, nil)
}

// sees reports whether a post is on the first page of a feed.
func sees(ctx context.Context, at *cluster.Process, who cluster.Person, id string) (bool, error) {
	var data struct {
		Self struct {
			Feed struct{ Items []struct{ PostID string } }
		}
	}
	if err := at.Ask(ctx, cluster.Request{As: who, Query: `{ self { feed(limit: 20) { items { postId } } } }`}, &data); err != nil {
		return false, err
	}
	for _, p := range data.Self.Feed.Items {
		if p.PostID == id {
			return true, nil
		}
	}
	return false, nil
}
