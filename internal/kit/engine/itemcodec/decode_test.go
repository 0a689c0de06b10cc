package itemcodec_test

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unsafe"
	"weak"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/itemcodec"
)

// many returns views of count items with values of every type, and the items they decode
// to.
func many(t *testing.T, count int) (views []itemcodec.View, want []m) {
	t.Helper()
	d := itemcodec.NewDictionary("s", "n", "l", "yes", "rank", "text")
	for i := range count {
		item := m{"rank": n(fmt.Sprint(i)), "text": s(strings.Repeat("x", i*9%300))}
		for name, v := range everything {
			item[name] = v
		}
		views = append(views, open(t, d, encode(t, d, item)))
		want = append(want, item)
	}
	return views, want
}

// decodeAll decodes views as one page.
func decodeAll(t *testing.T, views []itemcodec.View, names ...string) (items []m) {
	t.Helper()
	var d itemcodec.Decoder
	for _, v := range views {
		item, err := d.Item(v)
		if names != nil {
			item, err = d.Pick(v, names)
		}
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, item)
	}
	return items
}

func TestPageRoundTrip(t *testing.T) {
	views, want := many(t, 100)
	got := decodeAll(t, views)
	picked := decodeAll(t, views, "text", "l", "absent", "rank")
	for _, v := range views {
		for b := v.Bytes(); len(b) > 0; b = b[1:] {
			b[0] = 0xAA
		}
	}
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("item %d is %v, want %v", i, got[i], want[i])
		}
		if part := (m{"text": want[i]["text"], "l": want[i]["l"], "rank": want[i]["rank"]}); !reflect.DeepEqual(picked[i], part) {
			t.Errorf("of item %d %v was picked, want %v", i, picked[i], part)
		}
	}
}

// Changing one item of a page must not affect the others, however they were allocated.
func TestDecodedItemsAreIndependent(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(item m)
	}{
		{"text", func(item m) { item["s"].(*types.AttributeValueMemberS).Value = "changed" }},
		{"number", func(item m) { item["n"].(*types.AttributeValueMemberN).Value = "7" }},
		{"bool", func(item m) { item["yes"].(*types.AttributeValueMemberBOOL).Value = false }},
		{"null", func(item m) { item["null"].(*types.AttributeValueMemberNULL).Value = false }},
		{"binary", func(item m) { item["b"].(*types.AttributeValueMemberB).Value[0] = 9 }},
		{"longer binary", func(item m) {
			b := item["b"].(*types.AttributeValueMemberB)
			b.Value = append(b.Value, 1, 2, 3)
		}},
		{"element", func(item m) { item["l"].(*types.AttributeValueMemberL).Value[0] = s("changed") }},
		{"text in a list", func(item m) {
			item["l"].(*types.AttributeValueMemberL).Value[0].(*types.AttributeValueMemberS).Value = "changed"
		}},
		{"longer list", func(item m) {
			l := item["l"].(*types.AttributeValueMemberL)
			l.Value = append(l.Value, s("more"), s("and more"))
			inner := l.Value[2].(*types.AttributeValueMemberL)
			inner.Value = append(inner.Value, s("within"))
		}},
		{"other list", func(item m) { item["l"].(*types.AttributeValueMemberL).Value = nil }},
		{"entry", func(item m) { item["m"].(*types.AttributeValueMemberM).Value["x"] = s("changed") }},
		{"set", func(item m) { item["ss"].(*types.AttributeValueMemberSS).Value[0] = "changed" }},
		{"longer set", func(item m) {
			set := item["ns"].(*types.AttributeValueMemberNS)
			set.Value = append(set.Value, "9", "10")
		}},
		{"binary set", func(item m) { item["bs"].(*types.AttributeValueMemberBS).Value[0][0] = 9 }},
		{"new attribute", func(item m) { item["new"] = s("changed") }},
		{"no attributes", func(item m) { clear(item) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			views, want := many(t, 20)
			got := decodeAll(t, views)
			const changed = 7
			c.change(got[changed])
			if reflect.DeepEqual(got[changed], want[changed]) {
				t.Error("nothing changed")
			}
			for i := range got {
				if i != changed && !reflect.DeepEqual(got[i], want[i]) {
					t.Errorf("item %d changed too: %v", i, got[i])
				}
			}
		})
	}
}

// Decoding a damaged item fails, and later items are still decoded.
func TestDecoderSurvivesDamage(t *testing.T) {
	views, want := many(t, 3)
	data := views[1].Bytes()
	damaged, err := views[1].Reopen(data[:len(data)-1])
	if err != nil {
		t.Fatal(err)
	}
	var d itemcodec.Decoder
	if _, err := d.Item(damaged); err != itemcodec.ErrCorrupt {
		t.Errorf("a damaged item: %v", err)
	}
	if _, err := d.Pick(damaged, []string{"text"}); err != itemcodec.ErrCorrupt {
		t.Errorf("a damaged item in part: %v", err)
	}
	if item, err := d.Item(views[2]); err != nil || !reflect.DeepEqual(item, want[2]) {
		t.Errorf("the item after it: %v, %v", item, err)
	}
	if item, err := d.Item(itemcodec.View{}); item != nil || err != nil {
		t.Errorf("an absent item: %v, %v", item, err)
	}
}

// Retaining one value of a page retains a few small neighbours in memory, but no large
// ones.
func TestKeptValueKeepsFewNeighbours(t *testing.T) {
	const items = 500
	for _, c := range []struct {
		name       string
		text       int // bytes of text in an item
		neighbours int // that may be kept in memory
	}{
		{"small", 100, 64},
		{"large", 3000, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			dictionary := itemcodec.NewDictionary("text", "rank")
			var d itemcodec.Decoder
			var kept av
			texts := make([]weak.Pointer[byte], 0, items)
			for i := range items {
				v := open(t, dictionary, encode(t, dictionary, m{"text": s(strings.Repeat("x", c.text)), "rank": n(fmt.Sprint(i))}))
				item, err := d.Item(v)
				if err != nil {
					t.Fatal(err)
				}
				if i == items/2 {
					kept = item["text"]
				}
				texts = append(texts, weak.Make(unsafe.StringData(item["text"].(*types.AttributeValueMemberS).Value)))
			}
			runtime.GC()
			stayed := -1                            // the item itself
			for _, text := range texts[:items-70] { // the decoder may hold the last ones
				if text.Value() != nil {
					stayed++
				}
			}
			if stayed > c.neighbours {
				t.Errorf("%d neighbours stayed, want at most %d", stayed, c.neighbours)
			}
			if stayed < 0 {
				t.Error("the text of the value itself is gone")
			}
			runtime.KeepAlive(kept)
			runtime.KeepAlive(&d)
		})
	}
}
