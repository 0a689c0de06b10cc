// Command search measures finding people by name: how fast an index is built, the cost of
// queries, and the size of the index in memory and on disk.
package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/kit/engine"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/search"
)

var (
	table  = &keyspec.Table{Name: "ops", PK: "partitionKey", SK: "sortKey"}
	people = search.Define(table).
		Index(search.Kind{Name: "user", Fields: []search.Field{{Name: "username", Weight: 2}, {Name: "fullName", Weight: 1, Pairs: true}}})
)

func main() {
	users := flag.Int("users", 100_000, "number of users")
	queries := flag.Int("queries", 500, "number of queries of each kind")
	dir := flag.String("dir", "", "directory that keeps the data for later runs; temporary if empty")
	flag.Parse()
	if err := run(*users, *queries, *dir); err != nil {
		log.Fatal(err)
	}
}

func run(users, queries int, dir string) error {
	if dir == "" {
		made, err := os.MkdirTemp("", "stoa-bench-search-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(made)
		dir = made
	}
	e, err := engine.Open(dir)
	if err != nil {
		return err
	}
	defer e.Close()
	ctx := context.Background()
	db := keyspec.Open(dynamo.NewFromIface(e), "", table)
	if err := db.CreateTables(ctx); err != nil {
		return err
	}
	finder := people.Open(db)
	if err := build(ctx, finder, db, users); err != nil {
		return err
	}
	// CPU time is independent of the load on the machine.
	fmt.Printf("%-28s %8s %8s %8s %8s %8s\n", "query, ms", "p50", "p99", "CPU p50", "CPU p99", "hits")
	for _, kind := range kinds {
		if err := ask(ctx, finder, users, queries, kind); err != nil {
			return err
		}
	}
	return occupied(dir)
}

// build fills the index unless it is already built.
func build(ctx context.Context, finder *search.Finder, db *keyspec.DB, users int) error {
	if _, err := finder.Find(ctx, search.Query{Text: "a", Limit: 1}); err == nil {
		return nil
	}
	start := time.Now()
	built, err := finder.Rebuild(ctx, crowd(users), nil)
	if err != nil {
		return err
	}
	took := time.Since(start)
	fmt.Printf("%d users, %d rows: built in %.1f s, %.0f users per second\n", built.Documents, built.Rows, took.Seconds(), float64(users)/took.Seconds())
	return signUps(ctx, db, users)
}

// ask executes queries of one kind for people from the whole crowd.
func ask(ctx context.Context, finder *search.Finder, users, queries int, kind kind) error {
	var times, cpu []time.Duration
	hits := 0
	for i := range queries {
		query := search.Query{Text: kind.text(crowd(users).name((i * 7919) % users)), Limit: 20}
		start, used := time.Now(), processTime()
		found, err := finder.Find(ctx, query)
		if err != nil {
			return err
		}
		times, cpu = append(times, time.Since(start)), append(cpu, processTime()-used)
		hits += len(found.IDs)
	}
	slices.Sort(times)
	slices.Sort(cpu)
	fmt.Printf("%-28s %8.2f %8.2f %8.2f %8.2f %8.1f\n", kind.name, ms(times[queries/2]), ms(times[queries*99/100]),
		ms(cpu[queries/2]), ms(cpu[queries*99/100]), float64(hits)/float64(queries))
	return nil
}

// processTime returns the CPU time of this process.
func processTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// signUps measures rows that are written with one document per transaction.
func signUps(ctx context.Context, db *keyspec.DB, users int) error {
	const n = 2000
	start := time.Now()
	for i := range n {
		d := crowd(users).document(users + i)
		tx := db.NewTx()
		people.Change(tx, nil, &d)
		if err := tx.Run(ctx); err != nil {
			return err
		}
	}
	fmt.Printf("one at a time: %.0f users per second\n", n/time.Since(start).Seconds())
	return nil
}

// kind is a kind of query.
type kind struct {
	name string
	text func(n name) string
}

var kinds = []kind{
	{"first letter", func(n name) string { return n.first[:1] }},
	{"two letters", func(n name) string { return n.first[:2] }},
	{"three letters", func(n name) string { return n.first[:3] }},
	{"first name", func(n name) string { return n.first }},
	{"first and last name", func(n name) string { return n.first + " " + n.last }},
	{"first name, three letters", func(n name) string { return n.first + " " + n.last[:3] }},
	{"username", func(n name) string { return n.username }},
	{"prefix of the username", func(n name) string { return n.username[:6] }},
	{"no match", func(n name) string { return "x" + n.username }},
}

func occupied(dir string) error {
	runtime.GC()
	debug.FreeOSMemory()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmRSS") || strings.HasPrefix(line, "VmHWM") {
			fmt.Print(line)
		}
	}
	var bytes int64
	err = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	fmt.Printf("on disk: %d MB\n", bytes>>20)
	return err
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
