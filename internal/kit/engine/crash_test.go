package engine

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/itemcodec"
)

var crashRounds = flag.Int("crash.rounds", 6, "how often the crash test kills its process")

// The crash test runs this test binary again as a child that writes as fast as it can and
// prints the numbers of acknowledged writes. The parent kills the child at a random time,
// opens its data and checks that all acknowledged writes are there.
const (
	crashDir  = "ENGINE_CRASH_DIR"  // set in the child: the directory to write to
	crashFrom = "ENGINE_CRASH_FROM" // and the number to go on from

	crashWriters = 8
	crashSlots   = 20 // groups of items that each writer cycles through
	crashGroup   = 4  // items that one transaction writes
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		fmt.Fprintln(os.Stderr, writeUntilKilled(dir, os.Getenv(crashFrom)))
		os.Exit(1)
	}
	flag.Parse()
	os.Exit(m.Run())
}

// writeUntilKilled is the body of the child. It only returns on errors.
func writeUntilKilled(dir, from string) error {
	start, err := strconv.Atoi(from)
	if err != nil {
		return err
	}
	e, err := Open(dir)
	if err != nil {
		return err
	}
	if len(*e.tables.Load()) == 0 { // a child may be killed before anything is acknowledged
		if _, err := e.CreateTable(ctx, testTable("things")); err != nil {
			return err
		}
	}
	failed := make(chan error)
	var out sync.Mutex
	for writer := range crashWriters {
		go func() {
			for n := start; ; n++ {
				if err := crashWrite(e, writer, n); err != nil {
					failed <- err
					return
				}
				out.Lock()
				fmt.Printf("%d %d\n", writer, n)
				out.Unlock()
			}
		}()
	}
	return <-failed
}

// crashWrite is the n-th write of a writer: it replaces all items of a group and increments
// a counter shared by all writers, in one transaction.
func crashWrite(e *Engine, writer, n int) error {
	in := &dynamodb.TransactWriteItemsInput{ClientRequestToken: aws.String(fmt.Sprintf("%d-%d", writer, n))}
	for member := range crashGroup {
		it := item("pk", fmt.Sprint("writer ", writer), "sk", fmt.Sprint(n%crashSlots, " ", member), "n", n,
			"k1", fmt.Sprint(n%3), "a4", "all", "a4s", n, "text", long(n%300))
		if n%2 == 0 {
			it["a1"], it["a1s"] = s("even"), s(fmt.Sprint(n))
		}
		in.TransactItems = append(in.TransactItems, transactPut(it, ""))
	}
	in.TransactItems = append(in.TransactItems,
		transactUpdate(key("counter", "all"), "ADD n :one SET a1 = :a, a1s = :all", "", item(":one", 1, ":a", "counter", ":all", "all")),
		transactUpdate(key("counter", fmt.Sprint(writer)), "ADD n :one SET a1 = :a, a1s = :all", "", item(":one", 1, ":a", "counter", ":all", "one")))
	_, err := e.TransactWriteItems(ctx, in)
	return err
}

func TestKilledUnderLoad(t *testing.T) {
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	next, writes := 0, 0
	least := 0 // the minimum of the counter
	for round := range *crashRounds {
		acknowledged := runAndKill(t, dir, next, time.Duration(30+random.IntN(250))*time.Millisecond, round%2 == 0)
		e := openDir(t, dir)
		if next == 0 && len(*e.tables.Load()) == 0 {
			shut(t, e)
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
			continue // killed before the table was created
		}
		for _, last := range acknowledged {
			least += last - next + 1
		}
		most := least + crashWriters
		least = checkCounter(t, e, least, most)
		for writer := range crashWriters {
			if last, ok := acknowledged[writer]; ok {
				writes += last - next + 1
				checkWriter(t, e, writer, next, last)
			}
		}
		checkIndexes(t, e, "things")
		e.builders.Wait()
		next++ // a writer without an acknowledgement may have had its first write in flight
		for _, last := range acknowledged {
			next = max(next, last+2) // beyond what may have been in flight
		}
		shut(t, e)
	}
	if writes == 0 {
		t.Error("nothing was acknowledged in any round")
	}
	t.Logf("killed %d times, %d acknowledged transactions checked", *crashRounds, writes)
}

