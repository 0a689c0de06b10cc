package app_test

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/app"
	"stoa/internal/host"
	issuer "stoa/internal/identity"
	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
	"stoa/store"
	"stoa/store/storetest"
)

// assemble returns a host of the social system on an empty store, with a stopped clock. Other
// systems join it before.
func assemble(t *testing.T, external host.External, others ...host.System) (*host.Host, *store.Store, *prometheus.Registry) {
	t.Helper()
	s, _ := storetest.Open(t)
	registry := prometheus.NewRegistry()
	h, err := host.New(t.Context(), host.Config{
		DB: s.DB, Holder: "test", External: external,
		Issuer: host.IssuerConfig{Mode: issuer.Dev, Region: "us-east-1", Cost: issuer.Cost{MemoryKiB: 8, Passes: 1}},
		Now:    func() time.Time { return storetest.Noon },
		NewID:  uuid.NewString, Random: rand.Reader, Log: slog.New(slog.DiscardHandler), Registry: registry,
	}, append(others, app.System(app.Options{}))...)
	if err != nil {
		t.Fatal(err)
	}
	return h, s, registry
}

// Each kind of event has a receiver, and a post is added to the feed of its owner.
func TestEventsAreReceived(t *testing.T) {
	a, s, registry := assemble(t, nil)
	ana := storetest.User(t, s, social.User{Username: "ana"})
	ben := storetest.User(t, s, social.User{Username: "ben"})
	post := &social.Post{PostID: "p", PostedByUserID: ana.UserID, Type: social.TextOnly, Status: social.PostCompleted, PostedAt: storetest.Noon, Text: "Hello."}
	record := func(e outbox.Event) outbox.Record {
		return outbox.NewRecord(t.Context(), e, a.Frame.NewID(), a.Frame.Now())
	}
	posted := record(social.PostStatusChanged{UserID: ana.UserID, PostID: "p", To: social.PostCompleted})
	if err := s.Posts.Apply(t.Context(), social.NewPostStep(nil, post, nil, post.PostedAt), posted); err != nil {
		t.Fatal(err)
	}
	step := social.FollowStep{From: social.NotFollowing, Follow: social.Follow{
		FollowerUserID: ben.UserID, FollowedUserID: ana.UserID, Status: social.Following, FollowedAt: storetest.Noon,
	}}
	if err := s.Follows.Move(t.Context(), step, record(step.StatusChanged())); err != nil {
		t.Fatal(err)
	}
	opened := ana
	opened.Bio = "open now"
	if err := s.Users.Change(t.Context(), &ana, &opened, record(social.UserMadePublic{UserID: ana.UserID})); err != nil {
		t.Fatal(err)
	}

	if err := a.Outbox.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, u := range []social.User{ana, ben} {
		feed, err := s.Feeds.Entries(t.Context(), u.UserID, page.Query{First: 10})
		if err != nil || len(feed.Items) != 1 || feed.Items[0].PostID != "p" {
			t.Errorf("the feed of %s holds %v, %v", u.Username, feed.Items, err)
		}
	}
	if kinds := series(t, registry, "stoa_outbox_lag_seconds"); kinds != 3 {
		t.Errorf("deliveries of %d kinds are measured, want 3", kinds)
	}
	if kinds := series(t, registry, "stoa_outbox_failures_total"); kinds != 0 {
		t.Errorf("failures of %d kinds are measured", kinds)
	}
}

// Cards of a removed profile go before other effects of its removal, in whatever order areas
// are registered: otherwise those would update cards that are about to be deleted.
func TestCardsOfRemovedProfilesGoFirst(t *testing.T) {
	received := false
	earlier := host.System{Name: "earlier", Join: func(_ context.Context, h *host.Host) (host.Face, error) {
		outbox.On(h.Outbox, func(ctx context.Context, e social.UserRemoved, _ outbox.Tell) error {
			received = true
			left, err := store.Open(h.DB).Cards.ByUser(ctx, e.UserID, page.Query{First: 1})
			if len(left.Items) > 0 {
				t.Error("a receiver that was registered earlier finds a card")
			}
			return err
		})
		return host.Face{}, nil
	}}
	a, s, _ := assemble(t, nil, earlier)
	ana := storetest.User(t, s, social.User{Username: "ana"})
	card := social.Card{CardID: "c", UserID: ana.UserID, Title: "Hello.", CreatedAt: storetest.Noon}
	if err := s.Cards.Change(t.Context(), social.CardChange{After: &card}, social.CardAbout{}); err != nil {
		t.Fatal(err)
	}
	at := storetest.Noon.Add(time.Second)
	removed := outbox.NewRecord(t.Context(), social.UserRemoved{UserID: ana.UserID, RemovedAt: at}, a.Frame.NewID(), a.Frame.Now())
	if err := s.Users.Remove(t.Context(), &ana, at, issuer.Change{}, removed); err != nil {
		t.Fatal(err)
	}
	if err := a.Outbox.Drain(t.Context()); err != nil || !received {
		t.Fatalf("received %v, %v", received, err)
	}
}

// series returns the number of time series of a metric.
func series(t *testing.T, registry *prometheus.Registry, name string) int {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == name {
			return len(family.GetMetric())
		}
	}
	return 0
}

func TestReady(t *testing.T) {
	a, _, _ := assemble(t, nil)
	if err := a.Ready(t.Context()); err != nil {
		t.Errorf("an open store: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := a.Ready(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("a store that cannot be read: %v", err)
	}
}

// elsewhere is an authenticator that accepts one user.
type elsewhere struct{}

func (elsewhere) Authenticate(context.Context, string) (social.UserID, error) { return "somebody", nil }
func (elsewhere) Account(context.Context, social.UserID) (email, phone string, found bool, err error) {
	return "somebody@example.com", "", true, nil
}

func TestIdentityInsideAndOutside(t *testing.T) {
	inside, _, _ := assemble(t, nil)
	if mounts := inside.Mounts(); inside.Issuer == nil || mounts["/auth/"] == nil || mounts["/.well-known/"] == nil {
		t.Error("the built-in identity is not mounted")
	}
	outside, _, _ := assemble(t, elsewhere{})
	if outside.Issuer != nil || outside.Mounts()["/auth/"] != nil {
		t.Error("a built-in identity stands beside the external one")
	}
	if who, err := outside.Authenticator.Authenticate(t.Context(), ""); err != nil || who != "somebody" {
		t.Errorf("the external identity is not asked: %q, %v", who, err)
	}
}
