package resolvers

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/systems/archive"
)

// People is the area of users.
type People interface {
	Me(ctx context.Context, v viewer.Viewer) (*archive.User, error)
	All(ctx context.Context, v viewer.Viewer, args page.Args) (page.Page[*archive.User], error)
	SignIn(ctx context.Context, v viewer.Viewer) (*archive.User, error)
	SetLevel(ctx context.Context, v viewer.Viewer, id archive.ID, level archive.AuthLevel) (*archive.User, error)
	SetEnabled(ctx context.Context, v viewer.Viewer, id archive.ID, enabled bool) (*archive.User, error)
}

// Catalog is the area of categories and collections.
type Catalog interface {
	Categories(ctx context.Context, v viewer.Viewer, prefix string, args page.Args) (page.Page[*archive.Category], error)
	Category(ctx context.Context, v viewer.Viewer, id archive.ID) (*archive.Category, error)
	CategoriesOf(ctx context.Context, v viewer.Viewer, ids []archive.ID) (map[archive.ID]*archive.Category, error)
	Collections(ctx context.Context, v viewer.Viewer, prefix string, args page.Args) (page.Page[*archive.Collection], error)
	InCategory(ctx context.Context, v viewer.Viewer, operation string, id archive.ID, prefix string, args page.Args) (page.Page[*archive.Collection], error)
	Collection(ctx context.Context, v viewer.Viewer, id archive.ID) (*archive.Collection, error)
	Several(ctx context.Context, v viewer.Viewer, ids []archive.ID) (map[archive.ID]*archive.Collection, error)

	CreateCategory(ctx context.Context, v viewer.Viewer, name string) (*archive.Category, error)
	RenameCategory(ctx context.Context, v viewer.Viewer, id archive.ID, name string, given time.Time) (*archive.Category, error)
	DeleteCategory(ctx context.Context, v viewer.Viewer, id archive.ID) (bool, error)
	CreateCollection(ctx context.Context, v viewer.Viewer, plan archive.CollectionPlan) (*archive.Collection, error)
	EditCollection(ctx context.Context, v viewer.Viewer, id archive.ID, plan archive.CollectionPlan, given time.Time) (*archive.Collection, error)
	DeleteCollection(ctx context.Context, v viewer.Viewer, id archive.ID) (bool, error)
}

// Posts is the area of posts.
type Posts interface {
	List(ctx context.Context, v viewer.Viewer, operation string, collection *archive.ID, status *archive.PostStatus, args page.Args) (page.Page[*archive.Post], error)
	Post(ctx context.Context, v viewer.Viewer, id archive.ID) (*archive.Post, error)
	Create(ctx context.Context, v viewer.Viewer, plan archive.PostPlan) (*archive.Post, error)
	Edit(ctx context.Context, v viewer.Viewer, id archive.ID, c archive.PostChange, given time.Time) (*archive.Post, error)
	Publish(ctx context.Context, v viewer.Viewer, id archive.ID, given time.Time) (*archive.Post, error)
	Unpublish(ctx context.Context, v viewer.Viewer, id archive.ID, given time.Time) (*archive.Post, error)
	Delete(ctx context.Context, v viewer.Viewer, id archive.ID) (bool, error)
	ReportPublish(ctx context.Context, v viewer.Viewer, id archive.ID, r archive.WorkerReport, message string) (*archive.Post, error)
	ReportRecords(ctx context.Context, v viewer.Viewer, id archive.ID, r archive.WorkerReport, message string) (*archive.Post, error)
	ReportImages(ctx context.Context, v viewer.Viewer, id archive.ID, r archive.WorkerReport, message string) (*archive.Post, error)
	Listen(ctx context.Context, v viewer.Viewer, id, collection *archive.ID) (<-chan *archive.Post, error)
}

