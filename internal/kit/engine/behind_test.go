package engine

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stoa/internal/kit/engine/itemcodec"
)

// withBehind sets how many items may have copies that are behind, until refresh is
// called.
func withBehind(limit int) Option {
	return func(o *options) { o.maxBehind, o.refreshEvery = limit, 0 }
}

// refresh at times brings some copies up to date.
func (h history) refresh(t *testing.T, e *Engine) {
	t.Helper()
	if h.IntN(3) > 0 {
		return
	}
	if _, err := e.refresh(1+h.IntN(4), time.Time{}); err != nil {
		t.Fatal(err)
	}
}

// counted makes items in two indexes that hold copies, and returns what shifts a
// counter of one.
func counted(t *testing.T, e *Engine, items int) func(i int) {
	t.Helper()
	for i := range items {
		put(t, e, item("pk", "p", "sk", fmt.Sprint(i), "n", 0, "a1", "all", "a1s", fmt.Sprint(i), "a4", "all", "a4s", -i))
	}
	return func(i int) {
		t.Helper()
		w := Write{Kind: WriteUpdate, Table: "things", Key: Key{"p", fmt.Sprint(i)}, Shifts: []Shift{{"n", 1}}}
		if err := e.WriteOne(ctx, w); err != nil {
			t.Fatal(err)
		}
	}
}

