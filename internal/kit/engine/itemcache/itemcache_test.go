package itemcache

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

const testSize = 4 << 20

// learn adds value to c as a reader would.
func learn(c *Cache, key, value string, found bool) {
	c.Offer(math.MaxUint64, []byte(key), []byte(value), found)
}

func wantAnswer(t *testing.T, c *Cache, key, value string, want Answer) {
	t.Helper()
	got, answer, _ := c.Get([]byte("before "), []byte(key))
	if string(got) != "before "+value || answer != want {
		t.Errorf("%q is %q, %v; want %q, %v", key, got, answer, value, want)
	}
}

func TestKnowsWhatItWasTold(t *testing.T) {
	c := New(testSize)
	wantAnswer(t, c, "ana", "", Unknown)
	learn(c, "ana", "writer", true)
	learn(c, "ben", "", true)
	learn(c, "cem", "", false)
	wantAnswer(t, c, "ana", "writer", Found)
	wantAnswer(t, c, "ben", "", Found)
	wantAnswer(t, c, "cem", "", Absent)
	wantAnswer(t, c, "anas", "", Unknown)
}

func TestWrites(t *testing.T) {
	key := []byte("ana")
	for _, c := range []struct {
		name  string
		known bool
		end   func(*Cache, Write)
		value string
		want  Answer
	}{
		{"a known item changes", true, func(c *Cache, w Write) { c.End(w, key, []byte("new"), true) }, "new", Found},
		{"a known item goes", true, func(c *Cache, w Write) { c.End(w, key, nil, false) }, "", Absent},
		{"an unknown item changes", false, func(c *Cache, w Write) { c.End(w, key, []byte("new"), true) }, "", Unknown},
		{"a write fails", true, func(c *Cache, w Write) {}, "", Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			cache := New(testSize)
			if c.known {
				learn(cache, "ana", "old", true)
			}
			w := cache.Begin(key, 1)
			wantAnswer(t, cache, "ana", "", Unknown)
			c.end(cache, w)
			wantAnswer(t, cache, "ana", c.value, c.want)
			learn(cache, "ana", "read again", true)
			if c.want == Unknown {
				wantAnswer(t, cache, "ana", "read again", Found)
			}
		})
	}
}

// An offer is dropped if the key has been written since the reader read the store.
func TestLateOffersAreDropped(t *testing.T) {
	key := []byte("ana")
	for _, c := range []struct {
		name  string
		asOf  uint64
		ended bool
		want  Answer
	}{
		{"of before a write, while it is under way", 4, false, Unknown},
		{"of before a write, after it", 4, true, Unknown},
		{"of after it", 5, true, Found},
		{"of later", 9, true, Found},
	} {
		t.Run(c.name, func(t *testing.T) {
			cache := New(testSize)
			w := cache.Begin(key, 5)
			if c.ended {
				cache.End(w, key, []byte("value"), true)
			}
			cache.Offer(c.asOf, key, []byte("value"), true)
			value := map[Answer]string{Found: "value"}[c.want]
			wantAnswer(t, cache, "ana", value, c.want)
		})
	}
}

// Results are returned with the sequence number of the last write of the key, or a later
// one.
func TestSince(t *testing.T) {
	c := New(testSize)
	want := func(when string, want uint64) {
		t.Helper()
		if _, answer, since := c.Get(nil, []byte("ana")); answer != Found || since != want {
			t.Errorf("%s: %v since %d, want %d", when, answer, since, want)
		}
	}
	learn(c, "ana", "writer", true)
	want("never written", 0)
	for number := range uint64(300) {
		c.End(c.Begin([]byte("ana"), number+1), []byte("ana"), []byte("painter"), true)
	}
	want("written", 300)
	c.Begin([]byte("ana"), 301)
	c.Offer(305, []byte("ana"), []byte("baker"), true)
	want("read after a write", 301)
	for i := range 100_000 { // to move it in the ring
		learn(c, fmt.Sprint("item ", i), "some text that fills the space", true)
		if i%8 == 0 {
			want("kept for long", 301)
		}
	}
}

