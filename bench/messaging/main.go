// Command messaging measures the cost of a message in a two-person topic: it is published
// over a WebSocket, stored, and delivered to the other person's live subscription.
//
// With -tinode it measures a running Tinode with the same workload over Tinode's own
// protocol, in turns with stoa, and prints the ratio. Compare CPU: deliveries per second
// and latencies require an otherwise idle machine.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"stoa/bench/load"
)

// workload is a publishing pattern: pairs of people, each of whom publishes a message once
// the previous one has been delivered.
type workload struct {
	name  string
	pairs int
	// rate is the total number of messages per second, 0 for as many as possible.
	rate int
}

var workloads = []workload{
	{"rate", 1, 200},
	{"one", 1, 0},
	{"many", 16, 0},
}

type options struct {
	length                 time.Duration
	rounds                 int
	only                   []string
	tinode, key, processes string
}

func main() {
	var o options
	flag.DurationVar(&o.length, "d", 10*time.Second, "duration of one run")
	flag.IntVar(&o.rounds, "rounds", 3, "number of rounds; servers take turns in each, and results are medians")
	only := flag.String("only", "rate,one,many", "workloads: 200 messages per second, one topic at full speed, 16 topics at full speed")
	flag.StringVar(&o.tinode, "tinode", "", "address of a running Tinode server")
	flag.StringVar(&o.key, "tinode-key", "AQEAAAABAAD_rAp4DJh05a1HAwFT3A6K", "API key of Tinode; the default is that of its sample configuration")
	flag.StringVar(&o.processes, "tinode-pids", "", "comma-separated process ids of Tinode and its database; child processes are included")
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
	binary, err := load.Build(ctx, dir, "cmd/stoa")
	if err != nil {
		return err
	}
	const addr = "127.0.0.1:5012"
	server, err := load.Start(addr, filepath.Join(dir, "log"), binary,
		"serve", "--listen", addr, "--systems", "messaging", "--store", "embedded:"+filepath.Join(dir, "data"), "--rate-limit", "0")
	if err != nil {
		return err
	}
	defer server.Stop()
	stoa := &peer{name: "stoa", pair: func(n int) (*pair, error) { return stoaPair(ctx, addr, n) },
		cpu: server.CPUSeconds, settle: server.Settle}
	peers := []*peer{stoa}
	if o.tinode != "" {
		processes := load.Processes(strings.Split(o.processes, ","))
		peers = append(peers, &peer{name: "Tinode", pair: func(n int) (*pair, error) { return tinodePair(ctx, o.tinode, o.key, n) },
			cpu: processes.CPUSeconds, settle: func() error { time.Sleep(2 * time.Second); return nil }})
	}
	fmt.Printf("%d rounds of %s, medians. %s, %d CPUs, %s.\n\n", o.rounds, o.length, runtime.Version(), runtime.NumCPU(), runtime.GOARCH)
	fmt.Println("| workload | server | CPU s per 1,000 messages | messages/s | delivery p50, p99 | stoa's share |")
	fmt.Println("| --- | --- | ---: | ---: | ---: | ---: |")
	for _, w := range workloads {
		if !slices.Contains(o.only, w.name) {
			continue
		}
		results := map[*peer][]load.Result{}
		for round := range o.rounds + 1 {
			for _, p := range peers {
				length := o.length
				if round == 0 {
					length = warmUp
				}
				r, err := p.run(w, length)
				if err != nil {
					return fmt.Errorf("%s: %w", p.name, err)
				}
				if round > 0 {
					results[p] = append(results[p], r)
				}
			}
		}
		for _, p := range peers {
			m, part := median(results[p]), ""
			if p != stoa {
				part = fmt.Sprintf("1/%.1f", m.CPU/median(results[stoa]).CPU)
			}
			fmt.Printf("| %s | %s | %.4f | %.0f | %.2f ms, %.1f ms | %s |\n", w, p.name, m.CPU, m.PerSecond, ms(m.P50), ms(m.P99), part)
		}
	}
	return nil
}

// warmUp is the duration of requests before each measurement.
const warmUp = 2 * time.Second

func (w workload) String() string {
	if w.rate > 0 {
		return fmt.Sprintf("%d topic, %d messages/s", w.pairs, w.rate)
	}
	return fmt.Sprintf("%d topics, as many as possible", w.pairs)
}

func median(results []load.Result) load.Result {
	sorted := slices.SortedFunc(slices.Values(results), func(a, b load.Result) int { return cmp.Compare(a.CPU, b.CPU) })
	return sorted[len(sorted)/2]
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
