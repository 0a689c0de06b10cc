package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// report holds the results by workload.
type report struct {
	options
	servers []*server
	results map[string]map[*server][]result
}

// goal is the required speed of stoa on disk relative to a peer.
type goal struct {
	workload, peer string
	times          float64
}

var goals = []goal{
	{put.Name, "dynalite, LevelDB", 3.5}, {put.Name, "DynamoDB Local, disk", 50},
	{get.Name, "dynalite, LevelDB", 4}, {get.Name, "DynamoDB Local, disk", 40},
	{query.Name, "dynalite, LevelDB", 8}, {query.Name, "DynamoDB Local, disk", 40},
	{transaction.Name, "DynamoDB Local, disk", 40},
}

// median returns the result with the median requests per second.
func median(results []result) result {
	sorted := slices.SortedFunc(slices.Values(results), func(a, b result) int { return int(a.PerSecond - b.PerSecond) })
	return sorted[len(sorted)/2]
}

func (r *report) write(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# The engine beside its peers\n\n"+
		"Written by `make bench-engine`. All servers run on one machine and receive the same requests over HTTP, in\n"+
		"turns, from one load generator with %d connections in a closed loop. While one server is measured the others are\n"+
		"stopped, so that none does background work at the expense of another. Results are medians of %d rounds of %v.\n"+
		"Items have about 400 bytes and one index entry; puts on disk are answered once they are in a file, and those of\n"+
		"stoa once they are synced as well.\n\n", r.connections, r.rounds, r.length)
	fmt.Fprintf(&b, "%s\n\nRequests per second, and in parentheses the throughput of stoa on disk as a multiple of it.\n\n", machine())

	b.WriteString("| |")
	for _, w := range workloads {
		fmt.Fprintf(&b, " %s |", w.Name)
	}
	b.WriteString(" memory, MiB |\n| --- |" + strings.Repeat(" ---: |", len(workloads)+1) + "\n")
	for _, s := range r.servers {
		fmt.Fprintf(&b, "| %s |", s.name)
		memory := 0.0
		for _, w := range workloads {
			measured := r.results[w.Name][s]
			if len(measured) == 0 {
				b.WriteString(" - |")
				continue
			}
			m := median(measured)
			memory = max(memory, m.Memory)
			if s == r.servers[0] {
				fmt.Fprintf(&b, " %.0f |", m.PerSecond)
			} else {
				fmt.Fprintf(&b, " %.0f (%.1f) |", m.PerSecond, r.ratio(w.Name, s))
			}
		}
		fmt.Fprintf(&b, " %.0f |\n", memory)
	}
	b.WriteString("\nLatency p50 / p99 in milliseconds, and CPU milliseconds per request of the server + the load generator.\n\n| |")
	for _, w := range workloads {
		fmt.Fprintf(&b, " %s |", w.Name)
	}
	b.WriteString("\n| --- |" + strings.Repeat(" ---: |", len(workloads)) + "\n")
	for _, s := range r.servers {
		fmt.Fprintf(&b, "| %s |", s.name)
		for _, w := range workloads {
			measured := r.results[w.Name][s]
			if len(measured) == 0 {
				b.WriteString(" - |")
				continue
			}
			m := median(measured)
			fmt.Fprintf(&b, " %.1f / %.1f, %.3f + %.3f |", milliseconds(m.P50), milliseconds(m.P99), m.CPU, m.generator)
		}
		b.WriteString("\n")
	}
	b.WriteString("\n| Goal | target | measured |\n| --- | ---: | ---: |\n")
	for _, g := range goals {
		i := slices.IndexFunc(r.servers, func(s *server) bool { return s.name == g.peer })
		if i < 0 || len(r.results[g.workload][r.servers[0]]) == 0 {
			continue // not asked for
		}
		fmt.Fprintf(&b, "| %s, against %s | %g × | %.1f × |\n", g.workload, g.peer, g.times, r.ratio(g.workload, r.servers[i]))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// ratio returns the number of requests of stoa on disk per request of s.
func (r *report) ratio(workload string, s *server) float64 {
	of := r.results[workload]
	return median(of[r.servers[0]]).PerSecond / median(of[s]).PerSecond
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// machine describes the machine and the measured versions.
func machine() string {
	cpu := "unknown CPU"
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if name, ok := strings.CutPrefix(line, "model name"); ok {
				cpu = strings.TrimLeft(strings.TrimSpace(name), ": ")
				break
			}
		}
	}
	busy := ""
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		busy = ", load average afterwards " + strings.Join(strings.Fields(string(text))[:2], " and ")
	}
	return fmt.Sprintf("Machine: %d × %s, %s/%s%s.\nVersions: %s, Node %s, Java %s, dynalite 4.0.0, DynamoDB Local 1.11.478 of 2020-01-16.",
		runtime.NumCPU(), cpu, runtime.GOOS, runtime.GOARCH, busy,
		runtime.Version(), firstLine("node", "--version"), firstLine("java", "--version"))
}

// firstLine returns the first line that a program prints.
func firstLine(program string, args ...string) string {
	out, err := exec.Command(program, args...).Output()
	if err != nil {
		return "unknown"
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line
}
