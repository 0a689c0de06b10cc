package itemcodec_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/value"
)

type (
	av = types.AttributeValue
	m  = map[string]types.AttributeValue
)

func s(v string) av { return &types.AttributeValueMemberS{Value: v} }
func n(v string) av { return &types.AttributeValueMemberN{Value: v} }

// everything has values of each type, empty and nested where possible.
var everything = m{
	"s": s("text"), "empty": s(""), "n": n("-12.5"), "b": &types.AttributeValueMemberB{Value: []byte{0, 1, 255}},
	"emptyB": &types.AttributeValueMemberB{Value: []byte{}},
	"yes":    &types.AttributeValueMemberBOOL{Value: true}, "no": &types.AttributeValueMemberBOOL{Value: false},
	"null": &types.AttributeValueMemberNULL{Value: true},
	"l": &types.AttributeValueMemberL{Value: []av{s("a"), n("1"), &types.AttributeValueMemberL{Value: []av{}},
		&types.AttributeValueMemberM{Value: m{"deep": s("er")}}}},
	"m":  &types.AttributeValueMemberM{Value: m{"x": n("1"), "": s("unnamed"), "y": &types.AttributeValueMemberM{Value: m{}}}},
	"ss": &types.AttributeValueMemberSS{Value: []string{"b", "a"}},
	"ns": &types.AttributeValueMemberNS{Value: []string{"3", "1"}},
	"bs": &types.AttributeValueMemberBS{Value: [][]byte{{1}, {}}},
}

