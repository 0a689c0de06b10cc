package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"stoa/internal/kit/engine/raw"
)

// Ranges are read from many SSTables, few of which contain the partition.
func TestRangesOverManyTables(t *testing.T) {
	e, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	create(t, e, testTable("things"))
	random := rand.New(rand.NewPCG(3, 4))
	want := map[string]map[string]bool{} // items by partition; false if deleted
	for range 20 {
		for range 30 {
			pk, sk := fmt.Sprint("p", random.IntN(40)), fmt.Sprint(random.IntN(10))
			if want[pk] == nil {
				want[pk] = map[string]bool{}
			}
			w := raw.Write{Action: raw.Delete, Table: "things", Key: raw.Key{Hash: pk, Sort: sk}}
			if want[pk][sk] = random.IntN(3) > 0; want[pk][sk] {
				w = raw.Write{Action: raw.Put, Table: "things", Fields: []raw.Field{{Name: "pk", Kind: raw.Text, Text: pk}, {Name: "sk", Kind: raw.Text, Text: sk}}}
			}
			if err := e.WriteOne(ctx, w); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.db.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 50 {
		pk := fmt.Sprint("p", i)
		var got, all []string
		for sk, there := range want[pk] {
			if there {
				all = append(all, sk)
			}
		}
		slices.Sort(all)
		r := raw.Range{Table: "things", Hash: pk, Backward: i%2 == 1}
		if i%3 == 0 && len(all) > 0 {
			r.After, all = &raw.Position{Sort: all[len(all)/2], Owner: raw.Key{Hash: pk, Sort: all[len(all)/2]}}, all[len(all)/2:]
			r.Backward, all = false, all[1:]
		}
		if _, err := e.ReadRange(ctx, r, func(v raw.Item) error {
			return v.Each(func(name string, _ raw.Kind, text string) bool {
				if name == "sk" {
					got = append(got, text)
				}
				return true
			})
		}); err != nil {
			t.Fatal(err)
		}
		if r.Backward {
			slices.Reverse(got)
		}
		if !slices.Equal(got, all) {
			t.Errorf("partition %s has %v, want %v", pk, got, all)
		}
	}
	if tables := e.db.Metrics().Levels[0].TablesCount; tables < 15 {
		t.Errorf("the items lie in %d tables", tables)
	}
}
