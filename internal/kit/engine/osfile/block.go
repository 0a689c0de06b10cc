package osfile

import "unsafe"

// Block is a multiple of what disks and file systems mostly take at once, in bytes.
const Block = 4 << 10

// InBlocks returns size bytes that begin with a block in memory.
func InBlocks(size int) []byte {
	room := make([]byte, size+Block)
	begin := int(-uintptr(unsafe.Pointer(unsafe.SliceData(room))) % Block)
	return room[begin : begin+size : begin+size]
}
