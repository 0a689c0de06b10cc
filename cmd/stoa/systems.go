package main

import (
	"context"
	"slices"
	"strings"

	"github.com/guregu/dynamo/v2"
	"github.com/guregu/dynamo/v2/dynamodbiface"

	"stoa/app"
	"stoa/internal/host"
	"stoa/internal/kit/keyspec"
	"stoa/seed"
	"stoa/systems/archive"
	archiveapp "stoa/systems/archive/app"
	communitiesapp "stoa/systems/communities/app"
	"stoa/systems/messaging"
	messagingapp "stoa/systems/messaging/app"
	pantryapp "stoa/systems/pantry/app"
)

// all returns the systems that this program can serve, with their settings. This is the
// only place where a system is added.
func (s *Settings) all() []host.System {
	level, _ := archive.ParseLevel(s.ArchiveLevel) // refused before if invalid
	return []host.System{
		s.social(),
		pantryapp.System(pantryapp.Options{}),
		communitiesapp.System(communitiesapp.Options{Capacity: s.ChatCapacity}),
		messagingapp.System(messagingapp.Options{Lifetimes: messaging.Lifetimes{Group: s.MessageLifeGroup, Own: s.MessageLifeOwn, Pair: s.MessageLifePair}}),
		archiveapp.System(archiveapp.Options{
			Level: level, Workers: s.ArchiveWorkers, Imports: archive.ImportLimits{Rows: s.ArchiveRows, DailyRows: s.ArchiveDailyRows},
		}),
	}
}

func (s *Settings) social() host.System {
	system := app.System(app.Options{
		ReservedUsernames: s.Reserved, FollowedByAll: s.FollowedByAll, FanOutLimit: s.FanOutLimit, WeighReports: s.WeighReports,
		BadWords: func() ([]string, error) { return readBadWords(s.badWords()) }, Kilometers: s.Kilometers,
		ImageVerification: s.ImageVerification, ImageVerificationKey: s.ImageVerificationKey, PushTo: s.pushTo(),
	})
	system.Seed = seed.System
	return system
}

// everySystem is the name for all systems.
const everySystem = "all"

// systems returns the configured systems, in the order of all.
func (s *Settings) systems() []host.System {
	all := s.all()
	if slices.Contains(s.Systems, everySystem) {
		return all
	}
	var chosen []host.System
	for _, system := range all {
		if slices.Contains(s.Systems, system.Name) {
			chosen = append(chosen, system)
		}
	}
	return chosen
}

// withStored returns the settings with the systems that have embedded tables behind a client,
// unless some are given. A remote store may not let us look at the tables of others.
func (s Settings) withStored(ctx context.Context, client dynamodbiface.DynamoDBAPI) (Settings, error) {
	if s.systemsGiven || !s.Store.Embedded() {
		return s, nil
	}
	every := s
	every.Systems = []string{everySystem}
	differences, err := openTables(dynamo.NewFromIface(client), every).Compare(ctx)
	if err != nil {
		return s, explainRemote(s, err)
	}
	return s.withTables(func(name string) bool {
		return !slices.ContainsFunc(differences, func(d keyspec.Difference) bool { return d.Text == keyspec.NoTable && d.Table == s.TablePrefix+name })
	}), nil
}

// withTables returns the settings with the systems of which any table exists, unless some are
// given or none has one.
func (s Settings) withTables(exists func(name string) bool) Settings {
	var found []string
	for _, system := range s.all() {
		if slices.ContainsFunc(system.Tables, func(t *keyspec.Table) bool { return exists(t.Name) }) {
			found = append(found, system.Name)
		}
	}
	if !s.systemsGiven && len(found) > 0 {
		s.Systems = found
	}
	return s
}

// checkSystems returns an error for unknown systems.
func (s *Settings) checkSystems(source string) error {
	known := []string{}
	for _, system := range s.all() {
		known = append(known, system.Name)
	}
	for _, name := range s.Systems {
		if name != everySystem && !slices.Contains(known, name) {
			return usage(
				"setting systems (%s): there is no system %q: write one or more of %s, separated by commas, or %s",
				source,
				name,
				strings.Join(known, ", "),
				everySystem,
			)
		}
	}
	if len(s.Systems) == 0 {
		return usage("setting systems (%s): there is none to serve: write one or more of %s", source, strings.Join(known, ", "))
	}
	return nil
}

// openTables returns the tables of the configured systems.
func openTables(client *dynamo.DB, s Settings) *keyspec.DB {
	return keyspec.Open(client, s.TablePrefix, host.Tables(s.systems()...)...)
}