func TestStaysWithinItsSize(t *testing.T) {
	c := New(testSize)
	value := bytes.Repeat([]byte("x"), 300)
	const hot = "the one that is always asked for"
	learn(c, hot, "kept", true)
	for i := range 100_000 {
		learn(c, fmt.Sprint("item ", i), string(value), true)
		if i%8 == 0 {
			wantAnswer(t, c, hot, "kept", Found)
		}
	}
	wantAnswer(t, c, "item 99999", string(value), Found)
	wantAnswer(t, c, "item 0", "", Unknown)
	taken := 0
	for i := range c.shards {
		s := &c.shards[i]
		taken += cap(s.ring) + 24*len(s.index)
	}
	if taken > testSize+testSize/8 || taken < testSize/2 {
		t.Errorf("it takes %d bytes of %d", taken, testSize)
	}
}

// An item that changes repeatedly occupies its space once, unless it outgrows it.
func TestChangesStayInPlace(t *testing.T) {
	c := New(testSize)
	key := []byte("counter")
	change := func(n uint64, value string) {
		c.End(c.Begin(key, n), key, []byte(value), true)
	}
	taken := func() int { return int(c.shard(maphash.Bytes(c.seed, key)).end) }
	learn(c, "counter", strings.Repeat("x", 100)+"0", true)
	before := taken()
	for n := range uint64(100_000) {
		value := strings.Repeat("x", 100) + fmt.Sprint(n)
		change(1+n, value)
		wantAnswer(t, c, "counter", value, Found)
	}
	if got := taken(); got != before {
		t.Errorf("%d bytes are taken, %d before", got, before)
	}
	change(100_001, strings.Repeat("y", 300))
	wantAnswer(t, c, "counter", strings.Repeat("y", 300), Found)
	change(100_002, "")
	wantAnswer(t, c, "counter", "", Found)
	c.End(c.Begin(key, 100_003), key, nil, false)
	wantAnswer(t, c, "counter", "", Absent)
	change(100_004, strings.Repeat("z", 290))
	wantAnswer(t, c, "counter", strings.Repeat("z", 290), Found)
	if got := taken(); got > before+headSize+len(key)+300+slack {
		t.Errorf("%d bytes are taken, %d before it grew", got, before)
	}
}

// An entry that left the ring during a write is added anew.
func TestEvictedDuringAWrite(t *testing.T) {
	s := &shard{}
	s.open(1 << 10)
	value := bytes.Repeat([]byte("v"), 200)
	s.put(1, []byte("ana"), value, true, 0)
	if !s.vacate(1) || s.vacate(1) {
		t.Error("ana is not known until the write begins")
	}
	for i := range uint64(20) { // more than fit into the ring
		s.put(2+i, fmt.Appendf(nil, "other %d", i), value, true, 0)
	}
	s.put(1, []byte("ana"), value, true, 1)
	if _, answer, _ := s.get(nil, 1, []byte("ana")); answer != Found {
		t.Error("ana is lost")
	}
	for i := range uint64(20) {
		if got, answer, _ := s.get(nil, 2+i, fmt.Appendf(nil, "other %d", i)); answer == Found && !bytes.Equal(got, value) {
			t.Errorf("other %d is %q", i, got)
		}
	}
}

// What is read stays, and whatever a ring returns is what was put, however often entries of
// different sizes pass its end.
func TestRing(t *testing.T) {
	const keys = 400
	random := rand.New(rand.NewPCG(3, 4))
	s := &shard{}
	s.open(40 << 10)
	values := map[uint64]string{}
	key := func(hash uint64) []byte { return fmt.Appendf(nil, "key %d", hash) }
	known, reads := 0, 0
	for step := range 200_000 {
		hash := random.Uint64N(keys)
		switch random.IntN(8) {
		case 0, 1:
			values[hash] = strings.Repeat(string(rune('a'+step%26)), 1+random.IntN(600))
			s.vacate(hash)
			s.put(hash, key(hash), []byte(values[hash]), true, uint64(step))
		case 2:
			s.vacate(hash)
			delete(values, hash)
		case 3:
			if was, there := values[hash]; there {
				s.put(hash, key(hash), []byte(was), true, uint64(step))
			}
		default:
			hash /= 8 // some are read often
			if _, there := values[hash]; !there {
				continue
			}
			reads++
			got, answer, _ := s.get(nil, hash, key(hash))
			if answer == Found {
				known++
				if string(got) != values[hash] {
					t.Fatalf("step %d: key %d is %q, want %q", step, hash, got, values[hash])
				}
			}
		}
		if len(s.ring) > 40<<10 || s.end-s.begin > 40<<10 {
			t.Fatalf("step %d: the ring takes %d bytes", step, len(s.ring))
		}
	}
	if known < reads*9/10 {
		t.Errorf("of %d reads of often read keys %d found them", reads, known)
	}
}

