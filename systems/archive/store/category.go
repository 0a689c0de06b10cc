package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/systems/archive"
)

// A category of collections. Listed by folded name.
var categories = keyspec.Define[categoryItem](Archive, keyspec.Row{
	Key: keyspec.K("{ID}", "category"), On: keyspec.Indexes{BySort: keyspec.K("category", "{foldedName}")},
})

type categoryItem struct {
	archive.Category
	Key        string `dynamo:"ID,keyonly"`
	FoldedName string `dynamo:"foldedName,keyonly"`
}

// Reserves the name of a category.
var categoryNames = keyspec.Define[categoryNameItem](Archive, keyspec.Row{Key: keyspec.K("categoryName#{foldedName}", "categoryName")})

type categoryNameItem struct {
	FoldedName string     `dynamo:"foldedName,keyonly"`
	CategoryID archive.ID `dynamo:"category_id"`
}

// The link of a collection to a category. Listed by collection.
var links = keyspec.Define[linkItem](Archive, keyspec.Row{
	Key: keyspec.K("{CollectionID}", "collection_category#{CategoryID}"),
	On:  keyspec.Indexes{BySort: keyspec.K("collection_category#{CategoryID}", "{paddedID}")},
})

type linkItem struct {
	CollectionID string `dynamo:"CollectionID,keyonly"`
	CategoryID   string `dynamo:"CategoryID,keyonly"`
	PaddedID     string `dynamo:"paddedID,keyonly"`
}

// linkCounts are counters on the category.
var linkCounts = keyspec.Count(links, keyspec.Counters[linkItem]{
	{Attribute: "CollectionCount", Owner: func(l *linkItem) keyspec.Key { return categories.Key(l.CategoryID) }},
})

func categoryKey(id archive.ID) keyspec.Key { return categories.Key(id.String()) }

func linkOf(collection, category archive.ID) linkItem {
	return linkItem{CollectionID: collection.String(), CategoryID: category.String(), PaddedID: collection.Padded()}
}

func categoryItemOf(c *archive.Category) categoryItem {
	return categoryItem{*c, c.ID.String(), archive.Fold(c.Name)}
}

func categoryNameOf(c *archive.Category) categoryNameItem {
	return categoryNameItem{archive.Fold(c.Name), c.ID}
}

func (i *categoryItem) category() *archive.Category {
	i.ID = idOf(i.Key)
	return &i.Category
}
