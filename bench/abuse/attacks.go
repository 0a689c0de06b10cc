package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
)

// attack runs one hostile client until ctx is done and describes the result.
type attack struct {
	name string
	run  func(ctx context.Context, t *target) string
	// brief attacks take a third of the time of others.
	brief bool
}

var attacks = []attack{
	{"400 aliases of a long text", longAnswers, false},
	{"one field 14,000 times", repetitions, false},
	{"1,000 strangers who announce 1 MB", strangers, false},
	{"endless bodies from 200 users", endlessBodies, true},
	{"1,000 strangers who sign up slowly", slowSignUps, true},
	{"100 sockets that do not read", deafSockets, true},
	{"200 silent sockets", silentSockets, true},
	{"e-mail to one victim", mailFlood, false},
	{"guessing a password", guesses, false},
	{"200 logins in one request, to messaging", manyLogins, true},
	{"logins of 1 MB, to communities", longLogins, true},
	{"900 searches by an anonymous identity", searches, true},
	{"messages of 130,000 bytes", largeMessages, true},
	{"3,000 short-lived subscriptions", flappingSubscriptions, true},
	{"1,000 endless uploads", slowUploads, true},
	{"uploads of 57 MB that are not images", largeUploads, true},
	{"images of 65,000 x 65,000 pixels", hugePictures, true},
	{"videos of 300 million frames", absurdFilms, true},
	{"CSV files of one line, a million columns, one cell", brokenTables, true},
	{"archives that unpack to gigabytes", zipBombs, true},
	{"place lookups without a token", prefixes, true},
	{"5,000 records by id at once", lookUps, true},
	{"an error inside 32 nested maps, to the engine", nestedFault, false},
}

// lasts returns how long the attack lasts.
func (a attack) lasts() time.Duration {
	switch {
	case a.brief && *short:
		return *each / 2
	case a.brief:
		return *each / 3
	}
	return *each
}

// outcomes counts requests by outcome.
type outcomes struct {
	mu     sync.Mutex
	counts map[string]int
}

func (o *outcomes) note(what string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.counts == nil {
		o.counts = map[string]int{}
	}
	o.counts[what]++
}

func (o *outcomes) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.TrimPrefix(fmt.Sprint(o.counts), "map")
}

// code returns the first error code of a response, or its status.
func code(status int, body []byte, err error) string {
	if err != nil {
		return "cut off"
	}
	if _, rest, ok := strings.Cut(string(body), `"code":"`); ok {
		name, _, _ := strings.Cut(rest, `"`)
		return name
	}
	return fmt.Sprint(status)
}

// several runs f on n goroutines until ctx is done.
func several(ctx context.Context, n int, f func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			for ctx.Err() == nil {
				f(i)
			}
		})
	}
	all.Wait()
}
