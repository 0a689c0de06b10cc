package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"
	"github.com/guregu/dynamo/v2/dynamodbiface"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/auth"
	"stoa/internal/host"
	"stoa/internal/identity"
	"stoa/internal/kit/cli"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/telemetry"
	"stoa/internal/kit/trace"
	"stoa/internal/media/blob"
	"stoa/internal/media/stock"
)

// onlyHolder is the lease holder of an embedded store, whose lock admits only one process:
// after a crash, a restarted process takes over at once.
const onlyHolder = "embedded"

// openDB opens the configured tables, which must be complete and as declared. It also returns
// the client that reaches them.
func openDB(
	ctx context.Context,
	s Settings,
	copies <-chan os.Signal,
	log *slog.Logger,
	registry prometheus.Registerer,
) (*keyspec.DB, dynamodbiface.DynamoDBAPI, func() error, error) {
	client, closeClient, err := openStorage(ctx, s, copies, log)
	if err != nil {
		return nil, nil, nil, err
	}
	db := openTables(dynamo.NewFromIface(telemetry.Measure(client, registry)), s)
	db.OnDrift = func(ctx context.Context, d keyspec.Drift) {
		log.WarnContext(ctx, "a counter does not match what it counts", "drift", fmt.Sprint(d))
	}
	if err = readyTables(ctx, db, s); err == nil {
		err = demandWhole(ctx, db, s)
	}
	if err != nil {
		return nil, nil, nil, errors.Join(err, closeClient())
	}
	return db, client, closeClient, nil
}

// readyTables creates missing tables of an embedded store. Elsewhere the operator must
// create them, and they must be as declared.
func readyTables(ctx context.Context, db *keyspec.DB, s Settings) error {
	if s.Store.Embedded() {
		return db.CreateTables(ctx)
	}
	return demandTables(ctx, db, s)
}

// demandTables returns an error if tables are not as declared.
func demandTables(ctx context.Context, db *keyspec.DB, s Settings) error {
	differences, err := db.Compare(ctx)
	if err != nil {
		return explainRemote(s, err)
	}
	for _, d := range differences {
		if d.Missing {
			return fmt.Errorf("table %s %s in %s: create it with stoa tables apply, or choose others with --table-prefix", d.Table, d.Text, s.Store)
		}
		return fmt.Errorf("table %s in %s %s: compare with stoa tables plan", d.Table, s.Store, d.Text)
	}
	return nil
}

// onStore runs action on what the configured store holds, for a command that serves nothing.
// If a server has the data open, beside is called instead, unless it is nil.
func (m *Main) onStore(ctx context.Context, cmd *cli.Command, action func(Settings, *host.Host) error, beside func(Settings) error) error {
	settings, _, err := m.settings(cmd)
	if err != nil {
		return err
	}
	if err := settings.Store.demand(); err != nil {
		return err
	}
	h, closeAll, err := assembleSilent(ctx, settings)
	var locked *lockedError
	if beside != nil && errors.As(err, &locked) {
		return unlessServing(beside(settings), err)
	}
	if err != nil {
		return err
	}
	return errors.Join(action(settings, h.Host), closeAll())
}

// service is a host with the client of its store.
type service struct {
	*host.Host
	client dynamodbiface.DynamoDBAPI
}

// assembleSilent is assemble without logs, metrics and copies.
func assembleSilent(ctx context.Context, s Settings) (_ *service, closeAll func() error, err error) {
	return assemble(ctx, s, nil, slog.New(slog.DiscardHandler), prometheus.NewRegistry(), nil)
}

// assemble opens everything that serves requests. It also returns a function that closes
// it.
func assemble(
	ctx context.Context,
	s Settings,
	copies <-chan os.Signal,
	log *slog.Logger,
	registry prometheus.Registerer,
	tracer *trace.Tracer,
) (_ *service, closeAll func() error, err error) {
	db, client, closeStore, err := openDB(ctx, s, copies, log, registry)
	if err != nil {
		return nil, nil, err
	}
	end := closeStore
	defer func() {
		if err != nil {
			err = errors.Join(err, end())
		}
	}()
	carrier, closeBus, err := openBus(s, log)
	if err != nil {
		return nil, nil, err
	}
	end = func() error { return errors.Join(closeBus(), closeStore()) }
	config := host.Config{
		DB:        db,
		Bus:       carrier,
		Holder:    onlyHolder,
		Issuer:    host.IssuerConfig{Region: s.Region, PublicURL: s.PublicURL, AppURL: s.AppURL, AppName: s.AppName, Cost: identity.DefaultCost},
		Operators: s.Operators, Moderators: s.Moderators, AuditRetention: s.AuditRetention, CaseDeadline: s.CaseDeadline,
		Version: programVersion(), Store: s.Store.String(),
		Now:      func() time.Time { return time.Now().Add(s.clockOffset) },
		NewID:    uuid.NewString,
		Random:   rand.Reader,
		Log:      log,
		Registry: registry,
		Tracer:   tracer,
	}
	config.PrivateWebhooks = s.WebhookPrivate
	if config.Webhooks, err = s.webhooks(); err != nil {
		return nil, nil, err
	}
	if config.Check, err = s.contentCheck(); err != nil {
		return nil, nil, usage("setting check-url: %v", err)
	}
	config.Media, err = blob.Open(ctx, s.Media)
	var address *blob.AddressError
	switch {
	case errors.As(err, &address):
		return nil, nil, usage("setting media: %v", err)
	case err != nil:
		return nil, nil, fmt.Errorf("the media store cannot be opened: %w", err)
	}
	if config.PlaceholderPhotos, err = stock.OpenPhotos(s.PlaceholderPhotos); err != nil {
		return nil, nil, usage("setting placeholder-photos: %v", err)
	}
	if _, err := readBadWords(s.badWords()); err != nil {
		return nil, nil, usage("setting bad-words: %v", err)
	}
	if config.HouseRules, err = readHouseRules(s.RulesFile); err != nil {
		return nil, nil, usage("setting rules-file: %v", err)
	}
	config.Issuer.APIKeys = s.APIKeys
	config.Providers, config.AppStore = s.providers(), s.appStore()
	if config.Push, err = s.pushSender(log); err != nil {
		return nil, nil, err
	}
	if !s.Store.Embedded() {
		config.Holder = uuid.NewString()
	}
	switch s.Identity {
	case devIdentity:
		config.Issuer.Mode = identity.Dev
		config.Issuer.Limits = s.identityLimits(identity.Dev)
	case localIdentity:
		config.Issuer.Mode = identity.Local
		config.Issuer.Limits = s.identityLimits(identity.Local)
		mailer, err := identity.NewSMTP(s.Mailer, s.MailFrom)
		if err != nil {
			return nil, nil, usage("setting %v", err)
		}
		config.Issuer.Mailer = mailer
	case oidcIdentity:
		client := &http.Client{Timeout: 10 * time.Second}
		if config.External, err = auth.NewExternal(ctx, s.OIDCIssuer, s.OIDCAudience, client, time.Now); err != nil {
			return nil, nil, fmt.Errorf("%w: check --oidc-issuer", err)
		}
	}
	h, err := host.New(ctx, config, s.systems()...)
	if err != nil {
		return nil, nil, err
	}
	return &service{h, client}, func() error { h.End(); return end() }, nil
}
