package main

import (
	"context"
	"fmt"
	"time"

	"github.com/guregu/dynamo/v2"

	"stoa/app"
	"stoa/bench/cluster"
	"stoa/bench/dataset"
	"stoa/internal/host"
	"stoa/internal/identity"
	"stoa/internal/kit/engine"
	"stoa/internal/kit/keyspec"
	"stoa/social"
	"stoa/store"
)

// rowsAtOnce limits the memory for filling.
const rowsAtOnce = 5000

// fill stores the data set in an embedded store and returns a token for each user.
func fill(ctx context.Context, dir string) ([]string, error) {
	e, err := engine.Open(dir)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	db := keyspec.Open(dynamo.NewFromIface(e), "stoa-", host.Tables(app.System(app.Options{}))...)
	if err := db.CreateTables(ctx); err != nil {
		return nil, err
	}
	if err := write(ctx, store.Open(db), dataset.Generate()); err != nil {
		return nil, err
	}
	people := make([]identity.Seeded, dataset.NUsers)
	for i := range people {
		people[i] = identity.Seeded{UserID: userID(i + 1), Email: fmt.Sprintf("user%05d@example.com", i+1)}
	}
	return cluster.SignUp(ctx, db, people)
}

func userID(n int) social.UserID {
	return social.UserID(fmt.Sprintf("us-east-1:00000000-0000-4000-8000-%012d", n))
}

func postID(n int) social.PostID {
	return social.PostID(fmt.Sprintf("00000000-0000-4000-8000-%012d", n))
}

func write(ctx context.Context, s *store.Store, d *dataset.Data) error {
	f := s.NewFill()
	flush := func(least int) error {
		if f.Len() < least {
			return nil
		}
		return f.Run(ctx)
	}
	commentsBy := make([]int, dataset.NUsers+1)
	for _, c := range d.Comments {
		commentsBy[c.Author]++
	}
	for _, u := range d.Users {
		f.User(social.User{
			UserID: userID(u.ID), Username: u.Username, FullName: u.FullName, Bio: u.Bio,
			Email: u.Username + "@example.com", Privacy: social.Public, SignedUpAt: time.Unix(dataset.Epoch, 0),
			FollowedCount: u.FollowedCount, FollowerCount: u.FollowerCount, PostCount: u.PostCount,
		}, commentsBy[u.ID])
	}
	feeds := make([][]social.UserID, dataset.NPosts+1)
	for _, row := range d.Feed {
		feeds[row.Post] = append(feeds[row.Post], userID(row.User))
	}
	for _, p := range d.Posts {
		f.Post(social.Post{
			PostID: postID(p.ID), PostedByUserID: userID(p.Author), Type: social.TextOnly, Status: social.PostCompleted,
			PostedAt: time.Unix(p.PostedAt, 0), Text: p.Text, OnymousLikeCount: p.LikeCount, CommentCount: p.CommentCount,
		}, feeds[p.ID])
		if err := flush(rowsAtOnce); err != nil {
			return err
		}
	}
	for _, c := range d.Comments {
		f.Comment(social.Comment{
			CommentID: social.CommentID(fmt.Sprintf("comment-%d", c.ID)), PostID: postID(c.Post), UserID: userID(c.Author),
			CommentedAt: time.Unix(c.At, 0), Text: c.Text,
		})
		if err := flush(rowsAtOnce); err != nil {
			return err
		}
	}
	for i, l := range d.Likes {
		f.Like(social.Like{
			PostID: postID(l.B), LikedByUserID: userID(l.A), PostedByUserID: userID(d.Posts[l.B-1].Author),
			Status: social.OnymouslyLiked, LikedAt: d.Posted().Add(time.Duration(i) * time.Second),
		})
		if err := flush(rowsAtOnce); err != nil {
			return err
		}
	}
	for i, p := range d.Follows {
		f.Follow(social.Follow{
			FollowerUserID: userID(p.A), FollowedUserID: userID(p.B), Status: social.Following,
			FollowedAt: time.Unix(dataset.Epoch+int64(i), 0),
		})
		if err := flush(rowsAtOnce); err != nil {
			return err
		}
	}
	return flush(1)
}
