package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/systems/archive"
)

// A collection of posts. Listed by folded name.
var collections = keyspec.Define[collectionItem](Archive, keyspec.Row{
	Key: keyspec.K("{ID}", "collection"), On: keyspec.Indexes{BySort: keyspec.K("collection", "{foldedName}")},
})

type collectionItem struct {
	archive.Collection
	Key        string `dynamo:"ID,keyonly"`
	FoldedName string `dynamo:"foldedName,keyonly"`
	StoredType string `dynamo:"collection_type"`
}

// storedTypes are the stored forms of collection types.
var storedTypes = names[archive.CollectionType]{archive.Records: "Records", archive.Catalog: "Catalog"}

func collectionKey(id archive.ID) keyspec.Key { return collections.Key(id.String()) }

func collectionItemOf(c *archive.Collection) collectionItem {
	i := collectionItem{*c, c.ID.String(), archive.Fold(c.Name), storedTypes.stored(c.Type)}
	// The lists are stored even if they are empty.
	i.Fields, i.Mappings = append([]archive.CollectionField{}, c.Fields...), append([]archive.CollectionMapping{}, c.Mappings...)
	return i
}

func (i *collectionItem) collection() *archive.Collection {
	i.ID, i.Type = idOf(i.Key), storedTypes.noun(i.StoredType)
	return &i.Collection
}
