package record

import (
	"hash/maphash"
	"sync"

	"stoa/systems/archive"
)

// loads caches, for the loads in progress in this process, which households they have
// written, so that most need not be read again.
type loads struct {
	mu   sync.Mutex
	seed maphash.Seed
	all  map[string]*written
}

// written contains the households written by a load up to a row.
type written struct {
	row     int
	numbers map[uint64]struct{}
}

// maxNumbers is the maximum number of households cached for a load. Beyond it, all
// households are read again.
const maxNumbers = 500_000

func loadName(post archive.ID, by string) string { return post.String() + " " + by }

// note adds the households of a block that ends at the position in p.
func (l *loads) note(post *archive.Post, p *progress, b *block) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all == nil {
		l.all, l.seed = map[string]*written{}, maphash.MakeSeed()
	}
	name := loadName(post.ID, post.Records.By)
	w := l.all[name]
	if w == nil {
		if p.Count != len(b.records) {
			return // the load was started by another process
		}
		w = &written{numbers: map[uint64]struct{}{}}
		l.all[name] = w
	}
	if len(w.numbers) > maxNumbers {
		return
	}
	for _, n := range b.numbers {
		w.numbers[maphash.String(l.seed, n)] = struct{}{}
	}
	w.row = p.At.Row
}

// mayHave reports whether a household may have been written by blocks before the position
// in p.
func (l *loads) mayHave(post *archive.Post, p *progress, number string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.all[loadName(post.ID, post.Records.By)]
	if w == nil || w.row != p.At.Row {
		return true
	}
	_, has := w.numbers[maphash.String(l.seed, number)]
	return has
}

func (l *loads) forget(e archive.ImportRequested) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.all, loadName(e.PostID, e.By))
}
