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
	ID                 string        `dynamo:"ID,keyonly"`
	FoldedName         string        `dynamo:"foldedName,keyonly"`
	Name               string        `dynamo:"name"`
	Location           *string       `dynamo:"location"`
	Type               string        `dynamo:"collection_type"`
	Fields             []fieldItem   `dynamo:"fields"`
	Mappings           []mappingItem `dynamo:"mappings"`
	CitationTemplate   *string       `dynamo:"citation_template"`
	ImagePathHeader    *string       `dynamo:"image_path_header"`
	HouseholdHeader    *string       `dynamo:"household_number_header"`
	RelationshipHeader *string       `dynamo:"household_relationship_header"`
	GenderHeader       *string       `dynamo:"gender_header"`
	PrivacyLevel       int           `dynamo:"privacy_level,zero"`
	Categories         []archive.ID  `dynamo:"categories"`
	PostCount          int           `dynamo:"PostCount,zero"`
	stamps
}

type fieldItem struct {
	Header string `dynamo:"header"`
}

type mappingItem struct {
	Header  string  `dynamo:"header"`
	DBField string  `dynamo:"dbField"`
	IxRole  *string `dynamo:"ixRole"`
	IxField *string `dynamo:"ixField"`
}

// storedTypes are the stored forms of collection types.
var storedTypes = names[archive.CollectionType]{archive.Records: "Records", archive.Catalog: "Catalog"}

func collectionKey(id archive.ID) keyspec.Key { return collections.Key(id.String()) }

func collectionItemOf(c *archive.Collection) collectionItem {
	i := collectionItem{
		ID: c.ID.String(), FoldedName: archive.Fold(c.Name), Name: c.Name, Location: c.Location, Type: storedTypes.stored(c.Type),
		Fields: []fieldItem{}, Mappings: []mappingItem{}, CitationTemplate: c.CitationTemplate, ImagePathHeader: c.ImagePathHeader,
		HouseholdHeader: c.HouseholdNumberHeader, RelationshipHeader: c.HouseholdRelationshipHeader, GenderHeader: c.GenderHeader,
		PrivacyLevel: c.PrivacyLevel, Categories: c.CategoryIDs, PostCount: c.PostCount, stamps: stampsOf(c.Stamps),
	}
	for _, f := range c.Fields {
		i.Fields = append(i.Fields, fieldItem(f))
	}
	for _, m := range c.Mappings {
		i.Mappings = append(i.Mappings, mappingItem(m))
	}
	return i
}

func (i *collectionItem) collection() *archive.Collection {
	c := &archive.Collection{
		ID: idOf(i.ID), PostCount: i.PostCount, Stamps: i.stamps.stamps(),
		CollectionPlan: archive.CollectionPlan{
			Name: i.Name, CategoryIDs: i.Categories, Location: i.Location, Type: storedTypes.noun(i.Type), CitationTemplate: i.CitationTemplate,
			ImagePathHeader: i.ImagePathHeader, HouseholdNumberHeader: i.HouseholdHeader, HouseholdRelationshipHeader: i.RelationshipHeader,
			GenderHeader: i.GenderHeader, PrivacyLevel: i.PrivacyLevel,
			Fields: make([]archive.CollectionField, len(i.Fields)), Mappings: make([]archive.CollectionMapping, len(i.Mappings)),
		},
	}
	for n, f := range i.Fields {
		c.Fields[n] = archive.CollectionField(f)
	}
	for n, m := range i.Mappings {
		c.Mappings[n] = archive.CollectionMapping(m)
	}
	return c
}
