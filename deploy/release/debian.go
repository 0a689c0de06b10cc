package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // the format
	"github.com/goreleaser/nfpm/v2/files"
)

// debian writes the Debian package of a binary: the program as a service of systemd, with its
// settings, manual page and completions of shells.
func (r *release) debian(b binary, manual string) (err error) {
	in := func(path ...string) string {
		return filepath.Join(append([]string{r.source, "deploy", "systemd"}, path...)...)
	}
	content := func(source, destination string, mode fs.FileMode) *files.Content {
		return &files.Content{Source: source, Destination: destination, FileInfo: &files.ContentFileInfo{Mode: mode, MTime: r.commit}}
	}
	settings := content(in("stoa.yaml"), "/etc/stoa/stoa.yaml", 0o644)
	settings.Type = files.TypeConfigNoReplace
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "stoa", Arch: b.arch, Platform: "linux", Version: b.version, MTime: r.commit, Section: "net", Priority: "optional",
		Maintainer:  "stoa",
		Description: "social backend in one program\nAccounts, posts, feeds, chats and more for an app, over GraphQL.",
		License:     "MIT",
		Overridables: nfpm.Overridables{
			Recommends: []string{"ffmpeg"},
			Contents: files.Contents{
				content(b.path, "/usr/bin/stoa", 0o755),
				content(in("stoa.service"), "/usr/lib/systemd/system/stoa.service", 0o644),
				settings,
				content(filepath.Join(manual, "stoa.8"), "/usr/share/man/man8/stoa.8", 0o644),
				content(filepath.Join(manual, "bash"), "/usr/share/bash-completion/completions/stoa", 0o644),
				content(filepath.Join(manual, "zsh"), "/usr/share/zsh/vendor-completions/_stoa", 0o644),
				content(filepath.Join(manual, "fish"), "/usr/share/fish/vendor_completions.d/stoa.fish", 0o644),
				content(filepath.Join(r.source, "LICENSE"), "/usr/share/doc/stoa/copyright", 0o644),
			},
			Scripts: nfpm.Scripts{PostInstall: in("postinstall.sh"), PreRemove: in("preremove.sh")},
		},
	})
	if err := nfpm.PrepareForPackager(info, "deb"); err != nil {
		return err
	}
	packager, err := nfpm.Get("deb")
	if err != nil {
		return err
	}
	file, err := os.Create(r.name(b.arch + ".deb"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return packager.Package(info, file)
}
