package socialtest

import "fmt"

// Album adds an empty album, whose name is "name of " and its id.
func (g Given) Album(owner, id string) Given {
	return g.Does(owner, `mutation { addAlbum(albumId: %q, name: %q) { albumId } }`, id, "name of "+id)
}

// IntoAlbum moves a post into an album, or out of its album if albumID is "".
func (g Given) IntoAlbum(owner, postID, albumID string) Given {
	return g.Does(owner, `mutation { editPostAlbum(postId: %q, albumId: %q) { postId } }`, postID, albumID)
}

// DeleteAlbum deletes an album.
func (g Given) DeleteAlbum(owner, id string) Given {
	return g.Does(owner, `mutation { deleteAlbum(albumId: %q) { albumId } }`, id)
}

// Restore restores an archived post.
func (g Given) Restore(owner, id string) Given {
	return g.Does(owner, `mutation { restoreArchivedPost(postId: %q) { postId } }`, id)
}

// InAlbum returns an argument of addPost.
func InAlbum(id string) string { return fmt.Sprintf("albumId: %q", id) }
