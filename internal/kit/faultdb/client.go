package faultdb

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/guregu/dynamo/v2/dynamodbiface"

	"stoa/internal/kit/engine/raw"
	"stoa/internal/kit/intercept"
	"stoa/internal/kit/keyspec"
)

// Engine is a database in this process.
type Engine interface {
	dynamodbiface.DynamoDBAPI
	raw.Store
}

// Client forwards calls to an engine. It may be used concurrently.
type Client struct {
	intercept.Client
	engine Engine

	mu         sync.Mutex
	counts     map[string]int
	running    int
	roundTrips int
	armed      []*armed
	watchers   []func(Write)
	recording  []*[]string
}

var (
	_ Engine           = (*Client)(nil)
	_ keyspec.Observer = (*Client)(nil)
)

// armed is a fault waiting for its call.
type armed struct {
	Fault
	// left is the number of calls until the fault happens; 0 once it has.
	left int
}

// Wrap returns a client of an engine.
func Wrap(e Engine) *Client {
	c := &Client{engine: e}
	c.Client = intercept.Client{DynamoDBAPI: e, Around: c.around}
	return c
}

// Engine returns the engine. Calls to it are neither counted nor fail.
func (c *Client) Engine() Engine { return c.engine }

// Arm activates a fault, and returns a function to deactivate it, which reports whether the
// fault happened.
func (c *Client) Arm(f Fault) (disarm func() (happened bool)) {
	a := &armed{f, f.n}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.armed = append(c.armed, a)
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.armed = slices.DeleteFunc(c.armed, func(b *armed) bool { return a == b })
		return f.n > 0 && a.left == 0
	}
}

// Record records the operations of calls, each of which can have a fault, until the
// function it returns is called.
func (c *Client) Record() (end func() []string) {
	calls := new([]string)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.recording = append(c.recording, calls)
	return func() []string {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.recording = slices.DeleteFunc(c.recording, func(other *[]string) bool { return other == calls })
		return *calls
	}
}

// due returns the faults of a call that is about to start.
func (c *Client) due(operation string, tables []string) []Fault {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, calls := range c.recording {
		*calls = append(*calls, operation)
	}
	var now []Fault
	for _, a := range c.armed {
		if a.left == 0 || a.operation != "" && a.operation != operation || a.table != "" && !slices.Contains(tables, a.table) {
			continue
		}
		if a.left--; a.left == 0 {
			now = append(now, a.Fault)
		}
	}
	return now
}

// pass executes a call with its faults. Failed returns the error of an effect.
func (c *Client) pass(operation string, tables []string, call func() error, failed func(Effect) error) error {
	now := c.due(operation, tables)
	for _, f := range now {
		switch {
		case f.late:
		case f.hook != nil:
			f.hook()
		default:
			return failed(f.effect)
		}
	}
	err := call()
	for _, f := range now {
		switch {
		case !f.late:
		case f.hook != nil:
			f.hook()
		case err == nil:
			err = failed(f.effect)
		}
	}
	return err
}

// Reset resets the counters.
func (c *Client) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts, c.roundTrips = nil, 0
}

// Total returns the number of calls.
func (c *Client) Total() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	total := 0
	for _, n := range c.counts {
		total += n
	}
	return total
}

// Count returns the number of calls of one operation, such as "Query".
func (c *Client) Count(operation string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts[operation]
}

// RoundTrips returns the number of round trips: overlapping calls count as one.
func (c *Client) RoundTrips() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.roundTrips
}

// String returns the calls by operation, for test failure messages.
func (c *Client) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var parts []string
	for _, operation := range slices.Sorted(maps.Keys(c.counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", operation, c.counts[operation]))
	}
	return strings.Join(parts, ", ")
}

// Observe counts a direct call as its equivalent SDK operation.
func (c *Client) Observe(_ context.Context, operation string, _ ...string) func(error) {
	c.begin(operation)
	return func(error) { c.end() }
}

func (c *Client) begin(operation string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts == nil {
		c.counts = map[string]int{}
	}
	c.counts[operation]++
	if c.running == 0 {
		c.roundTrips++
	}
	c.running++
}

func (c *Client) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running--
}
