package engine

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// awaitKeys waits until the filter has been built.
func awaitKeys(t testing.TB, e *Engine) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !e.keys.Complete(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the filter of all keys is not complete after a minute")
		}
	}
}

func mustBeThere(t testing.TB, e *Engine, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		if get(t, e, key(fmt.Sprint(i), "1")) == nil {
			t.Fatalf("item %d is gone", i)
		}
	}
}

// knowsAbsent fails unless the filter reports most absent items as such.
func knowsAbsent(t testing.TB, e *Engine) {
	t.Helper()
	tb := (*e.tables.Load())["things"]
	known := 0
	for i := range 1000 {
		storedKey, err := tb.storedKey(key(fmt.Sprint("nobody ", i), "1"))
		if err != nil {
			t.Fatal(err)
		}
		if e.keys.Lacks(storedKey) {
			known++
		}
	}
	if known < 900 {
		t.Errorf("of 1000 absent items %d are known to be", known)
	}
}

func putMany(t testing.TB, e *Engine, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		put(t, e, item("pk", fmt.Sprint(i), "sk", "1"))
	}
}

// However the last process ended, the filter is rebuilt.
func TestKeysAfterAStart(t *testing.T) {
	dir := t.TempDir()
	e := openDir(t, dir)
	create(t, e, testTable("things"))
	putMany(t, e, 0, 100)
	awaitKeys(t, e)
	knowsAbsent(t, e)
	shut(t, e)

	e = openDir(t, dir)
	mustBeThere(t, e, 0, 100)
	putMany(t, e, 100, 200)
	awaitKeys(t, e)
	mustBeThere(t, e, 0, 200)
	knowsAbsent(t, e)
	killed := filepath.Join(t.TempDir(), "killed")
	if err := copyDir(killed, dir); err != nil {
		t.Fatal(err)
	}
	shut(t, e)

	e = openDir(t, killed)
	defer shut(t, e)
	mustBeThere(t, e, 0, 200)
	awaitKeys(t, e)
	mustBeThere(t, e, 0, 200)
	knowsAbsent(t, e)
}

func TestKeysOfOtherWaysIn(t *testing.T) {
	dir := t.TempDir()
	e := openDir(t, dir)
	defer shut(t, e)
	create(t, e, testTable("things"))
	awaitKeys(t, e)
	putMany(t, e, 0, 50)

	// A recreated table has new items under new keys.
	if _, err := e.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String("things")}); err != nil {
		t.Fatal(err)
	}
	create(t, e, testTable("things"))
	if get(t, e, key("1", "1")) != nil {
		t.Error("an item has outlived its table")
	}
	putMany(t, e, 25, 75)
	mustBeThere(t, e, 25, 75)

	// An item is added again after its key was removed from the filter.
	if _, err := e.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("things"), Key: key("30", "1")}); err != nil {
		t.Fatal(err)
	}
	if !e.buildKeys() {
		t.Fatal("building the filter failed")
	}
	if get(t, e, key("30", "1")) != nil {
		t.Error("a deleted item is there")
	}
	putMany(t, e, 30, 31)
	mustBeThere(t, e, 25, 75)

	// A copy has no filter and builds its own.
	copied := filepath.Join(t.TempDir(), "copy")
	if err := e.Checkpoint(copied); err != nil {
		t.Fatal(err)
	}
	c := openDir(t, copied)
	defer shut(t, c)
	awaitKeys(t, c)
	mustBeThere(t, c, 25, 75)
	knowsAbsent(t, c)
}

func TestKeysBeyondTheLimit(t *testing.T) {
	e, err := open("", vfs.NewMem(), options{cacheSize: 8 << 20, keyFilter: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer shut(t, e)
	create(t, e, testTable("things"))
	if e.buildKeys() {
		t.Error("a filter over its limit is reported as useful")
	}
	putMany(t, e, 0, 10)
	mustBeThere(t, e, 0, 10)
	if get(t, e, key("nobody", "1")) != nil {
		t.Error("found an item that was never put")
	}
}

// Each writer puts, deletes and looks up its own items while the filter is rebuilt
// continuously. Then the engine is closed, or abandoned as in a crash.
func TestKeysUnderLoad(t *testing.T) {
	const writers, items, steps = 4, 300, 800
	random := rand.New(rand.NewPCG(8, 9))
	dir := t.TempDir()
	e := openDir(t, dir)
	create(t, e, testTable("things"))
	own := make([]map[int]bool, writers)
	for w := range own {
		own[w] = map[int]bool{}
	}
	keyOf := func(w, i int) Item { return key(fmt.Sprint("writer ", w, " item ", i), "1") }
	for round := range 4 {
		done := make(chan struct{})
		var writing, building sync.WaitGroup
		building.Go(func() {
			for {
				e.buildKeys() // the engine may be building itself
				select {
				case <-done:
					return
				default:
				}
			}
		})
		for w := range writers {
			random := rand.New(rand.NewPCG(random.Uint64(), 0))
			writing.Go(func() {
				for range steps {
					i := random.IntN(items)
					k := keyOf(w, i)
					if random.IntN(3) == 0 {
						if _, err := e.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("things"), Key: k}); err != nil {
							t.Error(err)
						}
						delete(own[w], i)
					} else if _, err := e.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: k}); err != nil {
						t.Error(err)
					} else {
						own[w][i] = true
					}
					i = random.IntN(items)
					out, err := e.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("things"), Key: keyOf(w, i)})
					if err != nil || (out.Item != nil) != own[w][i] {
						t.Errorf("round %d, writer %d: item %d is there: %t, want %t (%v)", round, w, i, out.Item != nil, own[w][i], err)
						return
					}
				}
			})
		}
		writing.Wait()
		close(done)
		building.Wait()
		awaitKeys(t, e)
		knowsAbsent(t, e)
		if round%2 == 1 {
			copied := filepath.Join(t.TempDir(), "copy")
			if err := copyDir(copied, dir); err != nil {
				t.Fatal(err)
			}
			shut(t, e)
			dir = copied
		} else {
			shut(t, e)
		}
		e = openDir(t, dir)
		for w := range writers {
			for i := range items {
				if there := get(t, e, keyOf(w, i)) != nil; there != own[w][i] {
					t.Fatalf("after round %d: item %d of writer %d is there: %t, want %t", round, i, w, there, own[w][i])
				}
			}
		}
	}
	shut(t, e)
}
