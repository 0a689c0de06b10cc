package engine

import (
	"encoding/binary"

	"stoa/internal/kit/engine/keycodec"
)

// The first byte of every stored key is its space. The values are part of the storage
// format.
const (
	spaceTable   = 0x01 // name → description
	spaceNames   = 0x02 // table, number → attribute name
	spaceCounter = 0x03 // the last relation number given out
	spaceItems   = 0x04 // items of tables and entries of indexes
	spaceTokens  = 0x05 // request tokens, by the time they were used
	spaceCounts  = 0x06 // relation → number and size of its items
	_            = 0x07 // a mark of earlier versions, which stores may still contain
)

func tableKey(name string) []byte { return append([]byte{spaceTable}, name...) }

// namesKey returns the key of one attribute name in a table's dictionary.
func namesKey(table keycodec.Relation, id int) []byte {
	return binary.BigEndian.AppendUint16(namesPrefix(table), uint16(id))
}

func namesPrefix(table keycodec.Relation) []byte {
	return keycodec.AppendRelation(nil, spaceNames, table)
}

func countsKey(r keycodec.Relation) []byte {
	return keycodec.AppendRelation(nil, spaceCounts, r)
}

func itemsPrefix(r keycodec.Relation) []byte {
	return keycodec.AppendRelation(nil, spaceItems, r)
}
