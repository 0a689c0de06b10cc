package heif

import (
	"encoding/binary"
	"fmt"
	"iter"
)

// reader parses numbers at the front of a box's content. After a read beyond the end, every
// read returns zero, and short is set.
type reader struct {
	b     []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.b, r.short = nil, true
		return make([]byte, max(0, min(n, 8)))
	}
	taken := r.b[:n]
	r.b = r.b[n:]
	return taken
}

func (r *reader) u8() uint8   { return r.take(1)[0] }
func (r *reader) u16() uint16 { return binary.BigEndian.Uint16(r.take(2)) }
func (r *reader) u32() uint32 { return binary.BigEndian.Uint32(r.take(4)) }

// uint reads a number of 0, 4 or 8 bytes, as in item location boxes.
func (r *reader) uint(size int) uint64 {
	switch size {
	case 4:
		return uint64(r.u32())
	case 8:
		return binary.BigEndian.Uint64(r.take(8))
	default:
		return 0
	}
}

// id reads the number of an item, which has 32 bits in newer versions of boxes.
func (r *reader) id(wide bool) uint32 {
	if wide {
		return r.u32()
	}
	return uint32(r.u16())
}

// full reads version and flags.
func (r *reader) full() (version uint8, flags uint32) {
	v := r.u32()
	return uint8(v >> 24), v & 0xffffff
}

// boxes yields the boxes in b up to the first broken one.
func boxes(b []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for len(b) >= 8 {
			size, head := uint64(binary.BigEndian.Uint32(b)), uint64(8)
			switch size {
			case 0:
				size = uint64(len(b))
			case 1:
				if len(b) < 16 {
					return
				}
				size, head = binary.BigEndian.Uint64(b[8:]), 16
			}
			if size < head || size > uint64(len(b)) || !yield(string(b[4:8]), b[head:size]) {
				return
			}
			b = b[size:]
		}
	}
}

// child returns the content of the first box of a kind, or nil.
func child(b []byte, kind string) []byte {
	for k, content := range boxes(b) {
		if k == kind {
			return content
		}
	}
	return nil
}

// Error describes what is wrong with a file or unsupported.
type Error string

func (e Error) Error() string { return "heif: " + string(e) }

func errorf(format string, args ...any) error { return Error(fmt.Sprintf(format, args...)) }
