// Package app assembles the areas of the archive with its store and its API, and connects
// the system to a host.
package app

import (
	"cmp"
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/area"
	"stoa/internal/decision"
	"stoa/internal/host"
	"stoa/internal/kit/keyspec"
	"stoa/systems/archive"
	"stoa/systems/archive/catalog"
	"stoa/systems/archive/file"
	"stoa/systems/archive/graph"
	"stoa/systems/archive/people"
	"stoa/systems/archive/place"
	"stoa/systems/archive/post"
	"stoa/systems/archive/record"
	"stoa/systems/archive/resolvers"
	"stoa/systems/archive/search"
	"stoa/systems/archive/setting"
	"stoa/systems/archive/store"
)

// Name is the name of the system.
const Name = "archive"

// bodyBytes is the maximum size of a request, which may contain a file of records.
const bodyBytes = 8 << 20

// Options configures the system. The zero value is for serving.
type Options struct {
	// Level is the level of new users; "" means archive.Reader.
	Level archive.AuthLevel
	// Workers are the user ids and e-mail addresses of those who may report on work that is
	// done elsewhere.
	Workers []string
	// WorkElsewhere is set if external workers load and publish posts.
	WorkElsewhere bool
	// Imports limit importRecords; limits of 0 are those of archive.DefaultImportLimits.
	Imports archive.ImportLimits
	// Gather is how long a field of an operation waits for others, to batch their reads; 0
	// means batch.Wait.
	Gather time.Duration
}

// System returns the archive system.
func System(o Options) host.System {
	return host.System{
		Name: Name, Tables: []*keyspec.Table{store.Archive}, Join: o.join,
		Contract: func() string { return archive.Contract }, Schema: func() graphql.ExecutableSchema { return graph.Executable(nil) },
		Design: store.WriteSchema, Seed: o.seed, Check: store.Broken, Load: o.loadGazetteer,
	}
}

// open returns the areas, which use the events, clock and ids of frame.
func (o Options) open(h *host.Host, frame decision.Frame, f *files) *resolvers.Resolver {
	s := store.Open(h.DB)
	r := &resolvers.Resolver{
		People: &people.Service{
			Store: s.Users, Identities: identities{h, o.Workers}, Issuer: issuerOf(h), Level: cmp.Or(o.Level, archive.Reader), Frame: frame,
		},
		Places: &place.Service{Store: s.Places, Frame: frame},
		Gather: o.Gather,
	}
	r.Places.Gate = r.People
	r.Catalog = &catalog.Service{Store: s.Catalog, Gate: r.People, Frame: frame}
	r.Posts = &post.Service{Store: s.Posts, Contents: s.Records, Gate: r.People, Workers: r.People, Bus: h.Bus, Frame: frame, WorkElsewhere: o.WorkElsewhere}
	r.Records = &record.Service{Store: s.Records, Posts: s.Posts, Gate: r.People, Places: r.Places, Files: f, Frame: frame, WorkElsewhere: o.WorkElsewhere}
	r.Records.Limits = archive.ImportLimits{
		Rows: cmp.Or(o.Imports.Rows, archive.DefaultImportLimits.Rows), DailyRows: cmp.Or(o.Imports.DailyRows, archive.DefaultImportLimits.DailyRows),
	}
	r.Searches = &search.Service{Store: s.Records, Posts: s.Posts, Categories: s.Catalog, Places: r.Places, Gate: r.People}
	r.Files = &file.Service{
		Store: s.Posts, Uploads: s.Uploads, Files: f, Pictures: pictures{h.Media.Pictures}, Gate: r.People, Frame: frame, WorkElsewhere: o.WorkElsewhere,
	}
	r.Settings = &setting.Service{Store: s.Settings, Gate: r.People, Frame: frame}
	return r
}

func (o Options) join(_ context.Context, h *host.Host) (host.Face, error) {
	f := newFiles(h)
	r := o.open(h, h.Frame, f)
	registered := area.Register(h.Outbox, r.Posts, r.Records, r.Places, r.Searches, r.Files, f)
	return host.Face{
		Schema: graph.Executable(r), OperationContext: r.WithLoaders, BodyBytes: bodyBytes,
		Public: registered.Public, Prices: registered.Prices, Jobs: registered.Jobs, Mounts: registered.Mounts,
		People: persons{store.Open(h.DB), f, issuerOf(h), h.Frame},
	}, nil
}

// identities adapts a host to the area of users.
type identities struct {
	*host.Host
	workers []string
}

func (i identities) Identity(ctx context.Context, id archive.UserID) (archive.Identity, error) {
	email, _, _, err := i.Accounts.Account(ctx, id)
	who := archive.Identity{Email: email, EmailConfirmed: email != ""}
	if named, ok := i.Accounts.(interface {
		DisplayName(ctx context.Context, id archive.UserID) string
	}); ok {
		who.Name = named.DisplayName(ctx, id)
	}
	return who, err
}

func (i identities) IsWorker(ctx context.Context, id archive.UserID) (bool, error) {
	return i.IsAmong(ctx, i.workers, id)
}

// issuerOf returns the issuer of the service's tokens, which vouches for all its
// identities.
func issuerOf(h *host.Host) string {
	if named, ok := h.Accounts.(interface{ IssuerName() string }); ok {
		return named.IssuerName()
	}
	return h.Config.Issuer.PublicURL
}
