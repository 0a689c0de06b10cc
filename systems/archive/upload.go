package archive

import (
	"slices"
	"time"
)

// StoredUpload is what is stored of an upload from its ticket on. Uploads whose tickets are
// from earlier versions have none.
type StoredUpload struct {
	Key string
	// Posts contains the posts that refer to it, and those that have stopped doing so lately.
	Posts []ID
	// UnusedSince is zero if posts refer to it.
	UnusedSince time.Time
	// Deleting is set while the file is being deleted. A post can no longer refer to it.
	Deleting bool
}

// UnusedLife is how long uploads are kept that no post refers to.
const UnusedLife = 24 * time.Hour

// MaxReferred is the maximum number of uploads to which one change of a post adds
// references, all in its transaction.
const MaxReferred = 90

// Without returns the upload after a post has stopped referring to it. If there is no other
// post, the upload is to be deleted.
func (u StoredUpload) Without(post ID, now time.Time) *StoredUpload {
	u.Posts = slices.DeleteFunc(slices.Clone(u.Posts), func(id ID) bool { return id == post })
	if len(u.Posts) == 0 {
		u.Deleting = true
		if u.UnusedSince.IsZero() {
			u.UnusedSince = now.UTC()
		}
	}
	return &u
}

// Referable returns the keys of those uploads of which something is stored. It fails if one
// is being deleted, or if there are too many.
func Referable(keys []string, stored map[string]*StoredUpload) (known []string, err error) {
	for _, key := range keys {
		switch u := stored[key]; {
		case u == nil:
		case u.Deleting:
			return nil, badInput("INVALID_KEY", "%s is being deleted, as no post referred to it: upload the file again", key)
		default:
			known = append(known, key)
		}
	}
	if len(known) > MaxReferred {
		return nil, limit("TOO_MANY_UPLOADS", "One call adds at most %d uploads to a post, not %d: add the others with updatePost", MaxReferred, len(known))
	}
	return known, nil
}
