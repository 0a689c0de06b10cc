// Package load sends requests of one kind to a server over a number of keep-alive
// connections, each in a closed loop, and measures their cost.
//
// Its own cost is small: requests are bytes filled into a template, and responses are
// checked but not decoded.
package load

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Workload is one kind of request. Path, header values and body are templates.
type Workload struct {
	Name, Path string
	Headers    map[string]string
	Body       json.RawMessage
	// MinBytes is the minimum size of a correct response.
	MinBytes int
	// Refusal, if not empty, is in the errors of a response that is correct too: a request that
	// is chosen at random may have been made before.
	Refusal string
}

// Read reads a server's workloads from a file.
func Read(file string) ([]Workload, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var workloads []Workload
	if err := json.Unmarshal(b, &workloads); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return workloads, nil
}

// Target is the server under load.
type Target struct {
	Addr string
	PID  int
	// Tokens are the values of ${tok}.
	Tokens []string
	// Settle waits until the server is idle. Its work meanwhile counts as CPU time. May be
	// nil.
	Settle func() error
}

// Result is the cost of a run.
type Result struct {
	Requests int
	// PerSecond is the number of requests per second; P50 and P99 are latencies.
	PerSecond float64
	P50, P99  time.Duration
	// CPU is the server's CPU time for 1,000 requests, in seconds.
	CPU float64
	// Memory is the server's resident memory after the run, in MiB.
	Memory float64
	// Bytes is the average size of a response body.
	Bytes int
}

// Run keeps conns connections busy for about d. A response that is too short, not 200, or
// contains errors ends the run with an error that shows it.
func Run(t Target, w Workload, conns int, d time.Duration) (Result, error) {
	request, err := newRequest(w)
	if err != nil {
		return Result{}, err
	}
	sizes := make([]int, conns)
	cpu := func() (float64, error) { return CPUSeconds(t.PID) }
	result, err := Measure(conns, cpu, t.Settle, func(i int, start time.Time) ([]time.Duration, error) {
		o := drive(t, request, uint64(i), start.Add(d))
		sizes[i] = o.bytes
		return o.latencies, o.err
	})
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", w.Name, err)
	}
	for _, size := range sizes {
		result.Bytes += size
	}
	result.Bytes /= result.Requests
	result.Memory, err = MemoryMiB(t.PID)
	return result, err
}

// Measure runs clients at the same time, each of which returns how long its requests have taken,
// and returns what they have cost a server whose CPU time is cpu. Settle waits until the server is
// idle; it may be nil.
func Measure(
	clients int, cpu func() (float64, error), settle func() error, client func(i int, start time.Time) ([]time.Duration, error),
) (Result, error) {
	before, err := cpu()
	if err != nil {
		return Result{}, err
	}
	took, errs := make([][]time.Duration, clients), make([]error, clients)
	var all sync.WaitGroup
	start := time.Now()
	for i := range clients {
		all.Go(func() { took[i], errs[i] = client(i, start) })
	}
	all.Wait()
	elapsed := time.Since(start)
	if settle != nil {
		errs = append(errs, settle())
	}
	if err := errors.Join(errs...); err != nil {
		return Result{}, err
	}
	after, err := cpu()
	latencies := slices.Concat(took...)
	slices.Sort(latencies)
	n := len(latencies)
	return Result{
		Requests: n, PerSecond: float64(n) / elapsed.Seconds(), P50: latencies[n/2], P99: latencies[n*99/100], CPU: (after - before) / float64(n) * 1000,
	}, err
}

type request struct {
	path, headers, body []part
	minBytes            int
	refusal             []byte
}

func newRequest(w Workload) (request, error) {
	var body bytes.Buffer
	if err := json.Compact(&body, w.Body); err != nil {
		return request{}, fmt.Errorf("body of %s: %w", w.Name, err)
	}
	var headers strings.Builder
	for name, value := range w.Headers {
		fmt.Fprintf(&headers, "%s: %s\r\n", name, value)
	}
	return request{compile(w.Path), compile(headers.String()), compile(body.String()), w.MinBytes, []byte(w.Refusal)}, nil
}

func (r *request) mayRefuse(answer []byte) bool {
	return len(r.refusal) > 0 && bytes.Contains(answer, r.refusal)
}

type outcome struct {
	latencies []time.Duration
	bytes     int
	err       error
}

// drive sends requests over one connection, each after the previous response.
func drive(t Target, r request, seed uint64, stop time.Time) (o outcome) {
	conn, err := net.Dial("tcp", t.Addr)
	if err != nil {
		return outcome{err: err}
	}
	defer conn.Close()
	br := bufio.NewReaderSize(conn, 64<<10)
	s := &state{random: rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), seed)), tokens: t.Tokens}
	var head, body []byte
	var answer bytes.Buffer
	for {
		body = fill(body[:0], r.body, s)
		head = append(head[:0], "POST "...)
		head = fill(head, r.path, s)
		head = append(head, " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"...)
		head = fill(head, r.headers, s)
		head = append(head, "Content-Length: "...)
		head = strconv.AppendInt(head, int64(len(body)), 10)
		head = append(head, "\r\n\r\n"...)
		head = append(head, body...)
		start := time.Now()
		if start.After(stop) && len(o.latencies) > 0 {
			return o
		}
		if _, o.err = conn.Write(head); o.err != nil {
			return o
		}
		response, err := http.ReadResponse(br, nil)
		if err == nil {
			answer.Reset()
			_, err = answer.ReadFrom(response.Body)
		}
		if err != nil {
			o.err = err
			return o
		}
		o.latencies = append(o.latencies, time.Since(start))
		o.bytes += answer.Len()
		failed := bytes.Contains(answer.Bytes(), []byte(`"errors"`)) && !r.mayRefuse(answer.Bytes())
		if response.StatusCode != http.StatusOK || answer.Len() < r.minBytes || failed {
			o.err = fmt.Errorf("answer %d to %.300s: %.400s", response.StatusCode, body, answer.Bytes())
			return o
		}
	}
}
