package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/social"
)

func (r *albumResolver) Art(ctx context.Context, obj *social.SeenAlbum) (*social.Image, error) {
	return r.Media.AlbumArt(obj), nil
}

func (r *albumResolver) Posts(ctx context.Context, obj *social.SeenAlbum, limit *int, nextToken *string) (*graph.PaginatedPosts, error) {
	return shownPosts(r.Albums.Shows(ctx, obj, page.Args{Limit: limit, NextToken: nextToken}))
}

func (r *mutationResolver) AddAlbum(ctx context.Context, albumID string, name string, description *string) (*social.SeenAlbum, error) {
	return r.Albums.Add(ctx, social.CallerFrom(ctx), social.AlbumID(albumID), name, optional.Or(description, ""))
}

func (r *mutationResolver) EditAlbum(ctx context.Context, albumID string, name *string, description *string) (*social.SeenAlbum, error) {
	return r.Albums.Edit(ctx, social.CallerFrom(ctx), social.AlbumID(albumID), social.AlbumEdit{Name: name, Description: description})
}

func (r *mutationResolver) DeleteAlbum(ctx context.Context, albumID string) (*social.SeenAlbum, error) {
	return r.Albums.Delete(ctx, social.CallerFrom(ctx), social.AlbumID(albumID))
}

func (r *mutationResolver) EditPostAlbum(ctx context.Context, postID string, albumID *string) (*social.SeenPost, error) {
	return r.Posts.EditAlbum(ctx, social.CallerFrom(ctx), social.PostID(postID), social.AlbumID(optional.Or(albumID, "")), asked(ctx))
}

func (r *mutationResolver) EditPostAlbumOrder(ctx context.Context, postID string, precedingPostID *string) (*social.SeenPost, error) {
	return r.Posts.EditAlbumOrder(ctx, social.CallerFrom(ctx), social.PostID(postID), social.PostID(optional.Or(precedingPostID, "")), asked(ctx))
}

func (r *queryResolver) Album(ctx context.Context, albumID string) (*social.SeenAlbum, error) {
	return r.Albums.Album(ctx, viewer.From(ctx), social.AlbumID(albumID), asked(ctx))
}

func (r *userResolver) Albums(ctx context.Context, obj *social.SeenUser, limit *int, nextToken *string, reverse *bool) (*graph.PaginatedAlbums, error) {
	return shown[graph.PaginatedAlbums](
		r.Resolver.Albums.ByUser(ctx, viewer.From(ctx), obj, page.Args{Limit: limit, NextToken: nextToken}, optional.Or(reverse, false), asked(ctx)),
	)
}

func (r *Resolver) Album() graph.AlbumResolver { return &albumResolver{r} }

type albumResolver struct{ *Resolver }
