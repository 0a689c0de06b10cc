package resolvers

import (
	"context"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/resolve"
	"stoa/internal/kit/slice"
	"stoa/internal/kit/viewer"
	"stoa/systems/archive"
	"stoa/systems/archive/graph"
	"time"
)

func (r *categoryResolver) Collections(ctx context.Context, obj *archive.Category, limit *int, nextToken *string) (*graph.CollectionConnection, error) {
	return resolve.Page[graph.CollectionConnection](
		r.Catalog.InCategory(ctx, viewer.From(ctx), "Category.collections", obj.ID, "", resolve.Args(limit, nextToken)),
	)
}

func (r *collectionResolver) Categories(ctx context.Context, obj *archive.Collection) ([]*archive.Category, error) {
	return loadAll(ctx, load(ctx).categories, obj.CategoryIDs)
}

func (r *collectionResolver) Posts(ctx context.Context, obj *archive.Collection, limit *int, nextToken *string) (*graph.PostConnection, error) {
	return resolve.Page[graph.PostConnection](r.Resolver.Posts.List(ctx, viewer.From(ctx), "Collection.posts", &obj.ID, nil, resolve.Args(limit, nextToken)))
}

func (r *householdResolver) Records(ctx context.Context, obj *archive.Household) ([]*archive.SeenRecord, error) {
	if records, ok := load(ctx).kept(obj); ok {
		return records, nil
	}
	return r.Resolver.Records.Listed(ctx, viewer.From(ctx), obj)
}

func (r *mutationResolver) SignIn(ctx context.Context) (*archive.User, error) {
	return r.People.SignIn(ctx, viewer.From(ctx))
}

func (r *mutationResolver) SetUserLevel(ctx context.Context, id archive.ID, level archive.AuthLevel) (*archive.User, error) {
	return r.People.SetLevel(ctx, viewer.From(ctx), id, level)
}

func (r *mutationResolver) SetUserEnabled(ctx context.Context, id archive.ID, enabled bool) (*archive.User, error) {
	return r.People.SetEnabled(ctx, viewer.From(ctx), id, enabled)
}

func (r *mutationResolver) CreateCategory(ctx context.Context, name string) (*archive.Category, error) {
	return r.Catalog.CreateCategory(ctx, viewer.From(ctx), name)
}

func (r *mutationResolver) UpdateCategory(ctx context.Context, id archive.ID, name string, lastUpdateTime time.Time) (*archive.Category, error) {
	return r.Catalog.RenameCategory(ctx, viewer.From(ctx), id, name, lastUpdateTime)
}

func (r *mutationResolver) DeleteCategory(ctx context.Context, id archive.ID) (bool, error) {
	return r.Catalog.DeleteCategory(ctx, viewer.From(ctx), id)
}

func (r *mutationResolver) CreateCollection(ctx context.Context, input graph.CollectionInput) (*archive.Collection, error) {
	return r.Catalog.CreateCollection(ctx, viewer.From(ctx), planOf(input))
}

func (r *mutationResolver) UpdateCollection(ctx context.Context, id archive.ID, input graph.CollectionInput, lastUpdateTime time.Time) (*archive.Collection, error) {
	return r.Catalog.EditCollection(ctx, viewer.From(ctx), id, planOf(input), lastUpdateTime)
}

func (r *mutationResolver) DeleteCollection(ctx context.Context, id archive.ID) (bool, error) {
	return r.Catalog.DeleteCollection(ctx, viewer.From(ctx), id)
}

func (r *mutationResolver) CreatePost(ctx context.Context, input graph.CreatePostInput) (*archive.Post, error) {
	plan, err := postPlanOf(input)
	if err != nil {
		return nil, err
	}
	return r.Posts.Create(ctx, viewer.From(ctx), plan)
}

func (r *mutationResolver) UpdatePost(ctx context.Context, id archive.ID, input graph.UpdatePostInput, lastUpdateTime time.Time) (*archive.Post, error) {
	change, err := postChangeOf(input)
	if err != nil {
		return nil, err
	}
	return r.Posts.Edit(ctx, viewer.From(ctx), id, change, lastUpdateTime)
}

func (r *mutationResolver) PublishPost(ctx context.Context, id archive.ID, lastUpdateTime time.Time) (*archive.Post, error) {
	return r.Posts.Publish(ctx, viewer.From(ctx), id, lastUpdateTime)
}

func (r *mutationResolver) UnpublishPost(ctx context.Context, id archive.ID, lastUpdateTime time.Time) (*archive.Post, error) {
	return r.Posts.Unpublish(ctx, viewer.From(ctx), id, lastUpdateTime)
}

func (r *mutationResolver) DeletePost(ctx context.Context, id archive.ID) (bool, error) {
	return r.Posts.Delete(ctx, viewer.From(ctx), id)
}

