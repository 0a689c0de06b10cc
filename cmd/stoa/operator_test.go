package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// operator 1#1, 2#2 and 6#0: the served API shows settings with secrets masked, and is not there
// if nobody can have a role; neither is the console.
func TestOperatorsSeeSettings(t *testing.T) {
	url := serve(t, "--store", "memory:", "--operators", "ozzy@example.com", "--api-keys", "hush-hush")
	ozzy := signUp(t, url, "ozzy")
	answer := post(t, url+"/operator/graphql", ozzy.token, http.StatusOK, map[string]any{
		"query": `{ me { role systems } settings { name value source meaning } health { store uptime sockets problem disk { free } } }`,
	})
	if at[string](answer, "data.me.role") != "OPERATOR" || at[string](answer, "data.health.store") != "memory:" {
		t.Errorf("answer %v", answer)
	}
	shown := map[string]map[string]any{}
	for _, s := range at[[]any](answer, "data.settings") {
		shown[at[string](s, "name")] = s.(map[string]any)
	}
	if keys := shown["api-keys"]; keys["value"] == "" || strings.Contains(keys["value"].(string), "hush") || keys["source"] != "flag --api-keys" {
		t.Errorf("api-keys are shown as %v", keys)
	}
	if shown["operators"]["value"] != "ozzy@example.com" {
		t.Errorf("operators are shown as %v", shown["operators"])
	}

	mails := newMailbox(t)
	closed := serve(t, "--store", "memory:", "--identity", "local", "--mailer", "smtp://"+mails.address, "--mail-from", "no-reply@chirp.example",
		"--app-url", "https://chirp.example", "--app-name", "Chirp", "--playground")
	response, err := http.Post(closed+"/operator/graphql", "application/json", strings.NewReader(`{"query":"{ __typename }"}`))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusNotFound {
		t.Errorf("without operators, the API answers %s", response.Status)
	}
	for server, want := range map[string]int{url: http.StatusOK, closed: http.StatusNotFound} {
		response, err := http.Get(server + "/console")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("the console of %s answers %s, want %d", server, response.Status, want)
		}
	}
}

// Without cases, a list is empty; a text that is no DateTime is refused before anything is executed.
func TestOperatorsAreToldWhatIsWrong(t *testing.T) {
	url := serve(t, "--store", "memory:", "--operators", "ozzy@example.com")
	ozzy, ana := signUp(t, url, "ozzy"), signUp(t, url, "ana")
	for _, c := range []struct {
		query     string
		variables map[string]any
		status    int
		want      string
	}{
		{query: `{ cases(system: "social") { items { id } } }`, status: 200, want: `{"data":{"cases":{"items":[]}}}`},
		{query: `{ cases(system: "") { items { id } } }`, status: 200, want: `{"data":{"cases":{"items":[]}}}`},
		{query: `mutation($p: ID!, $u: DateTime) { suspendPerson(id: $p, reason: "spam", until: $u) { id } }`,
			variables: map[string]any{"p": ana.userID, "u": "tomorrow"}, status: 400, want: "DateTime must be a text like"},
		{query: `mutation { suspendPerson(id: "` + ana.userID + `", reason: "spam", until: "2026-02-30T00:00:00Z") { id } }`, status: 400, want: "DateTime must be a text like"},
	} {
		body, err := json.Marshal(map[string]any{"query": c.query, "variables": c.variables})
		if err != nil {
			t.Fatal(err)
		}
		request, err := http.NewRequest(http.MethodPost, url+"/operator/graphql", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/graphql-response+json"}, "Authorization": {ozzy.token}}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != c.status || !strings.Contains(string(text), c.want) {
			t.Errorf("%s: %s %s, %v", c.query, response.Status, text, err)
		}
	}
}

// operator 7#4: colleagues without a profile are named by their ids, in what they have decided, noted and claimed.
func TestOperatorsWithoutProfile(t *testing.T) {
	url := serve(t, "--store", "memory:", "--operators", "ozzy@example.com")
	ana, ben := signUp(t, url, "ana"), signUp(t, url, "ben")
	login := map[string]string{"email": "ozzy@example.com", "password": "correct horse battery"}
	id := post(t, url+"/auth/sign-up", "", http.StatusCreated, login)["userId"].(string)
	token := post(t, url+"/auth/sign-in", "", http.StatusOK, login)["accessToken"].(string)
	operate := func(query string, variables map[string]any) any {
		t.Helper()
		answer := post(t, url+"/operator/graphql", token, http.StatusOK, map[string]any{"query": query, "variables": variables})
		if answer["errors"] != nil {
			t.Fatalf("%s: %v", query, answer["errors"])
		}
		return answer["data"]
	}
	ben.ask(`mutation($id: ID!) { reportUser(userId: $id) { userId } }`, map[string]any{"id": ana.userID})
	of := map[string]any{"case": "social:PERSON:" + ana.userID, "ana": ana.userID}
	for _, query := range []string{
		`mutation($case: ID!) { claimCase(id: $case) { claimedBy { id } } }`,
		`mutation($ana: ID!) { noteOnPerson(id: $ana, note: "met") { notes { who { id } } } }`,
		`mutation($ana: ID!) { suspendPerson(id: $ana, reason: "spam") { suspension { by { id } } } }`,
		`mutation($case: ID!) { decideCase(id: $case, revision: 1, verdict: KEEP) { decisions { who { id } } } }`,
	} {
		if got, err := json.Marshal(operate(query, of)); err != nil || !strings.Contains(string(got), id) {
			t.Errorf("%s shows %s, want %s: %v", query, got, id, err)
		}
	}
}
