package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/systems/archive"
)

// Broken reads everything and returns violations of the invariants between items, beyond
// those of keys and counters, which keyspec's Verify checks. Concurrent writes, and the
// rest of a post that is being loaded or deleted, may be reported as false positives.
func Broken(ctx context.Context, db *keyspec.DB, _ time.Time) ([]keyspec.Flaw, error) {
	c := &census{
		kinds: map[archive.ID]string{}, categories: map[archive.ID]*archive.Category{}, guards: map[string]archive.ID{},
		collections: map[archive.ID]*archive.Collection{}, posts: map[archive.ID]*archive.Post{}, records: map[archive.ID]*archive.Record{},
		identities: map[string]archive.ID{}, uploads: map[string]*archive.StoredUpload{},
	}
	err := db.Walk(ctx,
		sequence.Each(func(i sequenceItem) { c.last = archive.ID(i.Value) }),
		categories.Each(func(i categoryItem) {
			c.is("category", i.category().ID)
			c.categories[i.ID] = &i.Category
			c.listed("category", i.Key, i.FoldedName, archive.Fold(i.Name))
		}),
		categoryNames.Each(func(i categoryNameItem) { c.guards[i.FoldedName] = i.CategoryID }),
		collections.Each(func(i collectionItem) {
			c.is("collection", i.collection().ID)
			c.collections[i.ID] = &i.Collection
			c.listed("collection", i.Key, i.FoldedName, archive.Fold(i.Name))
		}),
		links.Each(func(i linkItem) {
			c.links = append(c.links, i)
			c.listed("link of collection", i.CollectionID, i.PaddedID, idOf(i.CollectionID).Padded())
		}),
		posts.Each(func(i postItem) {
			c.is("post", idOf(i.ID))
			c.posts[idOf(i.ID)] = i.post()
		}),
		records.Each(func(i recordItem) {
			c.is("record", i.record().ID)
			c.records[i.ID] = &i.Record
			c.listed("record", i.Key, i.PaddedID, i.ID.Padded())
		}),
		households.Each(func(i householdItem) {
			c.households = append(c.households, i.household())
			c.listed("household of post", i.PostKey, i.PaddedPostID, i.PostID.Padded())
		}),
		places.Each(func(i placeItem) {
			c.is("place", i.place().ID)
			c.places = append(c.places, i)
		}),
		users.Each(func(i userItem) {
			c.is("user", i.user().ID)
			c.users = append(c.users, i)
		}),
		uploads.Each(func(i uploadItem) { c.uploads[i.Key] = i.upload() }),
		userKeys.Each(func(i userKeyItem) { c.identities[i.Identity] = i.UserID }),
	)
	if err != nil {
		return nil, err
	}
	c.checkCategories()
	c.checkPosts()
	c.checkUploads()
	c.checkHouseholds()
	c.checkPlaces()
	c.checkUsers()
	slices.SortFunc(c.broken, func(a, b keyspec.Flaw) int { return strings.Compare(a.Text, b.Text) })
	return c.broken, nil
}

// census contains everything stored.
type census struct {
	last archive.ID
	// kinds are the kinds of things by id.
	kinds       map[archive.ID]string
	categories  map[archive.ID]*archive.Category
	guards      map[string]archive.ID
	collections map[archive.ID]*archive.Collection
	links       []linkItem
	posts       map[archive.ID]*archive.Post
	records     map[archive.ID]*archive.Record
	households  []*archive.Household
	places      []placeItem
	users       []userItem
	identities  map[string]archive.ID
	uploads     map[string]*archive.StoredUpload

	broken []keyspec.Flaw
}

func (c *census) breaks(format string, args ...any) {
	c.broken = append(c.broken, keyspec.Flaw{Text: fmt.Sprintf(format, args...)})
}

// is records the kind of thing with an id. Ids are unique among all kinds, and come from
// the sequence, except for those of places.
func (c *census) is(kind string, id archive.ID) {
	if other := c.kinds[id]; other != "" {
		c.breaks("%s is the id of a %s and a %s", id, other, kind)
	}
	c.kinds[id] = kind
	if (kind == "place") != (id <= archive.MaxPlaceID) {
		c.breaks("%s is no id of a %s", id, kind)
	}
}

// listed checks that something is where lists and prefixes find it.
func (c *census) listed(kind, id, at, want string) {
	if at != want {
		c.breaks("%s %s is listed at %q, not at %q", kind, id, at, want)
	}
}

