package store

import (
	"context"
	"io"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stored"
	"stoa/systems/pantry"
)

// Store is the store of all households.
type Store struct {
	Users      *Users
	Groups     *Groups
	Containers *Containers
	Links      *Links
	Categories *Categories
}

// Open returns the store. db must contain Pantry and the table of the outbox.
func Open(db *keyspec.DB) *Store {
	r := Reader{db}
	return &Store{
		Users:      &Users{r},
		Groups:     &Groups{r},
		Containers: &Containers{r},
		Links:      &Links{r},
		Categories: &Categories{r},
	}
}

// Reader implements reads that several parts of the store share.
type Reader struct{ db *keyspec.DB }

// Facts reads things consistently in one call.
func (r Reader) Facts(ctx context.Context, w pantry.Wanted) (*pantry.Facts, error) {
	b := r.db.NewBatch()
	someUsers := users.FetchEach(b, len(w.Users), func(i int) keyspec.Key { return userKey(w.Users[i]) })
	someGroups := groups.FetchEach(b, len(w.Groups), func(i int) keyspec.Key { return groupKey(w.Groups[i]) })
	someContainers := containers.FetchEach(b, len(w.Containers), func(i int) keyspec.Key { return containerKey(w.Containers[i]) })
	someCodes := linkCodes.FetchEach(b, len(w.Codes), func(i int) keyspec.Key { return linkCodeKey(w.Codes[i]) })
	someLinks := joinLinks.FetchEach(b, len(w.Links), func(i int) keyspec.Key { return joinLinkKey(w.Links[i]) })
	var lists keyspec.Fetched[categoriesItem]
	if w.Categories {
		lists = categories.Fetch(b, categories.Key())
	}
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	f := &pantry.Facts{
		Users:      stored.Found(someUsers, w.Users, stored.Same),
		Groups:     stored.Found(someGroups, w.Groups, stored.Same),
		Containers: make(map[pantry.ContainerID]*pantry.Container, len(w.Containers)),
		Codes:      stored.Found(someCodes, w.Codes, func(i *linkCodeItem) pantry.LinkRef { return pantry.LinkRef{GroupID: i.GroupRef, Key: i.LinkSK} }),
		Links:      stored.Found(someLinks, w.Links, (*joinLinkItem).link),
	}
	for i, id := range w.Containers {
		if item := someContainers.At(i); item != nil {
			c, err := item.container()
			if err != nil {
				return nil, err
			}
			f.Containers[id] = c
		}
	}
	if w.Categories {
		f.Categories = lists.At(0).categories()
	}
	return f, nil
}

const schemaHead = `<!-- Generated from the declarations in this package: go test ./systems/pantry/store -run Schema -update -->

# Tables

The name of the table is preceded by the table prefix of the deployment. Partition keys
are bare ids. Attributes are strings unless marked otherwise; names ending in At or
Datetime are times in UTC with three fractional digits. Names in braces that are not
attributes are stored only in the key.

`

// WriteSchema writes the design of the table, as derived from the declarations.
func WriteSchema(w io.Writer) error { return keyspec.PrintAll(w, schemaHead, Pantry) }
