package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"stoa/internal/kit/cli"
)

func (m *Main) configCommand() *cli.Command {
	return &cli.Command{
		Name:  "config",
		Usage: "print each setting, its value and where it came from",
		Description: "A flag wins over the environment, the environment over the file, the file over the default.\n" +
			"Secrets are masked.\n\n" +
			"Example:\n   STOA_LISTEN=127.0.0.1:9000 stoa config",
		Flags: settingFlags(),
		Action: func(_ context.Context, cmd *cli.Command) error {
			_, set, err := m.settings(cmd)
			if err != nil {
				return err
			}
			out := tabwriter.NewWriter(m.Stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintln(out, "SETTING\tVALUE\tFROM\tMEANING")
			for _, f := range set.Fields() {
				fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", f.Name, f.Text(), f.Source(), f.Help)
			}
			return out.Flush()
		},
	}
}
