package itemcodec

// maxSlab is the maximum number of values allocated at once.
const maxSlab = 64

// slab allocates zero values in blocks.
type slab[T any] struct {
	block []T
	used  int
	next  int // minimum number of values to allocate next
}

// one returns a new value.
func (s *slab[T]) one() *T {
	if s.used == len(s.block) {
		s.grow(1)
	}
	s.used++
	return &s.block[s.used-1]
}

// take returns n new values, never nil. Appending to the result copies it.
func (s *slab[T]) take(n int) []T {
	if n > len(s.block)-s.used || s.block == nil {
		s.grow(n)
	}
	s.used += n
	return s.block[s.used-n : s.used : s.used]
}

// grow allocates space for at least n values, and periodically for more.
func (s *slab[T]) grow(n int) {
	size := max(n, s.next)
	s.block, s.used, s.next = make([]T, size), 0, min(4*size, maxSlab)
}
