package signedurl

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"stoa/internal/kit/hostile"
)

// FuzzAllows looks for URLs that are slow to refuse, and checks that none is accepted
// without a signature.
func FuzzAllows(f *testing.F) {
	s, cookies := signer(noon), cookieSigner(noon)
	signed, err := cookies.Sign(hls)
	if err != nil {
		f.Fatal(err)
	}
	given := func(policy string) string {
		return policyCookie + "=" + policy + "; " + signatureCookie + "=" + signed.Signature + "; " + keyCookie + "=" + signed.KeyPairID
	}
	f.Add(given(signed.Policy))
	f.Add(given(strings.Repeat("W", 90_000))) // [[[…
	f.Add(strings.Repeat(policyCookie+"=a; ", 4000))
	good := strings.SplitAfter(s.Read(key), "?")[1]
	for _, query := range []string{
		"", good, strings.Repeat("Method=GET&", 9000), strings.Repeat("Signature=a&", 8000), "Expires=" + strings.Repeat("9", 90_000),
		"Expires=1e9&Signature=" + strings.Repeat("A", 90_000),
		strings.Repeat("%41", 30_000), strings.Repeat("&", hostile.Size), strings.Repeat(";", hostile.Size), "Method=GET%0AMethod=PUT&Expires=1772582400&Signature=x",
		good + "&Method=PUT",
	} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		values, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		hostile.Check(t, query, func() {
			if s.Allows(http.MethodPut, key, values) {
				t.Errorf("%q may write", query)
			}
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Header.Set("Cookie", query)
			if cookies.Allows(r, key) {
				t.Errorf("%q may read", query)
			}
		})
	})
}
