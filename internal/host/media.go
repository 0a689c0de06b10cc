package host

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"stoa/internal/identity"
	"stoa/internal/kit/turns"
	"stoa/internal/media/blob"
	"stoa/internal/media/picture"
	"stoa/internal/media/serve"
	"stoa/internal/media/signedurl"
	"stoa/internal/media/video"
)

// Media stores and processes the files of systems.
type Media struct {
	Files    blob.Store
	Links    *signedurl.Signer
	Pictures *picture.Processor
	Films    *video.Transcoder

	host *Host
	// uploads limits those of each user.
	uploads *turns.Turns
	// mu guards key, which is nil until first used.
	mu  sync.Mutex
	key *rsa.PrivateKey
}

// mediaPath is the URL path of files.
const mediaPath = "/media"

// Uses of the keys that sign URLs and cookies.
const (
	keyForAddresses = "media addresses"
	keyForCookies   = "media cookies"
	onlyKey         = "1"
	cookieKeyBits   = 2048
	addressKeyBytes = 32
)

// openMedia sets up the media store, and creates the secret that signs URLs unless the
// store has one.
func (h *Host) openMedia(ctx context.Context) (*Media, error) {
	secret, err := h.sharedKey(ctx, keyForAddresses, func() ([]byte, error) {
		secret := make([]byte, addressKeyBytes)
		_, err := io.ReadFull(h.Random, secret)
		return secret, err
	})
	if err != nil {
		return nil, fmt.Errorf("open the signing key of media URLs: %w", err)
	}
	return &Media{
		Files:    h.Config.Media,
		Links:    &signedurl.Signer{Base: h.Config.Issuer.PublicURL + mediaPath, Secret: secret, Now: h.Now},
		Pictures: picture.NewProcessor(picture.DefaultLimits()),
		Films:    video.Find(h.Log),
		host:     h,
		uploads:  turns.New(serve.OwnUploads),
	}, nil
}

// sharedKey returns the key for a use, which all processes share, and creates it if
// necessary.
func (h *Host) sharedKey(ctx context.Context, use string, create func() ([]byte, error)) ([]byte, error) {
	return identity.SharedKey(ctx, h.Ops.Identities, identity.Key{Use: use, KeyID: onlyKey, CreatedAt: h.Now().UTC().Truncate(time.Microsecond)}, create)
}

// Cookies returns the signer of cookies for streams. Its key is created on first use,
// because that would delay the start.
func (m *Media) Cookies(ctx context.Context) (*signedurl.CookieSigner, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.key == nil {
		der, err := m.host.sharedKey(ctx, keyForCookies, func() ([]byte, error) {
			key, err := rsa.GenerateKey(rand.Reader, cookieKeyBits)
			if err != nil {
				return nil, err
			}
			return x509.MarshalPKCS1PrivateKey(key), nil
		})
		if err != nil {
			return nil, fmt.Errorf("open the signing key of media cookies: %w", err)
		}
		if m.key, err = x509.ParsePKCS1PrivateKey(der); err != nil {
			return nil, fmt.Errorf("open the signing key of media cookies: %w", err)
		}
	}
	return &signedurl.CookieSigner{Base: m.Links.Base, Key: m.key, Now: m.Links.Now}, nil
}

// Serve returns the handlers that serve files. The function streams reports which files are
// read with cookies.
func (m *Media) Serve(receiver serve.Receiver, streams func(key string) bool) map[string]http.Handler {
	return map[string]http.Handler{mediaPath + "/": &serve.Handler{
		Store: m.Files, Links: m.Links, Receiver: receiver, Uploads: m.uploads, Streams: streams, Cookies: m, Log: m.host.Log,
	}}
}

// ServeAt serves files at URLs of a system's own, which are valid for a while and begin
// with the path base. Signatures made for other URLs are not valid there.
func (m *Media) ServeAt(base string, life time.Duration, receiver serve.Receiver, accepts ...string) (*signedurl.Signer, map[string]http.Handler) {
	mac := hmac.New(sha256.New, m.Links.Secret)
	mac.Write([]byte(base))
	links := &signedurl.Signer{Base: m.host.Config.Issuer.PublicURL + base, Secret: mac.Sum(nil), Now: m.host.Now, Life: life}
	return links, map[string]http.Handler{base + "/": &serve.Handler{
		Store: m.Files, Links: links, Receiver: receiver, Uploads: m.uploads, Accepts: accepts, Streams: func(string) bool { return false }, Cookies: m,
		Log: m.host.Log,
	}}
}

// Allows reports whether the request has cookies that grant access to the file.
func (m *Media) Allows(r *http.Request, key string) bool {
	cookies, err := m.Cookies(r.Context())
	if err != nil {
		m.host.Log.ErrorContext(r.Context(), "verifying media cookies failed", "error", err)
		return false
	}
	return cookies.Allows(r, key)
}
