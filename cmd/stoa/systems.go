package main

import (
	"github.com/guregu/dynamo/v2"

	"stoa/internal/host"
	"stoa/internal/kit/keyspec"
	"stoa/social/app"
)

// systems are those that this program can serve.
var systems = []host.System{
	app.System(app.Options{}),
}

// openTables joins a client to the tables of all systems.
func openTables(client *dynamo.DB, s Settings) *keyspec.DB {
	return keyspec.Open(client, s.TablePrefix, host.Tables(systems...)...)
}
