package keyspec_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stoa/internal/kit/keyspec"
)

func TestConform(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, _ *client) {
		if err := library.Conform(t.Context(), db); err != nil {
			t.Error(err)
		}
		if err := shelf.Conform(t.Context(), db); err != nil {
			t.Error(err)
		}
	})
	db, c := open(t)
	// A database that does not move index keys does not conform.
	c.transact = func(in *dynamodb.TransactWriteItemsInput) error {
		if u := in.TransactItems[0].Update; u != nil {
			*u.UpdateExpression = strings.ReplaceAll(*u.UpdateExpression, "#a1SK", "#a1S")
			u.ExpressionAttributeNames["#a1S"] = "elsewhere"
			delete(u.ExpressionAttributeNames, "#a1SK")
		}
		return nil
	}
	if err := library.Conform(t.Context(), db); err == nil || !strings.Contains(err.Error(), "GSI-A1") {
		t.Errorf("Conform = %v, want what is wrong with GSI-A1", err)
	}
}
