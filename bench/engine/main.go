// Command engine measures `stoa dynamodb` against the two other DynamoDB servers that run
// on one machine, dynalite and DynamoDB Local, and prints a table in Markdown.
//
// All receive the same requests over HTTP from one load generator, in turns. The generator
// shares the machine with them: compare ratios, not requests per second.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"syscall"
	"time"

	"stoa/bench/load"
)

type options struct {
	binary      string
	connections int
	length      time.Duration
	rounds      int
	out         string
	servers     string
	workload    string
}

func main() {
	var o options
	flag.StringVar(&o.binary, "stoa", "bin/stoa", "path of the stoa binary")
	flag.IntVar(&o.connections, "c", 16, "connections")
	flag.DurationVar(&o.length, "d", 3*time.Second, "duration of one run")
	flag.IntVar(&o.rounds, "rounds", 3, "number of rounds; servers take turns in each, and results are medians")
	flag.StringVar(&o.servers, "servers", "", "measure only servers whose names start with this")
	flag.StringVar(&o.workload, "workload", "", "measure only the workload with this name")
	flag.StringVar(&o.out, "o", "", "file to write the report to, in addition to standard output")
	flag.Parse()
	if err := run(o); err != nil {
		log.Fatal(err)
	}
}

func run(o options) error {
	dir, err := os.MkdirTemp("", "stoa-bench-engine-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var servers []*server
	for _, p := range peers(o.binary) {
		if !strings.HasPrefix(p.name, o.servers) {
			continue
		}
		s, err := p.start(dir)
		if err != nil {
			return err
		}
		defer s.Kill() // its data is no longer needed
		if err := s.hold(); err != nil {
			return err
		}
		servers = append(servers, s)
	}
	r := report{options: o, servers: servers, results: map[string]map[*server][]result{}}
	for _, w := range workloads {
		if o.workload != "" && w.Name != o.workload {
			continue
		}
		if err := r.measure(w); err != nil {
			return err
		}
	}
	out := io.Writer(os.Stdout)
	if o.out != "" {
		file, err := os.Create(o.out)
		if err != nil {
			return err
		}
		defer file.Close()
		out = io.MultiWriter(out, file)
	}
	return r.write(out)
}

// workloads are in the order of measurement: reads come first, while all servers hold the
// same data.
var workloads = []load.Workload{get, query, put, transaction}

// measure runs a workload on all servers in turns. Other servers are stopped meanwhile, so
// that each does its background work, such as compaction, in its own turns.
func (r *report) measure(w load.Workload) error {
	results := map[*server][]result{}
	for round := range r.rounds + 1 {
		for _, s := range r.servers {
			if w.Name == transaction.Name && !s.transacts {
				continue
			}
			length := r.length
			if round == 0 { // warm-up
				length = time.Second
			}
			measured, err := s.run(w, r.connections, length)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			if round > 0 {
				results[s] = append(results[s], measured)
			}
		}
	}
	r.results[w.Name] = results
	return nil
}

// result is the cost of a run; the generator's part is separate.
type result struct {
	load.Result
	generator float64 // CPU milliseconds for one request
}

// run resumes the server, measures it and stops it again.
func (s *server) run(w load.Workload, connections int, length time.Duration) (_ result, err error) {
	if err := s.Signal(syscall.SIGCONT); err != nil {
		return result{}, err
	}
	defer func() { err = errors.Join(err, s.hold()) }()
	before, err := load.CPUSeconds(os.Getpid())
	if err != nil {
		return result{}, err
	}
	measured, err := load.Run(load.Target{Addr: s.Addr, PID: s.PID()}, w, connections, length)
	if err != nil {
		return result{}, err
	}
	after, err := load.CPUSeconds(os.Getpid())
	return result{measured, (after - before) / float64(measured.Requests) * 1000}, err
}
