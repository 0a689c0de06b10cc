package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func openDir(t testing.TB, dir string) *Engine {
	t.Helper()
	e, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func shut(t testing.TB, e *Engine) {
	t.Helper()
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestEverythingSurvivesReopening(t *testing.T) {
	dir := t.TempDir()
	e := openDir(t, dir)
	create(t, e, testTable("things"))
	m := &model{items: map[string]Item{}}
	h := history{rand.New(rand.NewPCG(1, 1))}
	for range 3 {
		for range 100 {
			writes := h.writes(3)
			m.apply(t, writes)
			transact(t, e, writes)
		}
		token := &dynamodb.TransactWriteItemsInput{ClientRequestToken: aws.String("token"),
			TransactItems: []types.TransactWriteItem{transactUpdate(key("counted", "1"), "ADD n :v", "", item(":v", 1))}}
		if _, err := e.TransactWriteItems(ctx, token); err != nil {
			t.Fatal(err)
		}
		m.items["counted|1"] = item("pk", "counted", "sk", "1", "n", 1) // once, whatever was reopened in between
		shut(t, e)
		e = openDir(t, dir)
		compareAll(t, e, m, h)
		compareCounts(t, e, m)
	}
	shut(t, e)
}

func TestLockedDirectory(t *testing.T) {
	dir := t.TempDir()
	e := openDir(t, dir)
	_, err := Open(dir)
	var locked *LockedError
	if !errors.As(err, &locked) || locked.Dir != dir || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "in use by another process") {
		t.Errorf("opening twice: %v", err)
	}
	shut(t, e)
	shut(t, openDir(t, dir))
}

func TestForeignFormats(t *testing.T) {
	for _, text := range []string{"2\n", "0\n", "01", "", "one"} {
		dir := t.TempDir()
		shut(t, openDir(t, dir))
		if err := os.WriteFile(filepath.Join(dir, formatFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(dir)
		var format *FormatError
		if !errors.As(err, &format) || format.Dir != dir || !strings.Contains(err.Error(), "this program reads format 1") {
			t.Errorf("opening format %q: %v", text, err)
		}
	}
}

func TestDirectoryThatCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(filepath.Join(file, "data"))
	var locked *LockedError
	if err == nil || errors.As(err, &locked) || !strings.Contains(err.Error(), "create directory") {
		t.Errorf("opening below a file: %v", err)
	}
}

func TestIndexBuildingResumes(t *testing.T) {
	dir := t.TempDir()
	e := openDir(t, dir)
	in := indexed(func(*dynamodb.CreateTableInput, *types.GlobalSecondaryIndex) {})
	create(t, e, in)
	for i := range 300 {
		if _, err := e.PutItem(ctx, &dynamodb.PutItemInput{TableName: in.TableName, Item: item("pk", fmt.Sprint(i), "late", "x")}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: in.TableName, AttributeDefinitions: definitions("late:S"),
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
			IndexName: aws.String("GSI-Late"), KeySchema: schema("late", ""), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}}}}); err != nil {
		t.Fatal(err)
	}
	shut(t, e) // most likely while building
	e = openDir(t, dir)
	e.builders.Wait()
	out, err := e.Scan(ctx, &dynamodb.ScanInput{TableName: in.TableName, IndexName: aws.String("GSI-Late"), Select: types.SelectCount})
	if err != nil || out.Count != 300 {
		t.Errorf("the index holds %v, %v", out, err)
	}
	shut(t, e)
}

func TestUseAfterClose(t *testing.T) {
	e, err := OpenMemory()
	if err != nil {
		t.Fatal(err)
	}
	create(t, e, testTable("things"))
	shut(t, e)
	shut(t, e)
	if err := putting(key("p", "1"))(e); !errors.Is(err, errClosed) {
		t.Errorf("a write after closing: %v", err)
	}
	if err := e.Checkpoint(t.TempDir()); !errors.Is(err, errClosed) {
		t.Errorf("a copy after closing: %v", err)
	}
}

func TestCheckpoint(t *testing.T) {
	e := openDir(t, t.TempDir())
	defer e.Close()
	create(t, e, testTable("things"))
	put(t, e, item("pk", "p", "sk", "1", "a1", "x", "a1s", "y"))
	copied := filepath.Join(t.TempDir(), "copy")
	if err := e.Checkpoint(copied); err != nil {
		t.Fatal(err)
	}
	put(t, e, item("pk", "p", "sk", "2"))
	other := openDir(t, copied)
	defer other.Close()
	if got := scanAll(t, other, "", 1); len(got) != 1 || got["p|1"] == nil {
		t.Errorf("the copy holds %v", got)
	}
	if err := e.Checkpoint(copied); err == nil {
		t.Error("copying over a copy succeeded")
	}
	if err := withTable(t).Checkpoint(filepath.Join(t.TempDir(), "copy")); err == nil {
		t.Error("copying a database in memory succeeded")
	}
}

// Stored data and copies are readable only by their owner. A database that others can read
// is refused.
func TestDataIsPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(dir, 0o755); err != nil { // empty, so it can be used
		t.Fatal(err)
	}
	e := openDir(t, dir)
	create(t, e, testTable("things"))
	copied := dir + "-copy"
	if err := e.Checkpoint(copied); err != nil {
		t.Fatal(err)
	}
	shut(t, e)
	for _, d := range []string{dir, copied} {
		err := filepath.WalkDir(d, func(path string, entry os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := entry.Info()
			if err == nil && info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s has mode %v", path, info.Mode())
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	_, err := Open(dir)
	var exposed *ExposedError
	if !errors.As(err, &exposed) || exposed.Dir != dir || !strings.Contains(err.Error(), "chmod -R go= ") {
		t.Errorf("opening what a group can read: %v", err)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	shut(t, openDir(t, dir))
}

// copyDir copies the files of a database, as an operator might.
func copyDir(to, from string) error {
	return errors.Join(os.CopyFS(to, os.DirFS(from)), os.Chmod(to, 0o700))
}

// After a crash, counts lack at most the writes since they were last stored.
func TestCountsAfterCrash(t *testing.T) {
	dir := t.TempDir()
	e := openDir(t, dir)
	create(t, e, testTable("things"))
	const writes = 3*countsSaved - 1
	for i := range writes {
		put(t, e, item("pk", fmt.Sprint(i), "sk", "1"))
	}
	crashed := filepath.Join(t.TempDir(), "crashed")
	if err := copyDir(crashed, dir); err != nil {
		t.Fatal(err)
	}
	shut(t, e)
	e = openDir(t, crashed)
	defer shut(t, e)
	out, err := e.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("things")})
	if err != nil {
		t.Fatal(err)
	}
	if items := *out.Table.ItemCount; items != 2*countsSaved {
		t.Errorf("%d items are counted after a crash, want the %d of the last stored count", items, 2*countsSaved)
	}
}
