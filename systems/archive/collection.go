package archive

import (
	"slices"
	"strings"
	"time"

	"stoa/internal/kit/input"
	"stoa/internal/kit/optional"
)

// CollectionType is the kind of a collection's records.
type CollectionType string

const (
	Records CollectionType = "RECORDS"
	Catalog CollectionType = "CATALOG"
)

// Components of a privacy level.
const (
	privateImages = 1 << iota
	privateDetail
	privateSearch
)

// Collection is a collection of posts from the same kind of source.
type Collection struct {
	ID ID `dynamo:"-"`
	CollectionPlan
	PostCount int `dynamo:"PostCount,zero"`
	Stamps
}

// CollectionPlan contains the editable fields of a collection.
type CollectionPlan struct {
	Name                        string              `dynamo:"name"`
	CategoryIDs                 []ID                `dynamo:"categories"`
	Location                    *string             `dynamo:"location"`
	Type                        CollectionType      `dynamo:"-"`
	Fields                      []CollectionField   `dynamo:"fields"`
	Mappings                    []CollectionMapping `dynamo:"mappings"`
	CitationTemplate            *string             `dynamo:"citation_template"`
	ImagePathHeader             *string             `dynamo:"image_path_header"`
	HouseholdNumberHeader       *string             `dynamo:"household_number_header"`
	HouseholdRelationshipHeader *string             `dynamo:"household_relationship_header"`
	GenderHeader                *string             `dynamo:"gender_header"`
	PrivacyLevel                int                 `dynamo:"privacy_level,zero"`
}

// CollectionField is a field of a collection's records.
type CollectionField struct {
	Header string `dynamo:"header"`
}

// CollectionMapping defines the meaning of a header.
type CollectionMapping struct {
	Header  string  `dynamo:"header"`
	DBField string  `dynamo:"dbField"`
	IxRole  *string `dynamo:"ixRole"`
	IxField *string `dynamo:"ixField"`
}

// stdSuffix is the suffix of headers of standard forms.
const stdSuffix = "_std"

// Check refuses an invalid collection.
func (p *CollectionPlan) Check() error {
	if err := input.First(
		checkName("collection", p.Name, maxName), p.checkCategories(), p.checkFields(), p.checkMappings(), p.checkHeaders(),
		checkOptional("location", p.Location, maxText), checkOptional("citationTemplate", p.CitationTemplate, maxText), p.checkFits(),
	); err != nil {
		return err
	}
	if p.PrivacyLevel < 0 || p.PrivacyLevel > MaxPrivacy {
		return badInput("INVALID_PRIVACY", "privacyLevel is 0 to %d, not %d", MaxPrivacy, p.PrivacyLevel)
	}
	return nil
}

func checkOptional(what string, text *string, most int) error {
	if text == nil {
		return nil
	}
	return checkText(what, *text, most)
}

func (p *CollectionPlan) checkCategories() error {
	switch n := len(p.CategoryIDs); {
	case n == 0:
		return badInput("NO_CATEGORY", "A collection is in 1 to %d categories: give categoryIds", MaxCategories)
	case n > MaxCategories:
		return limit("TOO_MANY_CATEGORIES", "A collection is in at most %d categories, not %d", MaxCategories, n)
	}
	for i, id := range p.CategoryIDs {
		if slices.Contains(p.CategoryIDs[:i], id) {
			return badInput("REPEATED_CATEGORY", "The category %s is given twice", id)
		}
	}
	return nil
}

func (p *CollectionPlan) checkFields() error {
	if n := len(p.Fields); n > MaxFields {
		return limit("TOO_MANY_FIELDS", "A collection has at most %d fields, not %d", MaxFields, n)
	}
	seen := map[string]bool{}
	for _, f := range p.Fields {
		if err := checkName("header", f.Header, maxHeader); err != nil {
			return err
		}
		folded := foldHeader(f.Header)
		switch {
		case strings.HasSuffix(f.Header, stdSuffix):
			return badInput("INVALID_HEADER", "The header %q ends in %s, as standard forms do: rename it", f.Header, stdSuffix)
		case seen[folded]:
			return badInput("REPEATED_HEADER", "The header %q is given twice", f.Header)
		}
		seen[folded] = true
	}
	return nil
}

func (p *CollectionPlan) checkMappings() error {
	if n := len(p.Mappings); n > MaxFields {
		return limit("TOO_MANY_MAPPINGS", "A collection has at most %d mappings, not %d", MaxFields, n)
	}
	for _, m := range p.Mappings {
		if !p.hasHeader(m.Header) {
			return unknownHeader("mappings", m.Header)
		}
		if err := input.First(
			checkName("dbField", m.DBField, maxHeader),
			checkOptional("ixRole", m.IxRole, maxHeader),
			checkOptional("ixField", m.IxField, maxHeader),
		); err != nil {
			return err
		}
	}
	return nil
}

func (p *CollectionPlan) checkHeaders() error {
	for _, h := range []struct {
		name   string
		header *string
	}{
		{"imagePathHeader", p.ImagePathHeader}, {"householdNumberHeader", p.HouseholdNumberHeader},
		{"householdRelationshipHeader", p.HouseholdRelationshipHeader}, {"genderHeader", p.GenderHeader},
	} {
		if h.header != nil && !p.hasHeader(*h.header) {
			return unknownHeader(h.name, *h.header)
		}
	}
	return nil
}

func (p *CollectionPlan) checkFits() error {
	size := sizeOf(p.Name, optional.Or(p.Location, ""), optional.Or(p.CitationTemplate, ""))
	for _, f := range p.Fields {
		size += sizeOf(f.Header)
	}
	for _, m := range p.Mappings {
		size += sizeOf(m.Header, m.DBField, optional.Or(m.IxRole, ""), optional.Or(m.IxField, ""))
	}
	return checkFits("A collection", size)
}

func unknownHeader(where, header string) error {
	return badInput("UNKNOWN_HEADER", "The header %.250q of %s is not among fields", header, where)
}

func (p *CollectionPlan) hasHeader(header string) bool {
	return slices.ContainsFunc(p.Fields, func(f CollectionField) bool { return f.Header == header })
}

// NewCollection returns a new collection.
func NewCollection(id ID, plan CollectionPlan, now time.Time) *Collection {
	return &Collection{ID: id, CollectionPlan: plan, Stamps: StampsAt(now)}
}

// Edited returns the collection after an edit.
func (c Collection) Edited(plan CollectionPlan, given, now time.Time) (*Collection, error) {
	if err := c.CheckTime(given); err != nil {
		return nil, err
	}
	c.CollectionPlan = plan
	c.Touch(now)
	return &c, nil
}

// Without returns the ids of a that are not in b.
func Without(a, b []ID) (rest []ID) {
	for _, id := range a {
		if !slices.Contains(b, id) {
			rest = append(rest, id)
		}
	}
	return rest
}

// Components of the privacy level.

func (c *Collection) PrivateImages() bool { return c.PrivacyLevel&privateImages != 0 }
func (c *Collection) PrivateDetail() bool { return c.PrivacyLevel&privateDetail != 0 }
func (c *Collection) PrivateSearch() bool { return c.PrivacyLevel&privateSearch != 0 }
