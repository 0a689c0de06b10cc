package social

import (
	"crypto/md5" // names what is on the art, against nobody
	"encoding/hex"
	"hash"
	"io"
)

// MaxOnArt is how many posts the art of an album shows at most.
const MaxOnArt = 16

// ArtHash names the art of an album on which these posts are, in their order; "" for the
// default art of an album without any.
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

// AlbumFiles is the directory of all files of an album.
func AlbumFiles(owner UserID, id AlbumID) string { return string(owner) + "/album/" + string(id) }

// AlbumArtFiles is the directory of the sizes of an album's art.
func AlbumArtFiles(owner UserID, id AlbumID, artHash string) string {
	return AlbumFiles(owner, id) + "/" + artHash
}

// ArtFiles is the directory of the sizes of the album's art, "" for the default art.
func (s *SeenAlbum) ArtFiles() string {
	if s.album.ArtHash == "" {
		return ""
	}
	return AlbumArtFiles(s.album.OwnedByUserID, s.album.AlbumID, s.album.ArtHash)
}
