package server

import "sync"

// maxPooledBuffer is the size above which the buffers of rare large messages are not
// pooled.
const maxPooledBuffer = 64 << 10

var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 4<<10); return &b }}

// takeBuffer returns an empty buffer. The caller must return it with giveBuffer once
// nothing reads it anymore.
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
