package itemcache

// index maps the hashes of keys to entries. It is a hash table with linear probing and
// slots of 8 bytes, so that most lookups touch one cache line. The zero index is empty.
type index struct {
	slots []slot // a power of two, some of them free
	taken int
}

// slot holds the upper half of a hash and the start of the entry plus one: 0 is a free
// slot. Keys with the same upper half share a slot.
type slot struct{ tag, at uint32 }

// leastSlots is the initial number of slots.
const leastSlots = 16

// find returns the start of the entry with a hash.
func (x *index) find(hash uint64) (at uint32, ok bool) {
	if x.taken == 0 {
		return 0, false
	}
	s := &x.slots[x.place(uint32(hash>>32))]
	return s.at - 1, s.at != 0
}

// set records the start of the entry with a hash.
func (x *index) set(hash uint64, at uint32) {
	if 4*x.taken >= 3*len(x.slots) {
		x.grow()
	}
	tag := uint32(hash >> 32)
	s := &x.slots[x.place(tag)]
	if s.at == 0 {
		x.taken++
	}
	*s = slot{tag, at + 1}
}

// remove removes the entry with a hash.
func (x *index) remove(hash uint64) {
	if x.taken == 0 {
		return
	}
	free := x.place(uint32(hash >> 32))
	if x.slots[free].at == 0 {
		return
	}
	x.taken--
	// Move entries that would not be found after a free slot.
	mask := len(x.slots) - 1
	for i := (free + 1) & mask; x.slots[i].at != 0; i = (i + 1) & mask {
		if home := int(x.slots[i].tag) & mask; (i-home)&mask >= (i-free)&mask {
			x.slots[free] = x.slots[i]
			free = i
		}
	}
	x.slots[free] = slot{}
}

// empty removes all entries, but keeps the slots.
func (x *index) empty() {
	clear(x.slots)
	x.taken = 0
}

// place returns the slot of a tag, or the free one where it belongs.
func (x *index) place(tag uint32) int {
	mask := len(x.slots) - 1
	for i := int(tag) & mask; ; i = (i + 1) & mask {
		if s := &x.slots[i]; s.at == 0 || s.tag == tag {
			return i
		}
	}
}

func (x *index) grow() {
	old := x.slots
	x.slots = make([]slot, max(leastSlots, 2*len(old)))
	for _, s := range old {
		if s.at != 0 {
			x.slots[x.place(s.tag)] = s
		}
	}
}
