package keyspec

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// ItemCount returns the total number of items in the tables: exactly in the embedded
// engine unless it has crashed, and as of up to six hours ago in DynamoDB.
func (db *DB) ItemCount(ctx context.Context) (items int64, err error) {
	for _, t := range db.tables {
		out, err := db.client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: db.name(t)})
		if err != nil {
			return 0, err
		}
		items += aws.ToInt64(out.Table.ItemCount)
	}
	return items, nil
}