// copiesOf returns the counters as the copies in an index have them, whether they are
// behind or not, in order.
func copiesOf(t *testing.T, e *Engine, index string) string {
	t.Helper()
	tb := (*e.tables.Load())["things"]
	x, err := tb.index(index)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	if err := e.each(x.prefix, func(_, value []byte) error {
		v, err := itemcodec.Open(tb.names, value)
		if err == nil {
			n, _ := v.Get("n")
			all = append(all, string(n.Bytes()))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, " ")
}

// listed returns the counters as an index shows them, in order.
func listed(t *testing.T, e *Engine, index string, each func(n int)) string {
	t.Helper()
	var all []string
	_, err := e.VisitRange(ctx, Range{Table: "things", Index: index, Hash: "all"}, func(v itemcodec.View) error {
		n, _ := v.Get("n")
		all = append(all, string(n.Bytes()))
		if each != nil {
			each(len(all))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, " ")
}

func TestCopiesStayBehind(t *testing.T) {
	now := time.Unix(1e9, 0)
	e := withTable(t, withBehind(2), WithClock(func() time.Time { return now }))
	shift := counted(t, e, 3)
	check := func(when, a1, a4 string) {
		t.Helper()
		if got := copiesOf(t, e, "GSI-A1"); got != a1 {
			t.Errorf("%s: copies in GSI-A1 are %s, want %s", when, got, a1)
		}
		if got := copiesOf(t, e, "GSI-A4"); got != a4 {
			t.Errorf("%s: copies in GSI-A4 are %s, want %s", when, got, a4)
		}
	}
	for range 5 {
		shift(0)
		shift(1)
	}
	check("two items have changed", "0 0 0", "0 0 0")
	shift(2)
	check("no room to mark another", "0 0 1", "1 0 0")
	if got := listed(t, e, "GSI-A1", nil) + ", " + listed(t, e, "GSI-A4", nil); got != "5 5 1, 1 5 5" {
		t.Errorf("listed as %s", got)
	}
	if n, err := e.refresh(9, now); n != 0 || err != nil {
		t.Errorf("refreshed %d that have not waited, %v", n, err)
	}
	now = now.Add(time.Second)
	if n, err := e.refresh(1, now); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	shift(2)
	shift(2)
	if got := copiesOf(t, e, "GSI-A1"); got != "5 0 1" && got != "0 5 1" {
		t.Errorf("with room for one more: copies are %s", got)
	}
	put(t, e, item("pk", "p", "sk", "2", "n", 7, "a1", "all", "a1s", "2", "a4", "all", "a4s", -9))
	if got := copiesOf(t, e, "GSI-A4"); strings.Count(got, "7") != 1 {
		t.Errorf("an entry that moves is not written: %s", got)
	}
	if err := e.refreshAll(); err != nil {
		t.Fatal(err)
	}
	check("all are refreshed", "5 5 7", "7 5 5")
	if e.behind.count.Load() != 0 || e.behind.bytes != 0 {
		t.Errorf("%d marks of %d bytes are left", e.behind.count.Load(), e.behind.bytes)
	}
	checkIndexes(t, e, "things")
}

// A reader goes on to see the moment at which it began, although the copies it has
// before it are brought up to date and fall behind again meanwhile.
func TestReadersOutliveMarks(t *testing.T) {
	e := withTable(t, withBehind(9))
	shift := counted(t, e, 3)
	for i := range 3 {
		shift(i)
	}
	got := listed(t, e, "GSI-A1", func(n int) {
		for i := range 3 {
			shift(i)
		}
		if _, err := e.refresh(9, time.Time{}); err != nil {
			t.Fatal(err)
		}
		if within, want := listed(t, e, "GSI-A1", nil), strings.TrimSpace(strings.Repeat(fmt.Sprint(1+n, " "), 3)); within != want {
			t.Errorf("who begins later is shown %s, want %s", within, want)
		}
	})
	if got != "1 1 1" {
		t.Errorf("shown %s, want the moment of the beginning", got)
	}
	if err := e.refreshAll(); err != nil {
		t.Fatal(err)
	}
	if got := copiesOf(t, e, "GSI-A1"); got != "4 4 4" || e.behind.count.Load() != 0 {
		t.Errorf("copies are %s, %d marks are left", got, e.behind.count.Load())
	}
	checkIndexes(t, e, "things")
}

// Marks outlive the process, and Close leaves none.
func TestMarksAreStored(t *testing.T) {
	dir := t.TempDir()
	e := openDir(t, dir)
	create(t, e, testTable("things"))
	shift := counted(t, e, 2)
	shift(1)
	copied := filepath.Join(t.TempDir(), "copy")
	if err := e.Checkpoint(copied); err != nil {
		t.Fatal(err)
	}
	shut(t, e)
	e = openDir(t, dir)
	if e.behind.count.Load() != 0 || copiesOf(t, e, "GSI-A1") != "0 1" {
		t.Errorf("after Close there are %d marks, copies are %s", e.behind.count.Load(), copiesOf(t, e, "GSI-A1"))
	}
	shut(t, e)

	e = openDir(t, copied)
	if copiesOf(t, e, "GSI-A1") != "0 0" || listed(t, e, "GSI-A1", nil) != "0 1" {
		t.Errorf("copies are %s, listed as %s", copiesOf(t, e, "GSI-A1"), listed(t, e, "GSI-A1", nil))
	}
	copied = filepath.Join(t.TempDir(), "copy")
	if err := e.Checkpoint(copied); err != nil {
		t.Fatal(err)
	}
	shut(t, e)

	e, err := Open(copied, WithDelayedIndexes(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if e.behind.count.Load() != 0 || copiesOf(t, e, "GSI-A1") != "0 1" {
		t.Errorf("with delayed indexes there are %d marks, copies are %s", e.behind.count.Load(), copiesOf(t, e, "GSI-A1"))
	}
	shut(t, e)
}

// The items of marks may be deleted, and so may their tables.
func TestMarksOfWhatIsGone(t *testing.T) {
	e := withTable(t, withBehind(9))
	shift := counted(t, e, 3)
	for i := range 3 {
		shift(i)
	}
	if err := e.WriteOne(ctx, Write{Kind: WriteDelete, Table: "things", Key: Key{"p", "1"}}); err != nil {
		t.Fatal(err)
	}
	if got := listed(t, e, "GSI-A1", nil); got != "1 1" {
		t.Errorf("listed as %s", got)
	}
	refreshed := func(when string) {
		t.Helper()
		if err := e.refreshAll(); err != nil {
			t.Fatal(when, err)
		}
		if e.behind.count.Load() != 0 {
			t.Errorf("%s: %d marks are left", when, e.behind.count.Load())
		}
	}
	refreshed("an item is deleted")
	shift(0)
	if _, err := e.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String("things")}); err != nil {
		t.Fatal(err)
	}
	refreshed("the table is deleted")
	left := 0
	for _, prefix := range [][]byte{{spaceItems}, {spaceBehind}} {
		if err := e.each(prefix, func(_, _ []byte) error { left++; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if left > 0 {
		t.Errorf("%d keys are left of the table", left)
	}
}

func TestLittleRoomCallsForRefreshing(t *testing.T) {
	e := withTable(t, func(o *options) { o.maxBehind = 3 })
	shift := counted(t, e, 4)
	waitUntil := time.Now().Add(10 * time.Second)
	for i := range 3 {
		shift(i)
	}
	for e.behind.count.Load() > 0 {
		if time.Now().After(waitUntil) {
			t.Fatal("nobody brings the copies up to date")
		}
		runtime.Gosched()
	}
	if got := copiesOf(t, e, "GSI-A1"); got != "1 1 1 0" {
		t.Errorf("copies are %s", got)
	}
}
