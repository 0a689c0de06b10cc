package signedurl

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	key  = "us-east-1:0b1c/post/p1/image/native.jpg"
	base = "https://api.app.example:8443/media"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func signer(at time.Time) *Signer {
	return &Signer{Base: base, Secret: []byte("thirty-two bytes that stay secret"), Now: func() time.Time { return at }}
}

func queryOf(t *testing.T, address string) url.Values {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query()
}

func TestForm(t *testing.T) {
	s := signer(noon)
	const expires = "1772582400" // 2026-03-04 00:00
	for got, want := range map[string]string{
		s.Read(key):   base + "/" + key + "?Method=GET&Method=HEAD&Expires=" + expires + "&Signature=",
		s.Upload(key): base + "/" + key + "?Method=PUT&Expires=" + expires + "&Signature=",
		s.Plain(key):  base + "/" + key,
	} {
		if !strings.HasPrefix(got, want) {
			t.Errorf("got %s\nwant %s…", got, want)
		}
	}
}

func TestAddressesStayEqualForADay(t *testing.T) {
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	first, last, next := signer(day), signer(day.Add(24*time.Hour-1)), signer(day.Add(24*time.Hour))
	if first.Read(key) != last.Read(key) {
		t.Error("the address changed within a day")
	}
	if last.Read(key) == next.Read(key) {
		t.Error("the address is still that of yesterday")
	}
	if !signer(day.Add(72*time.Hour-1)).Allows("GET", key, queryOf(t, last.Read(key))) {
		t.Error("an address ended before its time")
	}
}

func TestAllows(t *testing.T) {
	s := signer(noon)
	read, upload := queryOf(t, s.Read(key)), queryOf(t, s.Upload(key))
	with := func(q url.Values, name string, values ...string) url.Values {
		changed := url.Values{}
		for k, v := range q {
			changed[k] = v
		}
		changed[name] = values
		return changed
	}
	other := signer(noon)
	other.Secret = []byte("another secret")
	for _, c := range []struct {
		name   string
		method string
		key    string
		query  url.Values
		by     *Signer
		want   bool
	}{
		{"read by GET", "GET", key, read, s, true},
		{"read by HEAD", "HEAD", key, read, s, true},
		{"upload by PUT", "PUT", key, upload, s, true},
		{"read address used to write", "PUT", key, read, s, false},
		{"upload address used to read", "GET", key, upload, s, false},
		{"method that no address is for", "DELETE", key, read, s, false},
		{"method added", "PUT", key, with(read, "Method", "GET", "HEAD", "PUT"), s, false},
		{"method replaced", "PUT", key, with(read, "Method", "PUT"), s, false},
		{"another object", "GET", key + "x", read, s, false},
		{"longer life", "GET", key, with(read, "Expires", "1972582400"), s, false},
		{"life that is no number", "GET", key, with(read, "Expires", "soon"), s, false},
		{"no signature", "GET", key, with(read, "Signature"), s, false},
		{"another key id", "GET", key, with(read, "Key-Id", read.Get("Key-Id")+"x"), s, false},
		{"no key id", "GET", key, with(read, "Key-Id"), s, false},
		{"foreign secret", "GET", key, read, other, false},
		{"nothing", "GET", key, url.Values{}, s, false},
		{"last moment", "GET", key, read, signer(time.Unix(1772582400, -1)), true},
		{"expired", "GET", key, read, signer(time.Unix(1772582400, 0)), false},
	} {
		if got := c.by.Allows(c.method, c.key, c.query); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

var rsaKey = sync.OnceValue(func() *rsa.PrivateKey {
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return k
})

const hls = "us-east-1:0b1c/post/p1/video-hls/video"

func cookieSigner(at time.Time) *CookieSigner {
	return &CookieSigner{Base: base, Key: rsaKey(), Now: func() time.Time { return at }}
}

func TestCookieForm(t *testing.T) {
	c, err := cookieSigner(noon).Sign(hls)
	if err != nil {
		t.Fatal(err)
	}
	if c.Domain != "api.app.example" || c.Path != "/media/us-east-1:0b1c/post/p1/video-hls/" || !c.ExpiresAt.Equal(noon.Add(48*time.Hour)) {
		t.Errorf("got %+v", c)
	}
	decode := func(s string) []byte {
		data, err := base64.StdEncoding.DecodeString(strings.NewReplacer("-", "+", "_", "=", "~", "/").Replace(s))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	policy := decode(c.Policy)
	want := `{"Statement":[{"Resource":"` + base + "/" + hls + `*","Condition":{"DateLessThan":{"AWS:EpochTime":1772539200}}}]}`
	if string(policy) != want {
		t.Errorf("got %s\nwant %s", policy, want)
	}
	digest := sha1.Sum(policy)
	if err := rsa.VerifyPKCS1v15(&rsaKey().PublicKey, crypto.SHA1, digest[:], decode(c.Signature)); err != nil {
		t.Error(err)
	}
	if strings.ContainsAny(c.Policy+c.Signature, "+=/") || c.KeyPairID == "" {
		t.Errorf("no values for cookies: %+v", c)
	}
}

func TestCookiesAllow(t *testing.T) {
	good, err := cookieSigner(noon).Sign(hls)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := cookieSigner(noon).Sign("us-east-1:0b1c/post/p2/video-hls/video")
	if err != nil {
		t.Fatal(err)
	}
	mixed := good
	mixed.Policy = foreign.Policy
	otherKey := good
	otherKey.KeyPairID = "K0"
	broken := good
	broken.Signature = "%"
	for _, c := range []struct {
		name    string
		cookies Cookies
		key     string
		at      time.Time
		want    bool
	}{
		{"playlist", good, hls + ".m3u8", noon, true},
		{"segment", good, hls + "_720p_00001.ts", noon, true},
		{"last moment", good, hls + ".m3u8", noon.Add(48*time.Hour - 1), true},
		{"expired", good, hls + ".m3u8", noon.Add(48 * time.Hour), false},
		{"another file of the post", good, "us-east-1:0b1c/post/p1/video-original.mov", noon, false},
		{"another post", foreign, hls + ".m3u8", noon, false},
		{"policy of another signature", mixed, "us-east-1:0b1c/post/p2/video-hls/video.m3u8", noon, false},
		{"unknown key", otherKey, hls + ".m3u8", noon, false},
		{"not base64", broken, hls + ".m3u8", noon, false},
		{"no cookies", Cookies{}, hls + ".m3u8", noon, false},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		if c.cookies != (Cookies{}) {
			r.AddCookie(&http.Cookie{Name: "CloudFront-Policy", Value: c.cookies.Policy})
			r.AddCookie(&http.Cookie{Name: "CloudFront-Signature", Value: c.cookies.Signature})
			r.AddCookie(&http.Cookie{Name: "CloudFront-Key-Pair-Id", Value: c.cookies.KeyPairID})
		}
		if got := cookieSigner(c.at).Allows(r, c.key); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
