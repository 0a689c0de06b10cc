package resolvers

import (
	"context"
	"stoa/social"
)

func (r *postResolver) Image(ctx context.Context, obj *social.SeenPost) (*social.Image, error) {
	return r.Media.PostImage(obj), nil
}

func (r *postResolver) ImageUploadURL(ctx context.Context, obj *social.SeenPost) (*string, error) {
	return r.Media.Upload(obj.UploadPlace(social.ImagePost)), nil
}

func (r *postResolver) Video(ctx context.Context, obj *social.SeenPost) (*social.Video, error) {
	return r.Media.ShownVideo(ctx, obj)
}

func (r *postResolver) VideoUploadURL(ctx context.Context, obj *social.SeenPost) (*string, error) {
	return r.Media.Upload(obj.UploadPlace(social.VideoPost)), nil
}

func (r *postResolver) OriginalPost(ctx context.Context, obj *social.SeenPost) (*social.SeenPost, error) {
	return r.original(ctx, obj)
}
