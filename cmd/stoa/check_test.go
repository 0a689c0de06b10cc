package main

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/kit/engine"
)

// damage changes stored items without the program.
func damage(t *testing.T, dir string, change func(table func(name string) dynamo.Table)) {
	t.Helper()
	e, err := engine.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	db := dynamo.NewFromIface(e)
	change(func(name string) dynamo.Table { return db.Table("stoa-" + name) })
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestCheck(t *testing.T) {
	data := seeded(t, 20)
	dir := strings.TrimPrefix(data, "embedded:")
	mustRun(t, "seed", "--users", "20", "--store", data, "--systems", "pantry,communities,messaging,archive")
	check := func(flags ...string) (lines []string, err error) {
		printed, err := run(t, append([]string{"check", "--systems", "all", "--store", data}, flags...)...)
		return strings.Split(strings.TrimSuffix(printed, "\n"), "\n"), err
	}
	if lines, err := check(); err != nil || !slices.Equal(lines, []string{"No problems found."}) {
		t.Fatalf("a store that nobody damaged: %q, %v", lines, err)
	}

	var id, name string
	damage(t, dir, func(table func(string) dynamo.Table) {
		var profiles []struct {
			UserID   string `dynamo:"userId"`
			Username string `dynamo:"username"`
		}
		if err := table("main").Scan().Filter("sortKey = ?", "profile").All(t.Context(), &profiles); err != nil {
			t.Fatal(err)
		}
		id, name = profiles[0].UserID, profiles[0].Username
		for _, err := range []error{
			table("main").Update("partitionKey", "user/"+id).Range("sortKey", "profile").
				Set("followerCount", 4711).Set("gsiA1PartitionKey", "username/other").Run(t.Context()),
			table("ops").Delete("partitionKey", "username/"+strings.ToLower(name)).Range("sortKey", "-").Run(t.Context()),
			table("main").Put(guard("userEmail/nobody@example.com")).Run(t.Context()),
			table("ops").Put(guard("identityEmail/nobody@example.com")).Run(t.Context()),
			table("main").Put(guard("film/1")).Run(t.Context()),
			table("Pantry").Put(map[string]any{"PK": "EMail#nobody@example.com", "SK": "EMail", "UserId": "nobody"}).Run(t.Context()),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	// Problems that cannot be repaired come first.
	wrong := []struct {
		says     string
		mendable bool
	}{
		{`main film/1 | -: no row has such a key`, false},
		{`the address "nobody@example.com" is guarded for user nobody, who is gone`, false},
		{`user/` + id + ` | profile followerCount: wrong count: is "4711"`, true},
		{`user/` + id + ` | profile gsiA1PartitionKey: wrong index key: is "username/other", want "username/` + name + `"`, true},
		{`user ` + id + ` is called "` + name + `", which is not guarded`, true},
		{`user us-east-1:nobody is found by the e-mail address "nobody@example.com", which is not theirs`, true},
		{`the e-mail address "nobody@example.com" is guarded for identity us-east-1:nobody, which does not have it`, true},
	}
	for _, step := range []struct {
		flags    []string
		wrong    int
		repaired bool
		err      string
	}{
		{nil, 7, false, "7 problems found: stoa check --repair corrects most of them"},
		{[]string{"--repair"}, 7, true, "2 of 7 problems cannot be repaired"},
		{nil, 2, false, "2 problems found: stoa check --repair corrects most of them"},
	} {
		lines, err := check(step.flags...)
		if err == nil || err.Error() != step.err || exitCode(err) != 1 {
			t.Errorf("%v fails with %v, want %s", step.flags, err, step.err)
		}
		if len(lines) != step.wrong {
			t.Errorf("%v prints %q, want %d lines", step.flags, lines, step.wrong)
		}
		for _, w := range wrong[:step.wrong] {
			found := slices.ContainsFunc(lines, func(line string) bool {
				return strings.Contains(line, w.says) && (strings.HasSuffix(line, ": repaired") == (step.repaired && w.mendable))
			})
			if !found {
				t.Errorf("%v does not print %q: %q", step.flags, w.says, lines)
			}
		}
	}
}

// guard returns an item without attributes of its own.
func guard(key string) map[string]any {
	return map[string]any{"partitionKey": key, "sortKey": "-", "schemaVersion": 0, "userId": "us-east-1:nobody"}
}

func TestCheckRefusals(t *testing.T) {
	nowhere := t.TempDir() + "/nowhere"
	if _, err := run(t, "check", "--store", "embedded:"+nowhere); err == nil || err.Error() != "no store at "+nowhere+": create one with stoa serve or stoa seed" {
		t.Error(err)
	}
	isLeftAlone(t, nowhere)
}

// Only commands that are meant to create a store do so.
func TestMistypedStore(t *testing.T) {
	nowhere := t.TempDir() + "/nowhere"
	for _, args := range [][]string{
		{"tables", "plan"}, {"jobs", "list"}, {"jobs", "run", "social.delete-expired-posts"}, {"events", "list"}, {"search", "rebuild"}, {"token", "ana"}, {"check"}, {"export"},
	} {
		_, err := run(t, append(args, "--store", "embedded:"+nowhere)...)
		if err == nil || !strings.HasPrefix(err.Error(), "no store at "+nowhere) || exitCode(err) != 1 {
			t.Errorf("%v: %v", args, err)
		}
		isLeftAlone(t, nowhere)
	}
}

func isLeftAlone(t *testing.T, dir string) {
	t.Helper()
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a command has created %s", dir)
	}
}
