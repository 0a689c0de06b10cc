package resolvers

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Users knows profiles: package user.
type Users interface {
	Admit(ctx context.Context, v social.Viewer, allowed []social.UserStatus) (social.Caller, error)
	Self(ctx context.Context, v social.Viewer, d social.Detail) (*social.SeenUser, error)
	Visible(ctx context.Context, v social.Viewer, ids []social.UserID, d social.Detail) (social.SeenUsers, error)
	Listed(ctx context.Context, v social.Viewer, ids []social.UserID, d social.Detail) ([]*social.SeenUser, error)
	UsernameStatus(ctx context.Context, name string) (social.UsernameStatus, error)
	Create(ctx context.Context, v social.Viewer, username, fullName string) (*social.SeenUser, error)
	SetDetails(ctx context.Context, c social.Caller, details social.UserDetails) (*social.SeenUser, error)
}

// Follows knows who follows whom: package follow. A nil page is a list that the
// viewer may not see.
type Follows interface {
	Request(ctx context.Context, c social.Caller, target social.UserID) (*social.SeenUser, error)
	Leave(ctx context.Context, c social.Caller, target social.UserID) (*social.SeenUser, error)
	Accept(ctx context.Context, c social.Caller, follower social.UserID) (*social.SeenUser, error)
	Deny(ctx context.Context, c social.Caller, follower social.UserID) (*social.SeenUser, error)
	Followed(ctx context.Context, of *social.SeenUser, status *social.FollowStatus, list page.Args) (*page.Page[social.UserID], error)
	Followers(ctx context.Context, of *social.SeenUser, status *social.FollowStatus, list page.Args) (*page.Page[social.UserID], error)
}

// Posts knows posts: package post. A nil page is a list that the viewer may not see.
type Posts interface {
	Visible(ctx context.Context, v social.Viewer, ids []social.PostID, d social.Detail) (map[social.PostID]*social.SeenPost, error)
	Items(ctx context.Context, v social.Viewer, ids []social.PostID, choice social.PostChoice, d social.Detail) ([]*social.SeenPost, error)
	ByUser(ctx context.Context, of *social.SeenUser, status *social.PostStatus, postType *social.PostType, list page.Args) (*page.Page[social.PostID], error)
	WithUnviewedComments(ctx context.Context, of *social.SeenUser, list page.Args) (*page.Page[social.PostID], error)
	Add(ctx context.Context, c social.Caller, p social.NewPost, d social.Detail) (*social.SeenPost, error)
	Edit(ctx context.Context, c social.Caller, id social.PostID, edit social.PostEdit, d social.Detail) (*social.SeenPost, error)
	Delete(ctx context.Context, c social.Caller, id social.PostID, d social.Detail) (*social.SeenPost, error)
}

// Feed knows what stands in whose feed: package feed.
type Feed interface {
	Page(ctx context.Context, of *social.SeenUser, list page.Args) (*page.Page[social.PostID], error)
}

// Likes knows who likes what: package like. A nil page is a list that the viewer may
// not see.
type Likes interface {
	Like(ctx context.Context, c social.Caller, id social.PostID, status social.LikeStatus, d social.Detail) (*social.SeenPost, error)
	Dislike(ctx context.Context, c social.Caller, id social.PostID, d social.Detail) (*social.SeenPost, error)
	LikedBy(ctx context.Context, p *social.SeenPost, list page.Args) (*page.Page[social.UserID], error)
	LikedPosts(ctx context.Context, of *social.SeenUser, status social.LikeStatus, list page.Args) (*page.Page[social.PostID], error)
}

// Comments knows comments: package comment. A nil page is a list that the viewer may
// not see.
type Comments interface {
	Add(ctx context.Context, c social.Caller, id social.CommentID, postID social.PostID, text string, d social.Detail) (*social.SeenComment, error)
	Delete(ctx context.Context, c social.Caller, id social.CommentID, d social.Detail) (*social.SeenComment, error)
	OfPost(ctx context.Context, v social.Viewer, p *social.SeenPost, list page.Args, reverse bool, d social.Detail) (*page.Page[*social.SeenComment], error)
}

// Notifications tells users what changes for them: package notify.
type Notifications interface {
	Subscribe(ctx context.Context, v social.Viewer, userID social.UserID) (<-chan *social.Notification, error)
}

// Cards knows what users are asked to look at: package card. A nil page is a list that
// the viewer may not see.
type Cards interface {
	Delete(ctx context.Context, c social.Caller, id social.CardID) (*social.SeenCard, error)
	ByUser(ctx context.Context, v social.Viewer, of *social.SeenUser, list page.Args) (*page.Page[*social.SeenCard], error)
	Subscribe(ctx context.Context, v social.Viewer, userID social.UserID) (<-chan *social.CardNotification, error)
}
