package main

import (
	"flag"
	"math"
	"os"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write docs/scale.md")

const (
	begin = "<!-- figures: go test ./bench/scale -run Fresh -update -->\n"
	end   = "<!-- end of figures -->\n"
)

// The page has the figures that follow from docs/costs.md.
func TestScaleIsFresh(t *testing.T) {
	const page = "../../docs/scale.md"
	costs, err := readCosts("../../docs/costs.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := figures(costs)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, begins := strings.Cut(string(text), begin)
	got, tail, ends := strings.Cut(rest, end)
	if !begins || !ends {
		t.Fatalf("%s has no %q and %q", page, begin, end)
	}
	if got == want {
		return
	}
	if !*update {
		t.Fatalf("%s is stale: run the test with -update", page)
	}
	if err := os.WriteFile(page, []byte(head+begin+want+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The distribution that is integrated is the one that is drawn from.
func TestFollowersAreDrawnFromTheGraph(t *testing.T) {
	g := graphOf(1e6, limit)
	const draws = 1_000_000
	copied, large := 0.0, 0
	for i := range draws {
		if f := g.followersOf((float64(i) + 0.5) / draws); f < limit {
			copied += f
		} else {
			large++
		}
	}
	if got := copied / draws; math.Abs(got-g.copied) > g.copied/100 {
		t.Errorf("a post has %.1f copies, want %.1f", got, g.copied)
	}
	if got := float64(large) / draws; math.Abs(got-g.largePosts) > g.largePosts/50 {
		t.Errorf("%.5f of the posts are of large accounts, want %.5f", got, g.largePosts)
	}
}

// Of costs with effects, all are counted.
func TestCostsAreSummed(t *testing.T) {
	file := t.TempDir() + "/costs.md"
	text := "text\n\n| operation | calls | trips | read units | write units | effects: calls | trips | read units | write units | all writes |\n" +
		"| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n| post | 2 | 2 | 1 | 14 | 4 | 3 | 4.5 | 5 | 19 |\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	costs, err := readCosts(file)
	if want := (cost{6, 5.5, 19}); err != nil || costs["post"] != want {
		t.Errorf("%v, %v; want %v", costs["post"], err, want)
	}
}

// A process that has as little to do as this one copies a post in the time of its steps.
func TestAnIdleProcessDelivers(t *testing.T) {
	s := simulate(graphOf(1e4, limit), 0.01, limit)
	if s.half.Round(time.Millisecond) != trips*latency || s.small > 10*trips*latency || s.unfinished != 0 {
		t.Errorf("%+v", s)
	}
}