func encode(t testing.TB, d *itemcodec.Dictionary, item m) []byte {
	t.Helper()
	data, err := itemcodec.Append(nil, d, item)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func open(t testing.TB, d *itemcodec.Dictionary, data []byte) itemcodec.View {
	t.Helper()
	v, err := itemcodec.Open(d, data)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestRoundTrip(t *testing.T) {
	for _, d := range []*itemcodec.Dictionary{itemcodec.NewDictionary(), itemcodec.NewDictionary("s", "n", "ss", "unused")} {
		data := encode(t, d, everything)
		v := open(t, d, data)
		got, err := v.Item()
		if err != nil || !reflect.DeepEqual(got, everything) {
			t.Errorf("got  %v, %v\nwant %v", got, err, everything)
		}
		if want := value.ItemSize(everything); v.Size() != want {
			t.Errorf("size %d, want %d", v.Size(), want)
		}
		if !bytes.Equal(data, encode(t, d, everything)) {
			t.Error("equal items have different bytes")
		}
		for i := range data {
			data[i] = 0xAA
		}
		if !reflect.DeepEqual(got, everything) {
			t.Error("a decoded item shares memory with the stored bytes")
		}
	}
}

func TestAttributesInPlace(t *testing.T) {
	d := itemcodec.NewDictionary("s", "n")
	v := open(t, d, encode(t, d, everything))
	for name, want := range everything {
		if got := v.Attribute(name); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	if got := v.Attribute("absent"); got != nil {
		t.Errorf("absent attribute is %v", got)
	}
	var names []string
	for name := range v.All() {
		names = append(names, name)
	}
	if got := strings.Join(names, " "); got != "b bs empty emptyB l m n no ns null s ss yes" || v.Len() != len(names) {
		t.Errorf("%d names: %s", v.Len(), got)
	}
	l, _ := v.Get("l")
	if l.Kind() != itemcodec.List || l.Len() != 4 {
		t.Errorf("list has kind %d and length %d", l.Kind(), l.Len())
	}
	for name, e := range mustGet(t, v, "m").Entries() {
		if string(name) == "" && string(e.Bytes()) != "unnamed" {
			t.Errorf("entry %q is %q", name, e.Bytes())
		}
	}
	if mustGet(t, v, "no").Bool() || !mustGet(t, v, "yes").Bool() || mustGet(t, v, "no").Kind() != itemcodec.Bool {
		t.Error("a bool reads wrong")
	}
	var texts []string
	for e := range mustGet(t, v, "ns").Elements() {
		texts = append(texts, string(e.Bytes()))
	}
	if strings.Join(texts, " ") != "3 1" {
		t.Errorf("number set reads %v", texts)
	}
}

func mustGet(t testing.TB, v itemcodec.View, name string) itemcodec.Value {
	t.Helper()
	val, ok := v.Get(name)
	if !ok {
		t.Fatalf("%s is absent", name)
	}
	return val
}

func TestPickAndProject(t *testing.T) {
	d := itemcodec.NewDictionary("s", "m")
	v := open(t, d, encode(t, d, everything))
	want := m{"s": everything["s"], "m": everything["m"]}
	if got, err := new(itemcodec.Decoder).Pick(v, []string{"s", "m", "absent"}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("picked %v, %v", got, err)
	}
	data, err := itemcodec.AppendProjection(nil, v, map[string]bool{"s": true, "m": true, "absent": true})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, encode(t, d, want)) {
		t.Error("a projection differs from the encoding of the smaller item")
	}
}

func TestDictionaryLearns(t *testing.T) {
	d := itemcodec.NewDictionary("a")
	before := open(t, d, encode(t, d, m{"a": s("1"), "b": s("2")}))
	recorded := map[int]string{}
	record := func(id int, name string) error { recorded[id] = name; return nil }
	for range 2 {
		if err := d.Learn(m{"a": s(""), "b": s(""), strings.Repeat("x", 65): s("")}, record); err != nil {
			t.Fatal(err)
		}
	}
	if want := map[int]string{1: "b"}; !reflect.DeepEqual(recorded, want) {
		t.Errorf("recorded %v, want %v", recorded, want)
	}
	after := encode(t, d, m{"a": s("1"), "b": s("2")})
	if len(after) >= len(before.Bytes())+1 {
		t.Error("a learnt name is stored as long as before")
	}
	again := open(t, itemcodec.NewDictionary(d.Names()...), after)
	if got, err := again.Item(); err != nil || !reflect.DeepEqual(got, m{"a": s("1"), "b": s("2")}) {
		t.Errorf("read with a reloaded dictionary: %v, %v", got, err)
	}
	if got, err := before.Item(); err != nil || len(got) != 2 {
		t.Errorf("an item stored before its name was learnt reads %v, %v", got, err)
	}
}

func TestDictionaryStopsAtItsBound(t *testing.T) {
	d := itemcodec.NewDictionary()
	for i := range itemcodec.MaxNames + 10 {
		err := d.Learn(m{fmt.Sprint("name", i): s("")}, func(id int, _ string) error {
			if id >= itemcodec.MaxNames {
				t.Fatalf("number %d given out", id)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	item := m{fmt.Sprint("name", itemcodec.MaxNames+5): s("spelled out")}
	if got, err := open(t, d, encode(t, d, item)).Item(); err != nil || !reflect.DeepEqual(got, item) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestRecordFails(t *testing.T) {
	d := itemcodec.NewDictionary()
	broken := fmt.Errorf("disk is full")
	if err := d.Learn(m{"a": s("")}, func(int, string) error { return broken }); err != broken {
		t.Errorf("error %v", err)
	}
	if got := d.Names(); len(got) != 0 {
		t.Errorf("knows %v, which is not recorded", got)
	}
}

// FuzzOpen decodes damaged bytes. Decoding must neither panic nor run out of bounds, and an
// item that decodes without error must decode the same in place.
func FuzzOpen(f *testing.F) {
	d := itemcodec.NewDictionary("s", "n", "ss")
	data, err := itemcodec.Append(nil, d, everything)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		damaged := bytes.Clone(data)
		for range 1 + random.IntN(3) {
			damaged[random.IntN(len(damaged))] = byte(random.IntN(256))
		}
		f.Add(damaged[:random.IntN(len(damaged)+1)])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := itemcodec.Open(d, data)
		if err != nil {
			return
		}
		item, err := v.Item()
		if err != nil {
			return
		}
		for name, val := range v.All() {
			if got := v.Attribute(name); item[name] == nil || got == nil || val.Kind() == 0 {
				t.Errorf("%q decodes as %v, in place as %v", name, item[name], got)
			}
		}
	})
}

var typical = func() m {
	it := m{"likes": n("12"), "created": n("1732180000123"), "open": &types.AttributeValueMemberBOOL{Value: true}}
	for i := range 11 {
		it[fmt.Sprintf("attribute%02d", i)] = s(strings.Repeat("x", 20))
	}
	return it
}()

func typicalView(b *testing.B) itemcodec.View {
	d := itemcodec.NewDictionary()
	if err := d.Learn(typical, func(int, string) error { return nil }); err != nil {
		b.Fatal(err)
	}
	return open(b, d, encode(b, d, typical))
}

func BenchmarkDecode(b *testing.B) {
	v := typicalView(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := v.Item(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkVisit(b *testing.B) {
	v := typicalView(b)
	b.ReportAllocs()
	total := 0
	for b.Loop() {
		for name, val := range v.All() {
			total += len(name) + len(val.Bytes())
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	d := itemcodec.NewDictionary()
	if err := d.Learn(typical, func(int, string) error { return nil }); err != nil {
		b.Fatal(err)
	}
	var data []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if data, err = itemcodec.Append(data[:0], d, typical); err != nil {
			b.Fatal(err)
		}
	}
}
