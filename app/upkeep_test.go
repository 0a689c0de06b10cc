package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/apptest"
	"stoa/internal/host"
	"stoa/internal/kit/dump"
	"stoa/internal/media/blob"
	"stoa/internal/outbox"
	"stoa/social"
	. "stoa/social/socialtest"
	"stoa/store"
)

const item = `partitionKey sortKey attributes row parts { name value } related { table index partitionKey sortKeyPrefix }`

// operator 5#5: operators see stored items with what their declaration says, of tables and
// indexes, page by page, and each look leaves a line.
func TestItems(t *testing.T) {
	TestStaffed(t, Users("ana", "ben", "mod", "ozzy").Post("ana", "p1").Post("ana", "p2"), func(w *World) {
		w.Does("ben", `mutation { onymouslyLikePost(postId: "p1") { postId } }`)
		w.Settle()
		tables := w.OperatorDoes("ozzy", `{ tables { name items bytes indexes rows { name partitionKey sortKey } } }`).At("tables").([]any)
		names := map[string]map[string]any{}
		for _, one := range tables {
			names[one.(map[string]any)["name"].(string)] = one.(map[string]any)
		}
		if len(tables) != 4 || names["main"]["items"].(float64) < 6 || len(names["main"]["indexes"].([]any)) < 5 || len(names["ops"]["indexes"].([]any)) != 0 {
			t.Errorf("tables %v", tables)
		}

		got := w.OperatorDoes("ozzy", `{ items(table: "main", partitionKey: "user/{ana}") { items { `+item+` } nextToken } }`)
		w.Is(got, "items.items.0.row", `"profile"`)
		w.Is(got, "items.items.0.parts", `[{"name":"userId","value":"`+string(w.ID("ana"))+`"}]`)
		w.Is(got, "items.nextToken", `null`)
		var attributes map[string]any
		if err := json.Unmarshal([]byte(got.At("items.items.0.attributes").(string)), &attributes); err != nil || attributes["username"] != "ana" || attributes["postCount"] != 2.0 {
			t.Errorf("attributes %v, %v", attributes, err)
		}
		related := func(data apptest.Data, path string) (all []string) {
			for _, r := range data.At(path).([]any) {
				r := r.(map[string]any)
				index, _ := r["index"].(string)
				all = append(all, r["table"].(string)+" "+index+" "+r["partitionKey"].(string))
			}
			return all
		}
		like := w.OperatorDoes("ozzy", `{ items(table: "main", partitionKey: "post/p1", sortKeyPrefix: "like/") { items { `+item+` } } }`)
		all := strings.Join(related(like, "items.items.0.related"), "\n") + "\n"
		for _, want := range []string{"main  post/p1\n", "main  user/" + string(w.ID("ben")) + "\n"} {
			if !strings.Contains(all, want) {
				t.Errorf("a like leads to %s, not to %s", all, want)
			}
		}

		// An index, in pages of one.
		var posts []string
		token := ""
		for range 3 {
			page := w.OperatorDoes("ozzy", `query($token: String) { items(table: "main", index: "GSI-A2", partitionKey: "post/{ana}", limit: 1, nextToken: $token) {
				items { partitionKey row } nextToken } }`, apptest.Vars{"token": orNull(token)})
			for _, i := range page.At("items.items").([]any) {
				posts = append(posts, i.(map[string]any)["partitionKey"].(string)+" "+i.(map[string]any)["row"].(string))
			}
			if token, _ = page.At("items.nextToken").(string); token == "" {
				break
			}
		}
		if len(posts) != 2 || posts[0] != "post/p1 post" || posts[1] != "post/p2 post" {
			t.Errorf("posts by user: %v", posts)
		}

		for query, field := range map[string]string{
			`{ items(table: "none", partitionKey: "x") { nextToken } }`:                                      "table",
			`{ items(table: "main", index: "none", partitionKey: "x") { nextToken } }`:                       "index",
			`{ items(table: "main", partitionKey: "") { nextToken } }`:                                       "partitionKey",
			`{ items(table: "main", index: "GSI-A4", partitionKey: "x", sortKeyPrefix: "1") { nextToken } }`: "sortKeyPrefix",
			`{ items(table: "main", partitionKey: "x", nextToken: "bm90IG9uZQ") { nextToken } }`:             "",
			`{ items(table: "main", partitionKey: "user/{ana}", nextToken: "WyJ4IiwieSJd") { nextToken } }`:  "",
			`{ items(table: "main", partitionKey: "user/{ana}", limit: 101) { nextToken } }`:                 "",
		} {
			a := w.OperatorAsks("ozzy", query)
			if len(a.Errors) != 1 || a.Errors[0].Extensions.Code == "INTERNAL" {
				t.Errorf("%s: %+v", query, a.Errors)
			} else if field != "" && a.Errors[0].Extensions.Code != "BAD_INPUT" {
				t.Errorf("%s: %+v, want field %s", query, a.Errors, field)
			}
		}
		w.Is(w.OperatorDoes("ozzy", `{ audit(limit: 1) { items { action subject } } }`), "audit.items", `[{"action":"items","subject":"post/`+string(w.ID("ana"))+`"}]`)
		for _, query := range []string{`{ tables { name } }`, `{ items(table: "main", partitionKey: "x") { nextToken } }`, `{ backups { id } }`, `{ checks { id } }`,
			`{ figures { at } }`, `mutation { startBackup { id } }`, `mutation { startCheck { id } }`, `mutation { redeliver(event: "x") }`} {
			w.OperatorRefused("FORBIDDEN", "mod", query)
		}
	})
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// operator 5#2: what is wrong is found and repaired beside the service, and nothing else.
func TestCheckBesideTheService(t *testing.T) {
	TestStaffed(t, Users("ana", "ben", "ozzy").Post("ana", "p1"), func(w *World) {
		check := func(repair string) apptest.Data {
			t.Helper()
			w.OperatorDoes("ozzy", `mutation { startCheck(repair: `+repair+`) { id endedAt findings { key } } }`)
			for range 1000 {
				checks := w.OperatorDoes("ozzy", `{ checks { id endedAt items total repaired failure findings { table key text repaired } } }`)
				if checks.At("checks.0.endedAt") != nil {
					w.Is(checks, "checks.0.failure", `null`)
					return checks
				}
				time.Sleep(time.Second)
				synctest.Wait()
			}
			t.Fatal("the check does not end")
			return apptest.Data{}
		}
		found := check("false")
		w.Is(found, "checks.0.findings", `[]`)
		if found.At("checks.0.items").(float64) < 6 {
			t.Errorf("checked %v", found)
		}
		table := dynamo.NewFromIface(w.Client.Engine()).Table(apptest.Prefix + store.Main.Name)
		if err := table.Update("partitionKey", "user/"+string(w.ID("ana"))).Range("sortKey", "profile").Set("postCount", 7).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := `"main user/` + string(w.ID("ana")) + ` | profile postCount: wrong count: is \"7\", want \"1\""`
		found = check("false")
		w.Is(found, "checks.0.findings.0.text", want)
		w.Is(found, "checks.0.findings.0.table", `"main"`)
		w.Is(found, "checks.0.repaired", `0`)
		found = check("true")
		w.Is(found, "checks.0.findings.0.repaired", `true`)
		w.Is(found, "checks.0.repaired", `1`)
		w.Is(check("false"), "checks.0.findings", `[]`)
		w.Is(w.OperatorDoes("ozzy", `{ audit(limit: 1) { items { action after } } }`), "audit.items.0.action", `"startCheck"`)
	})
}

// operator 5#3: backups are complete or not there, and only as many as wanted are kept.
func TestBackups(t *testing.T) {
	TestStaffed(t, Users("ana", "mod", "ozzy"), func(w *World) {
		w.OperatorRefused("BAD_INPUT", "ozzy", `mutation { startBackup { id } }`) // no place
		place := blob.NewMemory()
		desk := w.Host.Desk
		var fails error
		desk.Export = func(_ context.Context, to io.Writer, progress dump.Progress) (dump.Summary, error) {
			if _, err := io.WriteString(to, "all items"); err != nil {
				return dump.Summary{}, err
			}
			progress(3, 3)
			return dump.Summary{Items: map[string]int64{"main": 3}}, fails
		}
		desk.BackupPlace = host.BackupPlace{Store: place, Name: "/safe/", Keep: 2}
		backup := func() apptest.Data {
			t.Helper()
			w.OperatorDoes("ozzy", `mutation { startBackup { id startedAt endedAt place } }`)
			synctest.Wait()
			return w.OperatorDoes("ozzy", `{ backups { endedAt bytes items place failure } health { newestBackup } }`)
		}
		first := backup()
		w.Is(first, "backups.0.items", `3`)
		w.Is(first, "backups.0.bytes", `9`)
		w.Is(first, "backups.0.failure", `null`)
		key, ok := strings.CutPrefix(first.At("backups.0.place").(string), "/safe/")
		if !ok || !strings.HasPrefix(key, "stoa-20260101T1200") {
			t.Errorf("stored at %q", key)
		}
		content, _, err := place.Open(t.Context(), key, blob.Range{})
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(content); err != nil || string(text) != "all items" {
			t.Errorf("%q, %v", text, err)
		}

		fails = errors.New("no space left on device")
		failed := backup()
		w.Is(failed, "backups.0.failure", `"no space left on device"`)
		if failed.At("health.newestBackup") != first.At("health.newestBackup") {
			t.Errorf("a failed backup counts: %v", failed)
		}
		if _, err := place.Head(t.Context(), strings.TrimPrefix(failed.At("backups.0.place").(string), "/safe/")); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("a failed backup leaves %v", err)
		}
		fails = nil
		backup()
		if last := backup(); len(last.At("backups").([]any)) != 2 {
			t.Errorf("kept %v", last)
		}
		if _, err := place.Head(t.Context(), key); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("the oldest backup is kept: %v", err)
		}
		w.Is(w.OperatorDoes("ozzy", `{ audit(limit: 1) { items { action } } }`), "audit.items.0.action", `"startBackup"`)

		w.Host.Authenticator = w.People
		fetch := func(as string) *httptest.ResponseRecorder {
			r := httptest.NewRequest(http.MethodGet, "/operator/backup", nil)
			r.Header.Set("Authorization", as)
			answer := httptest.NewRecorder()
			w.Handler.ServeHTTP(answer, r)
			return answer
		}
		if a := fetch("ozzy"); a.Code != http.StatusOK || a.Body.String() != "all items" || !strings.Contains(a.Header().Get("Content-Disposition"), ".ndjson.gz") {
			t.Errorf("fetched %d %q %v", a.Code, a.Body, a.Header())
		}
		for as, want := range map[string]int{"mod": http.StatusForbidden, "ana": http.StatusForbidden, "": http.StatusUnauthorized} {
			if a := fetch(as); a.Code != want || !strings.HasPrefix(a.Body.String(), `{"error":{"code":"`) {
				t.Errorf("%q fetches %d %q", as, a.Code, a.Body)
			}
		}
	})
}

