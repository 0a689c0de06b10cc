package gqlplan

import (
	"sync"
	"sync/atomic"
)

// workers is the maximum number of elements of a list that are resolved concurrently.
const workers = 16

// maxPooledBuffer is the size above which the buffers of rare large parts are not pooled.
const maxPooledBuffer = 16 << 10

// part is a value written by its own goroutine.
type part struct {
	writer *Writer
	whole  bool
	done   chan struct{}
}

// aside returns a part for the value at s, which replaces the last step of the path.
func (w *Writer) aside(s step) *part {
	v := writers.Get().(*Writer)
	v.Env, v.Buf, v.operation, v.arguments = w.Env, v.Buf[:0], w.operation, w.arguments
	v.path = append(append(v.path[:0], w.path[:len(w.path)-1]...), s)
	v.ctx, v.known = w.ctx, w.known
	v.bounds, v.counted = w.bounds, 0
	return &part{writer: v, done: make(chan struct{})}
}

// run writes the part; a panic makes it null.
func (p *part) run(write func(*Writer) bool) {
	defer close(p.done)
	w := p.writer
	if w.ended() || w.bounds != nil && !w.bounds.InTime() {
		return
	}
	depth, ctx, known := len(w.path), w.ctx, w.known
	defer func() {
		if r := recover(); r != nil {
			w.path, w.ctx, w.known = w.path[:depth], ctx, known
			w.panicked(r)
			p.whole = false
		}
	}()
	p.whole = write(w)
	w.count()
}

// join waits for the part and appends it to w. It returns false for a null, without
// appending anything.
func (p *part) join(w *Writer) bool {
	<-p.done
	v := p.writer
	p.writer = nil
	if p.whole {
		w.Buf = append(w.Buf, v.Buf...)
		w.counted += len(v.Buf)
	}
	v.release()
	return p.whole
}

// resolveAside starts the resolver fields of an object except the first, which the caller's
// goroutine resolves. It returns their parts by field.
func resolveAside[T any](w *Writer, s *Selection, object T, field func(*Writer, *Field, T) bool) []*part {
	parts, first := make([]*part, len(s.fields)), true
	for i := range s.fields {
		f := &s.fields[i]
		if !f.resolver {
			continue
		}
		if first {
			first = false
			continue
		}
		p := w.aside(step{field: f})
		parts[i] = p
		go p.run(func(w *Writer) bool { return field(w, f, object) })
	}
	return parts
}

// listAside is List for elements with resolver fields: they are resolved concurrently, so
// that lookups of the same kind can be batched.
func listAside[E any](w *Writer, f *Field, list []E, required bool, element func(*Writer, *Field, E) bool) bool {
	w.path = append(w.path, step{})
	parts := make([]*part, len(list))
	for i := range parts {
		parts[i] = w.aside(step{index: i})
	}
	w.path = w.path[:len(w.path)-1]
	var taken atomic.Int64
	var team sync.WaitGroup
	for range min(workers, len(list)) {
		team.Go(func() {
			for i := taken.Add(1) - 1; int(i) < len(list); i = taken.Add(1) - 1 {
				parts[i].run(func(w *Writer) bool { return element(w, f, list[i]) })
			}
		})
	}
	team.Wait()
	mark, whole := len(w.Buf), true
	w.Buf = append(w.Buf, '[')
	for i, p := range parts {
		if i > 0 {
			w.Buf = append(w.Buf, ',')
		}
		if !p.join(w) {
			w.Null()
			whole = whole && !required
		}
	}
	return w.endList(mark, whole)
}
