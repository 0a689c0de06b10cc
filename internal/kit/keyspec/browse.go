package keyspec

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/jsonstring"
)

// Outline describes a table to people.
type Outline struct {
	Name string
	// Items and Bytes are exact in the embedded engine unless it has crashed, and up to six
	// hours old in DynamoDB.
	Items, Bytes int64
	Indexes      []string
	Rows         []RowOutline
}

// RowOutline describes a declared row: its name and the templates of its primary key.
type RowOutline struct{ Name, PK, SK string }

// Outline describes all tables.
func (db *DB) Outline(ctx context.Context) ([]Outline, error) {
	var all []Outline
	for _, t := range db.tables {
		out, err := db.client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: db.name(t)})
		if err != nil {
			return nil, err
		}
		o := Outline{Name: t.Name, Items: aws.ToInt64(out.Table.ItemCount), Bytes: aws.ToInt64(out.Table.TableSizeBytes)}
		for _, ix := range t.Indexes {
			o.Indexes = append(o.Indexes, ix.Name)
		}
		for _, r := range t.sorted() {
			o.Rows = append(o.Rows, RowOutline{Name: r.name(), PK: r.primary.pk.text, SK: r.primary.sk.text})
		}
		all = append(all, o)
	}
	return all, nil
}

// name returns the name of the row's type, followed by its key if other rows of the table
// have the same type.
func (r *row) name() string {
	own := plainName(r)
	for _, other := range r.table.rows {
		if other != r && plainName(other) == own {
			return own + " " + r.String()
		}
	}
	return own
}

func plainName(r *row) string {
	name := strings.TrimSuffix(r.codec.typ.Name(), "Item")
	return strings.ToLower(name[:1]) + name[1:]
}

// Listing selects stored items by the texts of their keys.
type Listing struct {
	Table string
	// Index is "" for the table itself.
	Index string
	// Partition is the partition key; Prefix may be "".
	Partition, Prefix string
	Limit             int
	// After is the cursor returned with the previous page of the same listing, or "".
	After string
}

// ListingError refuses a field of a Listing.
type ListingError struct{ Field, Text string }

func (e *ListingError) Error() string { return e.Text }

// Browsed is a stored item as it is, with what its declaration says about it.
type Browsed struct {
	PK, SK string
	// Attributes is a JSON object.
	Attributes string
	// Row is the name of the declared row, or "".
	Row     string
	Parts   []KeyPart
	Related []Partition
}

// KeyPart is the value of a slot.
type KeyPart struct{ Name, Value string }

// Partition is a partition of a table, or of one of its indexes.
type Partition struct{ Table, Index, PK string }