// operator 2#3: what waits and what is dead is shown with its error, and delivered again on
// demand.
func TestRedeliver(t *testing.T) {
	TestStaffed(t, Users("ana", "ozzy"), func(w *World) {
		w.OperatorRefused("NOT_FOUND", "ozzy", `mutation { redeliver(event: "none") }`)
		w.OperatorRefused("NOT_FOUND", "ozzy", `mutation { redeliver(event: "7/none") }`)
		w.Is(w.OperatorDoes("ozzy", `{ audit { items { action } } }`), "audit.items", `[]`)
		health := w.OperatorDoes("ozzy", `{ health { operationsPerMinute errorsPerMinute eventLag undelivered { lastError attempts } deadEvents { id }
			processes { id version } mail { waiting failedToday sentToday lastError } newestBackup } }`)
		w.Is(health, "health.eventLag", `0`)
		w.Is(health, "health.deadEvents", `[]`)
		w.Is(health, "health.newestBackup", `null`)
		w.Is(health, "health.mail", `{"failedToday":0,"lastError":null,"sentToday":0,"waiting":0}`)

		dead := outbox.DeadLetter{
			Lane: outbox.Lane{Record: outbox.RecordOf(social.UserCreated{UserID: w.ID("ana")}, "lost", w.Now())}, At: w.Now(), Attempts: 12, Error: "no store",
		}
		if err := w.Host.Ops.Outbox.Park(t.Context(), "", dead); err != nil {
			t.Fatal(err)
		}
		const waiting = `{ health { deadEvents { id name about error } undelivered { id name attempts lastError } } }`
		health = w.OperatorDoes("ozzy", waiting)
		w.Is(health, "health.deadEvents", `[{"about":"`+string(w.ID("ana"))+`","error":"no store","id":"lost","name":"user.created"}]`)
		w.Is(w.OperatorDoes("ozzy", `mutation { redeliver(event: "lost") }`), "redeliver", `true`)
		health = w.OperatorDoes("ozzy", waiting)
		w.Is(health, "health.deadEvents", `[]`)
		w.Is(health, "health.undelivered.0.name", `"user.created"`)
		w.Is(health, "health.undelivered.0.lastError", `null`)
		id := health.Text("health.undelivered.0.id")
		w.OperatorDoes("ozzy", `mutation { redeliver(event: "`+id+`") }`)
		w.Is(w.OperatorDoes("ozzy", `{ audit(subject: "`+id+`") { items { action } } }`), "audit.items", `[{"action":"redeliver"}]`)
		w.Settle()
		w.Is(w.OperatorDoes("ozzy", waiting), "health.undelivered", `[]`)
	})
}