func (r *mutationResolver) ReportPublish(ctx context.Context, postID archive.ID, report archive.WorkerReport, message *string) (*archive.Post, error) {
	return r.Posts.ReportPublish(ctx, viewer.From(ctx), postID, report, optional.Or(message, ""))
}

func (r *mutationResolver) ReportRecords(ctx context.Context, postID archive.ID, report archive.WorkerReport, message *string) (*archive.Post, error) {
	return r.Posts.ReportRecords(ctx, viewer.From(ctx), postID, report, optional.Or(message, ""))
}

func (r *mutationResolver) ReportImages(ctx context.Context, postID archive.ID, report archive.WorkerReport, message *string) (*archive.Post, error) {
	return r.Posts.ReportImages(ctx, viewer.From(ctx), postID, report, optional.Or(message, ""))
}

func (r *mutationResolver) ImportRecords(ctx context.Context, postID archive.ID, csv string) (*archive.ImportResult, error) {
	return r.Records.Import(ctx, viewer.From(ctx), postID, csv)
}

func (r *mutationResolver) CreateRecord(ctx context.Context, postID archive.ID, data map[string]any) (*archive.SeenRecord, error) {
	return r.Records.Create(ctx, viewer.From(ctx), postID, data)
}

func (r *mutationResolver) UpdateRecord(ctx context.Context, id archive.ID, postID *archive.ID, data map[string]any, lastUpdateTime time.Time) (*archive.SeenRecord, error) {
	return r.Records.Edit(ctx, viewer.From(ctx), id, postID, data, lastUpdateTime)
}

func (r *mutationResolver) DeleteRecord(ctx context.Context, id archive.ID) (bool, error) {
	return r.Records.Delete(ctx, viewer.From(ctx), id)
}

func (r *mutationResolver) SetHousehold(ctx context.Context, postID archive.ID, number string, recordIds []archive.ID) (*archive.Household, error) {
	return r.Records.SetHousehold(ctx, viewer.From(ctx), archive.HouseholdRef{PostID: postID, Number: number}, recordIds)
}

func (r *mutationResolver) DeleteHousehold(ctx context.Context, postID archive.ID, number string) (bool, error) {
	return r.Records.DeleteHousehold(ctx, viewer.From(ctx), archive.HouseholdRef{PostID: postID, Number: number})
}

func (r *mutationResolver) DeleteRecordsOfPost(ctx context.Context, postID archive.ID) (int, error) {
	return r.Records.DeleteAll(ctx, viewer.From(ctx), postID)
}

func (r *mutationResolver) UpdateSettings(ctx context.Context, postMetadata []*graph.PostMetadataInput, lastUpdateTime *time.Time) (*archive.Settings, error) {
	entries := slice.Map(postMetadata, func(in *graph.PostMetadataInput) archive.PostMetadataField {
		return archive.PostMetadataField{Name: in.Name, Type: in.Type, Tooltip: in.Tooltip.Value()}
	})
	return r.Settings.Save(ctx, viewer.From(ctx), entries, lastUpdateTime)
}

func (r *mutationResolver) UpdatePlaceSettings(ctx context.Context, input graph.PlaceSettingsInput) (*archive.PlaceSettings, error) {
	settings, err := placeSettingsOf(input)
	if err != nil {
		return nil, err
	}
	return r.Places.SaveSettings(ctx, viewer.From(ctx), settings, input.LastUpdateTime.Value())
}

func (r *mutationResolver) LoadPlaces(ctx context.Context, rows []*graph.PlaceInput) (int, error) {
	return r.Places.Load(ctx, viewer.From(ctx), placesOf(rows))
}

func (r *mutationResolver) LoadPlaceWords(ctx context.Context, rows []*graph.PlaceWordInput) (int, error) {
	words := slice.Map(rows, func(in *graph.PlaceWordInput) archive.PlaceWord {
		return archive.PlaceWord{Word: in.Word, PlaceIDs: in.PlaceIds}
	})
	return r.Places.LoadWords(ctx, viewer.From(ctx), words)
}

func (r *mutationResolver) AllocateIds(ctx context.Context, count int) (*archive.IDRange, error) {
	return r.Settings.Allocate(ctx, viewer.From(ctx), count)
}

func (r *mutationResolver) RequestUpload(ctx context.Context, contentType string) (*archive.Ticket, error) {
	return r.Files.Request(ctx, viewer.From(ctx), contentType)
}

func (r *placeResolver) LocatedIn(ctx context.Context, obj *archive.Place) (*archive.Place, error) {
	return r.around(ctx, obj.LocatedInID)
}

func (r *placeResolver) AlsoLocatedIn(ctx context.Context, obj *archive.Place) ([]*archive.Place, error) {
	return loadAll(ctx, load(ctx).places, obj.AlsoLocatedInIDs)
}

