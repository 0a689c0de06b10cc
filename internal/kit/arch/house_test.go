package arch

import (
	"slices"
	"testing"
)

const (
	gqlgen     = "github.com/99designs/gqlgen/..."
	gqlparser  = "github.com/vektah/gqlparser/v2/..."
	dynamo     = "github.com/guregu/dynamo/v2/..."
	aws        = "github.com/aws/..."
	pebble     = "github.com/cockroachdb/pebble/v2/..."
	otel       = "go.opentelemetry.io/otel/..."
	prometheus = "github.com/prometheus/client_golang/..."
	lru        = "github.com/hashicorp/golang-lru/v2/..."
	xxhash     = "github.com/cespare/xxhash/v2"
	kit        = "stoa/internal/kit/"
)

// areas are the use cases of the social system; the parent package contains its nouns.
const (
	nouns = "stoa/social"
	areas = "stoa/social/..."
)

// nounsNeed lists what nouns and rules may import besides the standard library: errors that
// clients read, viewers, and the form of times.
var nounsNeed = []string{"stoa/internal/desk", kit + "refusal", kit + "viewer", kit + "page", kit + "reads", kit + "stamp"}

// language lists small additions to the language, which any package may import.
var language = []string{kit + "optional", kit + "slice"}

// systems lists all packages that contain product nouns. General-purpose code must not
// import them.
var systems = []string{"stoa/social/...", "stoa/store/...", "stoa/graph", "stoa/resolvers", "stoa/systems/..."}

// areasNeed lists the machinery by which areas decide, send events and register themselves.
var areasNeed = []string{
	"stoa/internal/area", "stoa/internal/decision", "stoa/internal/job", "stoa/internal/outbox", kit + "gather", kit + "retry", kit + "together", kit + "turns",
}

// beyondAreas lists what rules must not import, so that they are independent of storage and
// presentation.
var beyondAreas = []string{"stoa/store/...", "stoa/graph", "stoa/resolvers", "stoa/internal/server/...", gqlgen, dynamo, aws}

// gates returns the gate of each system: only its store and the package of its nouns create
// facts, and only the latter creates seen nouns.
func gates() []Gate {
	all := []Gate{{Nouns: "social", Guarded: []string{"social", "resolvers", "graph", "store"}, Store: "store"}}
	for _, name := range siblings {
		dir := "systems/" + name
		all = append(all, Gate{Nouns: dir, Guarded: []string{dir}, Store: dir + "/store"})
	}
	return all
}

