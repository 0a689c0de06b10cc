package itemcache

// index finds entries by the hashes of their keys. It is a hash table with linear probing
// whose slots take 8 bytes, so that most questions touch one line of the processor's cache.
// The zero index is empty.
type index struct {
	slots []slot // a power of two, some of them free
	taken int
}

// slot holds the upper half of a hash and where the entry begins, plus one: 0 is a free slot.
// Keys with the same upper half are one to the index.
type slot struct{ tag, at uint32 }

// leastSlots is how many slots an index begins with.
const leastSlots = 16

// find returns where the entry of a hash begins.
func (x *index) find(hash uint64) (at uint32, ok bool) {
	if x.taken == 0 {
		return 0, false
	}
	s := &x.slots[x.place(uint32(hash>>32))]
	return s.at - 1, s.at != 0
}

// set notes where the entry of a hash begins.
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

// remove forgets the entry of a hash.
func (x *index) remove(hash uint64) {
	if x.taken == 0 {
		return
	}
	free := x.place(uint32(hash >> 32))
	if x.slots[free].at == 0 {
		return
	}
	x.taken--
	// Whatever would not be found behind a free slot moves into it.
	mask := len(x.slots) - 1
	for i := (free + 1) & mask; x.slots[i].at != 0; i = (i + 1) & mask {
		if home := int(x.slots[i].tag) & mask; (i-home)&mask >= (i-free)&mask {
			x.slots[free] = x.slots[i]
			free = i
		}
	}
	x.slots[free] = slot{}
}

// empty forgets all entries, but keeps the slots.
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
