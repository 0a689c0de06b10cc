package engine

import (
	"sort"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/itemcodec"
)

// The sizes for which DynamoDB charges one unit.
const (
	readUnit  = 4 << 10
	writeUnit = 1 << 10
)

// units is the capacity consumed by a request on one table.
type units struct {
	table   float64
	indexes map[string]float64
}

func (u *units) add(index string, n float64) {
	if n == 0 {
		return
	}
	if u.indexes == nil {
		u.indexes = map[string]float64{}
	}
	u.indexes[index] += n
}

func (u *units) merge(v units) {
	u.table += v.table
	for index, n := range v.indexes {
		u.add(index, n)
	}
}

func (u *units) total() float64 {
	n := u.table
	for _, more := range u.indexes {
		n += more
	}
	return n
}

// times returns u multiplied by factor: transactions cost twice as much.
func (u units) times(factor float64) units {
	out := units{table: u.table * factor}
	for index, n := range u.indexes {
		out.add(index, n*factor)
	}
	return out
}

// writeUnits returns the price of writing size bytes: at least one unit, even for a missing
// item.
func writeUnits(size int) float64 { return float64(max(1, ceilDiv(size, writeUnit))) }

// readUnits returns the price of reading size bytes. An eventually consistent read costs
// half.
func readUnits(size int, consistent bool) float64 {
	n := float64(max(1, ceilDiv(size, readUnit)))
	if !consistent {
		n /= 2
	}
	return n
}

func checkUnits(old itemcodec.View) units { return units{table: writeUnits(old.Size())} }

func ceilDiv(n, by int) int { return (n + by - 1) / by }

// direction is the kind of capacity used by a request; transactions report it separately.
type direction int

const (
	neither direction = iota
	reading
	writing
)

// isUnpriced reports whether consumed capacity was not requested.
func isUnpriced(want types.ReturnConsumedCapacity) bool {
	return want != types.ReturnConsumedCapacityTotal && want != types.ReturnConsumedCapacityIndexes
}

// consumed returns u in the requested detail, or nil.
func consumed(want types.ReturnConsumedCapacity, t *table, u units, d direction) *types.ConsumedCapacity {
	if isUnpriced(want) {
		return nil
	}
	c := &types.ConsumedCapacity{TableName: aws.String(t.Name), CapacityUnits: aws.Float64(u.total())}
	c.ReadCapacityUnits, c.WriteCapacityUnits = d.split(u.total())
	if want == types.ReturnConsumedCapacityTotal {
		return c
	}
	c.Table = d.capacity(u.table)
	for index, n := range u.indexes {
		if c.GlobalSecondaryIndexes == nil {
			c.GlobalSecondaryIndexes = map[string]types.Capacity{}
		}
		c.GlobalSecondaryIndexes[index] = *d.capacity(n)
	}
	return c
}

func (d direction) capacity(n float64) *types.Capacity {
	c := &types.Capacity{CapacityUnits: aws.Float64(n)}
	c.ReadCapacityUnits, c.WriteCapacityUnits = d.split(n)
	return c
}

func (d direction) split(n float64) (read, write *float64) {
	switch d {
	case reading:
		return aws.Float64(n), nil
	case writing:
		return nil, aws.Float64(n)
	}
	return nil, nil
}

// bill adds up the capacity of a request on several tables.
type bill struct {
	tables []*table
	units  map[*table]*units
}

func (b *bill) add(t *table, u units) {
	if b.units == nil {
		b.units = map[*table]*units{}
	}
	if b.units[t] == nil {
		b.units[t] = &units{}
		b.tables = append(b.tables, t)
	}
	b.units[t].merge(u)
}

// consumed returns one entry per table, ordered by name.
func (b *bill) consumed(want types.ReturnConsumedCapacity, d direction) []types.ConsumedCapacity {
	sort.Slice(b.tables, func(i, j int) bool { return b.tables[i].Name < b.tables[j].Name })
	var all []types.ConsumedCapacity
	for _, t := range b.tables {
		if c := consumed(want, t, *b.units[t], d); c != nil {
			all = append(all, *c)
		}
	}
	return all
}
