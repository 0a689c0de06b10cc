package main

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// platform is an operating system and an architecture, as Go names them.
type platform struct{ os, arch string }

func (p platform) String() string { return p.os + "/" + p.arch }

// platforms are those that releases are built for.
var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"}}

// selected returns the platforms with given names, or all.
func selected(names string) ([]platform, error) {
	if names == "" {
		return platforms, nil
	}
	var some []platform
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(platforms, func(p platform) bool { return p.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("there are no releases for %q: choose from %v", name, platforms)
		}
		some = append(some, platforms[i])
	}
	return some, nil
}

// binary is a program that has been built.
type binary struct {
	platform
	path, version string
	info          *buildinfo.BuildInfo
}

// maxSize is the maximum size of a binary, in bytes. A program that is suddenly a third larger
// has a function that calls methods by name, for which the linker keeps all exported methods;
// see stoa/internal/kit/cli. -ldflags=-dumpdep marks such functions with ReflectMethod. One that
// is a sixth larger refers to gqlgen's executor: see docs/adr/0007-plans-beside-the-executor.md.
const maxSize = 54_000_000

// build builds the program for a platform. The result depends neither on the directory nor on
// the machine.
func (r *release) build(ctx context.Context, p platform) (binary, error) {
	raw := filepath.Join(r.out, "stoa-"+p.os+"-"+p.arch)
	goBuild := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w -buildid=", "-o", raw, "./cmd/stoa")
	absolute, err := filepath.Abs(raw)
	if err != nil {
		return binary{}, err
	}
	goBuild.Args[len(goBuild.Args)-2] = absolute
	goBuild.Dir, goBuild.Stderr = r.source, os.Stderr
	goBuild.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off", "GOOS="+p.os, "GOARCH="+p.arch, "GOAMD64=v1", "GOARM64=v8.0")
	if err := goBuild.Run(); err != nil {
		return binary{}, err
	}
	info, err := buildinfo.ReadFile(raw)
	if err != nil {
		return binary{}, err
	}
	version, err := versionOf(info)
	if err != nil {
		return binary{}, err
	}
	b := binary{platform: p, version: strings.TrimPrefix(version, "v"), info: info}
	r.version = b.version
	b.path = r.name(p.os, p.arch)
	if p.os == "windows" {
		b.path += ".exe"
	}
	if err := os.Rename(raw, b.path); err != nil {
		return binary{}, err
	}
	size, err := os.Stat(b.path)
	if err != nil {
		return binary{}, err
	}
	if size.Size() > maxSize {
		return binary{}, fmt.Errorf("%s has %d bytes, and %d are allowed", b.path, size.Size(), maxSize)
	}
	return b, nil
}

// versionOf returns the version that Go has stamped on a binary.
func versionOf(info *buildinfo.BuildInfo) (string, error) {
	for _, s := range info.Settings {
		if s.Key == "vcs.modified" && s.Value == "true" {
			return "", errors.New("the checkout has changes: commit them, so that the release can be built again")
		}
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v, nil
	}
	return "", errors.New("the checkout has no version: build from a git checkout with its history")
}

// commitTime returns the time of the commit that is checked out.
func commitTime(ctx context.Context, source string) (time.Time, error) {
	git := exec.CommandContext(ctx, "git", "log", "-1", "--format=%ct")
	git.Dir, git.Stderr = source, os.Stderr
	text, err := git.Output()
	if err != nil {
		return time.Time{}, fmt.Errorf("time of the commit: %w", err)
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return time.Unix(seconds, 0).UTC(), err
}
