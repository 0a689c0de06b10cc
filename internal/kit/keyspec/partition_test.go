package keyspec_test

import (
	"fmt"
	"testing"

	"stoa/internal/kit/keyspec"
)

type label struct {
	Cellar string `dynamo:"cellar,keyonly"`
	Text   string `dynamo:"text"`
}

var labels = keyspec.Define[label](cellar, keyspec.Row{Key: keyspec.K("{cellar}", "LABEL")})

func TestWholePartitionsAndTables(t *testing.T) {
	db, _ := openCellar(t)
	tx := db.NewTx()
	labels.Put(tx, label{Cellar: "c1", Text: "north"})
	labels.Put(tx, label{Cellar: "c2", Text: "south"})
	for i := range 30 {
		racks.Put(tx, rack{Cellar: "c1", Name: fmt.Sprintf("%02d", i), Owners: keyspec.Set{"ana"}})
	}
	if err := tx.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	read := func(pk string) (texts string, names []string) {
		t.Helper()
		err := db.Partition(t.Context(), pk,
			labels.Each(func(l label) { texts += l.Cellar + " " + l.Text }),
			racks.Each(func(r rack) { names = append(names, r.Name) }))
		if err != nil {
			t.Fatal(err)
		}
		return texts, names
	}
	if texts, names := read("c1"); texts != "c1 north" || len(names) != 30 || names[0] != "00" || names[29] != "29" {
		t.Errorf("read %q and %v", texts, names)
	}
	for _, pk := range []string{"", "c3"} {
		if texts, names := read(pk); texts != "" || names != nil {
			t.Errorf("partition %q holds %q and %v", pk, texts, names)
		}
	}
	var all []string
	if err := db.Walk(t.Context(), labels.Each(func(l label) { all = append(all, l.Cellar) })); err != nil || len(all) != 2 {
		t.Errorf("the table holds %v, %v", all, err)
	}
	if err := db.Partition(t.Context(), "c1", labels.Each(func(label) {})); err != nil {
		t.Errorf("items of other rows: %v", err)
	}
}
