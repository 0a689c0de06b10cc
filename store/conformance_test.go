package store

import (
	"slices"
	"testing"

	"github.com/guregu/dynamo/v2"
	"github.com/guregu/dynamo/v2/dynamodbiface"

	"stoa/internal/kit/engine"
	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
)

// TestRowsDoWhatTheyDeclare puts a sample of every row, finds it through every index,
// changes and deletes it, with the SDK's calls and with raw reads and writes.
func TestRowsDoWhatTheyDeclare(t *testing.T) {
	for name, client := range map[string]func(*engine.Engine) dynamodbiface.DynamoDBAPI{
		"by calls": func(e *engine.Engine) dynamodbiface.DynamoDBAPI {
			return struct{ dynamodbiface.DynamoDBAPI }{e} // hides that it is a raw.Store
		},
		"raw": func(e *engine.Engine) dynamodbiface.DynamoDBAPI { return e },
	} {
		t.Run(name, func(t *testing.T) {
			eng := enginetest.Memory(t)
			db := keyspec.Open(dynamo.NewFromIface(client(eng)), "test-", slices.Concat(Tables, ops.Tables)...)
			if err := db.CreateTables(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, table := range slices.Concat(Tables, ops.Tables) {
				if err := table.Conform(t.Context(), db); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
