package graph

import "github.com/99designs/gqlgen/graphql"

// Given reports whether anything is said about an image. Apps send the object with
// every post and fill it only for images, so one without a value does not count, and
// neither does its format, which has a default.
func (in *ImageInput) Given() bool {
	return in != nil && (has(in.TakenInReal) || has(in.OriginalFormat) || has(in.OriginalMetadata) || has(in.ImageData) || has(in.Crop) ||
		has(in.ImageFormat) && *in.ImageFormat.Value() != ImageFormatJpeg)
}

func has[T any](o graphql.Omittable[*T]) bool { return o.Value() != nil }
