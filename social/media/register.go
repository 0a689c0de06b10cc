package media

import (
	"stoa/internal/area"
	"stoa/internal/media/stock"
	"stoa/social"
)

// URL paths of files that anybody may read.
const (
	placeholderPath = "/placeholder-photos"
	// defaultArtPath is the path of the art of empty albums.
	defaultArtPath = "/default-album-art"
)

// Register registers the handlers of files.
func (s *Service) Register(r *area.Registry) {
	for pattern, handler := range s.Serve(Receiver{s.Posts}, social.IsVideoFile) {
		r.Mount(pattern, handler)
	}
	r.Mount(defaultArtPath+"/", &stock.DefaultArt{Processor: s.Pictures, Log: s.Log})
	if s.PlaceholderPhotos != nil {
		r.Mount(placeholderPath+"/", s.PlaceholderPhotos)
	}
}
