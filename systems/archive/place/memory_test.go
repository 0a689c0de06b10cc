package place

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/systems/archive"
)

// gazetteerOf is a store of places, each partition of which has as many.
type gazetteerOf struct {
	Store
	each int
	// read are the ids that were read by id.
	read []archive.ID
}

func (g *gazetteerOf) place(partition string, id archive.ID) *archive.Place {
	return &archive.Place{ID: id, Name: partition, FullName: fmt.Sprintf("%s %06d, %s", partition, id, strings.Repeat("Ohio, ", 30)), Count: int(id)}
}

func (g *gazetteerOf) Beginning(_ context.Context, partition string, each func(*archive.Place)) error {
	for id := range g.each {
		each(g.place(partition, archive.ID(id+1)))
	}
	return nil
}

func (g *gazetteerOf) InPartition(_ context.Context, partition string, ids []archive.ID) (map[archive.ID]*archive.Place, error) {
	g.read = append(g.read, ids...)
	found := map[archive.ID]*archive.Place{}
	for _, id := range ids {
		if id != 17 { // which has ceased to exist
			found[id] = g.place(partition, id)
		}
	}
	return found, nil
}

func (g *gazetteerOf) Words(_ context.Context, words []string) (map[string][]archive.ID, error) {
	return nil, nil
}

func (g *gazetteerOf) Settings(context.Context) (*archive.PlaceSettings, error) { return nil, nil }

func suggested(t *testing.T, m *memory, g *gazetteerOf, typed string, count int) (ids []archive.ID) {
	t.Helper()
	prefix, ok := archive.ParsePlacePrefix(typed)
	if !ok {
		t.Fatalf("%q is too short", typed)
	}
	places, err := m.suggest(t.Context(), prefix, count, time.Time{}, g)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range places {
		ids = append(ids, p.ID)
	}
	return ids
}

// Anybody can ask for names with any beginning.
func TestSuggestionsTakeLimitedMemory(t *testing.T) {
	m, g := &memory{}, &gazetteerOf{each: 1_000}
	before := liveHeap()
	for a := 'a'; a < 'u'; a++ {
		for b := 'a'; b < 'u'; b++ {
			suggested(t, m, g, string(a)+string(b), 20)
		}
	}
	if took, most := liveHeap()-before, maxPartitionBytes+maxKnownBytes+(2<<20); took > most {
		t.Errorf("400,000 names take %d bytes, more than %d", took, most)
	}
	runtime.KeepAlive(m)
}

func liveHeap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// Only names are kept of a partition: the places to show are read once, in one call.
func TestSuggestedPlacesAreReadOnce(t *testing.T) {
	m, g := &memory{}, &gazetteerOf{each: 100}
	for _, step := range []struct {
		typed      string
		want, read []archive.ID
	}{
		{"ab", []archive.ID{100, 99, 98}, nil},
		{"ab 0000", []archive.ID{99, 98, 97}, []archive.ID{97}},
		{"ab 0000", []archive.ID{99, 98, 97}, nil},
		{"ab 00001", []archive.ID{19, 18}, []archive.ID{19, 18, 17}},
		{"ab 000099, ohio, oh", []archive.ID{99}, nil},
		{"ab 1", nil, nil},
	} {
		g.read = nil
		if got := suggested(t, m, g, step.typed, 3); !slices.Equal(got, step.want) || !slices.Equal(g.read, step.read) {
			t.Errorf("%q suggests %v after reading %v, want %v and %v", step.typed, got, g.read, step.want, step.read)
		}
	}
}

// Texts and words of all lengths are cached, also those that stand for nothing.
func TestStandardizedTextsTakeLimitedMemory(t *testing.T) {
	m, g := &memory{}, &gazetteerOf{}
	before := liveHeap()
	for i := range 15_000 {
		text := fmt.Sprintf("%d %s", i, strings.Repeat("x", longestText-10))
		if _, err := m.standard(t.Context(), g, text, text, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	if took, most := liveHeap()-before, 3*maxKnownBytes; took > most {
		t.Errorf("they take %d bytes, more than %d", took, most)
	}
	runtime.KeepAlive(m)
}
