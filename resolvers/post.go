package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/social"
)

func (r *mutationResolver) AddPost(ctx context.Context, postID string, postType *social.PostType, albumID *string, lifetime *string, text *string, keywords []string, imageInput *graph.ImageInput, setAsUserPhoto *bool, commentsDisabled *bool, likesDisabled *bool, sharingDisabled *bool, verificationHidden *bool) (*social.SeenPost, error) {
	p := social.NewPost{
		PostID: social.PostID(postID), Type: social.ImagePost, Text: optional.Or(text, ""), Keywords: keywords,
		AlbumID: social.AlbumID(optional.Or(albumID, "")), Lifetime: optional.Or(lifetime, ""),
		Image: imageInput.Image(ctx), SetAsUserPhoto: setAsUserPhoto,
		CommentsDisabled: commentsDisabled, LikesDisabled: likesDisabled,
		SharingDisabled: sharingDisabled, VerificationHidden: verificationHidden,
	}
	if postType != nil {
		p.Type = *postType
	}
	return r.Posts.Add(ctx, social.CallerFrom(ctx), p, asked(ctx))
}

func (r *mutationResolver) EditPost(ctx context.Context, postID string, text *string, keywords []string, commentsDisabled *bool, likesDisabled *bool, sharingDisabled *bool, verificationHidden *bool) (*social.SeenPost, error) {
	return r.Posts.Edit(ctx, social.CallerFrom(ctx), social.PostID(postID), social.PostEdit{
		Text: text, Keywords: keywords,
		CommentsDisabled: commentsDisabled, LikesDisabled: likesDisabled,
		SharingDisabled: sharingDisabled, VerificationHidden: verificationHidden,
	}, asked(ctx))
}

func (r *mutationResolver) ArchivePost(ctx context.Context, postID string) (*social.SeenPost, error) {
	return r.Posts.Archive(ctx, social.CallerFrom(ctx), social.PostID(postID), asked(ctx))
}

func (r *mutationResolver) RestoreArchivedPost(ctx context.Context, postID string) (*social.SeenPost, error) {
	return r.Posts.Restore(ctx, social.CallerFrom(ctx), social.PostID(postID), asked(ctx))
}

func (r *mutationResolver) DeletePost(ctx context.Context, postID string) (*social.SeenPost, error) {
	return r.Posts.Delete(ctx, social.CallerFrom(ctx), social.PostID(postID), asked(ctx))
}

func (r *paginatedPostsResolver) Items(ctx context.Context, obj *graph.PaginatedPosts, viewedStatus *social.ViewedStatus, isVerified *bool) ([]*social.SeenPost, error) {
	choice := social.PostChoice{ViewedStatus: viewedStatus, IsVerified: isVerified, Followed: obj.Followed}
	return r.Posts.Items(ctx, viewer.From(ctx), obj.Items, choice, asked(ctx))
}

func (r *queryResolver) Post(ctx context.Context, postID string) (*social.SeenPost, error) {
	return r.seenPost(ctx, social.PostID(postID))
}

func (r *userResolver) Posts(ctx context.Context, obj *social.SeenUser, postStatus *social.PostStatus, postType *social.PostType, limit *int, nextToken *string) (*graph.PaginatedPosts, error) {
	return shownPosts(r.Resolver.Posts.ByUser(ctx, obj, postStatus, postType, page.Args{Limit: limit, NextToken: nextToken}))
}

func (r *Resolver) PaginatedPosts() graph.PaginatedPostsResolver { return &paginatedPostsResolver{r} }

func (r *Resolver) Post() graph.PostResolver { return &postResolver{r} }

type (
	paginatedPostsResolver struct{ *Resolver }
	postResolver           struct{ *Resolver }
)
