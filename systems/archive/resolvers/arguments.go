package resolvers

import (
	"stoa/internal/kit/input"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/resolve"
	"stoa/systems/archive"
	"stoa/systems/archive/graph"
)

func planOf(in graph.CollectionInput) archive.CollectionPlan {
	p := archive.CollectionPlan{
		Name: in.Name, CategoryIDs: in.CategoryIds, Location: in.Location.Value(), Type: optional.Or(in.Type.Value(), archive.Records),
		CitationTemplate: in.CitationTemplate.Value(), ImagePathHeader: in.ImagePathHeader.Value(), HouseholdNumberHeader: in.HouseholdNumberHeader.Value(),
		HouseholdRelationshipHeader: in.HouseholdRelationshipHeader.Value(), GenderHeader: in.GenderHeader.Value(),
		PrivacyLevel: optional.Or(in.PrivacyLevel.Value(), 0),
	}
	for _, f := range in.Fields.Value() {
		p.Fields = append(p.Fields, archive.CollectionField{Header: f.Header})
	}
	for _, m := range in.Mappings.Value() {
		p.Mappings = append(p.Mappings, archive.CollectionMapping{Header: m.Header, DBField: m.DbField, IxRole: m.IxRole.Value(), IxField: m.IxField.Value()})
	}
	return p
}

func postPlanOf(in graph.CreatePostInput) (archive.PostPlan, error) {
	metadata, err := archive.ParseMetadata(in.Metadata.Value())
	return archive.PostPlan{
		Name: in.Name, CollectionID: in.CollectionID, Metadata: metadata, RecordsKey: optional.Or(in.RecordsKey.Value(), ""), ImageKeys: in.ImagesKeys.Value(),
	}, err
}

func postChangeOf(in graph.UpdatePostInput) (archive.PostChange, error) {
	c := archive.PostChange{Name: resolve.Edit(in.Name), RecordsKey: resolve.Edit(in.RecordsKey), ImageKeys: input.Edit[[]string]{Given: in.ImagesKeys.IsSet()}}
	if keys := in.ImagesKeys.Value(); keys != nil {
		c.ImageKeys.Value = &keys
	}
	if !in.Metadata.IsSet() {
		return c, nil
	}
	metadata, err := archive.ParseMetadata(in.Metadata.Value())
	c.Metadata = input.Edit[archive.Metadata]{Given: true, Value: &metadata}
	return c, err
}

func placesOf(rows []*graph.PlaceInput) []*archive.Place {
	places := make([]*archive.Place, len(rows))
	for i, in := range rows {
		places[i] = &archive.Place{
			ID: in.ID, Name: in.Name, FullName: in.FullName, AltNames: in.AltNames.Value(), Types: in.Types.Value(), LocatedInID: optional.Or(in.LocatedInID.Value(), 0),
			AlsoLocatedInIDs: in.AlsoLocatedInIds.Value(), Level: in.Level, CountryID: optional.Or(in.CountryID.Value(), 0),
			Latitude: in.Latitude.Value(), Longitude: in.Longitude.Value(), Count: optional.Or(in.Count.Value(), 0),
		}
	}
	return places
}

func placeSettingsOf(in graph.PlaceSettingsInput) (archive.PlaceSettings, error) {
	abbreviations, err := archive.ParseAbbreviations(in.Abbreviations)
	return archive.PlaceSettings{
		Abbreviations: abbreviations, TypeWords: in.TypeWords, NoiseWords: in.NoiseWords, LargeCountries: in.LargeCountries, MediumCountries: in.MediumCountries,
		LargeCountryLevelWeights: in.LargeCountryLevelWeights, MediumCountryLevelWeights: in.MediumCountryLevelWeights,
		SmallCountryLevelWeights: in.SmallCountryLevelWeights, PrimaryMatchWeight: in.PrimaryMatchWeight, USCountryID: in.UsCountryID.Value(),
	}, err
}
