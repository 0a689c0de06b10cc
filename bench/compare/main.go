// Command compare measures stoa against the baseline, gqlgen over maps in memory, on one
// machine in one run, and prints a table in Markdown.
//
// stoa verifies a token with each request and syncs writes to disk before it responds; the
// baseline does neither. Compare CPU per request: requests per second and latencies require
// an otherwise idle machine. Work after the responses, such as compaction, is waited for
// and included.
package main

import (
	"cmp"
	"context"
	"errors"
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
var bounds = map[string]float64{"W1": 0.95, "W2": 0.65, "W3": 0.70, "W5": 3.0}

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
	former      string
	out         string
}

func main() {
	var o options
	flag.IntVar(&o.connections, "c", 16, "connections")
	flag.DurationVar(&o.length, "d", 10*time.Second, "duration of one run: long enough to include the cost of compactions")
	flag.IntVar(&o.rounds, "rounds", 3, "number of rounds; servers take turns in each, and results are medians")
	only := flag.String("only", "W1,W2,W3,W4,W5,W6,W7", "workloads")
	flag.StringVar(&o.former, "former", "", "binary of a former stoa, which takes turns with this one on a copy of its data")
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
	peers, err := serve(ctx, dir, o.former)
	for _, p := range peers {
		defer p.server.Stop()
	}
	if err != nil {
		return err
	}
	for _, p := range peers {
		if err := p.server.Settle(); err != nil {
			return err
		}
	}
	results := map[string][]round{}
	for _, name := range o.only {
		for _, p := range peers {
			if _, err := p.run(ctx, name, o.connections, warmUp); err != nil {
				return err
			}
		}
		for n := range o.rounds {
			all := make([]load.Result, 3)
			for turn := range peers {
				i := (n + turn) % len(peers) // none is always the first, or always follows the same one
				if all[i], err = peers[i].run(ctx, name, o.connections, o.length); err != nil {
					return err
				}
			}
			r := round{stoa: all[0], bar: all[1], former: all[2]}
			log.Printf("%s: stoa %.4f at %.0f/s, bar %.4f at %.0f/s, ratio %.2f", name, r.stoa.CPU, r.stoa.PerSecond, r.bar.CPU, r.bar.PerSecond, r.ratio())
			if o.former != "" {
				log.Printf("%s: former %.4f at %.0f/s, ratio %.3f", name, r.former.CPU, r.former.PerSecond, r.change())
			}
			results[name] = append(results[name], r)
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
	for _, p := range peers {
		memory, err := load.MemoryMiB(p.server.PID())
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
	name      string
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
	target := load.Target{Addr: p.server.Addr, PID: p.server.PID(), Tokens: p.tokens, Settle: p.server.Settle}
	return load.Run(target, p.workloads[i], connections, d)
}

// serve builds, fills and starts both servers, and a former binary of stoa if there is one. The peers
// are those that were started, also when there is an error: stoa, the baseline, and the former stoa.
func serve(ctx context.Context, dir, former string) (peers []*peer, err error) {
	binary, err := load.Build(ctx, dir, "cmd/stoa")
	if err != nil {
		return nil, err
	}
	baseline, err := load.Build(ctx, dir, "bench/inmem")
	if err != nil {
		return nil, err
	}
	data := filepath.Join(dir, "data")
	log.Print("filling the store")
	tokens, err := fill(ctx, data)
	if err != nil {
		return nil, err
	}
	start := func(name, addr, workloads string, c chatting, binary string, args ...string) error {
		p := &peer{name: name, tokens: tokens, chatting: c}
		if p.workloads, err = load.Read("bench/workloads/" + workloads); err != nil {
			return err
		}
		logs := filepath.Join(dir, strings.ReplaceAll(addr, ":", "-")+".log")
		if p.server, err = load.Start(addr, logs, binary, args...); err != nil {
			return err
		}
		peers = append(peers, p)
		return nil
	}
	startStoa := func(name, addr, binary, data string) error {
		return start(name, addr, "stoa.json", stoaChatting(tokens), binary, "serve", "--listen", addr, "--store", "embedded:"+data, "--rate-limit", "0")
	}
	if former != "" {
		// stoa refuses data that others can read, which a copy's directories would allow.
		if err := errors.Join(os.CopyFS(data+"-former", os.DirFS(data)), os.Chmod(data+"-former", 0o700)); err != nil {
			return nil, err
		}
	}
	if err := startStoa("stoa", "127.0.0.1:5011", binary, data); err != nil {
		return peers, err
	}
	const barAddr = "127.0.0.1:5010"
	if err := start("the bar", barAddr, "inmem.json", barChatting(), baseline, "-listen", barAddr); err != nil {
		return peers, err
	}
	if former == "" {
		return peers, nil
	}
	return peers, startStoa("the former stoa", "127.0.0.1:5012", former, data+"-former")
}

// round is what one round measured: this stoa, the baseline, and the former stoa if there is one.
type round struct{ stoa, bar, former load.Result }

// ratio returns stoa's CPU per request relative to the baseline's.
func (r round) ratio() float64 { return r.stoa.CPU / r.bar.CPU }

// change returns stoa's CPU per request relative to the former stoa's.
func (r round) change() float64 { return r.stoa.CPU / r.former.CPU }

// spread returns the median, the least and the greatest of a figure of the rounds.
func spread(rounds []round, figure func(round) float64) (median, low, high float64) {
	all := make([]float64, len(rounds))
	for i, r := range rounds {
		all[i] = figure(r)
	}
	slices.Sort(all)
	return all[len(all)/2], all[0], all[len(all)-1]
}

func report(w io.Writer, o options, results map[string][]round) {
	fmt.Fprintf(w, "%d connections, %d rounds of %s, medians. %s, %d CPUs, %s.\n\n",
		o.connections, o.rounds, o.length, runtime.Version(), runtime.NumCPU(), runtime.GOARCH)
	fmt.Fprintln(w, "| workload | stoa: CPU s per 1,000 | bar | ratio (min to max) | bound | stoa: requests/s, p50, p99 | bar | stoa: MiB | bar |")
	fmt.Fprintln(w, "| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, name := range o.only {
		rounds := results[name]
		slices.SortFunc(rounds, func(a, b round) int { return cmp.Compare(a.ratio(), b.ratio()) })
		m := rounds[len(rounds)/2]
		bound := "-"
		if b, ok := bounds[name]; ok {
			bound = fmt.Sprintf("%.2f", b)
		}
		fmt.Fprintf(w, "| %s %s | %.4f | %.4f | **%.2f** (%.2f to %.2f) | %s | %s | %s | %.0f | %.0f |\n", name, titles[name],
			m.stoa.CPU, m.bar.CPU, m.ratio(), rounds[0].ratio(), rounds[len(rounds)-1].ratio(), bound, speed(m.stoa), speed(m.bar), m.stoa.Memory, m.bar.Memory)
	}
	if o.former == "" {
		return
	}
	fmt.Fprint(w, "\nThis stoa relative to the former one, in CPU per request:\n\n| workload | ratio (min to max) |\n| --- | --- |\n")
	for _, name := range o.only {
		median, low, high := spread(results[name], round.change)
		fmt.Fprintf(w, "| %s %s | **%.3f** (%.3f to %.3f) |\n", name, titles[name], median, low, high)
	}
}

func speed(r load.Result) string {
	return fmt.Sprintf("%.0f, %.2f ms, %.1f ms", r.PerSecond, r.P50.Seconds()*1000, r.P99.Seconds()*1000)
}
