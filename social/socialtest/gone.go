package socialtest

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/apptest"
	"stoa/internal/ops"
	"stoa/social"
	"stoa/store"
)

// Gone removes the profile of a user with its name, past the API, and tells the areas. What
// the profile was in touch with by follows, blocks and likes stays.
func (g Given) Gone(name string) Given {
	return g.And(func(w *World) {
		w.T.Helper()
		id := w.ID(name)
		profile := w.Get(store.Main.Name, "user/"+string(id), "profile")
		username, _ := profile["username"].(string)
		remove(w, store.Main.Name, "user/"+string(id), "profile")
		remove(w, ops.Table.Name, "username/"+strings.ToLower(username), "-")
		e := w.Host.Sender.New(w.T.Context(), social.UserRemoved{UserID: id, Username: username, RemovedAt: w.Now()})
		w.Host.Sender.Committed(w.T.Context(), e...)
	})
}

func remove(w *World, table, pk, sk string) {
	w.T.Helper()
	_, err := w.Client.DeleteItem(w.T.Context(), &dynamodb.DeleteItemInput{TableName: aws.String(apptest.Prefix + table), Key: map[string]types.AttributeValue{
		"partitionKey": &types.AttributeValueMemberS{Value: pk}, "sortKey": &types.AttributeValueMemberS{Value: sk},
	}})
	if err != nil {
		w.T.Fatal(err)
	}
}
