package main

import (
	"context"
	"fmt"

	docs "github.com/urfave/cli-docs/v3"
	"github.com/urfave/cli/v3"
)

// manCommand prints what every command says about itself as a manual page.
func (m *Main) manCommand() *cli.Command {
	return &cli.Command{
		Name: "man", Usage: "print the manual page", Hidden: true,
		Description: "Example:\n   stoa man > /usr/share/man/man8/stoa.8",
		Action: func(_ context.Context, cmd *cli.Command) error {
			if _, err := arguments(cmd); err != nil {
				return err
			}
			page, err := docs.ToManWithSection(m.root(), 8)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(m.Stdout, page)
			return err
		},
	}
}