// Records is the area of records and households.
type Records interface {
	List(ctx context.Context, v viewer.Viewer, operation string, post archive.ID, args page.Args) (page.Page[*archive.SeenRecord], error)
	Of(ctx context.Context, v viewer.Viewer, p *archive.Post, collection func() (*archive.Collection, error), args page.Args) (page.Page[*archive.SeenRecord], error)
	Record(ctx context.Context, v viewer.Viewer, id archive.ID) (*archive.SeenRecord, error)
	Several(ctx context.Context, v viewer.Viewer, ids []archive.ID) ([]*archive.SeenRecord, error)
	PostOf(ctx context.Context, v viewer.Viewer, r *archive.SeenRecord) (*archive.Post, error)
	Create(ctx context.Context, v viewer.Viewer, post archive.ID, data map[string]any) (*archive.SeenRecord, error)
	Edit(ctx context.Context, v viewer.Viewer, id archive.ID, post *archive.ID, data map[string]any, given time.Time) (*archive.SeenRecord, error)
	Delete(ctx context.Context, v viewer.Viewer, id archive.ID) (bool, error)
	DeleteAll(ctx context.Context, v viewer.Viewer, post archive.ID) (int, error)
	Import(ctx context.Context, v viewer.Viewer, post archive.ID, csv string) (*archive.ImportResult, error)

	Households(ctx context.Context, v viewer.Viewer, operation string, post archive.ID, args page.Args) (page.Page[*archive.Household], error)
	Household(ctx context.Context, v viewer.Viewer, ref archive.HouseholdRef) (*archive.Household, error)
	Numbered(ctx context.Context, v viewer.Viewer, number string, args page.Args) (page.Page[*archive.Household], error)
	HouseholdOf(ctx context.Context, v viewer.Viewer, r *archive.SeenRecord) (*archive.Household, error)
	Listed(ctx context.Context, v viewer.Viewer, h *archive.Household) ([]*archive.SeenRecord, error)
	SetHousehold(ctx context.Context, v viewer.Viewer, ref archive.HouseholdRef, ids []archive.ID) (*archive.Household, error)
	DeleteHousehold(ctx context.Context, v viewer.Viewer, ref archive.HouseholdRef) (bool, error)
}

// Places is the area of the gazetteer.
type Places interface {
	Place(ctx context.Context, id archive.ID) (*archive.Place, error)
	Several(ctx context.Context, ids []archive.ID) ([]*archive.Place, error)
	Around(ctx context.Context, ids []archive.ID) (map[archive.ID]*archive.Place, error)
	Suggest(ctx context.Context, typed string, count int) ([]*archive.Place, error)
	Words(ctx context.Context, v viewer.Viewer, words []string) ([]*archive.PlaceWord, error)
	Standardize(ctx context.Context, v viewer.Viewer, text, within string) (*archive.StandardPlace, error)
	Load(ctx context.Context, v viewer.Viewer, rows []*archive.Place) (int, error)
	LoadWords(ctx context.Context, v viewer.Viewer, words []archive.PlaceWord) (int, error)
	Settings(ctx context.Context, v viewer.Viewer) (*archive.PlaceSettings, error)
	SaveSettings(ctx context.Context, v viewer.Viewer, s archive.PlaceSettings, given *time.Time) (*archive.PlaceSettings, error)
}

// Searches is the area of searches.
type Searches interface {
	Find(ctx context.Context, v viewer.Viewer, q archive.RecordSearch, args page.Args) (page.Page[*archive.RecordHit], error)
}

// Files is the area of files.
type Files interface {
	Request(ctx context.Context, v viewer.Viewer, contentType string) (*archive.Ticket, error)
	Content(ctx context.Context, v viewer.Viewer, key string) (*archive.Ticket, error)
	Image(ctx context.Context, v viewer.Viewer, post archive.ID, path string, thumbnail bool) (*archive.Ticket, error)
}

// Settings is the area of settings.
type Settings interface {
	Settings(ctx context.Context, v viewer.Viewer) (*archive.Settings, error)
	Save(ctx context.Context, v viewer.Viewer, entries []archive.PostMetadataField, given *time.Time) (*archive.Settings, error)
	Allocate(ctx context.Context, v viewer.Viewer, n int) (*archive.IDRange, error)
}
