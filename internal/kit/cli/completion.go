package cli

import (
	"context"

	"github.com/spf13/cobra"
)

// Completion returns the group of commands that print scripts with which shells complete the
// commands of a program.
func Completion(program string) *Command {
	shell := func(name, before, after string, script func(*cobra.Command) error) *Command {
		return &Command{
			Name: name, Usage: "print the script for " + name,
			Description: "Example:\n   " + before + program + " completion " + name + after,
			Action:      func(_ context.Context, c *Command) error { return script(c.root) },
		}
	}
	return &Command{
		Name: "completion", Usage: "print a script with which a shell completes commands",
		Description: "Example:\n   source <(" + program + " completion bash)",
		Commands: []*Command{
			shell("bash", "source <(", ")", func(root *cobra.Command) error { return root.GenBashCompletionV2(root.OutOrStdout(), true) }),
			shell("fish", "", " | source", func(root *cobra.Command) error { return root.GenFishCompletion(root.OutOrStdout(), true) }),
			shell("powershell", "", " | Out-String | Invoke-Expression", func(root *cobra.Command) error {
				return root.GenPowerShellCompletionWithDesc(root.OutOrStdout())
			}),
			shell("zsh", "source <(", ")", func(root *cobra.Command) error { return root.GenZshCompletion(root.OutOrStdout()) }),
		},
	}
}
