package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/99designs/gqlgen/graphql/introspection"

	"stoa/app"
	"stoa/internal/host"
	"stoa/internal/identity"
	"stoa/internal/kit/cli"
)

func (m *Main) schemaCommand() *cli.Command {
	return &cli.Command{
		Name:  "schema",
		Usage: "print the GraphQL schema for code generators",
		Description: "Example:\n   stoa schema > schema.graphqls\n   stoa schema --json > introspection.json\n" +
			"   stoa schema --system pantry\n   stoa schema --auth > openapi.json",
		Flags: []cli.Flag{
			{Name: "json", Usage: "print the result of the introspection query", Value: false},
			{Name: "system", Usage: "system whose schema to print", Value: app.Name},
			{Name: "auth", Usage: "print the OpenAPI document of accounts and tokens", Value: false},
		},
		Action: func(ctx context.Context, cmd *cli.Command) error {
			if cmd.Bool("auth") {
				if cmd.IsSet("system") || cmd.IsSet("json") {
					return usage("flag --auth stands alone: leave out --json and --system")
				}
				_, err := fmt.Fprint(m.Stdout, identity.OpenAPI)
				return err
			}
			system, err := systemNamed(cmd.String("system"))
			if err != nil {
				return err
			}
			text := system.Contract()
			if cmd.Bool("json") {
				if text, err = introspect(ctx, system.Schema()); err != nil {
					return err
				}
			}
			_, err = fmt.Fprint(m.Stdout, text)
			return err
		},
	}
}

// systemNamed returns a system, or an error that lists them all.
func systemNamed(name string) (host.System, error) {
	var known []string
	for _, system := range (&Settings{}).all() {
		if system.Name == name {
			return system, nil
		}
		known = append(known, system.Name)
	}
	return host.System{}, usage("flag --system: there is no system %q: write one of %s", name, strings.Join(known, ", "))
}

// introspect returns the response to the standard introspection query, indented and with a
// final newline.
func introspect(ctx context.Context, schema graphql.ExecutableSchema) (string, error) {
	exec := executor.New(schema)
	exec.Use(extension.Introspection{})
	ctx = graphql.StartOperationTrace(ctx)
	operation, refused := exec.CreateOperationContext(ctx, &graphql.RawParams{Query: introspection.Query})
	if refused != nil {
		return "", fmt.Errorf("the introspection query is refused: %w", refused)
	}
	responses, ctx := exec.DispatchOperation(ctx, operation)
	response := responses(ctx)
	if len(response.Errors) > 0 {
		return "", fmt.Errorf("the introspection query fails: %w", response.Errors)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, fmt.Appendf(nil, `{"data":%s}`, response.Data), "", "  "); err != nil {
		return "", err
	}
	indented.WriteByte('\n')
	return indented.String(), nil
}
