package auth_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"stoa/internal/auth"
	"stoa/internal/kit/hostile"
)

// FuzzAuthenticate looks for credentials that are slow to refuse, and checks that none is
// accepted without a signature.
func FuzzAuthenticate(f *testing.F) {
	c, i := newClock(), newIssuer(f)
	good := i.sign(f, "first", c.claims(nil))
	parts := strings.Split(good, ".")
	part := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	deep := strings.Repeat(`{"a":`, 2400) + "1" + strings.Repeat("}", 2400)
	for _, token := range []string{
		"", good, "Bearer " + good, parts[0] + "." + parts[1] + ".", parts[0] + "." + part(deep) + "." + parts[2], part(deep) + "." + parts[1] + "." + parts[2],
		strings.Repeat(".", hostile.Size), strings.Repeat("a.", hostile.Size/2), strings.Repeat("a", 16<<10), "Bearer" + strings.Repeat(" ", hostile.Size-10),
		part(`{"alg":"none"}`) + "." + parts[1] + ".", part(`{"alg":"ES256","kid":["first"]}`) + "." + parts[1] + "." + parts[2],
		part(`{"alg":"ES256","jwk":{"kty":"EC"}}`) + "." + parts[1] + "." + parts[2], part(`{"alg":"ES256","crit":["exp"],"exp":1}`) + "." + parts[1] + "." + parts[2],
		parts[0] + "." + part(`{"sub":"`+strings.Repeat("x", 10_000)+`","exp":99999999999}`) + "." + parts[2], parts[0] + "." + part(`{"exp":1e400}`) + "." + parts[2],
		parts[0] + "." + part(`{"exp":`+strings.Repeat("9", 10_000)+`}`) + "." + parts[2],
		`{"payload":"` + parts[1] + `","signatures":[{"protected":"` + parts[0] + `","signature":"` + parts[2] + `"}]}`,
	} {
		f.Add(token)
	}
	f.Fuzz(func(t *testing.T, authorization string) {
		signed := strings.Contains(authorization, good)
		hostile.Check(t, authorization, func() {
			// Refused tokens are not cached, but accepted ones would be.
			v := auth.New(auth.Config{Keys: i, Issuer: "https://issuer.test", Audience: "app", Now: c.now})
			if user, err := v.Authenticate(t.Context(), authorization); err == nil && !signed {
				t.Errorf("%q is %s", authorization, user)
			}
		})
	})
}
