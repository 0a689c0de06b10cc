package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"net/http"
	"testing"
)

// Mutations of an account do not revoke its tokens.
func TestTokensOutliveMutations(t *testing.T) {
	url := serve(t, "--store", "memory:")
	credentials := map[string]string{"email": "ana@example.com", "password": "correct horse battery"}
	ana := signUp(t, url, "ana")
	tokens := post(t, url+"/auth/sign-in", "", http.StatusOK, credentials)
	ana.token = at[string](tokens, "accessToken")

	ana.ask(`mutation { resetUser { userId } }`, nil)
	ana.ask(`mutation { createCognitoOnlyUser(username: "ana2") { username } }`, nil)
	_, key := get(t, url+"/auth/password-key")
	credentials["password"] = "another horse battery"
	ana.ask(`mutation($p: String!) { setUserPassword(encryptedPassword: $p) { userId } }`, map[string]any{"p": encrypted(t, key, credentials["password"])})
	ana.ask(`{ self { username } }`, nil)
	post(t, url+"/auth/sign-in", "", http.StatusOK, credentials)
	refreshed := post(t, url+"/auth/refresh", "", http.StatusOK, map[string]any{"refreshToken": tokens["refreshToken"]})

	nobody := post(t, url+"/auth/anonymous", "", http.StatusCreated, map[string]string{})
	anonymous := &person{t: t, url: url, token: at[string](nobody, "accessToken")}
	anonymous.ask(`mutation { createAnonymousUser { AccessToken } }`, nil)
	anonymous.ask(`{ self { userStatus } }`, nil)

	ana.ask(`mutation { deleteUser { userId } }`, nil)
	answer := post(t, url+"/graphql", ana.token, http.StatusOK, map[string]string{"query": `{ self { userId } }`})
	if errs, _ := answer["errors"].([]any); answer["data"] != nil || len(errs) != 1 || at[string](errs[0], "message") != "ClientError: User does not exist" {
		t.Errorf("self after deleteUser: %v", answer)
	}
	if got := ana.ask(`mutation { resetUser { userId } }`, nil); got["resetUser"] != nil {
		t.Errorf("resetUser after deleteUser: %v", got)
	}
	ana.ask(`query($u: ID!) { user(userId: $u) { userId } }`, map[string]any{"u": ana.userID})
	post(t, url+"/auth/refresh", "", http.StatusUnauthorized, map[string]any{"refreshToken": refreshed["refreshToken"]})
	post(t, url+"/auth/sign-in", "", http.StatusUnauthorized, credentials)
}

// encrypted returns a password as apps send it, encrypted with a PEM key.
func encrypted(t *testing.T, key, password string) string {
	t.Helper()
	block, _ := pem.Decode([]byte(key))
	if block == nil {
		t.Fatalf("the key is %q", key)
	}
	public, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := rsa.EncryptOAEP(sha1.New(), rand.Reader, public.(*rsa.PublicKey), []byte(password), nil)
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(sealed)
}
