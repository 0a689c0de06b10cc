package graph

import (
	"github.com/99designs/gqlgen/graphql"

	"stoa/social"
)

// Given reports whether anything is said about an image. Apps send the object with
// every post and fill it only for images, so one without a value does not count, and
// neither does its format, which has a default.
func (in *ImageInput) Given() bool {
	return in != nil && (has(in.TakenInReal) || has(in.OriginalFormat) || has(in.OriginalMetadata) || has(in.ImageData) || has(in.Crop) ||
		has(in.ImageFormat) && *in.ImageFormat.Value() != social.ImageJPEG)
}

// Image is what is said about an image, nil for nothing.
func (in *ImageInput) Image() *social.NewImage {
	if !in.Given() {
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

func value[T any](o graphql.Omittable[*T]) (v T) {
	if p := o.Value(); p != nil {
		v = *p
	}
	return v
}

func has[T any](o graphql.Omittable[*T]) bool { return o.Value() != nil }
