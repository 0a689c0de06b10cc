package main

import (
	"archive/tar"
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// checkout clones the repository, whose changes are not committed while it is worked on.
func checkout(t *testing.T, dir string) {
	t.Helper()
	for _, args := range [][]string{{"clone", "--quiet", "../..", dir}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
}

// Two releases of one commit, built in different directories, are the same bytes but for the
// signatures, which the documented command verifies.
func TestReleasesAreReproducible(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("packages and images are for Linux")
	}
	if testing.Short() {
		t.Skip("builds the program twice")
	}
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("STOA_RELEASE_KEY", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))

	var sums [2][]byte
	var outs [2]string
	for i, name := range []string{"one", "another directory"} {
		dir := filepath.Join(t.TempDir(), name)
		checkout(t, dir)
		outs[i] = filepath.Join(t.TempDir(), "dist")
		if err := run(t.Context(), dir, outs[i], runtime.GOOS+"/"+runtime.GOARCH); err != nil {
			t.Fatal(err)
		}
		if sums[i], err = os.ReadFile(filepath.Join(outs[i], "SHA256SUMS")); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(sums[0], sums[1]) {
		t.Errorf("two builds differ:\n%s\n%s", sums[0], sums[1])
	}
	for _, kind := range []string{".deb", "_image_" + runtime.GOARCH + ".tar", ".cdx.json"} {
		if !bytes.Contains(sums[0], []byte(kind)) {
			t.Errorf("there is no file %s in\n%s", kind, sums[0])
		}
	}

	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outs[0], "stoa-release.pem"), pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"openssl pkeyutl -verify -pubin -inkey stoa-release.pem -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig",
		"sha256sum --check --ignore-missing SHA256SUMS",
	} {
		args := strings.Fields(command)
		verify := exec.Command(args[0], args[1:]...)
		verify.Dir = outs[0]
		if out, err := verify.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", command, err, out)
		}
	}
	checkImage(t, outs[0])
	checkMaterials(t, outs[0])
}

// checkImage verifies that the image runs the program as nobody, and checks it.
func checkImage(t *testing.T, out string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(out, "*_image_*.tar"))
	if len(files) != 1 {
		t.Fatalf("images: %q", files)
	}
	image, err := tarball.ImageFromPath(files[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if c := config.Config; c.User != nobody || strings.Join(c.Healthcheck.Test, " ") != "CMD /usr/bin/stoa ready" || c.Entrypoint[0] != "/usr/bin/stoa" {
		t.Errorf("the image runs %+v", c)
	}
	layers, err := image.Layers()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range layers {
		content, err := l.Uncompressed()
		if err != nil {
			t.Fatal(err)
		}
		for r := tar.NewReader(content); ; {
			h, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, h.Name)
		}
	}
	if got := strings.Join(names, " "); got != "etc/ssl/certs/ca-certificates.crt etc/passwd tmp/ data/ usr/bin/stoa" {
		t.Errorf("the image has %s", got)
	}
}

// The image trusts the authorities of the module, whatever the machine that builds it trusts.
func TestAuthoritiesOfTheImage(t *testing.T) {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(authorities()) {
		t.Fatal("there are no certificates")
	}
	found := 0
	for rest := authorities(); len(rest) > 0; {
		block, more := pem.Decode(rest)
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		if cn := c.Subject.CommonName; cn == "ISRG Root X1" || cn == "Amazon Root CA 1" {
			found++
		}
		rest = more
	}
	if found != 2 {
		t.Error("those of Amazon and Let's Encrypt are not among them")
	}
}

// checkMaterials verifies that the bill of materials names the modules in the program.
func checkMaterials(t *testing.T, out string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(out, "*.cdx.json"))
	if len(files) != 1 {
		t.Fatalf("bills of materials: %q", files)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var bom struct {
		BomFormat  string
		Components []struct{ Name, Version, Purl string }
	}
	if err := json.Unmarshal(text, &bom); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, c := range bom.Components {
		found = found || c.Name == "github.com/99designs/gqlgen" && strings.HasPrefix(c.Purl, "pkg:golang/github.com/99designs/gqlgen@v")
	}
	if bom.BomFormat != "CycloneDX" || len(bom.Components) < 50 || !found {
		t.Errorf("the bill of materials has %d components of %s", len(bom.Components), bom.BomFormat)
	}
}
