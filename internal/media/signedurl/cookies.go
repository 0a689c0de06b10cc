package signedurl

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"
)

// Names of the cookies, which players know from CloudFront.
const (
	policyCookie    = "CloudFront-Policy"
	signatureCookie = "CloudFront-Signature"
	keyCookie       = "CloudFront-Key-Pair-Id"
)

// Cookies give access to all objects with a common prefix. A player with them can read a
// playlist and every file it refers to.
type Cookies struct {
	// Domain is the host name without a port. Path ends in a slash.
	Domain, Path string
	ExpiresAt    time.Time
	// Policy, Signature and KeyPairID are the values of CloudFront-Policy, -Signature and
	// -Key-Pair-Id.
	Policy, Signature, KeyPairID string
}

// CookieSigner signs cookies. Its fields are set once. Signatures are RSA with SHA-1, as
// required by clients.
type CookieSigner struct {
	// Base is the Base of the Signer for the same objects.
	Base string
	Key  *rsa.PrivateKey
	Now  func() time.Time
}

// Sign returns cookies for the objects whose keys begin with prefix. The cookies' path is
// the last directory in it.
func (c *CookieSigner) Sign(prefix string) (Cookies, error) {
	base, err := url.Parse(c.Base)
	if err != nil {
		return Cookies{}, err
	}
	expires := c.Now().Add(lifetime).Truncate(time.Second)
	policy := fmt.Appendf(nil, `{"Statement":[{"Resource":%s,"Condition":{"DateLessThan":{"AWS:EpochTime":%d}}}]}`,
		strconv.Quote(c.Base+"/"+prefix+"*"), expires.Unix())
	digest := sha1.Sum(policy)
	signature, err := rsa.SignPKCS1v15(rand.Reader, c.Key, crypto.SHA1, digest[:])
	if err != nil {
		return Cookies{}, err
	}
	return Cookies{
		Domain: base.Hostname(), Path: base.Path + "/" + escape(path.Dir(prefix)) + "/", ExpiresAt: expires,
		Policy: toCookie.Replace(base64.StdEncoding.EncodeToString(policy)), Signature: toCookie.Replace(base64.StdEncoding.EncodeToString(signature)),
		KeyPairID: c.keyPairID(),
	}, nil
}

// The base64 variant of these cookies.
var (
	toCookie   = strings.NewReplacer("+", "-", "=", "_", "/", "~")
	fromCookie = strings.NewReplacer("-", "+", "_", "=", "~", "/")
)

func (c *CookieSigner) keyPairID() string {
	sum := sha256.Sum256(x509.MarshalPKCS1PublicKey(&c.Key.PublicKey))
	return "K" + strings.ToUpper(hex.EncodeToString(sum[:7]))
}

// policy is the part of a policy that Sign uses.
type policy struct {
	Statement []struct {
		Resource  string
		Condition struct {
			DateLessThan struct {
				EpochTime int64 `json:"AWS:EpochTime"`
			}
		}
	}
}

// Allows reports whether a request has cookies that currently give access to the object.
func (c *CookieSigner) Allows(r *http.Request, key string) bool {
	values := map[string]string{}
	for _, name := range []string{policyCookie, signatureCookie, keyCookie} {
		cookie, err := r.Cookie(name)
		if err != nil {
			return false
		}
		values[name] = cookie.Value
	}
	text, err := base64.StdEncoding.DecodeString(fromCookie.Replace(values[policyCookie]))
	if err != nil {
		return false
	}
	signature, err := base64.StdEncoding.DecodeString(fromCookie.Replace(values[signatureCookie]))
	if err != nil || values[keyCookie] != c.keyPairID() {
		return false
	}
	digest := sha1.Sum(text)
	if rsa.VerifyPKCS1v15(&c.Key.PublicKey, crypto.SHA1, digest[:], signature) != nil {
		return false
	}
	var p policy // it is valid: it is signed by us
	if json.Unmarshal(text, &p) != nil || len(p.Statement) != 1 {
		return false
	}
	prefix := strings.TrimSuffix(p.Statement[0].Resource, "*")
	return strings.HasPrefix(c.Base+"/"+key, prefix) &&
		c.Now().Before(time.Unix(p.Statement[0].Condition.DateLessThan.EpochTime, 0))
}
