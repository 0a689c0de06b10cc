package social

import "stoa/internal/kit/refusal"

// ImageFormat is the kind of file that an image is sent as.
type ImageFormat string

const (
	// ImageJPEG stands for JPEG and whatever else is shown as it is, such as PNG.
	ImageJPEG ImageFormat = "JPEG"
	ImageHEIC ImageFormat = "HEIC"
)

// Point is a place in an image, in pixels from its top-left corner.
type Point struct{ X, Y int }

// Crop is the part of an image that is kept: its top-left corner, and the first pixel
// beyond its bottom-right corner.
type Crop struct{ UpperLeft, LowerRight Point }

// Color is one of the colours that stand for an image, 0 to 255 in each part.
type Color struct{ R, G, B int }

// NewImage is what a client says about the image of a post to be published.
type NewImage struct {
	// TakenInReal is nil when the client did not say.
	TakenInReal *bool
	// Format is what the data are, whether they come with the post or afterwards.
	Format         ImageFormat
	OriginalFormat string
	// OriginalMetadata is kept as it came.
	OriginalMetadata string
	// Data is the image in base64, empty for one that is uploaded afterwards.
	Data string
	// Crop is nil to keep all of the image.
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

// image is what is stored beside the post from the start, nil when nothing was said.
func (n *NewImage) image() *PostImage {
	if n == nil {
		return nil
	}
	return &PostImage{TakenInReal: n.TakenInReal, Format: n.Format, OriginalFormat: n.OriginalFormat, Crop: n.Crop}
}

// PostImage is what is stored about the image of a post: what its client said, and how
// it turned out.
type PostImage struct {
	TakenInReal    *bool
	Format         ImageFormat
	OriginalFormat string
	Crop           *Crop

	// Width and Height are those shown, zero until the image is processed.
	Width, Height int
	// Colors are five, or nil for an image without any to speak of.
	Colors []Color
}

// Is reports whether the image is sent in a format. A post about whose image nothing was
// said takes JPEG.
func (i *PostImage) Is(format ImageFormat) bool {
	if i == nil {
		return format == ImageJPEG
	}
	return orElse(i.Format, ImageJPEG) == format
}

// Verdict is whether the image counts as what its camera took, as far as that can be told
// without asking anybody: its client says so, or it is a format that cameras write.
func (i *PostImage) Verdict() bool {
	return i.Is(ImageHEIC) || i != nil && On(i.TakenInReal)
}

// Made returns the image as it turned out.
func (i *PostImage) Made(m MadeImage) *PostImage {
	made := PostImage{}
	if i != nil {
		made = *i
	}
	made.Width, made.Height, made.Colors = m.Width, m.Height, m.Colors
	return &made
}

// MadeImage is what processing finds out about an image.
type MadeImage struct {
	Width, Height int
	// Colors are five, or nil when there are none to speak of.
	Colors []Color
	// Checksum is the same for the same bytes, in lower-case hexadecimal.
	Checksum string
}

// Image is an image as clients read it: addresses of its sizes, and for the image of a
// post its size and colours.
type Image struct {
	URL, URL64p, URL480p, URL1080p, URL4k string
	Width, Height                         *int
	Colors                                []Color
}
