package keyfilter

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

const testLimit = 1 << 20

func keyOf(i int) []byte { return fmt.Appendf(nil, "key %d", i) }

// built returns a filter of the keys from (inclusive) to to (exclusive).
func built(t *testing.T, limit, from, to int) *Filter {
	t.Helper()
	f := New(limit)
	err := f.Build(to-from, func() {}, func(add func([]byte)) error {
		for i := from; i < to; i++ {
			add(keyOf(i))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// wrong returns the number of false positives in a range of keys.
func wrong(f *Filter, from, to int) (n int) {
	for i := from; i < to; i++ {
		if !f.Lacks(keyOf(i)) {
			n++
		}
	}
	return n
}

func mustHave(t *testing.T, f *Filter, from, to int) {
	t.Helper()
	if n := wrong(f, from, to); n != to-from {
		t.Fatalf("%d of %d keys that were added are said to be absent", to-from-n, to-from)
	}
}

func TestKnowsNothingAtFirst(t *testing.T) {
	f := New(testLimit)
	f.Add(keyOf(1))
	if f.Lacks(keyOf(2)) || f.Complete() {
		t.Error("a filter that was never built says something")
	}
}

func TestFalsePositives(t *testing.T) {
	const n = 100_000
	f := built(t, testLimit, 0, n)
	mustHave(t, f, 0, n)
	if got := wrong(f, n, 2*n); got > n/100 {
		t.Errorf("of %d absent keys %d are false positives", n, got)
	}
	for i := n; i < 3*n; i++ { // grows
		f.Add(keyOf(i))
	}
	if parts := len(f.state.Load().now.segments()); parts < 2 {
		t.Fatalf("the filter has %d segments, it did not grow", parts)
	}
	mustHave(t, f, 0, 3*n)
	if got := wrong(f, 3*n, 4*n); got > 2*n/100 {
		t.Errorf("of %d absent keys %d are false positives once the filter has grown", n, got)
	}
	before := f.state.Load().now.keys()
	for i := range 3 * n { // known keys take no space
		f.Add(keyOf(i))
	}
	if after := f.state.Load().now.keys(); after != before {
		t.Errorf("adding known keys again counts %d new ones", after-before)
	}
}

func TestGivesUpWhenFull(t *testing.T) {
	f := built(t, 200<<10, 0, 10)
	i := 10
	for ; f.Complete() && i < 1_000_000; i++ {
		f.Add(keyOf(i))
	}
	if f.Complete() || i < 60_000 {
		t.Fatalf("after %d keys the filter is on: %t", i, f.Complete())
	}
	if f.Lacks(keyOf(-1)) {
		t.Error("a filter that is off says something")
	}
	scan := func(func([]byte)) error { t.Error("a filter that is off is built"); return nil }
	if err := f.Build(10, func() {}, scan); !errors.Is(err, ErrFull) {
		t.Errorf("building it anew: %v", err)
	}
	f = New(200 << 10)
	if err := f.Build(1_000_000, func() {}, scan); !errors.Is(err, ErrFull) {
		t.Errorf("building one that is too large: %v", err)
	}
	f = New(200 << 10)
	err := f.Build(10, func() {}, func(add func([]byte)) error {
		for i := range 1_000_000 {
			add(keyOf(i))
		}
		return nil
	})
	if !errors.Is(err, ErrFull) || f.Complete() {
		t.Errorf("building one of more keys than was said: %v", err)
	}
}

func TestBuildThatFailsChangesNothing(t *testing.T) {
	f := built(t, testLimit, 0, 1000)
	failed := errors.New("no luck")
	err := f.Build(0, func() {}, func(func([]byte)) error {
		if err := f.Build(0, func() {}, nil); !errors.Is(err, ErrBuilding) {
			t.Errorf("building it twice at once: %v", err)
		}
		f.Add(keyOf(1000))
		return failed
	})
	if !errors.Is(err, failed) {
		t.Errorf("Build says %v", err)
	}
	mustHave(t, f, 0, 1001)
	if got := wrong(f, 2000, 3000); got > 50 {
		t.Errorf("of 1000 absent keys %d are false positives", got)
	}
}

func TestDue(t *testing.T) {
	due := func(f *Filter) bool {
		select {
		case <-f.Due():
			return true
		default:
			return false
		}
	}
	const n = mostGone + 100
	f := built(t, testLimit, 0, n)
	f.Gone(mostGone)
	if due(f) {
		t.Error("due although few are gone")
	}
	f.Gone(1)
	if !due(f) {
		t.Error("not due although most are gone")
	}
	if err := f.Build(99, func() {}, func(add func([]byte)) error { add(keyOf(0)); return nil }); err != nil {
		t.Fatal(err)
	}
	if f.Gone(mostGone / 2); due(f) {
		t.Error("those that were gone before it was built are counted again")
	}
	f = built(t, testLimit, 0, 10)
	for i := range 16 * leastKeys {
		f.Add(keyOf(i))
	}
	if parts := len(f.state.Load().now.segments()); parts <= mostSegments || !due(f) {
		t.Errorf("not due with %d segments", parts)
	}
}

// testStore is a store with the guarantees that the filter requires: a key is visible once
// put has returned.
type testStore struct {
	writing sync.RWMutex // held for reading by writes
	mu      sync.Mutex
	keys    map[string]bool
}

func (s *testStore) put(f *Filter, key []byte) {
	s.writing.RLock()
	defer s.writing.RUnlock()
	f.Add(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys[string(key)] = true
}

func (s *testStore) remove(f *Filter, key []byte) {
	s.writing.RLock()
	defer s.writing.RUnlock()
	s.mu.Lock()
	delete(s.keys, string(key))
	s.mu.Unlock()
	f.Gone(1)
}

func (s *testStore) settle() {
	s.writing.Lock()
	defer s.writing.Unlock()
}

// scan passes the keys to add; the store may change while it runs.
func (s *testStore) scan(add func([]byte)) error {
	s.mu.Lock()
	all := make([]string, 0, len(s.keys))
	for key := range s.keys {
		all = append(all, key)
	}
	s.mu.Unlock()
	for _, key := range all {
		s.mu.Lock()
		there := s.keys[key]
		s.mu.Unlock()
		if there {
			add([]byte(key))
		}
	}
	return nil
}

// Writers put and remove random keys while the filter is rebuilt and grows. No existing key
// is ever reported as absent.
func TestRandomHistories(t *testing.T) {
	const writers, rounds, steps = 4, 5, 20_000
	random := rand.New(rand.NewPCG(5, 6))
	s := &testStore{keys: map[string]bool{}}
	own := make([]map[int]bool, writers)
	for w := range own {
		own[w] = map[int]bool{}
	}
	f := New(testLimit)
	for round := range rounds {
		var writing, building sync.WaitGroup
		done := make(chan struct{})
		builds := 0
		building.Go(func() {
			for {
				if err := f.Build(1000, s.settle, s.scan); err != nil {
					t.Error(err)
				}
				builds++
				select {
				case <-done:
					return
				default:
				}
			}
		})
		for w := range writers {
			random := rand.New(rand.NewPCG(random.Uint64(), uint64(w)))
			writing.Go(func() {
				key := func(i int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(i*writers+w)) }
				for range steps {
					i := random.IntN(2_000)
					switch {
					case random.IntN(3) == 0:
						s.remove(f, key(i))
						delete(own[w], i)
					default:
						s.put(f, key(i))
						own[w][i] = true
					}
					if i = random.IntN(2_000); own[w][i] && f.Lacks(key(i)) {
						t.Errorf("round %d: a key that is there is said to be absent", round)
						return
					}
				}
				for i := range own[w] {
					if f.Lacks(key(i)) {
						t.Errorf("round %d: a key that is there is said to be absent at the end", round)
						return
					}
				}
			})
		}
		writing.Wait()
		close(done)
		building.Wait()
		t.Logf("built %d times beside %d writes", builds, writers*steps)
		absent := 0
		for i := range 10_000 {
			if f.Lacks(binary.BigEndian.AppendUint64(nil, uint64((20_000+i)*writers))) {
				absent++
			}
		}
		if absent < 9_500 {
			t.Errorf("of 10000 absent keys only %d are known to be", absent)
		}
	}
}

func BenchmarkLacks(b *testing.B) {
	for _, n := range []int{10_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			f := New(64 << 20)
			f.Build(n, func() {}, func(add func([]byte)) error {
				for i := range n {
					add(keyOf(i))
				}
				return nil
			})
			key := make([]byte, 96)
			lacks := 0
			for i := 0; b.Loop(); i++ {
				binary.LittleEndian.PutUint64(key[40:], uint64(i))
				if f.Lacks(key) {
					lacks++
				}
			}
			if lacks == 0 {
				b.Fatal("nothing is absent")
			}
		})
	}
}
