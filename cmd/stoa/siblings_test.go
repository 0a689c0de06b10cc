package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"stoa/systems/communities"
	"stoa/systems/communities/store"
	messagingstore "stoa/systems/messaging/store"
	"stoa/systems/pantry"
)

// A sibling system is served next to the social one, on the same port, store and identity.
// Its data is seeded, exported and imported.
func TestSystemsBesideEachOther(t *testing.T) {
	both := []string{"--systems", "social,pantry", "--store", "embedded:" + t.TempDir()}
	printed, err := run(t, append([]string{"seed", "--users", "5"}, both...)...)
	if err != nil || !strings.Contains(printed, "posts") || !strings.Contains(printed, "foods") {
		t.Fatalf("seed: %v\n%s", err, printed)
	}
	url := serve(t, both...)
	_, login, _ := strings.Cut(printed, "foods")
	credentials := map[string]string{}
	for line := range strings.Lines(login) {
		if fields := strings.Fields(line); len(fields) == 2 {
			credentials[fields[0]] = fields[1]
		}
	}
	token := post(t, url+"/auth/sign-in", "", http.StatusOK, credentials)["accessToken"].(string)
	cook := &person{t: t, url: url + "/pantry", token: token}
	data := cook.ask(`{ me { groups { items { id } } } expiringFoods(withinDays: 365) { items { food { name } } } }`, nil)
	if len(at[[]any](data, "expiringFoods.items")) == 0 {
		t.Error("nothing expires")
	}
	group := at[[]any](data, "me.groups.items")[0].(map[string]any)["id"]
	// The same identity has no profile in the social system.
	answer := post(t, url+"/graphql", token, http.StatusOK, map[string]any{"query": `{ self { username } }`})
	if answer["errors"] == nil {
		t.Errorf("the social system knows the cook: %v", answer)
	}

	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(url, "http")+"/pantry/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	l := &listener{t: t, ctx: ctx, conn: conn}
	l.send(frame{Type: "connection_init", Payload: map[string]any{"Authorization": token}})
	l.expect("connection_ack", "")
	l.send(frame{ID: "events", Type: "subscribe", Payload: map[string]any{
		"query": `subscription($g: ID!) { containerChanged(groupId: $g) { kind container { name } } }`, "variables": map[string]any{"g": group}}})
	l.send(frame{ID: "marker", Type: "subscribe", Payload: map[string]any{"query": `{ me { id } }`}})
	l.expect("next", "marker")
	l.expect("complete", "marker")
	cook.ask(`mutation($g: ID!) { createContainer(groupId: $g, name: "Attic") { id } }`, map[string]any{"g": group})
	told := l.expect("next", "events").Payload
	if kind, name := at[string](told, "data.containerChanged.kind"), at[string](told, "data.containerChanged.container.name"); kind+name != "CONTAINER_CREATEDAttic" {
		t.Errorf("told of %s %s", kind, name)
	}
}

