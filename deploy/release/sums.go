package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// checksums writes SHA256SUMS, in the form that sha256sum checks, and returns its content.
func (r *release) checksums() ([]byte, error) {
	all, err := os.ReadDir(r.out)
	if err != nil {
		return nil, err
	}
	var sums strings.Builder
	for _, f := range all {
		sum, err := checksum(filepath.Join(r.out, f.Name()))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sum, f.Name())
	}
	text := []byte(sums.String())
	return text, os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), text, 0o644)
}

func checksum(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return h.Sum(nil), err
}

// sign writes the detached Ed25519 signature of the checksums, which cover all other files.
// Key is a private key in PEM, as `openssl genpkey -algorithm ed25519` makes it; without one,
// the release stays unsigned.
func (r *release) sign(sums []byte, key string) error {
	if key == "" {
		fmt.Fprintln(os.Stderr, "release: not signed: STOA_RELEASE_KEY is not set")
		return nil
	}
	block, _ := pem.Decode([]byte(key))
	if block == nil {
		return errors.New("STOA_RELEASE_KEY is not a private key in PEM")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return fmt.Errorf("STOA_RELEASE_KEY: %w", err)
	}
	private, ok := parsed.(ed25519.PrivateKey)
	if !ok {
		return errors.New("STOA_RELEASE_KEY is not an Ed25519 key")
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS.sig"), ed25519.Sign(private, sums), 0o644)
}
