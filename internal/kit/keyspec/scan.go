package keyspec

import (
	"context"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Scan returns a page of all items of the row in all partitions, in an unspecified but
// stable order. It reads past the items of all other rows of the table, so it is for rare
// queries without an index. It fails with ErrCursor if After is not a cursor of this table.
func (e *Entity[T]) Scan(ctx context.Context, db *DB, p Page) (items []T, next string, err error) {
	var after, last map[string]types.AttributeValue
	if p.After != "" {
		if after, err = e.table.scanned(p.After); err != nil {
			return nil, "", err
		}
	}
	err = db.scan(ctx, e.table, after, func(item map[string]types.AttributeValue) error {
		if err := spend(ctx, item); err != nil || !e.has(e.table.addressOf(item)) {
			return err
		}
		if len(items) == p.Limit {
			next = e.table.scanCursor(last)
			return errPageFull
		}
		v, err := e.Read(item)
		items, last = append(items, v), item
		return err
	})
	if err != nil && err != errPageFull {
		return nil, "", err
	}
	return items, next, nil
}

// errPageFull ends a scan.
var errPageFull = errors.New("keyspec: the page is full")

// scanCursor returns a cursor to the position after an item.
func (t *Table) scanCursor(item map[string]types.AttributeValue) string {
	at := t.addressOf(item)
	return base64.RawURLEncoding.EncodeToString([]byte(at.pk + "\x00" + at.sk))
}

// scanned returns the key that a cursor follows. Its content comes from clients, but can
// only refer to another position in the same table.
func (t *Table) scanned(cursor string) (map[string]types.AttributeValue, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	pk, sk, ok := strings.Cut(string(raw), "\x00")
	if err != nil || !ok || pk == "" || (sk == "") != (t.SK == "") || len(pk) > maxPartitionKey || len(sk) > maxSortKey {
		return nil, ErrCursor
	}
	key := map[string]types.AttributeValue{t.PK: &types.AttributeValueMemberS{Value: pk}}
	if t.SK != "" {
		if key[t.SK] = (&types.AttributeValueMemberS{Value: sk}); t.Number {
			if _, err := strconv.ParseInt(sk, 10, 64); err != nil {
				return nil, ErrCursor
			}
			key[t.SK] = &types.AttributeValueMemberN{Value: sk}
		}
	}
	return key, nil
}