func (r *placeResolver) Country(ctx context.Context, obj *archive.Place) (*archive.Place, error) {
	return r.around(ctx, obj.CountryID)
}

func (r *postResolver) Collection(ctx context.Context, obj *archive.Post) (*archive.Collection, error) {
	return r.collection(ctx, obj)
}

func (r *postResolver) Records(ctx context.Context, obj *archive.Post, limit *int, nextToken *string) (*graph.RecordConnection, error) {
	collection := func() (*archive.Collection, error) { return r.collection(ctx, obj) }
	return resolve.Page[graph.RecordConnection](r.Resolver.Records.Of(ctx, viewer.From(ctx), obj, collection, resolve.Args(limit, nextToken)))
}

func (r *postResolver) Households(ctx context.Context, obj *archive.Post, limit *int, nextToken *string) (*graph.HouseholdConnection, error) {
	return resolve.Page[graph.HouseholdConnection](
		r.Resolver.Records.Households(ctx, viewer.From(ctx), "Post.households", obj.ID, resolve.Args(limit, nextToken)),
	)
}

func (r *queryResolver) Me(ctx context.Context) (*archive.User, error) {
	return r.People.Me(ctx, viewer.From(ctx))
}

func (r *queryResolver) Users(ctx context.Context, limit *int, nextToken *string) (*graph.UserConnection, error) {
	return resolve.Page[graph.UserConnection](r.People.All(ctx, viewer.From(ctx), resolve.Args(limit, nextToken)))
}

func (r *queryResolver) Categories(ctx context.Context, namePrefix *string, limit *int, nextToken *string) (*graph.CategoryConnection, error) {
	return resolve.Page[graph.CategoryConnection](r.Catalog.Categories(ctx, viewer.From(ctx), optional.Or(namePrefix, ""), resolve.Args(limit, nextToken)))
}

func (r *queryResolver) Category(ctx context.Context, id archive.ID) (*archive.Category, error) {
	return r.Catalog.Category(ctx, viewer.From(ctx), id)
}

func (r *queryResolver) Collections(ctx context.Context, categoryID *archive.ID, namePrefix *string, limit *int, nextToken *string) (*graph.CollectionConnection, error) {
	if categoryID != nil {
		return resolve.Page[graph.CollectionConnection](
			r.Catalog.InCategory(ctx, viewer.From(ctx), "collections", *categoryID, optional.Or(namePrefix, ""), resolve.Args(limit, nextToken)),
		)
	}
	return resolve.Page[graph.CollectionConnection](r.Catalog.Collections(ctx, viewer.From(ctx), optional.Or(namePrefix, ""), resolve.Args(limit, nextToken)))
}

func (r *queryResolver) Collection(ctx context.Context, id archive.ID) (*archive.Collection, error) {
	return r.Catalog.Collection(ctx, viewer.From(ctx), id)
}

func (r *queryResolver) Posts(ctx context.Context, collectionID *archive.ID, status *archive.PostStatus, limit *int, nextToken *string) (*graph.PostConnection, error) {
	return resolve.Page[graph.PostConnection](r.Resolver.Posts.List(ctx, viewer.From(ctx), "posts", collectionID, status, resolve.Args(limit, nextToken)))
}

func (r *queryResolver) Post(ctx context.Context, id archive.ID) (*archive.Post, error) {
	return r.Resolver.Posts.Post(ctx, viewer.From(ctx), id)
}

func (r *queryResolver) Records(ctx context.Context, postID archive.ID, limit *int, nextToken *string) (*graph.RecordConnection, error) {
	return resolve.Page[graph.RecordConnection](r.Resolver.Records.List(ctx, viewer.From(ctx), "records", postID, resolve.Args(limit, nextToken)))
}

func (r *queryResolver) Record(ctx context.Context, id archive.ID) (*archive.SeenRecord, error) {
	return r.Resolver.Records.Record(ctx, viewer.From(ctx), id)
}

func (r *queryResolver) RecordsByID(ctx context.Context, ids []archive.ID) ([]*archive.SeenRecord, error) {
	return r.Resolver.Records.Several(ctx, viewer.From(ctx), ids)
}

func (r *queryResolver) Households(ctx context.Context, postID archive.ID, limit *int, nextToken *string) (*graph.HouseholdConnection, error) {
	return resolve.Page[graph.HouseholdConnection](r.Resolver.Records.Households(ctx, viewer.From(ctx), "households", postID, resolve.Args(limit, nextToken)))
}

func (r *queryResolver) Household(ctx context.Context, postID archive.ID, number string) (*archive.Household, error) {
	return r.Resolver.Records.Household(ctx, viewer.From(ctx), archive.HouseholdRef{PostID: postID, Number: number})
}

