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

// Scan reads a page of all items of the row, whatever their partition, in an order that
// only the server knows but keeps. It passes over the items of all other rows of the
// table, so it is for what is asked for rarely and has no index. It fails with ErrCursor
// when After is not a cursor of a table like this one.
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

// scanCursor points behind an item.
func (t *Table) scanCursor(item map[string]types.AttributeValue) string {
	at := t.addressOf(item)
	return base64.RawURLEncoding.EncodeToString([]byte(at.pk + "\x00" + at.sk))
}

// scanned is the key that a cursor points behind. What it says comes from clients, but
// leads nowhere else than to another place of the same table.
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
