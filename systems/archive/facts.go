package archive

import (
	"context"

	"stoa/internal/kit/page"
)

// Wanted lists things to be read together, consistently.
type Wanted struct {
	Users       []ID
	Categories  []ID
	Collections []ID
	Posts       []ID
	Records     []RecordRef
	Households  []HouseholdRef
	// Uploads are keys of uploads.
	Uploads []string
	// Settings requests the settings.
	Settings bool
}

// Facts contains those wanted things that exist.
type Facts struct {
	Users       map[ID]*User
	Categories  map[ID]*Category
	Collections map[ID]*Collection
	Posts       map[ID]*Post
	Records     map[RecordRef]*Record
	Households  map[HouseholdRef]*Household
	Uploads     map[string]*StoredUpload
	// Settings are the initial settings if they were never saved.
	Settings *Settings
}

// FactReader reads facts.
type FactReader interface {
	// Facts never returns nil facts, not even with an error.
	Facts(ctx context.Context, w Wanted) (*Facts, error)
}

// PostLister lists posts.
type PostLister interface {
	// All returns all posts by collection, OfCollection those of one.
	All(ctx context.Context, q page.Query) (page.Page[*Post], error)
	OfCollection(ctx context.Context, id ID, q page.Query) (page.Page[*Post], error)
}

// CollectionLister lists the collections of categories.
type CollectionLister interface {
	// CollectionIDs returns the collections of a category ordered by id.
	CollectionIDs(ctx context.Context, category ID, q page.Query) (page.Page[ID], error)
}

// HouseholdFinder finds households by their number.
type HouseholdFinder interface {
	// HouseholdsNumbered returns the households with a number ordered by post.
	HouseholdsNumbered(ctx context.Context, number string, q page.Query) (page.Page[*Household], error)
}

// ContentWiper deletes the content of posts.
type ContentWiper interface {
	// Wipe deletes a part of a post's content. It returns the number of records in it and
	// whether there may be more.
	Wipe(ctx context.Context, post ID) (records int, more bool, err error)
}

// Numberer allocates ids.
type Numberer interface {
	// NewID allocates one id, Allocate n consecutive ones.
	NewID(ctx context.Context) (ID, error)
	Allocate(ctx context.Context, n int) (IDRange, error)
}

// Ordered returns things in the order of ids, omitting those that were not found.
func Ordered[K comparable, T any](ids []K, found map[K]*T) []*T {
	all := make([]*T, 0, len(ids))
	for _, id := range ids {
		if t := found[id]; t != nil {
			all = append(all, t)
		}
	}
	return all
}