func TestSiblingsAlone(t *testing.T) {
	url := serve(t, "--systems", "pantry", "--store", "memory:")
	response, err := http.Post(url+"/graphql", "application/json", strings.NewReader(`{"query":"{__typename}"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusNotFound {
		t.Errorf("the social system answers %s", response.Status)
	}
	credentials := map[string]string{"email": "a@example.com", "password": "correct horse battery"}
	post(t, url+"/auth/sign-up", "", http.StatusCreated, credentials)
	p := &person{t: t, url: url + "/pantry", token: post(t, url+"/auth/sign-in", "", http.StatusOK, credentials)["accessToken"].(string)}
	if name := at[string](p.ask(`mutation { createUser(input: {name: "Ann"}) { name } }`, nil), "createUser.name"); name != "Ann" {
		t.Errorf("named %s", name)
	}
}

func TestSiblingsInCommands(t *testing.T) {
	if sdl, err := run(t, "schema", "--system", "pantry"); err != nil || sdl != pantry.Contract {
		t.Errorf("stoa schema does not print the contract of pantry: %v", err)
	}
	if text, err := run(t, "schema", "--system", "pantry", "--json"); err != nil || !strings.Contains(text, `"name": "ContainerEvent"`) {
		t.Errorf("stoa schema --json: %v", err)
	}
	if text, err := run(t, "tables", "describe", "--systems", "pantry"); err != nil || !strings.Contains(text, "UserAndGroupRelation") {
		t.Errorf("stoa tables describe: %v", err)
	}
	if text, err := run(t, "tables", "describe", "--systems", "communities"); err != nil || !strings.Contains(text, "PendingChatRequestsIndex") {
		t.Errorf("stoa tables describe: %v", err)
	}
	if sdl, err := run(t, "schema", "--system", "communities"); err != nil || sdl != communities.Contract {
		t.Errorf("stoa schema does not print the contract of communities: %v", err)
	}
	at := "embedded:" + t.TempDir()
	mustRun(t, "seed", "--users", "3", "--systems", "pantry", "--store", at)
	file := exportOf(t, at, "--systems", "pantry")
	away := "embedded:" + t.TempDir()
	mustRun(t, "import", file, "--systems", "pantry", "--store", away)
	back := contents(t, away, "stoa-", "Pantry", "ops")
	compareContents(t, back, contents(t, at, "stoa-", "Pantry", "ops"))
	if len(back["Pantry"]) == 0 {
		t.Error("nothing went out and came back")
	}
}

// The tables of communities, one of which has no sort key, are exported and imported.
func TestCommunitiesMove(t *testing.T) {
	at, away := "embedded:"+t.TempDir(), "embedded:"+t.TempDir()
	mustRun(t, "seed", "--users", "25", "--systems", "communities", "--store", at)
	mustRun(t, "import", exportOf(t, at, "--systems", "communities"), "--systems", "communities", "--store", away)
	tables := []string{"ops"}
	for _, table := range store.Tables {
		tables = append(tables, table.Name)
	}
	back := contents(t, away, "stoa-", tables...)
	compareContents(t, back, contents(t, at, "stoa-", tables...))
	for _, table := range tables {
		if len(back[table]) == 0 && table != "communities-PrivateChats" {
			t.Errorf("nothing of %s went out and came back", table)
		}
	}
}

// The tables of messaging, one of which has a number as sort key, are exported and
// imported.
func TestMessagingMoves(t *testing.T) {
	at, away := "embedded:"+t.TempDir(), "embedded:"+t.TempDir()
	mustRun(t, "seed", "--users", "14", "--systems", "messaging", "--store", at)
	mustRun(t, "check", "--systems", "messaging", "--store", at)
	mustRun(t, "import", exportOf(t, at, "--systems", "messaging"), "--systems", "messaging", "--store", away)
	tables := []string{"ops"}
	for _, table := range messagingstore.Tables {
		tables = append(tables, table.Name)
	}
	back := contents(t, away, "stoa-", tables...)
	compareContents(t, back, contents(t, at, "stoa-", tables...))
	for _, table := range tables {
		if len(back[table]) == 0 {
			t.Errorf("nothing of %s went out and came back", table)
		}
	}
}

// Two archives are generated in one store, exported and imported, and searched by a user
// whose login was printed.
func TestArchiveMoves(t *testing.T) {
	first, away := "embedded:"+t.TempDir(), "embedded:"+t.TempDir()
	mustRun(t, "seed", "--users", "8", "--systems", "archive", "--store", first)
	if _, err := run(
		t,
		"seed",
		"--users",
		"8",
		"--systems",
		"archive",
		"--store",
		first,
	); err == nil ||
		!strings.Contains(err.Error(), "is there already: seed an empty store, or give another --seed") {
		t.Errorf("seeding the same again: %v", err)
	}
	const service = "http://archive.example" // which vouches for its users
	printed, err := run(t, "seed", "--users", "8", "--seed", "2", "--public-url", service, "--systems", "archive", "--store", first)
	if err != nil {
		t.Fatal(err)
	}
	if checked, err := run(t, "check", "--systems", "archive", "--store", first); err != nil || !strings.Contains(checked, "No problems found") {
		t.Errorf("check: %v\n%s", err, checked)
	}
	mustRun(t, "import", exportOf(t, first, "--systems", "archive"), "--systems", "archive", "--store", away)
	back := contents(t, away, "stoa-", "archive", "ops")
	compareContents(t, back, contents(t, first, "stoa-", "archive", "ops"))

	credentials := map[string]string{}
	for line := range strings.Lines(printed) {
		if fields := strings.Fields(line); len(fields) == 2 {
			credentials[fields[0]] = fields[1]
		}
	}
	url := serve(t, "--systems", "archive", "--store", away, "--public-url", service)
	for query, status := range map[string]int{`{ places(prefix: "ohio") { fullName } }`: 200, `{ me { id } }`: 401, `{ places(prefix: "ohio") { id } ` +
		`searchRecords(input: {household: "1"}) { nextToken } }`: 401, `mutation { signIn { id } }`: 401} {
		post(t, url+"/archive/graphql", "", status, map[string]string{"query": query})
	}
	admin := &person{t: t, url: url + "/archive", token: post(t, url+"/auth/sign-in", "", http.StatusOK, credentials)["accessToken"].(string)}
	data := admin.ask(`{ me { level } categories { items { id name collectionCount } } posts(limit: 100) { items { postStatus recordCount } }
		searchRecords(input: {household: "1", place: "Marlow County, Ohio"}, limit: 100) { items { record { citation } } } }`, nil)
	if level := at[string](data, "me.level"); level != "ADMIN" {
		t.Errorf("the login is of level %s", level)
	}
	states := map[string]int{}
	for _, p := range at[[]any](data, "posts.items") {
		states[p.(map[string]any)["postStatus"].(string)]++
	}
	if fmt.Sprint(states) != "map[DRAFT:4 ERROR:2 PUBLISHED:14]" {
		t.Errorf("posts are %v", states)
	}
	if len(at[[]any](data, "searchRecords.items")) == 0 || len(at[[]any](data, "categories.items")) != 4 {
		t.Errorf("found %v", data)
	}
}

// Tokens of communities are not valid in other systems, and vice versa.
func TestTokensOfOtherAudiences(t *testing.T) {
	url := serve(t, "--systems", "pantry,communities", "--store", "memory:")
	credentials := map[string]string{"email": "a@example.com", "password": "correct horse battery"}
	post(t, url+"/auth/sign-up", "", http.StatusCreated, credentials)
	common := post(t, url+"/auth/sign-in", "", http.StatusOK, credentials)
	query := map[string]string{"query": "{ me { id } }"}
	post(t, url+"/communities/graphql", "", http.StatusUnauthorized, query)
	post(t, url+"/communities/graphql", common["accessToken"].(string), http.StatusUnauthorized, query)
	answer := post(t, url+"/communities/graphql", "", http.StatusOK, map[string]string{"query": `mutation { register(input: {
		username: "ann", name: "Ann", email: "a@example.com", password: "correct horse", location: {city: "a", state: "b", country: "c"}}) { accessToken refreshToken } }`})
	own := at[map[string]any](answer, "data.register")
	post(t, url+"/communities/graphql", own["accessToken"].(string), http.StatusOK, query)
	post(t, url+"/pantry/graphql", own["accessToken"].(string), http.StatusUnauthorized, query)
	refresh := `mutation { refreshSession(refreshToken: "` + common["refreshToken"].(string) + `") { accessToken } }`
	refused := post(t, url+"/communities/graphql", "", http.StatusOK, map[string]string{"query": refresh})
	if !strings.Contains(fmt.Sprint(refused["errors"]), "UNAUTHENTICATED") {
		t.Errorf("a refresh token of the common issuer: %v", refused)
	}
	post(t, url+"/auth/refresh", "", http.StatusOK, map[string]string{"refreshToken": common["refreshToken"].(string)})
}
