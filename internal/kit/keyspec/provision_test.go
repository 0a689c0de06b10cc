package keyspec_test

import (
	"strings"
	"testing"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/keyspec"
)

func TestCreateTablesMakesWhatIsMissing(t *testing.T) {
	eng := enginetest.Memory(t)
	one := keyspec.Open(dynamo.NewFromIface(eng), "x-", library)
	both := keyspec.Open(dynamo.NewFromIface(eng), "x-", library, shelf)
	if err := one.CreateTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	differences, err := both.Compare(t.Context())
	if err != nil || len(differences) != 1 || differences[0] != (keyspec.Difference{Table: "x-shelf", Missing: true, Text: "does not exist"}) {
		t.Errorf("Compare = %+v, %v", differences, err)
	}
	for range 2 {
		if err := both.CreateTables(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if differences, err := both.Compare(t.Context()); err != nil || len(differences) > 0 {
		t.Errorf("Compare = %+v, %v", differences, err)
	}
}

func TestTablesThatAreOtherwise(t *testing.T) {
	eng := enginetest.Memory(t)
	ix := func(name string, number, keysOnly bool) *keyspec.Index {
		return &keyspec.Index{Name: name, PK: name + "PK", SK: name + "SK", Number: number, KeysOnly: keysOnly}
	}
	there := &keyspec.Table{Name: "things", PK: "pk", SK: "sk", Indexes: []*keyspec.Index{ix("GSI-1", false, false), ix("GSI-2", true, true)}}
	if err := keyspec.Open(dynamo.NewFromIface(eng), "", there).CreateTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	wanted := &keyspec.Table{Name: "things", PK: "id", SK: "sk", Indexes: []*keyspec.Index{ix("GSI-1", false, true), ix("GSI-2", false, true), ix("GSI-3", false, false)}}
	db := keyspec.Open(dynamo.NewFromIface(eng), "", wanted)
	differences, err := db.Compare(t.Context())
	if err != nil || len(differences) != 4 {
		t.Fatalf("Compare = %+v, %v", differences, err)
	}
	for i, want := range []string{
		"has the key pk:S,sk:S, expected id:S,sk:S",
		"index GSI-1 projects ALL, expected KEYS_ONLY",
		"index GSI-2 has the key GSI-2PK:S,GSI-2SK:N, expected GSI-2PK:S,GSI-2SK:S",
		"lacks index GSI-3",
	} {
		if differences[i].Text != want || differences[i].Missing {
			t.Errorf("difference %d: %+v, want %q", i, differences[i], want)
		}
	}
	if err := db.CreateTables(t.Context()); err == nil || !strings.Contains(err.Error(), "table things: has the key") {
		t.Errorf("CreateTables = %v", err)
	}
}
