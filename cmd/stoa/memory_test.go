package main

import (
	"math"
	"runtime/debug"
	"testing"
)

func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		live uint64
		want int
	}{
		{0, 300},
		{10 << 20, 300},
		{36 << 20, 300},
		{72 << 20, 100},
		{110 << 20, 40},
		{1 << 40, 40},
	} {
		if got := growth(c.live, engineHeap); got != c.want {
			t.Errorf("of %d live bytes the heap grows by %d %%, want %d", c.live, got, c.want)
		}
	}
}

func TestMemoryIsReturnedInPauses(t *testing.T) {
	var p pause
	for i, c := range []struct {
		allocated, collections uint64
		want                   bool
	}{
		{50 << 20, 1, false}, {50 << 20, 1, true}, {90 << 20, 5, false}, {90<<20 + quietBytes, 5, false}, {90<<20 + 2*quietBytes - 1, 5, true},
	} {
		got := p.begins(c.allocated, c.collections)
		if got != c.want {
			t.Errorf("look %d: %v, want %v", i, got, c.want)
		}
	}
	if p.collections = 6; p.begins(p.allocated, 6) {
		t.Error("memory is returned again in the same pause")
	}
}

func TestAmountsOfMemory(t *testing.T) {
	for text, want := range map[string]string{
		"512MiB": "512MiB", "536870912": "512MiB", "536870912B": "512MiB", "1024MiB": "1GiB", "1536MiB": "1536MiB", "1000": "1000B", "0": "0B",
	} {
		var b Bytes
		if err := b.UnmarshalText([]byte(text)); err != nil || b.String() != want {
			t.Errorf("%s is read as %s, %v", text, b, err)
		}
		var again Bytes
		if err := again.UnmarshalText([]byte(b.String())); err != nil || again != b {
			t.Errorf("%s is read as %s, %v", b, again, err)
		}
	}
	for _, text := range []string{"", "MiB", "-1MiB", "1.5GiB", "512MB", "512 MiB", "9999999TiB", "99999999999999999999"} {
		if err := new(Bytes).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

func TestMemoryLimitIsASetting(t *testing.T) {
	if _, err := run(t, "config", "--memory-limit", "255MiB"); err == nil || exitCode(err) != 2 ||
		err.Error() != "setting memory-limit (flag --memory-limit): 255MiB leaves no room beside the caches: write at least 256MiB" {
		t.Errorf("too little: %v", err)
	}
	before := debug.SetMemoryLimit(math.MaxInt64)
	defer func() { debug.SetMemoryLimit(before); debug.SetGCPercent(100) }()
	for _, c := range []struct {
		env  string
		want int64
	}{{"", 300 << 20}, {"GOMEMLIMIT", math.MaxInt64}, {"GOGC", math.MaxInt64}} {
		debug.SetMemoryLimit(math.MaxInt64)
		tuneMemory(t.Context(), servedHeap, 300<<20, func(name string) (string, bool) { return "", name == c.env })
		if got := debug.SetMemoryLimit(-1); got != c.want {
			t.Errorf("with %q in the environment, the limit is %d, want %d", c.env, got, c.want)
		}
	}
}
