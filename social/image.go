package social

import (
	"cmp"

	"stoa/internal/kit/optional"
	"stoa/internal/kit/refusal"
)

// ImageFormat is the file format of an uploaded image.
type ImageFormat string

const (
	// ImageJPEG stands for JPEG and every other format that browsers display, such as PNG.
	ImageJPEG ImageFormat = "JPEG"
	ImageHEIC ImageFormat = "HEIC"
)

// Point is a position in an image, in pixels from its top-left corner.
type Point struct {
	X int `dynamo:"x"`
	Y int `dynamo:"y"`
}

// Crop is the part of an image to keep: its top-left corner, and the first pixel beyond its
// bottom-right corner.
type Crop struct {
	UpperLeft  Point `dynamo:"upperLeft"`
	LowerRight Point `dynamo:"lowerRight"`
}

// Color is one of an image's dominant colors, with components from 0 to 255.
type Color struct {
	R int `dynamo:"r"`
	G int `dynamo:"g"`
	B int `dynamo:"b"`
}

// NewImage describes the image of a post to be published.
type NewImage struct {
	// TakenInReal is nil if the client did not say.
	TakenInReal *bool
	// Format is the format of the data, whether inline or uploaded later.
	Format         ImageFormat
	OriginalFormat string
	// OriginalMetadata is stored unchanged.
	OriginalMetadata string
	// Data is the image in base64, or "" if it is uploaded later.
	Data string
	// Crop is nil to keep the whole image.
	Crop *Crop
}

// check refuses a crop that no image has.
func (n *NewImage) check() error {
	if n == nil || n.Crop == nil {
		return nil
	}
	ul, lr := n.Crop.UpperLeft, n.Crop.LowerRight
	for _, c := range []struct {
		corner, axis string
		value        int
	}{{"upperLeft", "x", ul.X}, {"upperLeft", "y", ul.Y}, {"lowerRight", "x", lr.X}, {"lowerRight", "y", lr.Y}} {
		if c.value < 0 {
			return refusal.Invalidf("Image crop %s.%s cannot be negative", c.corner, c.axis)
		}
	}
	for _, c := range []struct {
		axis     string
		from, to int
	}{{"x", ul.X, lr.X}, {"y", ul.Y, lr.Y}} {
		if c.from >= c.to {
			return refusal.Invalidf("Image crop lowerRight.%[1]s must be strictly greater than upperLeft.%[1]s", c.axis)
		}
	}
	return nil
}

// image returns what is stored about the image from the start, or nil if the client said
// nothing.
func (n *NewImage) image() *PostImage {
	if n == nil {
		return nil
	}
	return &PostImage{TakenInReal: n.TakenInReal, Format: n.Format, OriginalFormat: n.OriginalFormat, Crop: n.Crop}
}

// PostImage is what is stored about a post's image: the client's description, and the
// result of processing it.
type PostImage struct {
	TakenInReal    *bool       `dynamo:"takenInReal"`
	Format         ImageFormat `dynamo:"imageFormat"`
	OriginalFormat string      `dynamo:"originalFormat"`
	Crop           *Crop       `dynamo:"crop"`

	// Width and Height are the displayed size; zero until the image has been processed.
	Width  int `dynamo:"width"`
	Height int `dynamo:"height"`
	// Colors has five dominant colors, or nil if there are none.
	Colors []Color `dynamo:"colors"`
}

// Is reports whether the image has the given format. JPEG is the default if the client said
// nothing.
func (i *PostImage) Is(format ImageFormat) bool {
	if i == nil {
		return format == ImageJPEG
	}
	return cmp.Or(i.Format, ImageJPEG) == format
}

// Verdict reports whether the image counts as a camera original without external
// verification: the client says so, or the format is one that cameras write.
func (i *PostImage) Verdict() bool {
	return i.Is(ImageHEIC) || i != nil && On(i.TakenInReal)
}

// Made returns the image after processing.
func (i *PostImage) Made(m MadeImage) *PostImage {
	made := optional.Or(i, PostImage{})
	made.Width, made.Height, made.Colors = m.Width, m.Height, m.Colors
	return &made
}

// MadeImage is the result of processing an image.
type MadeImage struct {
	Width, Height int
	// Colors has five dominant colors, or nil if there are none.
	Colors []Color
	// Checksum is a hash of the file, in lower-case hexadecimal.
	Checksum string
}

// Image is an image as clients see it: the URLs of its sizes and, for the image of a post,
// its size and colors.
type Image struct {
	URL, URL64p, URL480p, URL1080p, URL4k string
	Width, Height                         *int
	Colors                                []Color
}
