// Command generate runs gqlgen with the configuration in the working directory and writes
// the code for plans next to the executor, to plan.generated.go.
//
// It does everything that `gqlgen generate` does, with the same result. If the configuration
// does not bind the scalar ID, it binds it to the types of ids in autobound packages.
package main

import (
	"fmt"
	"os"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen/config"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run() error {
	c, err := config.LoadConfigFromDefaultLocations()
	if err != nil {
		return err
	}
	if err := bindIDs(c); err != nil {
		return err
	}
	return api.Generate(c, api.AddPlugin(planner{}))
}
