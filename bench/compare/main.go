// Command compare measures stoa against the baseline, gqlgen over maps in memory, on one
// machine in one run, and prints a table in Markdown.
//
// stoa verifies a token with each request and syncs writes to disk before it responds; the
// baseline does neither. Compare CPU per request: requests per second and latencies require
// an otherwise idle machine. Work after the responses, such as compaction, is waited for
// and included.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"stoa/bench/load"
)

// bounds are the maximum ratios of CPU per request.
var bounds = map[string]float64{"W1": 0.95, "W2": 0.80, "W3": 0.90, "W5": 3.0}

// chats is the workload of pairs who chat, in a closed loop.
const chats = "W7"

var titles = map[string]string{
	"W1": "profile", "W2": "feed page of 20", "W3": "post with 20 comments", "W4": "post to 100 followers", "W5": "comment", "W6": "like",
	"W7": "chat message until it is received",
}

type options struct {
	connections int
	length      time.Duration
	rounds      int
	only        []string
	out         string
}

func main() {
	var o options
	flag.IntVar(&o.connections, "c", 16, "connections")
	flag.DurationVar(&o.length, "d", 10*time.Second, "duration of one run: long enough to include the cost of compactions")
	flag.IntVar(&o.rounds, "rounds", 3, "number of rounds; servers take turns in each, and results are medians")
	only := flag.String("only", "W1,W2,W3,W4,W5,W6,W7", "workloads")
	flag.StringVar(&o.out, "o", "", "file to write the table to, in addition to standard output")
	flag.Parse()
	o.only = strings.Split(*only, ",")
	if err := run(context.Background(), o); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "stoa-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	stoa, bar, err := serve(ctx, dir)
	if err != nil {
		return err
	}
	defer stoa.server.Stop()
	defer bar.server.Stop()

	if err := stoa.server.Settle(time.Minute); err != nil {
		return err
	}
	results := map[string][]pair{}
	for _, name := range o.only {
		for _, p := range []*peer{stoa, bar} {
			if _, err := p.run(ctx, name, o.connections, warmUp); err != nil {
				return err
			}
		}
		for range o.rounds {
			var both pair
			if both.stoa, err = stoa.run(ctx, name, o.connections, o.length); err != nil {
				return err
			}
			if both.bar, err = bar.run(ctx, name, o.connections, o.length); err != nil {
				return err
			}
			log.Printf(
				"%s: stoa %.4f at %.0f/s, bar %.4f at %.0f/s, ratio %.2f",
				name,
				both.stoa.CPU,
				both.stoa.PerSecond,
				both.bar.CPU,
				both.bar.PerSecond,
				both.ratio(),
			)
			results[name] = append(results[name], both)
		}
		log.Printf("%s is done", name)
	}
	w := io.Writer(os.Stdout)
	if o.out != "" {
		file, err := os.Create(o.out)
		if err != nil {
			return err
		}
		defer file.Close()
		w = io.MultiWriter(w, file)
	}
	report(w, o, results)
	fmt.Fprintln(w)
	for _, p := range []struct {
		name string
		peer *peer
	}{{"stoa", stoa}, {"the bar", bar}} {
		memory, err := load.MemoryMiB(p.peer.server.PID())
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "After all of that, %s has %.0f MiB resident.\n", p.name, memory)
	}
	return nil
}

// warmUp is the duration of requests before each measurement.
const warmUp = 2 * time.Second

// peer is a server with its requests.
type peer struct {
	server    *load.Server
	workloads []load.Workload
	tokens    []string
	chatting  chatting
	// heard are the texts that the second of each pair receives.
	heard []<-chan string
}

func (p *peer) run(ctx context.Context, name string, connections int, d time.Duration) (load.Result, error) {
	if name == chats {
		return p.talk(ctx, connections, d)
	}
	i := slices.IndexFunc(p.workloads, func(w load.Workload) bool { return w.Name == name })
	if i < 0 {
		return load.Result{}, fmt.Errorf("there is no workload %s", name)
	}
	target := load.Target{Addr: p.server.Addr, PID: p.server.PID(), Tokens: p.tokens,
		Settle: func() error { return p.server.Settle(time.Minute) }}
	return load.Run(target, p.workloads[i], connections, d)
}

// serve builds, fills and starts both servers.
func serve(ctx context.Context, dir string) (stoa, bar *peer, err error) {
	stoaBinary, err := load.Build(ctx, dir, "cmd/stoa")
	if err != nil {
		return nil, nil, err
	}
	barBinary, err := load.Build(ctx, dir, "bench/inmem")
	if err != nil {
		return nil, nil, err
	}
	data := filepath.Join(dir, "data")
	log.Print("filling the store")
	stoa, bar = &peer{}, &peer{}
	if stoa.tokens, err = fill(ctx, data); err != nil {
		return nil, nil, err
	}
	stoa.chatting, bar.chatting = stoaChatting(stoa.tokens), barChatting()
	if stoa.workloads, err = load.Read("bench/workloads/stoa.json"); err != nil {
		return nil, nil, err
	}
	if bar.workloads, err = load.Read("bench/workloads/inmem.json"); err != nil {
		return nil, nil, err
	}
	const stoaAddr, barAddr = "127.0.0.1:5011", "127.0.0.1:5010"
	if bar.server, err = load.Start(barAddr, filepath.Join(dir, "inmem.log"), barBinary, "-listen", barAddr); err != nil {
		return nil, nil, err
	}
	stoa.server, err = load.Start(
		stoaAddr,
		filepath.Join(dir, "stoa.log"),
		stoaBinary,
		"serve",
		"--listen",
		stoaAddr,
		"--store",
		"embedded:"+data,
		"--rate-limit",
		"0",
	)
	if err != nil {
		return nil, nil, fmt.Errorf("%w; %v", err, bar.server.Stop())
	}
	return stoa, bar, nil
}

type pair struct{ stoa, bar load.Result }

// ratio returns stoa's CPU per request relative to the baseline's.
func (p pair) ratio() float64 { return p.stoa.CPU / p.bar.CPU }

func report(w io.Writer, o options, results map[string][]pair) {
	fmt.Fprintf(
		w,
		"%d connections, %d rounds of %s, medians. %s, %d CPUs, %s.\n\n",
		o.connections,
		o.rounds,
		o.length,
		runtime.Version(),
		runtime.NumCPU(),
		runtime.GOARCH,
	)
	fmt.Fprintln(w, "| workload | stoa: CPU s per 1,000 | bar | ratio (min to max) | bound | stoa: requests/s, p50, p99 | bar | stoa: MiB | bar |")
	fmt.Fprintln(w, "| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, name := range o.only {
		pairs := results[name]
		slices.SortFunc(pairs, func(a, b pair) int {
			if a.ratio() < b.ratio() {
				return -1
			}
			return 1
		})
		m := pairs[len(pairs)/2]
		bound := "-"
		if b, ok := bounds[name]; ok {
			bound = fmt.Sprintf("%.2f", b)
		}
		fmt.Fprintf(w, "| %s %s | %.4f | %.4f | **%.2f** (%.2f to %.2f) | %s | %s | %s | %.0f | %.0f |\n", name, titles[name],
			m.stoa.CPU, m.bar.CPU, m.ratio(), pairs[0].ratio(), pairs[len(pairs)-1].ratio(), bound, speed(m.stoa), speed(m.bar), m.stoa.Memory, m.bar.Memory)
	}
}

func speed(r load.Result) string {
	return fmt.Sprintf("%.0f, %.2f ms, %.1f ms", r.PerSecond, r.P50.Seconds()*1000, r.P99.Seconds()*1000)
}