func (r *queryResolver) HouseholdsByNumber(ctx context.Context, number string, limit *int, nextToken *string) (*graph.HouseholdConnection, error) {
	return resolve.Page[graph.HouseholdConnection](r.Resolver.Records.Numbered(ctx, viewer.From(ctx), number, resolve.Args(limit, nextToken)))
}

func (r *queryResolver) SearchRecords(ctx context.Context, input archive.RecordSearch, limit *int, nextToken *string) (*graph.RecordHitConnection, error) {
	return resolve.Page[graph.RecordHitConnection](r.Searches.Find(ctx, viewer.From(ctx), input, resolve.Args(limit, nextToken)))
}

func (r *queryResolver) Places(ctx context.Context, prefix string, count *int) ([]*archive.Place, error) {
	return r.Resolver.Places.Suggest(ctx, prefix, optional.Or(count, archive.DefaultPlaces))
}

func (r *queryResolver) Place(ctx context.Context, id archive.ID) (*archive.Place, error) {
	return r.Resolver.Places.Place(ctx, id)
}

func (r *queryResolver) PlacesByID(ctx context.Context, ids []archive.ID) ([]*archive.Place, error) {
	return r.Resolver.Places.Several(ctx, ids)
}

func (r *queryResolver) PlaceWords(ctx context.Context, words []string) ([]*archive.PlaceWord, error) {
	return r.Resolver.Places.Words(ctx, viewer.From(ctx), words)
}

func (r *queryResolver) StandardizePlace(ctx context.Context, text string, defaultContainingPlace *string) (*archive.StandardPlace, error) {
	return r.Resolver.Places.Standardize(ctx, viewer.From(ctx), text, optional.Or(defaultContainingPlace, ""))
}

func (r *queryResolver) PlaceSettings(ctx context.Context) (*archive.PlaceSettings, error) {
	return r.Resolver.Places.Settings(ctx, viewer.From(ctx))
}

func (r *queryResolver) Settings(ctx context.Context) (*archive.Settings, error) {
	return r.Resolver.Settings.Settings(ctx, viewer.From(ctx))
}

func (r *queryResolver) ContentURL(ctx context.Context, key string) (*archive.Ticket, error) {
	return r.Files.Content(ctx, viewer.From(ctx), key)
}

func (r *queryResolver) ImageURL(ctx context.Context, postID archive.ID, path string, thumbnail *bool) (*archive.Ticket, error) {
	return r.Files.Image(ctx, viewer.From(ctx), postID, path, optional.Or(thumbnail, false))
}

func (r *recordResolver) Post(ctx context.Context, obj *archive.SeenRecord) (*archive.Post, error) {
	return r.Resolver.Records.PostOf(ctx, viewer.From(ctx), obj)
}

func (r *recordResolver) Household(ctx context.Context, obj *archive.SeenRecord) (*archive.Household, error) {
	h, err := r.Resolver.Records.HouseholdOf(ctx, viewer.From(ctx), obj)
	if beside, ok := obj.Beside(); ok && err == nil {
		load(ctx).keep(h, beside)
	}
	return h, err
}

func (r *standardizedPlaceResolver) LocatedIn(ctx context.Context, obj *archive.StandardPlace) (*archive.Place, error) {
	return r.around(ctx, obj.LocatedInID)
}

func (r *subscriptionResolver) PostChanged(ctx context.Context, id *archive.ID, collectionID *archive.ID) (<-chan *archive.Post, error) {
	return r.Resolver.Posts.Listen(ctx, viewer.From(ctx), id, collectionID)
}

func (r *Resolver) Category() graph.CategoryResolver { return &categoryResolver{r} }

func (r *Resolver) Collection() graph.CollectionResolver { return &collectionResolver{r} }

func (r *Resolver) Household() graph.HouseholdResolver { return &householdResolver{r} }

func (r *Resolver) Mutation() graph.MutationResolver { return &mutationResolver{r} }

func (r *Resolver) Place() graph.PlaceResolver { return &placeResolver{r} }

func (r *Resolver) Post() graph.PostResolver { return &postResolver{r} }

func (r *Resolver) Query() graph.QueryResolver { return &queryResolver{r} }

func (r *Resolver) Record() graph.RecordResolver { return &recordResolver{r} }

func (r *Resolver) StandardizedPlace() graph.StandardizedPlaceResolver {
	return &standardizedPlaceResolver{r}
}

func (r *Resolver) Subscription() graph.SubscriptionResolver { return &subscriptionResolver{r} }

type (
	categoryResolver          struct{ *Resolver }
	collectionResolver        struct{ *Resolver }
	householdResolver         struct{ *Resolver }
	mutationResolver          struct{ *Resolver }
	placeResolver             struct{ *Resolver }
	postResolver              struct{ *Resolver }
	queryResolver             struct{ *Resolver }
	recordResolver            struct{ *Resolver }
	standardizedPlaceResolver struct{ *Resolver }
	subscriptionResolver      struct{ *Resolver }
)
