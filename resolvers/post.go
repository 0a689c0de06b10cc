package resolvers

import (
	"context"
	"stoa"
	"stoa/graph"
	"stoa/internal/kit/page"
)

func (r *mutationResolver) AddPost(ctx context.Context, postID string, postType *stoa.PostType, text *string, keywords []string, imageInput *graph.ImageInput, setAsUserPhoto *bool, commentsDisabled *bool, likesDisabled *bool, sharingDisabled *bool, verificationHidden *bool) (*stoa.SeenPost, error) {
	p := stoa.NewPost{
		PostID: stoa.PostID(postID), Type: stoa.ImagePost, Keywords: keywords,
		WithImage: imageInput.Given(), SetAsUserPhoto: setAsUserPhoto != nil && *setAsUserPhoto,
		CommentsDisabled: commentsDisabled, LikesDisabled: likesDisabled,
		SharingDisabled: sharingDisabled, VerificationHidden: verificationHidden,
	}
	if postType != nil {
		p.Type = *postType
	}
	if text != nil {
		p.Text = *text
	}
	return r.Posts.Add(ctx, stoa.CallerFrom(ctx), p)
}

func (r *mutationResolver) EditPost(ctx context.Context, postID string, text *string, keywords []string, commentsDisabled *bool, likesDisabled *bool, sharingDisabled *bool, verificationHidden *bool) (*stoa.SeenPost, error) {
	return r.Posts.Edit(ctx, stoa.CallerFrom(ctx), stoa.PostID(postID), stoa.PostEdit{
		Text: text, Keywords: keywords,
		CommentsDisabled: commentsDisabled, LikesDisabled: likesDisabled,
		SharingDisabled: sharingDisabled, VerificationHidden: verificationHidden,
	})
}

func (r *mutationResolver) DeletePost(ctx context.Context, postID string) (*stoa.SeenPost, error) {
	return r.Posts.Delete(ctx, stoa.CallerFrom(ctx), stoa.PostID(postID))
}

func (r *paginatedPostsResolver) Items(ctx context.Context, obj *graph.PostPage, viewedStatus *stoa.ViewedStatus) ([]*stoa.SeenPost, error) {
	return r.Posts.Items(ctx, stoa.ViewerFrom(ctx), obj.PostIDs, viewedStatus, asked(ctx))
}

func (r *queryResolver) Post(ctx context.Context, postID string) (*stoa.SeenPost, error) {
	return r.seenPost(ctx, stoa.PostID(postID))
}

func (r *userResolver) Posts(ctx context.Context, obj *stoa.SeenUser, postStatus *stoa.PostStatus, postType *stoa.PostType, limit *int, nextToken *string) (*graph.PostPage, error) {
	return postPage(r.Resolver.Posts.ByUser(ctx, obj, postStatus, postType, page.Args{Limit: limit, NextToken: nextToken}))
}

func (r *Resolver) PaginatedPosts() graph.PaginatedPostsResolver { return &paginatedPostsResolver{r} }

func (r *Resolver) Post() graph.PostResolver { return &postResolver{r} }

type (
	paginatedPostsResolver struct{ *Resolver }
	postResolver           struct{ *Resolver }
)