// runAndKill runs a child for the given time and returns the last acknowledged number of
// each writer. If writing is set, the time starts at the first acknowledgement, which takes
// long on a busy machine.
func runAndKill(t *testing.T, dir string, from int, life time.Duration, writing bool) map[int]int {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), crashDir+"="+dir, crashFrom+"="+strconv.Itoa(from))
	var complaint bytes.Buffer
	child.Stderr = &complaint
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	untilFirst := life
	if writing {
		untilFirst = time.Minute
	}
	timer := time.AfterFunc(untilFirst, func() { child.Process.Kill() })
	defer timer.Stop()
	acknowledged := map[int]int{}
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			break // the last line may be truncated; its write was then in flight
		}
		if err != nil {
			t.Fatal(err)
		}
		var writer, n int
		if _, err := fmt.Sscan(line, &writer, &n); err != nil {
			t.Fatalf("child said %q: %v", line, err)
		}
		if writing && len(acknowledged) == 0 {
			timer.Reset(life)
		}
		acknowledged[writer] = n
	}
	if err := child.Wait(); complaint.Len() > 0 {
		t.Fatalf("child failed: %v: %s", err, complaint.String())
	}
	return acknowledged
}

// checkCounter returns the counter, which must be between the number of acknowledged writes
// and that plus the writes that may have been in flight.
func checkCounter(t *testing.T, e *Engine, least, most int) int {
	t.Helper()
	got := 0
	if it := get(t, e, key("counter", "all")); it != nil {
		got = number(t, it, "n")
	}
	if got < least || got > most {
		t.Errorf("counter is %d, want %d to %d", got, least, most)
	}
	return got
}

// checkWriter checks a writer's acknowledged writes of this round, numbers first to last:
// each group must be complete, and as acknowledged unless a later write that was in flight
// replaced it.
func checkWriter(t *testing.T, e *Engine, writer, first, last int) {
	t.Helper()
	for n := max(first, last-crashSlots+1); n <= last; n++ {
		var found []int
		for member := range crashGroup {
			it := get(t, e, key(fmt.Sprint("writer ", writer), fmt.Sprint(n%crashSlots, " ", member)))
			if it == nil {
				t.Fatalf("writer %d: transaction %d was acknowledged and is gone", writer, n)
			}
			found = append(found, number(t, it, "n"))
		}
		for _, f := range found {
			if f != found[0] {
				t.Fatalf("writer %d: a transaction is torn: %v", writer, found)
			}
		}
		if found[0] != n && found[0] != last+1 {
			t.Fatalf("writer %d: transaction %d was acknowledged, found %d (last %d)", writer, n, found[0], last)
		}
	}
}

func number(t *testing.T, it Item, name string) int {
	t.Helper()
	n, err := strconv.Atoi(it[name].(*types.AttributeValueMemberN).Value)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// checkIndexes rebuilds the index entries of all items, and compares them with those stored
// and with the results of queries.
func checkIndexes(t *testing.T, e *Engine, name string) {
	t.Helper()
	tb := (*e.tables.Load())[name]
	for _, x := range tb.indexes {
		want, shown := map[string]bool{}, map[string]int{}
		err := e.each(tb.prefix, func(_, value []byte) error {
			v, err := itemcodec.Open(tb.names, value)
			if err != nil {
				return err
			}
			after, err := newEntry(x, nil, nil, image{v, tb.columns.Find(v, nil)})
			if after.key != nil {
				want[string(after.key)] = true
				shown[string(after.view.Bytes())]++
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		err = e.each(x.prefix, func(key, value []byte) error {
			if !want[string(key)] {
				t.Errorf("%s has an entry %q that no item has", x.Name, key)
			}
			delete(want, string(key))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(want) > 0 {
			t.Errorf("%s lacks %d entries", x.Name, len(want))
		}
		s := x.whole()
		for {
			var last []byte
			more, err := e.walk(&x.relation, tb.names, s, 0, true, func(v itemcodec.View, _ bool) error {
				if shown[string(v.Bytes())]--; shown[string(v.Bytes())] < 0 {
					t.Errorf("%s shows %q, which no item is", x.Name, v.Bytes())
				}
				last, _ = x.appendColumns(nil, tb.columns.Find(v, nil))
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if !more {
				break
			}
			s.startAfter(last)
		}
	}
}