func TestKeepsNoGiants(t *testing.T) {
	c := New(testSize)
	learn(c, "giant", string(make([]byte, maxEntry)), true)
	if _, answer, _ := c.Get(nil, []byte("giant")); answer != Unknown {
		t.Error("an item of the greatest size takes the space of many")
	}
	small := New(1 << 20)
	learn(small, "ana", "writer", true)
	wantAnswer(t, small, "ana", "", Unknown)
}

// Keys with the same hash replace each other; none returns the other's value.
func TestSharedHash(t *testing.T) {
	s := &shard{}
	s.open(1 << 20)
	s.put(1, []byte("ana"), []byte("a"), true, 0)
	if _, answer, _ := s.get(nil, 1, []byte("ben")); answer != Unknown {
		t.Fatal("ben is answered with what is known of ana")
	}
	s.put(1, []byte("ben"), []byte("b"), true, 0)
	if got, answer, _ := s.get(nil, 1, []byte("ben")); string(got) != "b" || answer != Found {
		t.Fatal(string(got), answer)
	}
	if _, answer, _ := s.get(nil, 1, []byte("ana")); answer != Unknown {
		t.Fatal("ana is answered with what is known of ben")
	}
}

// TestNeverBehindTheStore compares the results of readers with the store while writers
// change it. While a key is locked, neither may change, so both must agree.
func TestNeverBehindTheStore(t *testing.T) {
	const keys, rounds = 64, 20_000
	c := New(3 << 20)
	var store [keys]atomic.Int64
	var locks [keys]sync.Mutex
	name := func(k int) []byte { return fmt.Appendf(nil, "key %d", k) }
	var numbers sync.Mutex
	last, under := uint64(0), map[uint64]bool{}
	begin := func() uint64 {
		numbers.Lock()
		defer numbers.Unlock()
		last++
		under[last] = true
		return last
	}
	end := func(n uint64) {
		numbers.Lock()
		defer numbers.Unlock()
		delete(under, n)
	}
	past := func() uint64 { // no earlier write is in progress
		numbers.Lock()
		defer numbers.Unlock()
		first := last + 1
		for n := range under {
			first = min(first, n)
		}
		return first - 1
	}
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(worker)))
			for range rounds {
				k := random.IntN(keys)
				switch random.IntN(3) {
				case 0: // a reader without a lock
					if _, answer, _ := c.Get(nil, name(k)); answer == Unknown {
						asOf := past()
						n := store[k].Load()
						c.Offer(asOf, name(k), fmt.Append(nil, n), n != 0)
					}
				case 1: // a writer
					locks[k].Lock()
					number := begin()
					w := c.Begin(name(k), number)
					n := random.Int64N(1000) // 0 is a delete
					store[k].Store(n)
					c.End(w, name(k), fmt.Append(nil, n), n != 0)
					end(number)
					locks[k].Unlock()
				default: // a check that keeps writers of the key out
					locks[k].Lock()
					value, answer, _ := c.Get(nil, name(k))
					n := store[k].Load()
					if answer == Absent && n != 0 || answer == Found && string(value) != fmt.Sprint(n) {
						t.Errorf("key %d is %q, %v; the store has %d", k, value, answer, n)
					}
					locks[k].Unlock()
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkGet(b *testing.B) {
	c := New(testSize)
	value := string(make([]byte, 400))
	keys := make([][]byte, 1000)
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "a key of about the length that the keys of a row have in a table %d", i)
		learn(c, string(keys[i]), value, true)
	}
	dst := make([]byte, 0, 512)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, answer, _ := c.Get(dst, keys[i%len(keys)]); answer != Found {
			b.Fatal(answer)
		}
	}
}
