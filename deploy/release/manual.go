package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
)

// manual writes the manual page and the completions of shells into a temporary directory. They
// come from the binary of this machine's platform.
func (r *release) manual(ctx context.Context, built []binary) (dir string, err error) {
	i := slices.IndexFunc(built, func(b binary) bool { return b.platform == platform{runtime.GOOS, runtime.GOARCH} })
	if i < 0 {
		return "", fmt.Errorf("%s/%s is not among the platforms, and its program prints the manual", runtime.GOOS, runtime.GOARCH)
	}
	if dir, err = os.MkdirTemp("", "stoa-release-"); err != nil {
		return "", err
	}
	program, err := filepath.Abs(built[i].path)
	if err != nil {
		return "", err
	}
	for name, args := range map[string][]string{
		"stoa.8": {"man"}, "bash": {"completion", "bash"}, "zsh": {"completion", "zsh"}, "fish": {"completion", "fish"},
	} {
		text, err := exec.CommandContext(ctx, program, args...).Output()
		if err != nil {
			return "", fmt.Errorf("stoa %v: %w", args, err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return "", err
		}
	}
	return dir, nil
}
