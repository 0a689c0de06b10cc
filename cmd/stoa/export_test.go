package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2/dynamodbiface"

	"stoa/internal/kit/dump"
	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/engine/wire"
	"stoa/internal/ops"
	"stoa/store"
)

// severalChunks is the number of users that fills more than one chunk of an export.
const severalChunks = 20

// networks are stores with small networks by their number of users, in directories that
// TestMain removes, and what seed printed about each.
var (
	networks   = map[int]string{}
	seedOutput = map[int]string{}
)

// seeded returns a store with a small network: a copy of one that is made only once, since
// drawing its pictures takes seconds.
func seeded(t *testing.T, users int) string {
	t.Helper()
	if networks[users] == "" {
		dir, err := os.MkdirTemp("", "network")
		if err != nil {
			t.Fatal(err)
		}
		out, err := run(t, "seed", "--users", strconv.Itoa(users), "--store", "embedded:"+dir)
		if err != nil {
			os.RemoveAll(dir)
			t.Fatal(err)
		}
		networks[users], seedOutput[users] = dir, out
	}
	from, to := networks[users], filepath.Join(t.TempDir(), "data")
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		copied := filepath.Join(to, strings.TrimPrefix(path, from))
		if d.IsDir() {
			return os.MkdirAll(copied, 0o700)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(copied, data, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	return "embedded:" + to
}

// exportOf exports a store and returns the file.
func exportOf(t *testing.T, at string, args ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "export.ndjson.gz")
	out, err := run(t, append([]string{"export", "--store", at, name}, args...)...)
	if err != nil || !strings.HasPrefix(out, name+" contains ") {
		t.Fatalf("export: %v\n%s", err, out)
	}
	return name
}

func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	out, err := run(t, args...)
	if err != nil {
		t.Fatalf("stoa %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// contents reads the tables of a store, by default those of the social system: their items,
// and the results of querying each partition of each index.
func contents(t *testing.T, at, prefix string, tables ...string) map[string][]row {
	t.Helper()
	if len(tables) == 0 {
		tables = []string{store.Main.Name, store.Feed.Name, ops.Table.Name, ops.Desk.Name}
	}
	s := defaultSettings()
	if err := s.Store.UnmarshalText([]byte(at)); err != nil {
		t.Fatal(err)
	}
	client, closeClient, err := openStorage(t.Context(), s, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := closeClient(); err != nil {
			t.Error(err)
		}
	}()
	found := map[string][]row{}
	for _, table := range tables {
		description, err := dump.Describe(t.Context(), client, prefix, prefix+table)
		if err != nil {
			t.Fatal(err)
		}
		var all []row
		err = dump.Scan{DB: client}.Items(t.Context(), prefix+table, nil, func(item row) error { all = append(all, item); return nil })
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(all, func(a, b row) int { return cmp.Compare(keyText(a, description.Key), keyText(b, description.Key)) })
		found[table] = all
		for _, x := range description.Indexes {
			found[table+" "+x.Name] = queries(t, client, prefix+table, x, all)
		}
	}
	return found
}

func keyText(item row, key []dump.Attribute) (text string) {
	for _, a := range key {
		switch value := item[a.Name].(type) {
		case *types.AttributeValueMemberS:
			text += value.Value + "\x00"
		case *types.AttributeValueMemberN:
			text += value.Value + "\x00"
		}
	}
	return text
}

// queries queries an index for each partition of the given items, in the order of the
// items.
func queries(t *testing.T, client dynamodbiface.DynamoDBAPI, table string, x dump.Index, items []row) (found []row) {
	t.Helper()
	asked := map[string]bool{}
	for _, item := range items {
		hash, ok := item[x.Key[0].Name].(*types.AttributeValueMemberS)
		if !ok || asked[hash.Value] {
			continue
		}
		asked[hash.Value] = true
		pages := dynamodb.NewQueryPaginator(client.(dynamodb.QueryAPIClient), &dynamodb.QueryInput{
			TableName: &table, IndexName: &x.Name, KeyConditionExpression: aws.String("#hash = :hash"),
			ExpressionAttributeNames: map[string]string{"#hash": x.Key[0].Name}, ExpressionAttributeValues: row{":hash": hash},
		})
		for pages.HasMorePages() {
			page, err := pages.NextPage(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, page.Items...)
		}
	}
	return found
}

// Data moves from an embedded store to a DynamoDB endpoint and back, with other table names
// in between; every item and every query of an index is unchanged.
func TestDataMovesToDynamoDBAndBack(t *testing.T) {
	useCredentials(t, "id", "secret")
	t.Setenv("AWS_MAX_ATTEMPTS", "3") // the default of operators: among many requests, some may hit a closing connection
	home := seeded(t, 5)
	want := contents(t, home, "stoa-")
	if len(want["main"]) < 50 || len(want["feed"]) < 10 || len(want["ops"]) < 10 || len(want["main GSI-A1"]) == 0 {
		t.Fatalf("the network has %d, %d and %d items", len(want["main"]), len(want["feed"]), len(want["ops"]))
	}
	file := exportOf(t, home)

	endpoint := start(t, "dynamodb")
	away := []string{"--store", endpoint, "--table-prefix", "away-"}
	mustRun(t, append([]string{"tables", "apply"}, away...)...)
	out := mustRun(t, append([]string{"import", file}, away...)...)
	if total := fmt.Sprintf("Imported %d items (%d in main, %d in feed, %d in ops, %d in desk) into %s.\n",
		len(want["main"])+len(want["feed"])+len(want["ops"])+len(want["desk"]), len(want["main"]), len(want["feed"]), len(want["ops"]), len(want["desk"]),
		endpoint); out != total {
		t.Errorf("got  %s\nwant %s", out, total)
	}
	compareContents(t, contents(t, endpoint, "away-"), want)

	back := filepath.Join(t.TempDir(), "back.gz")
	out = mustRun(t, append([]string{"export", back}, away...)...)
	if !strings.Contains(out, "not a snapshot") {
		t.Errorf("an export of a remote store says %s", out)
	}
	restored := "embedded:" + filepath.Join(t.TempDir(), "restored")
	mustRun(t, "import", back, "--store", restored)
	compareContents(t, contents(t, restored, "stoa-"), want)
	if status, _ := get(t, serve(t, "--store", restored)+"/readyz"); status != 200 {
		t.Errorf("the restored data is served with status %d", status)
	}
}

func compareContents(t *testing.T, got, want map[string][]row) {
	t.Helper()
	for name := range want {
		if !reflect.DeepEqual(got[name], want[name]) {
			t.Errorf("%s: %d items became %d others", name, len(want[name]), len(got[name]))
		}
	}
}

// Data that another program than a server uses cannot be exported.
func TestExportRefusals(t *testing.T) {
	useCredentials(t, "id", "secret")
	home := seeded(t, 5)
	file := exportOf(t, home)
	dir, _ := strings.CutPrefix(home, "embedded:")
	t.Run("beside another program", func(t *testing.T) {
		start(t, "dynamodb", "--store", home)
		for command, remedy := range map[string]string{
			"export new.gz":  "stop that process first, or make it copy the data with kill -USR1 and choose the copy with --store embedded:DIR",
			"import " + file: "stop that process, or choose other data with --store embedded:DIR",
		} {
			_, err := run(t, append(strings.Fields(command), "--store", home)...)
			if want := "the data in " + dir + " is in use by another process: " + remedy; err == nil || err.Error() != want || exitCode(err) != 1 {
				t.Errorf("stoa %s: %v", command, err)
			}
		}
	})
	endpoint := startDynamoDB(t)
	notes := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(notes, []byte("milk, bread\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	part := filepath.Join(t.TempDir(), "part.gz")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(part, whole[:len(whole)-20], 0o600); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "tables", "apply", "--store", endpoint, "--table-prefix", "y-")
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	for _, c := range []struct{ args, want string }{
		{file + " --store " + home, file + " exists: choose another name, or continue it with --resume"},
		{"other.gz --resume --store " + home, "other.gz does not exist: omit --resume to create it"},
		{notes + " --resume --store " + home, notes + ": the file is not an export of tables"},
		{part + " --resume --table-prefix y- --store " + endpoint, part + ": the file is an export of tables stoa-* in embedded: continue it from that store"},
		{"no/such/dir.gz --store " + home, "the export cannot be written: open no/such/dir.gz: no such file or directory"},
		{"other.gz --store embedded:" + nowhere, "no store at " + nowhere + ": create one with stoa serve or stoa seed"},
		{"other.gz --table-prefix x- --store " + home, "table x-main does not exist in " + home + ": choose the store with --store, or its tables with --table-prefix"},
		{"other.gz --store " + endpoint, "table stoa-main does not exist in " + endpoint + ": choose the store with --store, or its tables with --table-prefix"},
	} {
		if _, err := run(t, append([]string{"export"}, strings.Fields(c.args)...)...); err == nil || err.Error() != c.want || exitCode(err) != 1 {
			t.Errorf("stoa export %s:\ngot  %v\nwant %s", c.args, err, c.want)
		}
	}
	isLeftAlone(t, nowhere)
}

func TestExportGoesOn(t *testing.T) {
	home := seeded(t, severalChunks)
	file := exportOf(t, home)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if out := mustRun(t, "export", "--resume", file, "--store", home); out != file+" is already complete.\n" {
		t.Errorf("going on with a whole file: %s", out)
	}
	if err := os.Truncate(file, int64(len(whole)*2/3)); err != nil {
		t.Fatal(err)
	}
	_, err = run(t, "import", file, "--store", "embedded:"+t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "the export is incomplete: it ends after ") ||
		!strings.HasSuffix(err.Error(), " items: complete it with stoa export --resume") {
		t.Errorf("importing a part: %v", err)
	}
	if out := mustRun(t, "export", "--resume", file, "--store", home); !strings.Contains(out, "not a snapshot") {
		t.Errorf("an export that was interrupted says %s", out)
	}
	restored := "embedded:" + t.TempDir()
	mustRun(t, "import", file, "--store", restored)
	compareContents(t, contents(t, restored, "stoa-"), contents(t, home, "stoa-"))
}

func TestExportToAPipe(t *testing.T) {
	home := seeded(t, 5)
	for _, args := range [][]string{{"export", "--store", home}, {"export", "--store", home, "-"}} {
		if _, err := dump.Verify(strings.NewReader(mustRun(t, args...))); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
}

func TestAnInterruptedExportSaysHowToGoOn(t *testing.T) {
	useCredentials(t, "id", "secret")
	e := enginetest.Memory(t)
	ctx, stop := context.WithCancel(t.Context())
	serve := wire.NewHandler(e, slog.New(slog.DiscardHandler))
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".Scan") {
			stop() // like an impatient operator
		}
		serve.ServeHTTP(w, r)
	}))
	defer endpoint.Close()
	mustRun(t, "tables", "apply", "--store", endpoint.URL)
	file := filepath.Join(t.TempDir(), "export.gz")
	m := Main{Stdout: io.Discard, Stderr: io.Discard}
	err := m.Run(ctx, "export", file, "--store", endpoint.URL)
	if want := "interrupted: " + file + " is incomplete, continue with stoa export --resume"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if out := mustRun(t, "export", "--resume", file, "--store", endpoint.URL); !strings.HasPrefix(out, file+" contains 0 items") {
		t.Errorf("going on: %s", out)
	}
}

// An export has the tables of all systems that the store has, unless some are chosen, whether a
// server takes it or not; and an import those of the file.
func TestExportsContainWhatIsStored(t *testing.T) {
	store := "embedded:" + filepath.Join(t.TempDir(), "data")
	server := startProcess(t, "--store", store, "--systems", "social,pantry")
	signUp(t, server.url, "ana")
	for _, serving := range []bool{true, false} {
		if !serving {
			server.end(syscall.SIGTERM)
		}
		for _, command := range []string{"export", "backup"} {
			for _, row := range []struct {
				chosen      []string
				has, hasNot string
			}{
				{nil, " in Pantry", " in Tinode"},
				{[]string{"--systems", "social"}, " in main", " in Pantry"},
			} {
				file := filepath.Join(t.TempDir(), "items.gz")
				out := mustRun(t, append([]string{command, "--store", store, file}, row.chosen...)...)
				if !strings.Contains(out, row.has) || strings.Contains(out, row.hasNot) {
					t.Errorf("serving %t: %s %q: %s", serving, command, row.chosen, out)
				}
				copied := "embedded:" + filepath.Join(t.TempDir(), "copy")
				if out := mustRun(t, "import", "--store", copied, file); !strings.Contains(out, row.has) || strings.Contains(out, row.hasNot) {
					t.Errorf("import: %s", out)
				}
			}
		}
	}
}
