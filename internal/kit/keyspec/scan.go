package keyspec

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Scan returns a page of all items of the row in all partitions, in an unspecified but
// stable order. It reads past the items of all other rows of the table, so it is for rare
// queries without an index. It fails with ErrCursor if After is not a cursor of this table.
func (e *Entity[T]) Scan(ctx context.Context, db *DB, p Page) (items []T, next string, err error) {
	table := e.table
	in := &dynamodb.ScanInput{TableName: db.name(table), ConsistentRead: aws.Bool(true)}
	if p.After != "" {
		if in.ExclusiveStartKey, err = table.scanned(p.After); err != nil {
			return nil, "", err
		}
	}
	var last map[string]types.AttributeValue
	for {
		out, err := db.client.Scan(ctx, in)
		if err != nil {
			return nil, "", fmt.Errorf("keyspec: scan table %s: %w", table.Name, err)
		}
		if err := spend(ctx, out.Items...); err != nil {
			return nil, "", fmt.Errorf("keyspec: scan table %s: %w", table.Name, err)
		}
		for _, item := range out.Items {
			if !e.primary.pk.match(keyText(item, table.PK), ignore) || !e.primary.sk.match(keyText(item, table.SK), ignore) {
				continue
			}
			if len(items) == p.Limit {
				return items, table.scanCursor(last), nil
			}
			v, err := e.Read(item)
			if err != nil {
				return nil, "", err
			}
			items, last = append(items, v), item
		}
		if len(out.LastEvaluatedKey) == 0 {
			return items, "", nil
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

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
