package social

import (
	"crypto/md5" // identifies content; collisions harm nobody
	"encoding/hex"
	"hash"
	"io"
)

// MaxOnArt is the maximum number of posts shown on an album's art.
const MaxOnArt = 16

// ArtHash identifies the art made of these posts, in this order. It is "" for the default
// art, which has no posts.
func ArtHash(posts []PostID) string {
	if len(posts) == 0 {
		return ""
	}
	var sum hash.Hash = md5.New()
	for _, id := range posts {
		_, _ = io.WriteString(sum, string(id)) // never fails
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// AlbumFiles returns the directory of an album's files.
func AlbumFiles(owner UserID, id AlbumID) string { return string(owner) + "/album/" + string(id) }

// AlbumArtFiles returns the directory that holds an album's art in all sizes.
func AlbumArtFiles(owner UserID, id AlbumID, artHash string) string {
	return AlbumFiles(owner, id) + "/" + artHash
}

// ArtFiles returns the directory that holds the album's art in all sizes, or "" for the
// default art.
func (s *SeenAlbum) ArtFiles() string {
	if s.album.ArtHash == "" {
		return ""
	}
	return AlbumArtFiles(s.album.OwnedByUserID, s.album.AlbumID, s.album.ArtHash)
}
