package itemcodec_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/raw"
	"stoa/internal/kit/engine/value"
)

// fieldsOf returns an item as fields, in plain form where possible.
func fieldsOf(item m) []raw.Field {
	var fields []raw.Field
	for _, name := range slices.Sorted(maps.Keys(item)) {
		fields = append(fields, fieldOf(name, item[name]))
	}
	return fields
}

func fieldOf(name string, v av) raw.Field {
	f := raw.Field{Name: name}
	switch v := v.(type) {
	case nil:
		f.Kind = raw.Removed
	case *types.AttributeValueMemberS:
		f.Kind, f.Text = raw.Text, v.Value
	case *types.AttributeValueMemberN:
		f.Kind, f.Text = raw.Number, v.Value
	case *types.AttributeValueMemberBOOL:
		if f.Kind = raw.False; v.Value {
			f.Kind = raw.True
		}
	default:
		f.Kind, f.Value = raw.Other, v
	}
	return f
}

func TestFieldsAreStoredAsItems(t *testing.T) {
	many := m{}
	for i := range 300 { // their number takes more than one byte
		many[fmt.Sprintf("many%d", i)] = n(fmt.Sprint(i))
	}
	for _, item := range []m{everything, many, {"s": s("")}} {
		for _, d := range []*itemcodec.Dictionary{itemcodec.NewDictionary(), itemcodec.NewDictionary("s", "many7", "l")} {
			got, err := itemcodec.AppendFields([]byte("before"), d, fieldsOf(item))
			if want := append([]byte("before"), encode(t, d, item)...); err != nil || !bytes.Equal(got, want) {
				t.Errorf("stored %q, %v\nwant   %q", got, err, want)
			}
		}
	}
}

// A patched item is stored with the same bytes as an equal item that is encoded as a whole.
func TestPatchIsStoringAnew(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	values := slices.Collect(maps.Values(everything))
	names := make([]string, 140) // enough that the number of attributes takes one or two bytes
	for i := range names {
		names[i] = fmt.Sprintf("a%d", i)
	}
	slices.Sort(names)
	d := itemcodec.NewDictionary(names[:100]...)
	for round := range 2000 {
		before, share := m{}, 1+random.IntN(100)
		for _, name := range names {
			if random.IntN(100) < share {
				before[name] = values[random.IntN(len(values))]
			}
		}
		after, changes := maps.Clone(before), []raw.Field{}
		for _, name := range names {
			if random.IntN(20) > 0 {
				continue
			}
			var v av
			if random.IntN(3) > 0 {
				v = values[random.IntN(len(values))]
				after[name] = v
			} else {
				delete(after, name)
			}
			changes = append(changes, fieldOf(name, v))
		}
		got, err := itemcodec.Patch([]byte("x"), d, open(t, d, encode(t, d, before)), changes)
		if err != nil {
			t.Fatal(err)
		}
		if want := append([]byte("x"), encode(t, d, after)...); !bytes.Equal(got, want) {
			t.Fatalf("round %d: %v\nchanged by %v\nis %q\nwant %q", round, before, changes, got, want)
		}
	}
}

func TestFieldsInDisorder(t *testing.T) {
	d := itemcodec.NewDictionary()
	twice := []raw.Field{{Name: "b", Kind: raw.True}, {Name: "b", Kind: raw.False}}
	down := []raw.Field{{Name: "b", Kind: raw.True}, {Name: "a", Kind: raw.True}}
	v := open(t, d, encode(t, d, m{"a": s("1"), "c": s("2")}))
	for _, fields := range [][]raw.Field{twice, down} {
		if _, err := itemcodec.AppendFields(nil, d, fields); !errors.Is(err, itemcodec.ErrFields) {
			t.Errorf("AppendFields: %v", err)
		}
		if _, err := itemcodec.Patch(nil, d, v, fields); !errors.Is(err, itemcodec.ErrFields) {
			t.Errorf("Patch: %v", err)
		}
	}
	if _, err := itemcodec.AppendFields(nil, d, []raw.Field{{Name: "a"}}); err == nil {
		t.Error("a field without a value is stored")
	}
	damaged := bytes.Clone(v.Bytes())
	damaged[len(damaged)-3] = 200
	if broken, err := itemcodec.Open(d, damaged); err != nil {
		t.Fatal(err)
	} else if _, err := itemcodec.Patch(nil, d, broken, []raw.Field{{Name: "z", Kind: raw.True}}); !errors.Is(err, itemcodec.ErrCorrupt) {
		t.Errorf("a damaged item is patched: %v", err)
	}
}

func TestSizesInPlace(t *testing.T) {
	d := itemcodec.NewDictionary("s")
	v := open(t, d, encode(t, d, everything))
	for name, val := range v.All() {
		if got, want := val.Size(), value.Size(everything[name]); got != want {
			t.Errorf("%s has size %d, want %d", name, got, want)
		}
		if w := mustGet(t, v, name); !val.Equal(w) || val.Equal(mustGet(t, v, "ss")) != (name == "ss") {
			t.Errorf("%s is not equal to itself alone", name)
		}
	}
}

func TestColumns(t *testing.T) {
	long := strings.Repeat("long", 20) // too long for the dictionary
	d := itemcodec.NewDictionary("b", "a")
	c := itemcodec.NewColumns("n", "a", long, "absent")
	if c.Index("a") != 1 || c.Index("b") != -1 || c.Index("") != -1 {
		t.Error("columns are not where they were put")
	}
	var buf [4]itemcodec.Value
	for _, item := range []m{{"a": s("1"), "b": s("2")}, {"n": n("7"), long: s("x"), "z": s("3")}, {"b": s("1")}} {
		if err := d.Learn(item, func(int, string) error { return nil }); err != nil {
			t.Fatal(err)
		}
		v := open(t, d, encode(t, d, item))
		for i, got := range c.Find(v, buf[:0]) {
			want, ok := v.Get([]string{"n", "a", long, "absent"}[i])
			if !got.Equal(want) || ok != (got.Kind() != 0) {
				t.Errorf("column %d of %v is %v", i, item, got)
			}
		}
	}
	for i, got := range c.Find(itemcodec.View{}, nil) {
		if got.Kind() != 0 {
			t.Errorf("column %d of no item is %v", i, got)
		}
	}
}

func BenchmarkPatch(b *testing.B) {
	d := itemcodec.NewDictionary()
	if err := d.Learn(typical, func(int, string) error { return nil }); err != nil {
		b.Fatal(err)
	}
	v := open(b, d, encode(b, d, typical))
	changes := []raw.Field{{Name: "likes", Kind: raw.Number, Text: "13"}}
	var data []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if data, err = itemcodec.Patch(data[:0], d, v, changes); err != nil {
			b.Fatal(err)
		}
	}
}
