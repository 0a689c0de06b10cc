package keyspec

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Finding is an inconsistency between stored data and its declaration.
type Finding struct {
	Table, PK, SK string
	// Attribute is an index key or a counter; empty if the finding concerns the whole item.
	Attribute string
	// Is and Want are the stored and the correct text; empty if absent.
	Is, Want string
	// Problem is the kind of inconsistency.
	Problem Problem
}

// Problem is a kind of inconsistency.
type Problem string

const (
	// Unknown means that the key belongs to no row.
	Unknown Problem = "no row has such a key"
	// Unreadable means that the item cannot be decoded as its row.
	Unreadable Problem = "the item cannot be read"
	// Misplaced means that the item's own key does not match its attributes.
	Misplaced Problem = "the item belongs elsewhere"
	// WrongKey means that an index key does not match the item's attributes.
	WrongKey Problem = "wrong index key"
	// WrongCount means that a counter is not the number of counted items.
	WrongCount Problem = "wrong count"
	// Orphaned means that items are counted on an item that does not exist.
	Orphaned Problem = "counted at an item that is not there"
)

func (f Finding) String() string {
	subject := fmt.Sprintf("%s %s | %s", f.Table, f.PK, f.SK)
	if f.Attribute != "" {
		subject += " " + f.Attribute
	}
	switch f.Problem {
	case Unknown:
		return fmt.Sprintf("%s: %s", subject, f.Problem)
	case Unreadable:
		return fmt.Sprintf("%s: %s: %s", subject, f.Problem, f.Is)
	}
	return fmt.Sprintf("%s: %s: is %q, want %q", subject, f.Problem, f.Is, f.Want)
}

// Verify scans all tables and reports inconsistencies with the declarations: of every key
// in every index, and of every declared counter, recounted from its items. Memory use grows
// with the number of items that have counters. Concurrent writes may cause false reports.
func (db *DB) Verify(ctx context.Context, report func(Finding)) error {
	v := verification{db: db, report: report, counts: map[counterOf]tally{}, owners: map[*row]map[string]bool{}}
	for _, t := range db.tables {
		for _, r := range t.rows {
			v.learn(r)
		}
	}
	for _, t := range db.tables {
		visit := func(item map[string]types.AttributeValue) error { v.item(t, item); return nil }
		if err := db.scan(ctx, t, nil, visit); err != nil {
			return fmt.Errorf("verify: %w", err)
		}
	}
	return v.compare(ctx)
}

// verification is one run of Verify.
type verification struct {
	db     *DB
	report func(Finding)
	// owners holds the counter attributes by the row that has them.
	owners map[*row]map[string]bool
	counts map[counterOf]tally
}

// counterOf identifies a counter of an item.
type counterOf struct {
	address
	row       *row
	attribute string
}

// tally is the stored value of a counter and the actual count.
type tally struct{ stored, counted int }

// learn determines the row that has the counters of r. A sample suffices, because it is the
// same for all items.
func (v *verification) learn(r *row) {
	for _, c := range r.counters {
		owner := c.owner(r.sample(1)).row
		if v.owners[owner] == nil {
			v.owners[owner] = map[string]bool{}
		}
		v.owners[owner][c.attribute] = true
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
	if key := r.keyAt(p); key.err != nil || key.address() != at {
		misplaced := found
		misplaced.Problem, misplaced.Is, misplaced.Want = Misplaced, at.pk+" "+at.sk, key.pk+" "+key.sk
		v.report(misplaced)
	}
	v.keys(r, item, p, found)
	for attribute := range v.owners[r] {
		if n := counted(item[attribute]); n != 0 {
			v.tally(counterOf{at, r, attribute}, tally{stored: n})
		}
	}
	for _, c := range r.counters {
		if owner := c.owner(p); owner.err == nil && c.counts(p) {
			v.tally(counterOf{owner.address(), owner.row, c.attribute}, tally{counted: 1})
		}
	}
}

func (v *verification) tally(of counterOf, by tally) {
	t := v.counts[of]
	v.counts[of] = tally{t.stored + by.stored, t.counted + by.counted}
}

// keys compares the index keys of an item with those derived from its attributes. Items
// with an older layout are updated when they are next written.
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
		if r.has(at) {
			return r
		}
	}
	return nil
}

// has reports whether the item at an address of r's table is of r.
func (r *row) has(at address) bool {
	return r.primary.pk.match(at.pk, ignore) && r.primary.sk.match(at.sk, ignore)
}

// sameKey compares the texts of a stored and a wanted key. A stored number that was
// incremented may have more digits than what is decoded.
func sameKey(stored types.AttributeValue, is, want string) bool {
	if _, number := stored.(*types.AttributeValueMemberN); !number {
		return is == want
	}
	a, errIs := strconv.ParseFloat(is, 64)
	b, errWant := strconv.ParseFloat(want, 64)
	return errIs == nil && errWant == nil && a == b
}
