package keyfilter

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cespare/xxhash/v2"
)

// A saved filter has the form, with numbers in little-endian:
//
//	magic (8) | length of the name (8) | name | deleted keys (8) | number of segments (8)
//	per segment: keys (8) | blocks (8) | blocks
//	hash of all that (8)
//
// The order of the segments is that of the filter.
var magic = [8]byte{'k', 'e', 'y', 'f', 'i', 'l', 't', 1}

// ErrUnusable means that saved data is damaged, or belongs to another state of the store.
var ErrUnusable = errors.New("keyfilter: the saved filter cannot be used")

// Save returns the filter in a form for Load, or nil if there is nothing to save. of
// identifies the state of the store. Nothing may be added meanwhile.
func (f *Filter) Save(of string) []byte {
	s := f.state.Load()
	if s.now == nil {
		return nil
	}
	parts := s.now.segments()
	size := 6*8 + len(of)
	for _, part := range parts {
		size += 2*8 + part.size()
	}
	data := append(make([]byte, 0, size), magic[:]...)
	data = binary.LittleEndian.AppendUint64(data, uint64(len(of)))
	data = append(data, of...)
	data = binary.LittleEndian.AppendUint64(data, uint64(f.gone.Load()))
	data = binary.LittleEndian.AppendUint64(data, uint64(len(parts)))
	for _, part := range parts {
		data = binary.LittleEndian.AppendUint64(data, uint64(part.keys.Load()))
		data = binary.LittleEndian.AppendUint64(data, uint64(len(part.words)/blockWords))
		for _, word := range part.words {
			data = binary.LittleEndian.AppendUint64(data, word)
		}
	}
	return binary.LittleEndian.AppendUint64(data, xxhash.Sum64(data))
}

// Load restores a saved filter into f, which must be new. It fails with ErrUnusable,
// without changing the filter, unless data is intact and was saved for that state of the
// store.
func (f *Filter) Load(data []byte, of string) error {
	if len(data) < 8 || xxhash.Sum64(data[:len(data)-8]) != binary.LittleEndian.Uint64(data[len(data)-8:]) {
		return fmt.Errorf("%w: it is damaged", ErrUnusable)
	}
	r := reader{data: data[:len(data)-8]}
	if !bytes.Equal(r.take(uint64(len(magic))), magic[:]) {
		return fmt.Errorf("%w: it has another form", ErrUnusable)
	}
	if string(r.take(r.number())) != of {
		return fmt.Errorf("%w: the store has changed since", ErrUnusable)
	}
	gone := int64(r.number())
	now := &set{limit: f.limit}
	parts, size := []*segment{}, 0
	for range r.number() {
		part := &segment{}
		part.keys.Store(int64(r.number()))
		blocks := r.number()
		words := r.blocks(blocks)
		if r.short || blocks == 0 {
			r.short = true
			break
		}
		part.room = int64(blocks * blockKeys)
		part.words = make([]uint64, blocks*blockWords)
		for i := range part.words {
			part.words[i] = binary.LittleEndian.Uint64(words[8*i:])
		}
		parts = append(parts, part)
		size += part.size()
	}
	if r.short || len(r.data) > 0 || len(parts) == 0 || size > f.limit {
		return fmt.Errorf("%w: it does not fit together", ErrUnusable)
	}
	now.all.Store(&parts)
	f.mu.Lock()
	f.gone.Store(gone)
	f.state.Store(&state{now: now})
	f.mu.Unlock()
	f.review()
	return nil
}

// reader decodes data. If it is too short, it returns zeros and records that.
type reader struct {
	data  []byte
	short bool
}

func (r *reader) take(n uint64) []byte {
	if r.short = r.short || n > uint64(len(r.data)); r.short {
		return nil
	}
	taken := r.data[:n]
	r.data = r.data[n:]
	return taken
}

func (r *reader) blocks(n uint64) []byte {
	const size = 8 * blockWords
	if n > uint64(len(r.data))/size {
		r.short = true
		return nil
	}
	return r.take(n * size)
}

func (r *reader) number() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}
