package main

import (
	"archive/tar"
	"bytes"
	"encoding/pem"
	"io"
	"os"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// nobody is the user that containers run as.
const nobody = "65534:65534"

// image writes, for each binary for Linux, an image that `docker load` and `podman load` read. It
// has the program, certificates and nothing else: no shell, and nothing that can be written
// but the volume /data.
func (r *release) image(built []binary) error {
	for _, b := range built {
		if b.os != "linux" {
			continue
		}
		image, err := r.imageOf(b)
		if err != nil {
			return err
		}
		tag, err := name.NewTag("stoa:" + tagOf(b.version))
		if err != nil {
			return err
		}
		if err := tarball.WriteToFile(r.name("image", b.arch)+".tar", tag, image); err != nil {
			return err
		}
	}
	return nil
}

// tagOf returns a version as an image's tag, which has no plus sign.
func tagOf(version string) string {
	return string(bytes.ReplaceAll([]byte(version), []byte("+"), []byte("-")))
}

// environment is that of the image. It does not name the store, since a variable would win over a
// settings file: without settings, the store is ./data.
var environment = []string{"PATH=/usr/bin", "STOA_LISTEN=0.0.0.0:8080"}

func (r *release) imageOf(b binary) (v1.Image, error) {
	program, err := os.ReadFile(b.path)
	if err != nil {
		return nil, err
	}
	base, err := r.layer(
		entry{name: "etc/ssl/certs/ca-certificates.crt", content: authorities(), mode: 0o644},
		entry{name: "etc/passwd", content: []byte("nobody:x:65534:65534:nobody:/data:/sbin/nologin\n"), mode: 0o644},
		entry{name: "tmp/", mode: 0o1777},
		entry{name: "data/", mode: 0o700, owner: 65534},
	)
	if err != nil {
		return nil, err
	}
	top, err := r.layer(entry{name: "usr/bin/stoa", content: program, mode: 0o755})
	if err != nil {
		return nil, err
	}
	image, err := mutate.AppendLayers(empty.Image, base, top)
	if err != nil {
		return nil, err
	}
	file, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	file = file.DeepCopy()
	file.OS, file.Architecture, file.Created = b.os, b.arch, v1.Time{Time: r.commit}
	for i := range file.History {
		file.History[i].Created = file.Created
	}
	file.Config = v1.Config{
		User: nobody, WorkingDir: "/", Entrypoint: []string{"/usr/bin/stoa"}, Cmd: []string{"serve"},
		Env: environment,
		// The store needs time to open after a crash.
		Healthcheck: &v1.HealthConfig{
			Test: []string{"CMD", "/usr/bin/stoa", "ready"}, Interval: 10 * time.Second, Timeout: 6 * time.Second, StartPeriod: time.Minute, Retries: 3,
		},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}},
		Volumes:      map[string]struct{}{"/data": {}},
		StopSignal:   "SIGTERM",
		Labels: map[string]string{
			"org.opencontainers.image.title": "stoa", "org.opencontainers.image.version": b.version, "org.opencontainers.image.licenses": "MIT",
			"org.opencontainers.image.created": r.commit.Format(time.RFC3339),
		},
	}
	return mutate.ConfigFile(image, file)
}

// authorities returns the certificates of Mozilla's certificate authorities, from a module whose
// version is fixed, since those of machines differ. It omits authorities that are trusted under
// conditions which certificates cannot express.
func authorities() []byte {
	var text bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			pem.Encode(&text, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate})
		}
	}
	return text.Bytes()
}

// entry is a file, or a directory if its name ends with a slash.
type entry struct {
	name    string
	content []byte
	mode    int64
	owner   int
}

// layer returns a layer whose bytes depend on its entries and the commit's time.
func (r *release) layer(entries ...entry) (v1.Layer, error) {
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: e.mode, Size: int64(len(e.content)), Uid: e.owner, Gid: e.owner, ModTime: r.commit, Format: tar.FormatPAX}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(archive.Bytes())), nil })
}
