package keyspec

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Finding is a place where what is stored contradicts what is declared.
type Finding struct {
	Table, PK, SK string
	// Attribute is a key of an index or a counter; empty when the item as a whole is
	// meant.
	Attribute string
	// Is and Want are the texts that stand there and should, empty for none.
	Is, Want string
	// Problem says what is wrong.
	Problem Problem
}

// Problem is a kind of contradiction.
type Problem string

const (
	// Unknown: no row has such a key.
	Unknown Problem = "no row has such a key"
	// Unreadable: the item does not fit its row.
	Unreadable Problem = "the item cannot be read"
	// WrongKey: an index key is not what the item's attributes make.
	WrongKey Problem = "wrong index key"
	// WrongCount: a counter is not the number of what it counts.
	WrongCount Problem = "wrong count"
	// Orphaned: items are counted at an item that is not there.
	Orphaned Problem = "counted at an item that is not there"
)

func (f Finding) String() string {
	place := fmt.Sprintf("%s %s | %s", f.Table, f.PK, f.SK)
	if f.Attribute != "" {
		place += " " + f.Attribute
	}
	switch f.Problem {
	case Unknown:
		return fmt.Sprintf("%s: %s", place, f.Problem)
	case Unreadable:
		return fmt.Sprintf("%s: %s: %s", place, f.Problem, f.Is)
	}
	return fmt.Sprintf("%s: %s: is %q, want %q", place, f.Problem, f.Is, f.Want)
}

// Verify reads all items of all tables and reports what contradicts the declarations:
// every key in every index, and every declared counter, recounted from the items that
// it counts. Memory grows with the number of items that have counters. What is written
// meanwhile may be reported without being wrong.
func (db *DB) Verify(ctx context.Context, report func(Finding)) error {
	v := verification{db: db, report: report, counts: map[place]tally{}, owners: map[*row]map[string]bool{}}
	for _, t := range db.tables {
		for _, r := range t.rows {
			v.learn(r)
		}
	}
	for _, t := range db.tables {
		if err := v.walk(ctx, t); err != nil {
			return fmt.Errorf("keyspec: verify table %s: %w", t.Name, err)
		}
	}
	return v.compare(ctx)
}

// verification is one run of Verify.
type verification struct {
	db     *DB
	report func(Finding)
	// owners are the counters on the items of a row.
	owners map[*row]map[string]bool
	counts map[place]tally
}

// place is a counter of an item.
type place struct {
	address
	row       *row
	attribute string
}

// tally is what a counter says and what was counted.
type tally struct{ stored, counted int }

// learn finds out on which row the counters of r are. Its owner is the same for every
// item, so a sample tells.
func (v *verification) learn(r *row) {
	for _, c := range r.counters {
		owner := c.owner(r.sample(1)).row
		if v.owners[owner] == nil {
			v.owners[owner] = map[string]bool{}
		}
		v.owners[owner][c.attribute] = true
	}
}

func (v *verification) walk(ctx context.Context, t *Table) error {
	in := &dynamodb.ScanInput{TableName: v.db.name(t), ConsistentRead: aws.Bool(true)}
	for {
		out, err := v.db.client.Scan(ctx, in)
		if err != nil {
			return err
		}
		for _, item := range out.Items {
			v.item(t, item)
		}
		if len(out.LastEvaluatedKey) == 0 {
			return nil
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

func (v *verification) item(t *Table, item map[string]types.AttributeValue) {
	at := t.addressOf(item)
	found := Finding{Table: t.Name, PK: at.pk, SK: at.sk}
	r := t.rowOf(at)
	if r == nil {
		found.Problem = Unknown
		v.report(found)
		return
	}
	p := reflect.New(r.codec.typ).UnsafePointer()
	if err := r.decode(item, Primary, p); err != nil {
		found.Problem, found.Is = Unreadable, err.Error()
		v.report(found)
		return
	}
	v.keys(r, item, p, found)
	for attribute := range v.owners[r] {
		if n := counted(item[attribute]); n != 0 {
			v.tally(place{at, r, attribute}, tally{stored: n})
		}
	}
	for _, c := range r.counters {
		if owner := c.owner(p); owner.err == nil && c.counts(p) {
			v.tally(place{owner.address(), owner.row, c.attribute}, tally{counted: 1})
		}
	}
}

func (v *verification) tally(at place, by tally) {
	t := v.counts[at]
	v.counts[at] = tally{t.stored + by.stored, t.counted + by.counted}
}

// keys compares the index keys of an item with those made of its attributes. Items in
// an older layout get theirs when they are next written.
func (v *verification) keys(r *row, item map[string]types.AttributeValue, p unsafe.Pointer, found Finding) {
	if r.spec.Legacy || !r.table.Unversioned && keyText(item, versionAttribute) != r.version {
		return
	}
	keys, err := r.indexKeys(make([]string, 2*len(r.keys)+1), p)
	if err != nil {
		found.Problem, found.Is = Unreadable, err.Error()
		v.report(found)
		return
	}
	want := map[string]string{}
	for number, name := range r.keyNames {
		want[name] = keys[number]
	}
	for _, ix := range r.table.Indexes {
		for _, name := range []string{ix.PK, ix.SK} {
			if f := r.codec.byName[name]; f != nil || name == r.table.PK || name == r.table.SK {
				continue
			}
			if is := keyText(item, name); !sameKey(item[name], is, want[name]) {
				wrong := found
				wrong.Problem, wrong.Attribute, wrong.Is, wrong.Want = WrongKey, name, is, want[name]
				v.report(wrong)
			}
		}
	}
}

// compare reports the counters that differ.
func (v *verification) compare(ctx context.Context) error {
	var errs []error
	for at, t := range v.counts {
		if t.stored == t.counted {
			continue
		}
		found := Finding{
			Table: at.table.Name, PK: at.pk, SK: at.sk, Attribute: at.attribute,
			Is: fmt.Sprint(t.stored), Want: fmt.Sprint(t.counted), Problem: WrongCount,
		}
		if t.stored == 0 {
			there, err := v.db.get(ctx, Key{row: at.row, pk: at.pk, sk: at.sk}, reflect.New(at.row.codec.typ).UnsafePointer())
			if err != nil {
				errs = append(errs, err)
				continue
			}
			if !there {
				found.Problem, found.Is = Orphaned, ""
			}
		}
		v.report(found)
	}
	return errors.Join(errs...)
}

// rowOf returns the row of the item at an address, or nil.
func (t *Table) rowOf(at address) *row {
	for _, r := range t.rows {
		if r.primary.pk.match(at.pk, ignore) && r.primary.sk.match(at.sk, ignore) {
			return r
		}
	}
	return nil
}

// sameKey compares the texts of a stored key and a wanted one. A stored number that was
// counted up may have more digits than what reads it.
func sameKey(stored types.AttributeValue, is, want string) bool {
	if _, number := stored.(*types.AttributeValueMemberN); !number {
		return is == want
	}
	a, errIs := strconv.ParseFloat(is, 64)
	b, errWant := strconv.ParseFloat(want, 64)
	return errIs == nil && errWant == nil && a == b
}
