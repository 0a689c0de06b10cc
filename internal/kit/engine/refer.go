package engine

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"stoa/internal/kit/engine/itemcache"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/keycodec"
)

// An index that projects all attributes contains copies of small items only. Other entries
// are empty and refer to the item, whose key is part of the entry's. Such an item is
// therefore stored once, and a write that changes no key of an index does not change the
// index.

// maxCopy is the maximum size, in bytes, of a stored item that is copied to an index. Such
// items hardly exceed their keys, so a reference would be about as long.
const maxCopy = 256

// refers reports whether an entry of r with this value is a reference.
func (r *relation) refers(value []byte) bool { return r.source != nil && len(value) == 0 }

// The lengths of the common prefixes of stored keys: space and relation, followed by the hash.
const (
	relationEnd = 1 + 4
	hashEnd     = relationEnd + keycodec.HashSize
)

// referred reads the items that index entries refer to, for one iterator and as of its
// snapshot.
type referred struct {
	engine    *Engine
	index     *relation
	asOf      uint64           // the iterator shows all writes up to this number
	keep      bool             // in the cache of items
	stored    *pebble.Iterator // over the table, once it is needed
	storedKey []byte
	item      []byte // scratch buffer
}

func (r *referred) close() error {
	if r.stored == nil {
		return nil
	}
	return r.stored.Close()
}

// read returns the item that the iterator's current entry refers to. It is valid until the
// next call.
func (r *referred) read(entry *pebble.Iterator) ([]byte, error) {
	var ok bool
	if r.storedKey, ok = r.index.appendOwnerKey(r.storedKey[:0], entry.Key()); !ok {
		return nil, fmt.Errorf("engine: index entry %x: %w", entry.Key(), itemcodec.ErrCorrupt)
	}
	var kept itemcache.Answer
	var since uint64
	r.item, kept, since = r.engine.items.Get(r.item[:0], r.storedKey)
	if kept == itemcache.Found && since <= r.asOf {
		return r.item, nil
	}
	data, err := r.readStored(entry)
	if err == nil && r.keep && kept == itemcache.Unknown {
		r.engine.items.Offer(r.asOf, r.storedKey, data, true)
	}
	return data, err
}

// readStored reads the item at r.storedKey, bypassing the cache.
func (r *referred) readStored(entry *pebble.Iterator) ([]byte, error) {
	if r.stored == nil {
		var err error
		if r.stored, err = entry.Clone(pebble.CloneOptions{IterOptions: &pebble.IterOptions{}}); err != nil {
			return nil, fmt.Errorf("engine: read: %w", err)
		}
	}
	if !r.stored.SeekPrefixGE(r.storedKey) {
		if err := r.stored.Error(); err != nil {
			return nil, fmt.Errorf("engine: read: %w", err)
		}
		return nil, fmt.Errorf("engine: index entry %x has no item: %w", entry.Key(), itemcodec.ErrCorrupt)
	}
	data, err := r.stored.ValueAndErr()
	if err != nil {
		return nil, fmt.Errorf("engine: read: %w", err)
	}
	return data, nil
}

// appendOwnerKey appends the stored key of the item that an index entry with this key refers
// to.
func (r *relation) appendOwnerKey(dst, key []byte) ([]byte, bool) {
	if len(key) < hashEnd {
		return dst, false
	}
	owner, ok := keycodec.Skip(key[hashEnd:], isNumber(r.key.Hash))
	if ok && r.key.HasSort() {
		owner, ok = keycodec.Skip(owner, isNumber(r.key.Sort))
	}
	if !ok {
		return dst, false
	}
	sort, ok := keycodec.Skip(owner, isNumber(r.owner.Hash))
	if !ok {
		return dst, false
	}
	dst = append(dst, r.source...)
	dst = keycodec.AppendHash(dst, keycodec.Hash(owner[:len(owner)-len(sort)]))
	return append(dst, owner...), true
}
