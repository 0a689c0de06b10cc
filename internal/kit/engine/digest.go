package engine

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/itemcodec"
)

// transactionToken returns the token of a transaction of valid requests. Its digest covers
// all parameters that affect the transaction, so that a repetition can be distinguished
// from another request with the same token.
func transactionToken(text string, requests []*writeRequest) *token {
	var d digest
	for _, r := range requests {
		d.request(r)
	}
	return newToken(text, d.text)
}

// digest encodes requests unambiguously: every part is preceded by its length, and maps are
// sorted by name.
type digest struct{ text []byte }

func (d *digest) request(w *writeRequest) {
	d.text = append(d.text, byte(w.action))
	d.optional(w.table)
	d.item(w.item)
	d.optional(w.condition)
	d.optional(w.update)
	d.text = binary.AppendUvarint(d.text, uint64(len(w.names)))
	for _, name := range slices.Sorted(maps.Keys(w.names)) {
		d.part(name)
		d.part(w.names[name])
	}
	d.item(w.values)
}

func (d *digest) optional(s *string) {
	if s == nil {
		d.text = append(d.text, 0)
		return
	}
	d.text = append(d.text, 1)
	d.part(*s)
}

func (d *digest) part(s string) {
	d.text = binary.AppendUvarint(d.text, uint64(len(s)))
	d.text = append(d.text, s...)
}

func (d *digest) item(item Item) {
	// An error is impossible: valid items have only the types that can be encoded.
	d.text, _ = itemcodec.AppendValue(d.text, &types.AttributeValueMemberM{Value: item})
}
