package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/kit/dump"
	"stoa/internal/ops"
)

// importPart imports a part of a file, like an import that is killed, and returns the
// store.
func importPart(t *testing.T, name string) string {
	t.Helper()
	s := defaultSettings()
	s.Store = Storage{Dir: filepath.Join(t.TempDir(), "data")}
	client, closeClient, err := openStorage(t.Context(), s, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	db := openTables(dynamo.NewFromIface(client), s)
	if err := db.CreateTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	reader, err := dump.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	begun, err := beginImport(t.Context(), client, db, s, reader.Header(), false)
	if err != nil {
		t.Fatal(err)
	}
	killed := errors.New("killed")
	_, err = dump.Importing{To: client, Prefix: s.TablePrefix, Progress: func(int, int) {}, Save: func(ctx context.Context, mark dump.Mark) error {
		begun.Chunks, begun.Checksum = mark.Chunks, mark.Sum
		return errors.Join(ops.Open(db).Imports.Save(ctx, begun), killed)
	}}.Run(t.Context(), reader)
	if !errors.Is(err, killed) {
		t.Fatalf("the import ended with %v", err)
	}
	if _, err := reader.Next(); err != nil {
		t.Fatalf("nothing of the file was left: %v", err)
	}
	if err := closeClient(); err != nil {
		t.Fatal(err)
	}
	return s.Store.String()
}

// A store with an unfinished import is refused by all commands; the same command completes
// it.
func TestAnImportThatDidNotFinish(t *testing.T) {
	home := seeded(t, severalChunks)
	file, other := exportOf(t, home), exportOf(t, home)
	partial := importPart(t, file)
	for _, args := range []string{"serve --listen 127.0.0.1:0", "seed --users 1", "token ana", "export new.gz"} {
		_, err := run(t, append(strings.Fields(args), "--store", partial)...)
		if err == nil || err.Error() != partial+" contains an unfinished import: run the same stoa import command again" {
			t.Errorf("stoa %s: %v", args, err)
		}
	}
	for _, flag := range []string{"--into-existing=false", "--into-existing"} {
		_, err := run(t, "import", other, flag, "--store", partial)
		if err == nil || err.Error() != partial+" contains a part of another file, whose import was interrupted: continue with that file, or use empty tables" {
			t.Errorf("import of another file with %s: %v", flag, err)
		}
	}
	mustRun(t, "import", file, "--store", partial)
	compareContents(t, contents(t, partial, "stoa-"), contents(t, home, "stoa-"))
}

func TestImportRefusals(t *testing.T) {
	useCredentials(t, "id", "secret")
	home := seeded(t, 5)
	file := exportOf(t, home)
	text := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(text, []byte("milk, bread\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := filepath.Join(t.TempDir(), "damaged.gz")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	whole[len(whole)/2] ^= 1
	if err := os.WriteFile(damaged, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	endpoint := startDynamoDB(t)
	for _, c := range []struct{ args, want string }{
		{file + " --store " + home, "table stoa-main in " + home + " contains items: import into empty tables, " +
			"or add --into-existing to replace those with the same keys and keep the others"},
		{text, text + ": the file is not an export of tables"},
		{damaged, damaged + ": the export is damaged after byte "},
		{"missing.gz", "the export cannot be read: open missing.gz: no such file or directory"},
		{file + " --store " + endpoint, "table stoa-main does not exist in " + endpoint + ": create it with stoa tables apply"},
	} {
		if _, err := run(t, append([]string{"import"}, strings.Fields(c.args)...)...); err == nil || !strings.HasPrefix(err.Error(), c.want) || exitCode(err) != 1 {
			t.Errorf("stoa import %s:\ngot  %v\nwant %s", c.args, err, c.want)
		}
	}
}

// In tables that are in use, items of the file replace those with the same keys.
func TestImportIntoExisting(t *testing.T) {
	home := seeded(t, 5)
	before := contents(t, home, "stoa-")
	file := exportOf(t, home)
	mustRun(t, "seed", "--users", "5", "--seed", "9", "--store", home)
	grown := contents(t, home, "stoa-")
	if len(grown["main"]) <= len(before["main"]) {
		t.Fatal("the network did not grow")
	}
	mustRun(t, "import", file, "--into-existing", "--store", home)
	after := contents(t, home, "stoa-")
	if len(after["main"]) != len(grown["main"]) {
		t.Errorf("%d items became %d", len(grown["main"]), len(after["main"]))
	}
	mustRun(t, "import", file, "--into-existing", "--store", home) // and again
	if out := mustRun(t, "tables", "plan", "--store", home); out != "all tables match their declarations\n" {
		t.Errorf("tables plan: %s", out)
	}
}
