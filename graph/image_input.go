package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"stoa/social"
)

// Image returns the image described by in, or nil if it is empty. Apps send the object with
// every post but fill it only for images, so an object without values is ignored. A format
// counts as a value only if the client wrote it, since it has a default.
func (in *ImageInput) Image(ctx context.Context) *social.NewImage {
	if in == nil || !(has(in.TakenInReal) || has(in.OriginalFormat) || has(in.OriginalMetadata) || has(in.ImageData) || has(in.Crop) || saysFormat(ctx)) {
		return nil
	}
	n := &social.NewImage{
		TakenInReal: in.TakenInReal.Value(), OriginalFormat: value(in.OriginalFormat), OriginalMetadata: value(in.OriginalMetadata),
		Data: value(in.ImageData), Format: value(in.ImageFormat),
	}
	if crop := in.Crop.Value(); crop != nil {
		n.Crop = &social.Crop{UpperLeft: social.Point(crop.UpperLeft), LowerRight: social.Point(crop.LowerRight)}
	}
	return n
}

// saysFormat reports whether the client wrote a format in the argument imageInput of the
// current field, as opposed to its default.
func saysFormat(ctx context.Context) bool {
	argument := graphql.GetFieldContext(ctx).Field.Arguments.ForName("imageInput")
	if argument == nil {
		return false
	}
	written, err := argument.Value.Value(graphql.GetOperationContext(ctx).Variables)
	fields, _ := written.(map[string]any)
	return err == nil && fields["imageFormat"] != nil
}

func value[T any](o graphql.Omittable[*T]) (v T) {
	if p := o.Value(); p != nil {
		v = *p
	}
	return v
}

func has[T any](o graphql.Omittable[*T]) bool { return o.Value() != nil }
