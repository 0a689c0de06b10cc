package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"
)

// quality is the service quality for honest clients.
type quality struct {
	P99    time.Duration
	Failed int
}

// honest runs honest clients for a while, in a process of their own: in that of the attackers, they
// would wait for the attackers' goroutines and not only for the server.
func (t *target) honest(each time.Duration) (quality, error) {
	self, err := os.Executable()
	if err != nil {
		return quality{}, err
	}
	tokens, err := json.Marshal(t.tokens[:honestClients])
	if err != nil {
		return quality{}, err
	}
	cmd := exec.Command(self, "-honest", t.url, "-time", each.String())
	cmd.Stdin, cmd.Stderr = bytes.NewReader(tokens), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return quality{}, fmt.Errorf("honest clients: %w", err)
	}
	var q quality
	return q, json.Unmarshal(out, &q)
}

// beHonest is the process of the honest clients. It reads their tokens from in and writes the quality to out.
func beHonest(url string, each time.Duration, in io.Reader, out io.Writer) error {
	t := &target{url: url}
	if err := json.NewDecoder(in).Decode(&t.tokens); err != nil {
		return err
	}
	var mu sync.Mutex
	var took []time.Duration
	failed := 0
	end := time.Now().Add(each)
	var all sync.WaitGroup
	for _, token := range t.tokens {
		all.Go(func() {
			for time.Now().Before(end) {
				began := time.Now()
				status, body, err := t.ask(token, `{ self { userId username followerCount } }`, nil)
				lasted := time.Since(began)
				mu.Lock()
				took = append(took, lasted)
				if err != nil || status != 200 || bytes.Contains(body, []byte("errors")) {
					failed++
				}
				mu.Unlock()
				time.Sleep(50 * time.Millisecond)
			}
		})
	}
	all.Wait()
	slices.Sort(took)
	return json.NewEncoder(out).Encode(quality{took[len(took)*99/100].Round(100 * time.Microsecond), failed})
}
