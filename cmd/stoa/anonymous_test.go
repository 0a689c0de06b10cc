package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// local serves systems with local identity, as on the internet.
func local(t *testing.T, args ...string) string {
	t.Helper()
	return serve(
		t,
		append(
			[]string{
				"--store",
				"memory:",
				"--identity",
				"local",
				"--mailer",
				"smtp://127.0.0.1:1",
				"--mail-from",
				"a@example.com",
				"--app-url",
				"https://app.example",
				"--app-name",
				"Example",
			},
			args...)...)
}

func aliases(n int, field string) string {
	var all strings.Builder
	for i := range n {
		fmt.Fprintf(&all, " a%d:%s", i, strings.ReplaceAll(field, "#", fmt.Sprint(i)))
	}
	return all.String()
}

// codesOf returns the error codes of a response.
func codesOf(t *testing.T, url, token, query string) (codes []string) {
	t.Helper()
	answer := post(t, url, token, http.StatusOK, map[string]string{"query": query})
	errs, _ := answer["errors"].([]any)
	for _, err := range errs {
		codes = append(codes, at[string](err, "extensions.code"))
	}
	return slices.Compact(codes)
}

// An anonymous identity can request what an app shows, but only a fraction of what a
// registered user can.
func TestAnonymousOperationsAreCheap(t *testing.T) {
	for _, identity := range []string{"dev", "local"} {
		url := local(t, "--identity", identity)
		nobody := post(t, url+"/auth/anonymous", "", http.StatusCreated, nil)
		credentials := map[string]string{"password": "correct horse battery"}
		credentials["userId"] = post(t, url+"/auth/sign-up", "", http.StatusCreated, credentials)["userId"].(string)
		somebody := post(t, url+"/auth/sign-in", "", http.StatusOK, credentials)
		search := "{" + aliases(300, `searchUsers(searchToken:"x#"){items{username}}`) + "}"
		for _, kind := range []string{"accessToken", "idToken"} {
			if got := codesOf(t, url+"/graphql", nobody[kind].(string), search); !slices.Equal(got, []string{"COMPLEXITY_LIMIT_EXCEEDED"}) {
				t.Errorf("300 searches of an anonymous identity: %v", got)
			}
			if got := codesOf(t, url+"/graphql", nobody[kind].(string), `{searchUsers(searchToken:"x"){items{username}}}`); got != nil {
				t.Errorf("a search of an anonymous identity: %v", got)
			}
			if got := codesOf(t, url+"/graphql", somebody[kind].(string), search); got != nil {
				t.Errorf("300 searches of somebody who has signed up: %v", got)
			}
		}
		// A user without an account counts as anonymous, too.
		user := post(t, url+"/graphql", nobody["accessToken"].(string), http.StatusOK, map[string]string{
			"query": `mutation{createAnonymousUser{AccessToken}}`})
		token := at[string](user, "data.createAnonymousUser.AccessToken")
		if got := codesOf(t, url+"/graphql", token, search); !slices.Equal(got, []string{"COMPLEXITY_LIMIT_EXCEEDED"}) {
			t.Errorf("300 searches of an anonymous user: %v", got)
		}
	}
}

// Systems with their own accounts resist guessing: a request without a token hashes at most
// one password, and an address is throttled after ten wrong ones.
func TestStrangersCannotGuessInSystems(t *testing.T) {
	for system, login := range map[string]string{
		"messaging":   `login(login:"ana.ana",password:"guess #"){token}`,
		"communities": `login(login:"ana",password:"guess #"){accessToken}`,
	} {
		url := local(t, "--systems", system) + "/" + system + "/graphql"
		// Operations that are too expensive for anonymous callers require a token.
		post(t, url, "", http.StatusUnauthorized, map[string]string{"query": "mutation{" + aliases(2, login) + "}"})
		var all []string
		for range 11 {
			all = append(all, codesOf(t, url, "", "mutation{"+aliases(1, login)+"}")...)
		}
		if want := []string{"UNAUTHENTICATED", "RATE_LIMITED"}; !slices.Equal(slices.Compact(all), want) {
			t.Errorf("%s: guesses end in %v, want %v", system, slices.Compact(all), want)
		}
	}
}

// With dev identity, none of these limits applies.
func TestSystemsOfDevIdentityHaveNoLimits(t *testing.T) {
	url := serve(t, "--store", "memory:", "--systems", "messaging") + "/messaging/graphql"
	if got := codesOf(t, url, "", "mutation{"+aliases(12, `login(login:"ana.ana",password:"guess #"){token}`)+"}"); !slices.Equal(got, []string{"UNAUTHENTICATED"}) {
		t.Errorf("12 guesses: %v", got)
	}
}