// Browse returns stored items in the order of their sort keys, consistently unless an index
// is asked. It fails with a *ListingError, or with ErrCursor.
func (db *DB) Browse(ctx context.Context, l Listing) (items []Browsed, next string, err error) {
	t, ix, err := db.listed(l)
	if err != nil {
		return nil, "", err
	}
	in := &dynamodb.QueryInput{
		TableName:                 db.name(t),
		KeyConditionExpression:    aws.String("#p = :p"),
		ExpressionAttributeNames:  map[string]string{"#p": t.PK},
		ExpressionAttributeValues: map[string]types.AttributeValue{":p": &types.AttributeValueMemberS{Value: l.Partition}},
	}
	sortKey, number := t.SK, t.Number
	if ix == nil {
		in.ConsistentRead = aws.Bool(true)
	} else {
		in.IndexName, in.ExpressionAttributeNames["#p"] = aws.String(ix.Name), ix.PK
		sortKey, number = ix.SK, ix.Number
	}
	if l.Prefix != "" {
		if number || sortKey == "" {
			return nil, "", &ListingError{"sortKeyPrefix", "Sort keys here have no prefix: they are numbers, or missing"}
		}
		in.KeyConditionExpression = aws.String("#p = :p AND begins_with(#s, :s)")
		in.ExpressionAttributeNames["#s"] = sortKey
		in.ExpressionAttributeValues[":s"] = &types.AttributeValueMemberS{Value: l.Prefix}
	}
	if l.After != "" {
		if in.ExclusiveStartKey, err = t.browsedAfter(ix, l); err != nil {
			return nil, "", err
		}
	}
	var last map[string]types.AttributeValue
	for {
		in.Limit = aws.Int32(int32(l.Limit - len(items) + 1)) // one more shows whether there is a next page
		out, err := db.client.Query(ctx, in)
		if err != nil {
			return nil, "", fmt.Errorf("keyspec: browse table %s: %w", t.Name, err)
		}
		for _, item := range out.Items {
			if len(items) == l.Limit {
				return items, t.browseCursor(ix, last), nil
			}
			b, err := db.browsed(t, ix, item)
			if err != nil {
				return nil, "", fmt.Errorf("keyspec: browse table %s: %w", t.Name, err)
			}
			items, last = append(items, b), item
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; len(in.ExclusiveStartKey) == 0 {
			return items, "", nil
		}
	}
}

func (db *DB) listed(l Listing) (*Table, *Index, error) {
	at := slices.IndexFunc(db.tables, func(t *Table) bool { return t.Name == l.Table })
	if at < 0 {
		return nil, nil, &ListingError{"table", fmt.Sprintf("There is no table `%s`", l.Table)}
	}
	t := db.tables[at]
	if l.Partition == "" || len(l.Partition) > maxPartitionKey {
		return nil, nil, &ListingError{"partitionKey", fmt.Sprintf("A partition key has 1 to %d bytes", maxPartitionKey)}
	}
	if len(l.Prefix) > maxSortKey {
		return nil, nil, &ListingError{"sortKeyPrefix", fmt.Sprintf("A sort key has up to %d bytes", maxSortKey)}
	}
	if l.Index == "" {
		return t, nil, nil
	}
	if at = slices.IndexFunc(t.Indexes, func(ix *Index) bool { return ix.Name == l.Index }); at < 0 {
		return nil, nil, &ListingError{"index", fmt.Sprintf("Table `%s` has no index `%s`", t.Name, l.Index)}
	}
	return t, t.Indexes[at], nil
}

// browseCursor returns a cursor to the position after an item.
func (t *Table) browseCursor(ix *Index, item map[string]types.AttributeValue) string {
	texts := []string{keyText(item, t.PK), keyText(item, t.SK)}
	if ix != nil {
		texts = append(texts, keyText(item, ix.SK))
	}
	raw, err := json.Marshal(texts)
	if err != nil {
		panic(err) // texts: cannot fail
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

// browsedAfter returns the key that a cursor follows. Its content comes from clients.
func (t *Table) browsedAfter(ix *Index, l Listing) (map[string]types.AttributeValue, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(l.After)
	var texts []string
	if err != nil || json.Unmarshal(raw, &texts) != nil {
		return nil, ErrCursor
	}
	key := map[string]types.AttributeValue{}
	set := func(name, text string, number bool) bool {
		if name == "" {
			return text == ""
		}
		if key[name] = (&types.AttributeValueMemberS{Value: text}); number {
			key[name] = &types.AttributeValueMemberN{Value: text}
			_, err = strconv.ParseFloat(text, 64)
		}
		return text != "" && len(text) <= maxPartitionKey && err == nil
	}
	fits := len(texts) == 2 && ix == nil && texts[0] == l.Partition || len(texts) == 3 && ix != nil
	if !fits || !set(t.PK, texts[0], false) || !set(t.SK, texts[1], t.Number) {
		return nil, ErrCursor
	}
	if ix != nil && (!set(ix.PK, l.Partition, false) || !set(ix.SK, texts[2], ix.Number)) {
		return nil, ErrCursor
	}
	if sort := texts[len(texts)-1]; !strings.HasPrefix(sort, l.Prefix) {
		return nil, ErrCursor
	}
	return key, nil
}

// browsed describes an item that was read from the table, or from ix.
func (db *DB) browsed(t *Table, ix *Index, item map[string]types.AttributeValue) (Browsed, error) {
	at := t.addressOf(item)
	b := Browsed{PK: at.pk, SK: at.sk}
	text, err := appendAttributes(nil, item)
	if err != nil {
		return b, err
	}
	b.Attributes = string(text)
	r := t.rowOf(at)
	if r == nil {
		return b, nil
	}
	b.Row = r.name()
	values := map[string]string{}
	for name, value := range item {
		if s, ok := value.(*types.AttributeValueMemberS); ok {
			values[name] = s.Value
		}
	}
	part := func(of *template, text string) {
		of.match(text, func(i int, value string) {
			if name := of.slots[i]; !slices.Contains(b.Parts, KeyPart{name, value}) {
				b.Parts = append(b.Parts, KeyPart{name, value})
				values[name] = value
			}
		})
	}
	for _, k := range r.keys {
		if k.index == Primary || k.index == ix {
			part(k.pk, keyText(item, k.pkName))
			part(k.sk, keyText(item, k.skName))
		}
	}
	b.Related = db.related(t, r, item, values)
	return b, nil
}

// maxRelated limits the partitions that are named beside an item.
const maxRelated = 40

// related returns the partitions that an item of row r is in, and those of all rows whose
// partition key consists of ids that the item has. An id has the name of the slot, or one
// that ends with it: followedUserId is a userId.
func (db *DB) related(t *Table, r *row, item map[string]types.AttributeValue, values map[string]string) []Partition {
	var all []Partition
	add := func(t *Table, ix *Index, pk string) {
		p := Partition{Table: t.Name, PK: pk}
		if ix != Primary {
			p.Index = ix.Name
		}
		if pk != "" && len(all) < maxRelated && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	for _, k := range r.keys {
		add(t, k.index, keyText(item, k.pkName))
	}
	names := slices.Sorted(maps.Keys(values))
	for _, other := range db.tables {
		for _, r := range other.rows {
			for _, k := range r.keys {
				for _, pk := range partitionsOf(k.pk, names, values) {
					add(other, k.index, pk)
				}
			}
		}
	}
	return all
}

// partitionsOf returns the partition keys that a template makes of values, one for each that
// fits its only slot. Templates without an id, or with several slots that are not all there
// under their own names, make none.
func partitionsOf(t *template, names []string, values map[string]string) (all []string) {
	if !slices.ContainsFunc(t.slots, isID) {
		return nil
	}
	made := func(value func(i int) string) {
		if pk, present, err := t.build(len(t.slots), value); err == nil && present {
			all = append(all, pk)
		}
	}
	if len(t.slots) > 1 {
		made(func(i int) string { return values[t.slots[i]] })
		return all
	}
	slot := t.slots[0]
	for _, name := range names {
		if name == slot || strings.HasSuffix(name, strings.ToUpper(slot[:1])+slot[1:]) {
			made(func(int) string { return values[name] })
		}
	}
	return all
}

func isID(slot string) bool { return slot == "id" || strings.HasSuffix(slot, "Id") }

// appendAttributes appends an item as a JSON object, with its attributes sorted by name.
func appendAttributes(dst []byte, item map[string]types.AttributeValue) (_ []byte, err error) {
	dst = append(dst, '{')
	for i, name := range slices.Sorted(maps.Keys(item)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonstring.Append(dst, name), ':')
		if dst, err = appendShown(dst, item[name]); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}

// appendShown is appendJSON for all kinds of values: sets are arrays, and bytes are in
// base64.
func appendShown(dst []byte, av types.AttributeValue) ([]byte, error) {
	switch v := av.(type) {
	case *types.AttributeValueMemberB:
		return jsonstring.Append(dst, base64.StdEncoding.EncodeToString(v.Value)), nil
	case *types.AttributeValueMemberSS:
		return appendEach(dst, v.Value, func(dst []byte, s string) ([]byte, error) { return jsonstring.Append(dst, s), nil })
	case *types.AttributeValueMemberNS:
		return appendEach(dst, v.Value, func(dst []byte, n string) ([]byte, error) { return append(dst, n...), nil })
	case *types.AttributeValueMemberBS:
		return appendEach(dst, v.Value, func(dst, b []byte) ([]byte, error) {
			return jsonstring.Append(dst, base64.StdEncoding.EncodeToString(b)), nil
		})
	case *types.AttributeValueMemberL:
		return appendEach(dst, v.Value, appendShown)
	case *types.AttributeValueMemberM:
		return appendAttributes(dst, v.Value)
	default:
		return appendJSON(dst, av)
	}
}

func appendEach[T any](dst []byte, all []T, one func([]byte, T) ([]byte, error)) (_ []byte, err error) {
	dst = append(dst, '[')
	for i, v := range all {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = one(dst, v); err != nil {
			return nil, err
		}
	}
	return append(dst, ']'), nil
}
