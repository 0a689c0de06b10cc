package resolvers

import (
	"context"

	"stoa"
	"stoa/internal/kit/page"
)

// Users knows profiles: package user.
type Users interface {
	Admit(ctx context.Context, v stoa.Viewer, allowed []stoa.UserStatus) (stoa.Caller, error)
	Self(ctx context.Context, v stoa.Viewer) (*stoa.SeenUser, error)
	Visible(ctx context.Context, v stoa.Viewer, ids []stoa.UserID, d stoa.Detail) (map[stoa.UserID]*stoa.SeenUser, error)
	Listed(ctx context.Context, v stoa.Viewer, ids []stoa.UserID, d stoa.Detail) ([]*stoa.SeenUser, error)
	UsernameStatus(ctx context.Context, name string) (stoa.UsernameStatus, error)
	Create(ctx context.Context, v stoa.Viewer, username, fullName string) (*stoa.SeenUser, error)
	SetDetails(ctx context.Context, c stoa.Caller, details stoa.UserDetails) (*stoa.SeenUser, error)
}

// Follows knows who follows whom: package follow. A nil page is a list that the
// viewer may not see.
type Follows interface {
	Request(ctx context.Context, c stoa.Caller, target stoa.UserID) (*stoa.SeenUser, error)
	Leave(ctx context.Context, c stoa.Caller, target stoa.UserID) (*stoa.SeenUser, error)
	Accept(ctx context.Context, c stoa.Caller, follower stoa.UserID) (*stoa.SeenUser, error)
	Deny(ctx context.Context, c stoa.Caller, follower stoa.UserID) (*stoa.SeenUser, error)
	Followed(ctx context.Context, of *stoa.SeenUser, status *stoa.FollowStatus, list page.Args) (*page.Page[stoa.UserID], error)
	Followers(ctx context.Context, of *stoa.SeenUser, status *stoa.FollowStatus, list page.Args) (*page.Page[stoa.UserID], error)
}

// Posts knows posts: package post. A nil page is a list that the viewer may not see.
type Posts interface {
	Visible(ctx context.Context, v stoa.Viewer, ids []stoa.PostID, d stoa.Detail) (map[stoa.PostID]*stoa.SeenPost, error)
	Items(ctx context.Context, v stoa.Viewer, ids []stoa.PostID, viewedStatus *stoa.ViewedStatus, d stoa.Detail) ([]*stoa.SeenPost, error)
	ByUser(ctx context.Context, of *stoa.SeenUser, status *stoa.PostStatus, postType *stoa.PostType, list page.Args) (*page.Page[stoa.PostID], error)
	Add(ctx context.Context, c stoa.Caller, p stoa.NewPost) (*stoa.SeenPost, error)
	Edit(ctx context.Context, c stoa.Caller, id stoa.PostID, edit stoa.PostEdit) (*stoa.SeenPost, error)
	Delete(ctx context.Context, c stoa.Caller, id stoa.PostID) (*stoa.SeenPost, error)
}

// Feed knows what stands in whose feed: package feed.
type Feed interface {
	Page(ctx context.Context, of *stoa.SeenUser, list page.Args) (*page.Page[stoa.PostID], error)
}

// Likes knows who likes what: package like. A nil page is a list that the viewer may
// not see.
type Likes interface {
	Like(ctx context.Context, c stoa.Caller, id stoa.PostID, status stoa.LikeStatus) (*stoa.SeenPost, error)
	Dislike(ctx context.Context, c stoa.Caller, id stoa.PostID) (*stoa.SeenPost, error)
	LikedBy(ctx context.Context, p *stoa.SeenPost, list page.Args) (*page.Page[stoa.UserID], error)
	LikedPosts(ctx context.Context, of *stoa.SeenUser, status stoa.LikeStatus, list page.Args) (*page.Page[stoa.PostID], error)
}

// Comments knows comments: package comment. A nil page is a list that the viewer may
// not see.
type Comments interface {
	Add(ctx context.Context, c stoa.Caller, id stoa.CommentID, postID stoa.PostID, text string) (*stoa.SeenComment, error)
	Delete(ctx context.Context, c stoa.Caller, id stoa.CommentID) (*stoa.SeenComment, error)
	OfPost(ctx context.Context, v stoa.Viewer, p *stoa.SeenPost, list page.Args, reverse bool, d stoa.Detail) (*page.Page[*stoa.SeenComment], error)
}

// Notifications tells users what changes for them: package notify.
type Notifications interface {
	Subscribe(ctx context.Context, v stoa.Viewer, userID stoa.UserID) (<-chan *stoa.Notification, error)
}
