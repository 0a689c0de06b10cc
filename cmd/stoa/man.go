package main

import (
	"context"
	"fmt"

	"stoa/internal/kit/cli"
)

// manCommand prints what every command says about itself as a manual page.
func (m *Main) manCommand() *cli.Command {
	return &cli.Command{
		Name: "man", Usage: "print the manual page", Hidden: true,
		Description: "Example:\n   stoa man > /usr/share/man/man8/stoa.8",
		Action: func(_ context.Context, cmd *cli.Command) error {
			_, err := fmt.Fprint(m.Stdout, cli.Man(m.root()))
			return err
		},
	}
}
