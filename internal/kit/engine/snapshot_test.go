package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// underLoad calls run while writers execute transactions as in the crash test, and ensures
// that each writer has some acknowledged both before and after.
func underLoad(t *testing.T, e *Engine, run func()) {
	t.Helper()
	const each = 30
	var before, all sync.WaitGroup
	done := make(chan struct{})
	for writer := range crashWriters {
		before.Add(1)
		all.Go(func() {
			left := each // transactions to write after run has returned
			for n := 0; left > 0; n++ {
				if err := crashWrite(e, writer, n); err != nil {
					t.Error(err)
					if n < each {
						before.Done()
					}
					return
				}
				if n == each-1 {
					before.Done()
				}
				select {
				case <-done:
					left--
				default:
				}
			}
		})
	}
	before.Wait()
	run()
	close(done)
	all.Wait()
}

// checkWhole checks that a snapshot contains whole transactions: all items of a group have
// the same number.
func checkWhole(t *testing.T, items map[string]Item) {
	t.Helper()
	for writer := range crashWriters {
		for slot := range crashSlots {
			var found []int
			for member := range crashGroup {
				it := items[fmt.Sprintf("writer %d|%d %d", writer, slot, member)]
				if it == nil {
					t.Fatalf("writer %d has written slot %d, and member %d is absent", writer, slot, member)
				}
				found = append(found, number(t, it, "n"))
				if found[member] != found[0] {
					t.Errorf("writer %d, slot %d: a transaction is torn: %v", writer, slot, found)
				}
			}
		}
	}
}

// contents returns all items of the test table in a snapshot.
func contents(t *testing.T, snapshot *Snapshot, after Item) map[string]Item {
	t.Helper()
	found := map[string]Item{}
	err := snapshot.Items(ctx, "things", after, func(it Item) error {
		found[modelKey(it)] = it
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func snapshotOf(t *testing.T, e *Engine) *Snapshot {
	t.Helper()
	snapshot, err := e.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := snapshot.Close(); err != nil {
			t.Error(err)
		}
	})
	return snapshot
}

func TestSnapshotUnderLoad(t *testing.T) {
	e := withTable(t)
	var snapshot *Snapshot
	var first map[string]Item
	underLoad(t, e, func() {
		snapshot = snapshotOf(t, e)
		first = contents(t, snapshot, nil)
	})
	checkWhole(t, first)
	for name, it := range contents(t, snapshot, nil) {
		if !equal(it, first[name]) {
			t.Errorf("%s was %v and is %v in the same snapshot", name, first[name], it)
		}
	}
	if now := scanAll(t, e, "", 1); equal(now["counter|all"], first["counter|all"]) {
		t.Error("nothing was written after the snapshot")
	}
}

func TestSnapshotOutlivesItsTable(t *testing.T) {
	e := withTable(t)
	for i := range 10 {
		put(t, e, item("pk", fmt.Sprint(i), "sk", "1", "a1", "x", "a1s", "y"))
	}
	snapshot := snapshotOf(t, e)
	if _, err := e.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String("things")}); err != nil {
		t.Fatal(err)
	}
	create(t, e, testTable("things"))
	create(t, e, testTable("others"))
	put(t, e, item("pk", "new", "sk", "1"))
	if got := contents(t, snapshot, nil); len(got) != 10 || got["new|1"] != nil {
		t.Errorf("the snapshot holds %v", got)
	}
	if err := snapshot.Items(ctx, "others", nil, nil); err == nil {
		t.Error("a table made after the snapshot is in it")
	}
}

// Reading can start after any item, including one that no longer exists.
func TestSnapshotGoesOn(t *testing.T) {
	e := withTable(t)
	for i := range 25 {
		put(t, e, item("pk", fmt.Sprint(i%4), "sk", fmt.Sprint(i)))
	}
	snapshot := snapshotOf(t, e)
	enough := errors.New("enough")
	found, last := map[string]Item{}, Item(nil)
	for len(found) < 25 {
		read := 0
		err := snapshot.Items(ctx, "things", last, func(it Item) error {
			if read == 4 {
				return enough
			}
			if found[modelKey(it)] != nil {
				t.Errorf("%v comes twice", it)
			}
			found[modelKey(it)], last = it, it
			read++
			return nil
		})
		if err != nil && !errors.Is(err, enough) {
			t.Fatal(err)
		}
		if read == 0 {
			t.Fatalf("%d items, want 25", len(found))
		}
		if _, err := e.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("things"), Key: last}); err != nil {
			t.Fatal(err)
		}
	}
	missing := item("pk", "1", "sk", "between")
	if got := contents(t, snapshot, missing); len(got) == 0 || len(got) == 25 {
		t.Errorf("%d items lie behind a key in the middle", len(got))
	}
	refused(t, snapshot.Items(ctx, "things", item("pk", "1"), nil), "The provided key element does not match the schema")
}

func TestSnapshotEnds(t *testing.T) {
	e := withTable(t)
	put(t, e, key("p", "1"))
	put(t, e, key("p", "2"))
	snapshot := snapshotOf(t, e)
	stopped, stop := context.WithCancel(ctx)
	seen := 0
	err := snapshot.Items(stopped, "things", nil, func(Item) error { seen++; stop(); return nil })
	if !errors.Is(err, context.Canceled) || seen != 1 {
		t.Errorf("%d items after the end of the context, %v", seen, err)
	}
	closed, err := OpenMemory()
	if err != nil {
		t.Fatal(err)
	}
	shut(t, closed)
	if _, err := closed.Snapshot(); !errors.Is(err, errClosed) {
		t.Errorf("a snapshot after closing: %v", err)
	}
}

// A copy made during transactions is a consistent database.
func TestCheckpointUnderLoad(t *testing.T) {
	e := openDir(t, t.TempDir())
	defer e.Close()
	create(t, e, testTable("things"))
	copied := filepath.Join(t.TempDir(), "copy")
	underLoad(t, e, func() {
		if err := e.Checkpoint(copied); err != nil {
			t.Error(err)
		}
	})
	other := openDir(t, copied)
	defer other.Close()
	items := scanAll(t, other, "", 1)
	checkWhole(t, items)
	checkIndexes(t, other, "things")
	here := scanAll(t, e, "", 1)
	if equal(here["counter|all"], items["counter|all"]) {
		t.Error("nothing was written after the copy")
	}
	put(t, other, item("pk", "new", "sk", "1")) // the copy is independent
	if get(t, e, key("new", "1")) != nil {
		t.Error("a write to the copy reached the original")
	}
}
