package apptest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"

	"stoa/internal/host"
	"stoa/internal/kit/keyspec"
)

// Rows returns the stored items of all tables, by table name without prefix. The calls are
// not counted.
func (w *World) Rows() map[string][]map[string]any {
	w.T.Helper()
	db := dynamo.NewFromIface(w.Client.Engine())
	tables, err := db.ListTables().All(w.T.Context())
	if err != nil {
		w.T.Fatal(err)
	}
	rows := map[string][]map[string]any{}
	for _, table := range tables {
		var items []map[string]any
		if err := db.Table(table).Scan().Consistent(true).All(w.T.Context(), &items); err != nil {
			w.T.Fatal(err)
		}
		rows[strings.TrimPrefix(table, Prefix)] = items
	}
	return rows
}

// Put writes an item directly, for states that no mutation can cause. As in what Rows and Get
// return, a list of strings is a set.
func (w *World) Put(table string, item map[string]any) {
	w.T.Helper()
	item = maps.Clone(item)
	for name, value := range item {
		if of, ok := value.([]string); ok {
			item[name] = &types.AttributeValueMemberSS{Value: of}
		}
	}
	if err := dynamo.NewFromIface(w.Client.Engine()).Table(Prefix + table).Put(item).Run(w.T.Context()); err != nil {
		w.T.Fatal(err)
	}
}

// Get returns a stored item, or nil if it does not exist. The keys may contain names. The
// call is not counted.
func (w *World) Get(table, pk, sk string) map[string]any {
	w.T.Helper()
	all := host.Tables(w.system)
	declared := all[slices.IndexFunc(all, func(t *keyspec.Table) bool { return t.Name == table })]
	var item map[string]any
	err := dynamo.NewFromIface(w.Client.Engine()).Table(Prefix+table).Get(declared.PK, w.People.Fill(pk)).
		Range(declared.SK, dynamo.Equal, w.People.Fill(sk)).Consistent(true).One(w.T.Context(), &item)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		w.T.Fatal(err)
	}
	return item
}

// Counters returns all counters by item and attribute, such as "ben.followerCount" or
// "post1.commentCount". An item is named by its partition key after the first slash, and
// also by its sort key if that contains a slash.
func (w *World) Counters() map[string]int {
	w.T.Helper()
	counters := map[string]int{}
	for _, items := range w.Rows() {
		for _, item := range items {
			for attribute, value := range item {
				if n, ok := value.(float64); ok && n != 0 && strings.HasSuffix(attribute, "Count") {
					counters[w.label(item)+"."+attribute] = int(n)
				}
			}
		}
	}
	return counters
}

// keyOf returns the primary key of an item of any table, since the names of all key
// attributes are known.
func keyOf(item map[string]any) string {
	for _, names := range [][2]string{{"partitionKey", "sortKey"}, {"postId", "feedUserId"}, {"PK", "SK"}} {
		pk, ok := item[names[0]].(string)
		if sk, both := item[names[1]].(string); ok && both {
			return pk + " | " + sk
		}
	}
	return fmt.Sprint(item)
}

func (w *World) label(item map[string]any) string {
	pk, _ := item["partitionKey"].(string)
	sk, _ := item["sortKey"].(string)
	_, name, _ := strings.Cut(pk, "/")
	if strings.Contains(sk, "/") {
		name += " " + sk
	}
	return strings.NewReplacer("{", "", "}", "").Replace(w.People.Name(name))
}
