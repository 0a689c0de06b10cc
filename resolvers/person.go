package resolvers

import (
	"context"
	"stoa/social"
)

func (r *userResolver) Photo(ctx context.Context, obj *social.SeenUser) (*social.Image, error) {
	return r.Media.Photo(obj), nil
}