// checkCategories checks that links match the collections, that names are reserved, and
// that ids were allocated.
func (c *census) checkCategories() {
	for id, kind := range c.kinds {
		if kind != "place" && id > c.last {
			c.breaks("%s %s is beyond the sequence, which is at %s", kind, id, c.last)
		}
	}
	for id, category := range c.categories {
		if c.guards[archive.Fold(category.Name)] != id {
			c.breaks("category %s is not guarded by its name", id)
		}
	}
	for name, id := range c.guards {
		if category := c.categories[id]; category == nil || archive.Fold(category.Name) != name {
			c.breaks("name %q is guarded for category %s, which is not called so", name, id)
		}
	}
	linked := map[archive.ID][]archive.ID{}
	for _, l := range c.links {
		collection, category := idOf(l.CollectionID), idOf(l.CategoryID)
		linked[collection] = append(linked[collection], category)
		if c.categories[category] == nil || c.collections[collection] == nil {
			c.breaks("collection %s is linked to category %s, and one is gone", collection, category)
		}
	}
	for id, collection := range c.collections {
		want, got := slices.Sorted(slices.Values(collection.CategoryIDs)), slices.Sorted(slices.Values(linked[id]))
		if !slices.Equal(want, got) {
			c.breaks("collection %s has categories %v and links to %v", id, want, got)
		}
	}
}

// checkPosts checks that parents exist.
func (c *census) checkPosts() {
	for id, p := range c.posts {
		if c.collections[p.CollectionID] == nil {
			c.breaks("post %s is of collection %s, which is gone", id, p.CollectionID)
		}
	}
	for id, r := range c.records {
		if c.posts[r.PostID] == nil {
			c.breaks("record %s is of post %s, which is gone", id, r.PostID)
		}
	}
}

// checkUploads checks that uploads know the posts that refer to them, and that those without
// posts are listed as unused.
func (c *census) checkUploads() {
	for id, p := range c.posts {
		for _, key := range p.Keys() {
			if u := c.uploads[key]; u != nil && (u.Deleting || !slices.Contains(u.Posts, id)) {
				c.breaks("post %s refers to upload %s, which does not know it", id, key)
			}
		}
	}
	for key, u := range c.uploads {
		if (len(u.Posts) == 0) == u.UnusedSince.IsZero() {
			c.breaks("upload %s of posts %v is unused since %s", key, u.Posts, archive.FormatTime(u.UnusedSince))
		}
	}
}

// checkHouseholds checks that listed records exist, belong to the same post, and are in at
// most one household, which they refer to.
func (c *census) checkHouseholds() {
	in := map[archive.ID]string{}
	for _, h := range c.households {
		if c.posts[h.PostID] == nil {
			c.breaks("household %s is of post %s, which is gone", h.Number, h.PostID)
		}
		if len(h.RecordIDs) == 0 {
			c.breaks("household %s of post %s is empty", h.Number, h.PostID)
		}
		for _, id := range h.RecordIDs {
			r := c.records[id]
			switch {
			case r == nil || r.PostID != h.PostID:
				c.breaks("household %s of post %s has record %s, which is not of the post", h.Number, h.PostID, id)
			case r.Household != h.Number:
				c.breaks("household %s of post %s has record %s, which knows of %q", h.Number, h.PostID, id, r.Household)
			}
			if other, twice := in[id]; twice {
				c.breaks("record %s is in households %s and %s", id, other, h.Number)
			}
			in[id] = h.Number
		}
	}
}

// checkPlaces checks that the partitions are those of the full names.
func (c *census) checkPlaces() {
	for _, p := range c.places {
		if lower := p.place().Lower(); p.LowerName != lower || p.Beginning != archive.PlacePartition(lower) {
			c.breaks("place %s is called %q and listed as %q in %q", p.ID, p.FullName, p.LowerName, p.Beginning)
		}
	}
}

// checkUsers checks that each identity has one user.
func (c *census) checkUsers() {
	for _, u := range c.users {
		if id := c.identities[u.Identity]; id != u.ID {
			c.breaks("user %s is of %s, which is of user %s", u.ID, u.Identity, id)
		}
		delete(c.identities, u.Identity)
	}
	for identity, id := range c.identities {
		c.breaks("%s is of user %s, who is gone or another's", identity, id)
	}
}
