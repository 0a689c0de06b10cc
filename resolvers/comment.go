package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/social"
)

func (r *mutationResolver) AddComment(ctx context.Context, commentID string, postID string, text string) (*social.SeenComment, error) {
	return r.Comments.Add(ctx, social.CallerFrom(ctx), social.CommentID(commentID), social.PostID(postID), text, asked(ctx))
}

func (r *mutationResolver) DeleteComment(ctx context.Context, commentID string) (*social.SeenComment, error) {
	return r.Comments.Delete(ctx, social.CallerFrom(ctx), social.CommentID(commentID), asked(ctx))
}

func (r *postResolver) Comments(ctx context.Context, obj *social.SeenPost, limit *int, nextToken *string, reverse *bool) (*graph.PaginatedComments, error) {
	return shown[graph.PaginatedComments](r.Resolver.Comments.OfPost(ctx, viewer.From(ctx), obj, page.Args{Limit: limit, NextToken: nextToken}, reverse != nil && *reverse, asked(ctx)))
}

// !!! WARNING !!!
// The code below was going to be deleted when updating resolvers. It has been copied here so you have
// one last chance to move it out of harms way if you want. There are two reasons this happens:
//  - When renaming or deleting a resolver the old code will be put in here. You can safely delete
//    it when you're done.
//  - You have helper methods in this file. Move them out to keep these resolver files clean.
/*
	func (r *paginatedCommentsResolver) NextToken(ctx context.Context, obj *graph.PaginatedComments) (*string, error) {
	panic(fmt.Errorf("not implemented: NextToken - nextToken"))
}
func (r *Resolver) PaginatedComments() graph.PaginatedCommentsResolver {
	return &paginatedCommentsResolver{r}
}
type paginatedCommentsResolver struct{ *Resolver }
*/
