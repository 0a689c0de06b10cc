package store

import (
	"cmp"
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
	b, f := stored.NewBatch(r.db), &pantry.Facts{}
	var broken error
	container := func(i *containerItem) *pantry.Container {
		c, err := i.container()
		broken = cmp.Or(broken, err)
		return c
	}
	stored.Into(b, &f.Users, users, w.Users, userKey, stored.Same)
	stored.Into(b, &f.Groups, groups, w.Groups, groupKey, stored.Same)
	stored.Into(b, &f.Containers, containers, w.Containers, containerKey, container)
	stored.Into(b, &f.Codes, linkCodes, w.Codes, linkCodeKey, func(i *linkCodeItem) pantry.LinkRef { return pantry.LinkRef{GroupID: i.GroupRef, Key: i.LinkSK} })
	stored.Into(b, &f.Links, joinLinks, w.Links, joinLinkKey, (*joinLinkItem).link)
	var lists keyspec.Fetched[categoriesItem]
	if w.Categories {
		lists = categories.Fetch(b.Batch, categories.Key())
	}
	if err := b.Run(ctx); err != nil || broken != nil {
		return f, cmp.Or(err, broken)
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
