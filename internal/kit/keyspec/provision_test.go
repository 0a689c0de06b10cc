package keyspec_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
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
		if differences[i].Text != want || differences[i].Missing != strings.HasPrefix(want, "lacks") {
			t.Errorf("difference %d: %+v, want %q", i, differences[i], want)
		}
	}
	if err := db.CreateTables(t.Context()); err == nil || !strings.Contains(err.Error(), "table things: has the key") {
		t.Errorf("CreateTables = %v", err)
	}
}

// An index is added to a table with items, which are read and written meanwhile.
func TestProvisionAddsIndexes(t *testing.T) {
	eng := enginetest.Memory(t)
	before := &keyspec.Table{Name: "things", PK: "pk", SK: "sk"}
	after := &keyspec.Table{Name: "things", PK: "pk", SK: "sk", Indexes: []*keyspec.Index{
		{Name: "GSI-1", PK: "onePK", SK: "oneSK"}, {Name: "GSI-2", PK: "twoPK", SK: "twoSK", Number: true, KeysOnly: true},
	}}
	if err := keyspec.Open(dynamo.NewFromIface(eng), "", before).CreateTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	item := map[string]types.AttributeValue{"pk": text("a"), "sk": text("b"), "onePK": text("c"), "oneSK": text("d")}
	if _, err := eng.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("things"), Item: item}); err != nil {
		t.Fatal(err)
	}
	db := keyspec.Open(dynamo.NewFromIface(eng), "", after)
	var done []string
	report := func(f keyspec.Filling) {
		if f.Done {
			done = append(done, f.Table+" "+f.Index)
		}
	}
	for range 2 { // once more changes nothing
		if err := db.Provision(t.Context(), report); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"things GSI-1", "things GSI-2"}; !slices.Equal(done, want) {
		t.Errorf("filled %q, want %q", done, want)
	}
	if differences, err := db.Compare(t.Context()); err != nil || len(differences) > 0 {
		t.Errorf("Compare = %+v, %v", differences, err)
	}
	found, err := eng.Query(t.Context(), &dynamodb.QueryInput{
		TableName: aws.String("things"), IndexName: aws.String("GSI-1"), KeyConditionExpression: aws.String("onePK = :p"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":p": text("c")},
	})
	if err != nil || found.Count != 1 {
		t.Errorf("the index has %+v, %v", found, err)
	}
}