// floors lists the packages and their allowed imports, from top to bottom.
var floors = slices.Concat([]Floor{
	{
		Of:      []string{"stoa/cmd/...", "stoa/bench/...", "stoa/app", "stoa/seed", "stoa/social/socialtest", "stoa/store/storetest"},
		May:     []string{"stoa/...", "github.com/...", "golang.org/..."},
		Because: "the top floor joins everything",
	},
	{
		Of: []string{"stoa/internal/server/..."},
		May: []string{
			"stoa/internal/server/...",
			"stoa/internal/idempotency",
			kit + "refusal",
			kit + "viewer",
			kit + "after",
			kit + "trace",
			kit + "page",
			kit + "gqlplan",
			kit + "jsonstring",
			kit + "pace",
			kit + "ratelimit",
			kit + "cache",
			kit + "bus",
			kit + "together",
			kit + "turns",
			gqlgen,
			gqlparser,
			prometheus,
			"github.com/coder/websocket/...",
			"golang.org/x/sync/semaphore",
		},
		Never:   slices.Concat(systems, []string{dynamo, aws}),
		Because: "the server carries requests and knows neither rules nor rows",
	},
	{
		// Resolvers call the services of areas: each has one implementation, and tests ask
		// the real ones. Below them are rules, media and machinery, but no rows.
		Of:      []string{"stoa/resolvers"},
		May:     []string{areas, "stoa/graph", kit + "refusal", kit + "viewer", kit + "page", kit + "batch", kit + "selection", gqlgen, gqlparser},
		Never:   []string{"stoa/store/...", "stoa/internal/host", dynamo},
		Because: "a resolver hands arguments to an area and decides nothing",
	},
	{
		Of: []string{"stoa/internal/apptest"},
		May: []string{
			"stoa/internal/server",
			"stoa/internal/host",
			"stoa/internal/push",
			"stoa/internal/decision",
			"stoa/internal/outbox",
			"stoa/internal/identity",
			"stoa/internal/ops",
			"stoa/internal/appstore/appstoretest",
			kit + "...",
			gqlgen,
			gqlparser,
			dynamo,
			aws,
			prometheus,
		},
		Never:   systems,
		Because: "the harness tests any system and knows none",
	},
	{
		Of:      []string{"stoa/internal/auth"},
		May:     []string{"stoa/internal/auth/jwks", kit + "refusal", kit + "viewer", lru, "github.com/go-jose/go-jose/v4/...", "golang.org/x/sync/..."},
		Never:   slices.Concat(systems, beyondAreas),
		Because: "who holds a token is known without rules or rows",
	},
	{
		Of: []string{"stoa/internal/identity"},
		May: []string{
			"stoa/internal/auth/provider",
			lru,
			kit + "pace",
			kit + "refusal",
			kit + "viewer",
			kit + "retry",
			kit + "ratelimit",
			kit + "tasks",
			"github.com/go-jose/go-jose/v4/...",
			"golang.org/x/crypto/argon2",
			"golang.org/x/crypto/bcrypt",
			"golang.org/x/sync/...",
			"github.com/google/uuid",
		},
		Never:   slices.Concat(systems, beyondAreas),
		Because: "the issuer keeps accounts through a store of its own choosing",
	},
	{
		Of:      []string{"stoa/internal/outbox/..."},
		May:     []string{"stoa/internal/outbox", kit + "after", kit + "bus", kit + "lease", kit + "page", kit + "refusal", kit + "tasks", kit + "together", kit + "trace"},
		Never:   slices.Concat(systems, beyondAreas),
		Because: "the outbox delivers what areas have committed and decides nothing",
	},
	{
		Of:      []string{"stoa/internal/idempotency"},
		May:     []string{kit + "refusal", kit + "viewer"},
		Never:   slices.Concat(systems, beyondAreas),
		Because: "a key accompanies decisions of any system and their rows know it, not the other way round",
	},
	{
		Of:      []string{"stoa/internal/decision"},
		May:     []string{"stoa/internal/idempotency", "stoa/internal/outbox", kit + "refusal", kit + "retry"},
		Never:   slices.Concat(systems, beyondAreas),
		Because: "the frame of decisions knows their events and no decision",
	},
	{
		Of:      []string{"stoa/internal/area"},
		May:     []string{"stoa/internal/job", "stoa/internal/outbox"},
		Never:   slices.Concat(systems, beyondAreas, []string{"stoa/internal/host"}),
		Because: "areas of any system register themselves, and cannot reach the host",
	},
	{
		Of:      []string{"stoa/internal/job"},
		May:     []string{kit + "lease", kit + "together"},
		Never:   slices.Concat(systems, beyondAreas),
		Because: "jobs run what systems give them",
	},
	{
		Of:      []string{"stoa/internal/control"},
		Never:   slices.Concat(systems, []string{"stoa/internal/host", "stoa/internal/ops", dynamo, aws}),
		Because: "a socket carries commands and knows none",
	},
	{
		Of: []string{"stoa/internal/ops"},
		May: []string{
			"stoa/internal/desk", "stoa/internal/idempotency", "stoa/internal/identity", "stoa/internal/job", "stoa/internal/outbox",
			kit + "keyspec", kit + "lease", kit + "page", kit + "refusal", kit + "stamp", kit + "stored", kit + "together", kit + "viewer",
		},
		Never:   systems,
		Because: "the rows of machinery serve any system",
	},
	{
		Of: []string{"stoa/internal/host"},
		May: []string{
			"stoa/internal/desk",
			"stoa/internal/appstore",
			"stoa/internal/push",
			"stoa/internal/auth/...",
			"stoa/internal/decision",
			"stoa/internal/desk",
			"stoa/internal/identity",
			"stoa/internal/job",
			"stoa/internal/operator/...",
			"stoa/internal/ops",
			"stoa/internal/outbox",
			"stoa/internal/media/...",
			"stoa/internal/webhook",
			kit + "bus",
			kit + "dump",
			kit + "keyspec",
			kit + "lease",
			kit + "page",
			kit + "refusal",
			kit + "stamp",
			kit + "tasks",
			kit + "together",
			kit + "trace",
			kit + "turns",
			kit + "viewer",
			gqlgen,
			prometheus,
		},
		Never:   systems,
		Because: "the host carries any system and knows none",
	},
	{
		Of:      []string{"stoa/internal/webhook"},
		May:     []string{kit + "trace"},
		Never:   slices.Concat(systems, beyondAreas),
		Because: "what is told is signed and sent without knowing it",
	},
	{
		Of:      []string{"stoa/internal/desk"},
		May:     []string{kit + "refusal", kit + "stamp", kit + "viewer"},
		Never:   slices.Concat(systems, beyondAreas),
		Because: "nouns need nothing but the language",
	},
	{
		Of:      []string{"stoa/internal/operator/takeout"},
		May:     []string{kit + "stamp"},
		Never:   slices.Concat(systems, beyondAreas),
		Because: "a file is written without knowing what is in it",
	},
	{
		Of: []string{"stoa/internal/operator"},
		May: []string{"stoa/internal/decision", "stoa/internal/desk", "stoa/internal/operator/takeout", "stoa/internal/outbox",
			kit + "page", kit + "refusal", kit + "retry", kit + "stamp", kit + "together", kit + "trace", kit + "viewer"},
		Never:   slices.Concat(systems, beyondAreas, []string{"stoa/internal/host", "stoa/internal/ops"}),
		Because: "what operators may do is decided without knowing systems or rows",
	},
	{
		Of: []string{"stoa/internal/operator/graph", "stoa/internal/operator/resolvers"},
		May: []string{"stoa/internal/operator/...", "stoa/internal/desk", kit + "batch",
			kit + "gqlplan", kit + "jsonstring", kit + "page", kit + "resolve", kit + "scalar", kit + "viewer", gqlgen, gqlparser},
		Never:   slices.Concat(systems, []string{"stoa/internal/host", "stoa/internal/ops", dynamo, aws}),
		Because: "a resolver hands arguments to the service and decides nothing",
	},
	{
		Of:      []string{"stoa/internal/host/toy"},
		May:     []string{"stoa/internal/area", "stoa/internal/decision", "stoa/internal/host", "stoa/internal/ops", "stoa/internal/outbox", kit + "...", gqlgen, gqlparser},
		Never:   systems,
		Because: "a system of one noun needs nothing but machinery",
	},
	{
		Of: []string{"stoa/store"},
		May: []string{
			nouns,
			"stoa/internal/desk",
			"stoa/internal/identity",
			"stoa/internal/ops",
			"stoa/internal/outbox",
			kit + "refusal",
			kit + "viewer",
			kit + "keyspec",
			kit + "page",
			kit + "search",
			kit + "stamp",
			kit + "stored",
			kit + "together",
			dynamo,
			aws,
			"github.com/google/uuid",
		}, // ids of events that repairs create
		Never:   []string{"stoa/graph", gqlgen},
		Because: "the store states facts and knows neither areas nor GraphQL",
	},
	{
		Of:      []string{"stoa/graph"},
		May:     []string{nouns, kit + "refusal", kit + "page", kit + "stamp", kit + "gqlplan", kit + "selection", gqlgen, gqlparser},
		Never:   []string{"stoa/store/...", dynamo, aws},
		Because: "the contract knows the nouns and nothing else",
	},
	{
		Of:      []string{"stoa/social/media"},
		May:     slices.Concat(nounsNeed, []string{nouns, "stoa/internal/area", "stoa/internal/media/...", kit + "lease"}),
		Never:   []string{"stoa/store/...", "stoa/graph", "stoa/resolvers", "stoa/internal/server/...", gqlgen, dynamo},
		Because: "files of posts and photos are made and kept by machinery, and nobody else knows it",
	},
	{Of: []string{nouns}, May: nounsNeed, Never: beyondAreas, Because: "nouns and pure rules need nothing but the language"},
	{
		Of:      []string{"stoa/social/user"},
		May:     slices.Concat(nounsNeed, areasNeed, []string{nouns, "stoa/internal/auth/provider", "stoa/internal/identity"}),
		Never:   beyondAreas,
		Because: "profiles change together with the accounts that people sign in with",
	},
	{
		Of:      []string{"stoa/social/feed"},
		May:     slices.Concat(nounsNeed, areasNeed, []string{nouns, kit + "cache"}),
		Never:   beyondAreas,
		Because: "many feeds show the posts of the same large accounts, which are kept in memory",
	},
	{
		Of:      []string{areas},
		May:     slices.Concat(nounsNeed, areasNeed, []string{nouns}),
		Never:   beyondAreas,
		Because: "an area knows nouns and rules, and others only by interfaces of its own",
	},
}, siblingFloors(), mediaFloors(), peopleFloors(), kitFloors())

