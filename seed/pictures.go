package seed

import (
	"bytes"
	"context"
	"encoding/base64"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"

	"stoa/social"
)

// Pictures stores the images of posts, photos and albums; see package media.
type Pictures interface {
	Inline(ctx context.Context, p *social.Post, image *social.PostImage, data string) (social.MadeImage, error)
	KeepPhoto(ctx context.Context, owner social.UserID, post social.PostID) error
	Used(n int) int
	MakeArt(ctx context.Context, a *social.Album, artHash string, posts []*social.Post) error
}

// The first painters people have images, at most paintings each, in one of paintedPost
// posts. More would take longer to draw than all the rest.
const (
	painters    = 100
	paintings   = 3
	paintedPost = 3
)

// Size of an image in pixels.
const paintedWidth, paintedHeight = 640, 480

// paint gives images to some posts of person i, oldest first. The first one also becomes
// their photo. It returns the information stored about the images, by post.
func (w *writer) paint(ctx context.Context, i int, posts []written) (map[social.PostID]*social.PostImage, error) {
	if !w.paints(i) {
		return nil, nil
	}
	r := w.random(i, ofPictures)
	painted := map[social.PostID]*social.PostImage{}
	for k := 0; k < len(posts) && len(painted) < paintings; k += paintedPost {
		p := &posts[k].post
		about, err := w.picture(ctx, r, p)
		if err != nil {
			return nil, err
		}
		painted[p.PostID] = about
		if len(painted) == 1 {
			if err := w.pictures.KeepPhoto(ctx, p.PostedByUserID, p.PostID); err != nil {
				return nil, err
			}
			w.photos[i] = p.PostID
		}
	}
	return painted, nil
}

// paints reports whether person i has images.
func (w *writer) paints(i int) bool { return w.pictures != nil && i < painters }

// picture gives an image to a post, and returns the information stored about it.
func (w *writer) picture(ctx context.Context, r *rand.Rand, p *social.Post) (*social.PostImage, error) {
	taken := true
	about := &social.PostImage{TakenInReal: &taken, Format: social.ImageJPEG}
	var file bytes.Buffer
	if err := jpeg.Encode(&file, landscape(r), &jpeg.Options{Quality: 85}); err != nil {
		return nil, err
	}
	made, err := w.pictures.Inline(ctx, p, about, base64.StdEncoding.EncodeToString(file.Bytes()))
	if err != nil {
		return nil, err
	}
	p.Type = social.ImagePost
	*p = *p.WithImage(made.Checksum, about.Verdict(), "")
	return about.Made(made), nil
}

// landscape returns a drawing of hills under a sky with a sun or a moon.
func landscape(r *rand.Rand) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, paintedWidth, paintedHeight))
	hue := r.Float64()
	above, below, light := tint(hue, 0.35), tint(hue+0.12, 0.85), tint(hue+0.5, 0.95)
	x0, y0, radius := r.Float64()*paintedWidth, (0.15+0.4*r.Float64())*paintedHeight, 20+40*r.Float64()
	type hill struct {
		ridge [paintedWidth]float64 // by column
		color color.RGBA
	}
	var hills [3]hill
	for k := range hills {
		depth := float64(k+1) / 3
		base, height, length, phase := (0.5+0.3*depth)*paintedHeight, 20+50*r.Float64(), 60+120*r.Float64(), 6*r.Float64()
		for x := range hills[k].ridge {
			hills[k].ridge[x] = base + height*math.Sin(float64(x)/length+phase)
		}
		hills[k].color = mix(tint(hue+0.7, 0.05), below, 0.5-0.4*depth)
	}
	for y := range paintedHeight {
		sky := mix(above, below, float64(y)/paintedHeight)
		for x := range paintedWidth {
			at := sky
			if dx, dy := float64(x)-x0, float64(y)-y0; dx*dx+dy*dy < radius*radius {
				at = light
			}
			for k := range hills {
				if float64(y) > hills[k].ridge[x] {
					at = hills[k].color
				}
			}
			m.SetRGBA(x, y, at)
		}
	}
	return m
}

// tint returns the colour of a lightness and a hue, which wraps around at 1.
func tint(hue, lightness float64) color.RGBA {
	part := func(shift float64) uint8 {
		return uint8(255 * lightness * (0.6 + 0.4*math.Cos(2*math.Pi*(hue+shift))))
	}
	return color.RGBA{part(0), part(1.0 / 3), part(2.0 / 3), 255}
}

func mix(a, b color.RGBA, t float64) color.RGBA {
	part := func(a, b uint8) uint8 { return uint8(float64(a)*(1-t) + float64(b)*t) }
	return color.RGBA{part(a.R, b.R), part(a.G, b.G), part(a.B, b.B), 255}
}
