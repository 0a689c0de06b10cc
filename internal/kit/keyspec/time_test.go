package keyspec_test

import (
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/keyspec"
)

// span is a noun stored as it is: times, some of them in an inline struct, and a set.
type span struct {
	ID     string    `dynamo:"id"`
	From   time.Time `dynamo:"from"`
	Until  limits    `dynamo:",inline"`
	Weight float64   `dynamo:"weight,keyonly,zero"`
	Names  []name    `dynamo:"names,set"`
}

type name string

type limits struct {
	Soft time.Time `dynamo:"soft"`
	Hard time.Time `dynamo:"hard"`
}

// Times are stored with the precision of their table and in UTC; a zero time is absent.
func TestTimes(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 123_456_789, time.FixedZone("", 3600))
	for precision, want := range map[time.Duration]string{
		0:                "2026-01-02T02:04:05.123456Z",
		time.Millisecond: "2026-01-02T02:04:05.123Z",
		time.Nanosecond:  "2026-01-02T02:04:05.123456789Z",
	} {
		byWeight := &keyspec.Index{Name: "ByWeight", PK: "wpk", SK: "wsk", Number: true}
		table := &keyspec.Table{Name: "spans", PK: "pk", SK: "sk", Precision: precision, Indexes: []*keyspec.Index{byWeight}}
		spans := keyspec.Define[span](table, keyspec.Row{
			Key: keyspec.K("span/{id}", "{from}"),
			On:  keyspec.Indexes{byWeight: keyspec.K("weights/{id}", "{weight}")},
		})
		item, err := spans.Item(span{ID: "x", From: at, Until: limits{Hard: at}, Names: []name{"b", "a", "b"}})
		if err != nil {
			t.Fatal(err)
		}
		text := func(name string) string {
			s, _ := item[name].(*types.AttributeValueMemberS)
			if s == nil {
				return ""
			}
			return s.Value
		}
		if text("from") != want || text("sk") != want || text("hard") != want || item["soft"] != nil {
			t.Errorf("with a precision of %v: %v", precision, item)
		}
		if item["wsk"] == nil {
			t.Errorf("a zero that is kept is in no key: %v", item)
		}
		if set, _ := item["names"].(*types.AttributeValueMemberSS); set == nil || !slices.Equal(set.Value, []string{"a", "b"}) {
			t.Errorf("a set is stored as %v", item["names"])
		}
		got, err := spans.Read(item)
		if err != nil || got.From.Format(time.RFC3339Nano) != want || !got.Until.Soft.IsZero() || !slices.Equal(got.Names, []name{"a", "b"}) {
			t.Errorf("read %+v, %v", got, err)
		}
	}
}
