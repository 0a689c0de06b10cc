// Command release builds what people install: binaries for each platform, Debian packages, a
// container image, a bill of materials of each binary, checksums, and a signature of these.
//
// What it builds depends on the commit and on nothing else: two builds in different
// directories are the same bytes. The version is that of the commit's tag, as Go stamps it.
// It is a module of its own, so that its libraries are not among those of the server.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("release: ")
	source := flag.String("source", ".", "checkout to build, with everything committed")
	out := flag.String("out", "dist", "directory for the files, which is created and must be empty")
	only := flag.String("only", "", "comma-separated platforms such as linux/amd64; all if empty")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *source, *out, *only); err != nil {
		log.Fatal(err)
	}
}

// release is a release that is being built.
type release struct {
	source, out string
	// commit is the time of the commit, which all files bear.
	commit time.Time
	// version is without the leading v.
	version string
}

func run(ctx context.Context, source, out, only string) error {
	targets, err := selected(only)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	if files, err := os.ReadDir(out); err != nil || len(files) > 0 {
		return fmt.Errorf("%s is not empty: choose another directory with -out", out)
	}
	r := &release{source: source, out: out}
	if r.commit, err = commitTime(ctx, source); err != nil {
		return err
	}
	var built []binary
	for _, p := range targets {
		b, err := r.build(ctx, p)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		r.version = b.version
		if err := r.describe(b); err != nil {
			return fmt.Errorf("bill of materials for %s: %w", p, err)
		}
		built = append(built, b)
	}
	manual, err := r.manual(ctx, built)
	if err != nil {
		return fmt.Errorf("manual: %w", err)
	}
	defer os.RemoveAll(manual)
	for _, b := range built {
		if b.os != "linux" {
			continue
		}
		if err := r.debian(b, manual); err != nil {
			return fmt.Errorf("package for %s: %w", b.platform, err)
		}
	}
	if err := r.image(built); err != nil {
		return fmt.Errorf("image: %w", err)
	}
	sums, err := r.checksums()
	if err != nil {
		return err
	}
	if err := r.sign(sums, os.Getenv("STOA_RELEASE_KEY")); err != nil {
		return fmt.Errorf("signature: %w", err)
	}
	return r.list()
}

// name returns the path of a file of the release.
func (r *release) name(parts ...string) string {
	return filepath.Join(r.out, "stoa_"+r.version+"_"+strings.Join(parts, "_"))
}

// list prints the files with their sizes.
func (r *release) list() error {
	files, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			return err
		}
		fmt.Printf("%8.1f MB  %s\n", float64(info.Size())/1e6, f.Name())
	}
	return nil
}
