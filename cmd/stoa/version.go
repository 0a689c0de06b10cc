package main

import (
	"context"
	"fmt"
	"runtime/debug"

	"stoa/internal/kit/cli"
)

func (m *Main) versionCommand() *cli.Command {
	return &cli.Command{
		Name:        "version",
		Usage:       "print version, commit and Go version",
		Description: "Example:\n   stoa version",
		Action: func(_ context.Context, cmd *cli.Command) error {
			info, ok := debug.ReadBuildInfo()
			if !ok {
				return fmt.Errorf("this program was built without version information: build it as a Go module")
			}
			_, err := fmt.Fprintln(m.Stdout, versionText(info))
			return err
		},
	}
}

// programVersion returns the module version, "" if it is unknown.
func programVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return info.Main.Version
}

// versionText returns the module version, or that this is a development build, and the
// revision.
func versionText(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit := settings["vcs.revision"]
	switch {
	case commit == "":
		commit = "unknown"
	case settings["vcs.modified"] == "true":
		commit += " with changes"
	}
	return fmt.Sprintf("stoa %s, commit %s, %s", info.Main.Version, commit, info.GoVersion)
}