// kitFloors allows each package of the kit its libraries, and nothing from the rest of
// stoa.
func kitFloors() (floors []Floor) {
	for _, k := range []struct {
		of  string
		may []string
	}{
		{"engine/...", []string{kit + "engine/...", kit + "jsonstring", pebble, "github.com/cockroachdb/apd/v3", dynamo, aws, lru, xxhash}},
		{"keyspec", []string{kit + "stamp", kit + "together", kit + "trace", kit + "jsonstring", kit + "engine/raw", dynamo, aws}},
		{"gqlplan/...", []string{kit + "jsonstring", kit + "gqlplan/introspect", gqlgen, gqlparser}},
		{"selection", []string{kit + "gqlplan", kit + "reads", gqlgen, gqlparser}},
		{"dump", []string{kit + "engine/wire", aws}},
		{"intercept", []string{dynamo, aws}},
		{"telemetry", []string{kit + "intercept", kit + "trace", dynamo, aws, prometheus}},
		{"faultdb", []string{kit + "engine/raw", kit + "intercept", kit + "keyspec", dynamo, aws}},
		{"lease/leasetest", []string{kit + "lease"}},
		{"designtest", []string{kit + "engine/...", kit + "keyspec", dynamo, aws}},
		{"batch", []string{kit + "together"}},
		{"gather", []string{kit + "together"}},
		{"fake", []string{"github.com/google/uuid"}},
		{"bus/nats", []string{kit + "bus", "github.com/nats-io/..."}},
		{"config", []string{kit + "nearest", "github.com/goccy/go-yaml/..."}},
		{"nearest", []string{"github.com/agnivade/levenshtein"}},
		{"ratelimit", []string{lru, "golang.org/x/time/rate"}},
		{"cache", []string{lru}},
		{"trace", []string{"golang.org/x/sync/semaphore", otel}},
		{"cli", []string{"github.com/spf13/cobra", "github.com/spf13/pflag"}},
		{"trace/otlp", []string{kit + "trace", otel}},
		{"retry", []string{kit + "refusal"}},
		{"together", []string{"golang.org/x/sync/errgroup"}},
		{"turns", []string{"golang.org/x/sync/semaphore"}},
		{"page", []string{kit + "refusal"}},
		{"input", []string{kit + "refusal"}},
		{"scalar", []string{kit + "refusal", kit + "stamp", gqlgen}},
		{"resolve", []string{kit + "batch", kit + "input", kit + "page", kit + "viewer", gqlgen}},
		{"stored", []string{kit + "keyspec", kit + "page", kit + "refusal"}},
		{"...", nil},
	} {
		floors = append(floors, Floor{Of: []string{kit + k.of}, May: k.may, Never: systems,
			Because: "the kit knows nothing of social networks, and one library at most"})
	}
	return floors
}

// TestHouse checks the imports of the module.
func TestHouse(t *testing.T) {
	root := "../../.."
	packages, err := List(root)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := packages[nouns]; !ok {
		t.Fatal("the package of nouns was not found")
	}
	sources, err := Sources(root)
	if err != nil {
		t.Fatal(err)
	}
	var forgeries []string
	for _, gate := range gates() {
		found, err := gate.Forgeries(root)
		if err != nil {
			t.Fatal(err)
		}
		forgeries = append(forgeries, found...)
	}
	for _, problems := range [][]string{forgeries, Violations(floors, packages), Undocumented(packages), sources} {
		for _, problem := range problems {
			t.Error(problem)
		}
	}
}
