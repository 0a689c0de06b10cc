package store

import (
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/systems/archive"
)

// An upload, from its ticket on. Listed by time while no post refers to it.
var uploads = keyspec.Define[uploadItem](Archive, keyspec.Row{
	Key: keyspec.K("upload#{Key}", "upload"), On: keyspec.Indexes{BySort: keyspec.K("upload", "{unused_since}")},
})

type uploadItem struct {
	Key         string      `dynamo:"Key,keyonly"`
	Posts       keyspec.Set `dynamo:"posts"`
	UnusedSince time.Time   `dynamo:"unused_since"`
	Deleting    bool        `dynamo:"deleting"`
}

func uploadKey(key string) keyspec.Key { return uploads.Key(key) }

func uploadItemOf(u *archive.StoredUpload) uploadItem {
	i := uploadItem{Key: u.Key, UnusedSince: u.UnusedSince, Deleting: u.Deleting}
	for _, id := range u.Posts {
		i.Posts = append(i.Posts, id.String())
	}
	return i
}

func (i *uploadItem) upload() *archive.StoredUpload {
	u := &archive.StoredUpload{Key: i.Key, UnusedSince: i.UnusedSince, Deleting: i.Deleting}
	for _, id := range i.Posts {
		u.Posts = append(u.Posts, idOf(id))
	}
	return u
}
