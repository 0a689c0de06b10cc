package media

import (
	"context"

	"stoa/internal/media/renditions"
	"stoa/social"
)

// PostImage returns a post's image as the viewer sees it, or nil.
func (s *Service) PostImage(p *social.SeenPost) *social.Image {
	about, shown := p.ImageShown()
	if !shown {
		return nil
	}
	shownImage := s.At(p.Files() + "/image")
	if about != nil && about.Width > 0 {
		shownImage.Width, shownImage.Height, shownImage.Colors = &about.Width, &about.Height, about.Colors
	}
	return shownImage
}

// At returns the image whose sizes are stored in a directory.
func (s *Service) At(files string) *social.Image {
	return imageOf(renditions.Signed(s.Links, files))
}

func imageOf(urls renditions.URLs) *social.Image {
	return &social.Image{URL: urls.Native, URL64p: urls.P64, URL480p: urls.P480, URL1080p: urls.P1080, URL4k: urls.K4}
}

// Upload returns the URL for uploading a file to a location, or nil for none.
func (s *Service) Upload(place string) *string {
	if place == "" {
		return nil
	}
	url := s.Links.Upload(place)
	return &url
}

// ShownVideo returns a post's video as the viewer sees it, or nil.
func (s *Service) ShownVideo(ctx context.Context, p *social.SeenPost) (*social.Video, error) {
	if !p.VideoShown() {
		return nil, nil
	}
	playlist, prefix := p.VideoFiles()
	signer, err := s.Cookies(ctx)
	if err != nil {
		return nil, err
	}
	cookies, err := signer.Sign(prefix)
	if err != nil {
		return nil, err
	}
	return &social.Video{
		URLMasterM3U8: s.Links.Plain(playlist),
		AccessCookies: social.CloudFrontAccessCookies{
			Domain: cookies.Domain, Path: cookies.Path, ExpiresAt: cookies.ExpiresAt,
			Policy: cookies.Policy, Signature: cookies.Signature, KeyPairID: cookies.KeyPairID,
		},
	}, nil
}
