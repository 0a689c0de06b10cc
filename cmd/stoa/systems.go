package main

import (
	"slices"
	"strings"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/host"
	"stoa/internal/kit/keyspec"
	"stoa/social/app"
	"stoa/social/seed"
	archive "stoa/systems/archive/app"
	communities "stoa/systems/communities/app"
	messaging "stoa/systems/messaging/app"
	pantry "stoa/systems/pantry/app"
)

// allSystems are the systems that this program can serve. This is the only place where a
// system is added.
var allSystems = []host.System{
	social(),
	pantry.System(pantry.Options{}),
	communities.System(communities.Options{}),
	messaging.System(messaging.Options{}),
	archive.System(archive.Options{}),
}

func social() host.System {
	s := app.System(app.Options{})
	s.Seed = seed.System
	return s
}

// everySystem is the name for all systems.
const everySystem = "all"

// systems returns the configured systems, in the order of allSystems.
func (s *Settings) systems() []host.System {
	if slices.Contains(s.Systems, everySystem) {
		return allSystems
	}
	var chosen []host.System
	for _, system := range allSystems {
		if slices.Contains(s.Systems, system.Name) {
			chosen = append(chosen, system)
		}
	}
	return chosen
}

// checkSystems returns an error for unknown systems.
func (s *Settings) checkSystems(source string) error {
	known := []string{}
	for _, system := range allSystems {
		known = append(known, system.Name)
	}
	for _, name := range s.Systems {
		if name != everySystem && !slices.Contains(known, name) {
			return usage("setting systems (%s): there is no system %q: write one or more of %s, separated by commas, or %s", source, name, strings.Join(known, ", "), everySystem)
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
