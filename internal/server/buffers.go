package server

import "sync"

// maxPooledBuffer keeps the buffers of rare large messages from staying for ever.
const maxPooledBuffer = 64 << 10

var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 4<<10); return &b }}

// takeBuffer returns an empty buffer. The caller returns it with giveBuffer when nothing
// reads it any more.
func takeBuffer() *[]byte {
	b := buffers.Get().(*[]byte)
	*b = (*b)[:0]
	return b
}

func giveBuffer(b *[]byte) {
	if cap(*b) <= maxPooledBuffer {
		buffers.Put(b)
	}
}
