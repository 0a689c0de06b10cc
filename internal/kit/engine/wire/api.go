package wire

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2/dynamodbiface"
)

// API is the database that a handler serves. Each method has the signature of the SDK's
// client. An error that is a smithy.APIError is sent to the client, any other becomes an
// internal failure.
type API interface {
	dynamodbiface.DynamoDBAPI
	DescribeLimits(context.Context, *dynamodb.DescribeLimitsInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeLimitsOutput, error)
	ListTagsOfResource(context.Context, *dynamodb.ListTagsOfResourceInput, ...func(*dynamodb.Options)) (*dynamodb.ListTagsOfResourceOutput, error)
	TagResource(context.Context, *dynamodb.TagResourceInput, ...func(*dynamodb.Options)) (*dynamodb.TagResourceOutput, error)
	UntagResource(context.Context, *dynamodb.UntagResourceInput, ...func(*dynamodb.Options)) (*dynamodb.UntagResourceOutput, error)
}

// operation decodes one kind of request, executes it and appends its output to dst. On an
// error, what it has appended is discarded.
type operation func(ctx context.Context, body, dst []byte) ([]byte, error)

// serve returns the operation for a method of the client.
func serve[I, O any](method func(context.Context, *I, ...func(*dynamodb.Options)) (*O, error)) operation {
	return func(ctx context.Context, body, dst []byte) ([]byte, error) {
		in, err := read[I](body)
		if err != nil {
			return dst, err
		}
		out, err := method(ctx, in)
		if err != nil {
			return dst, err
		}
		return appendOutput(dst, out), nil
	}
}

// read decodes an input and validates it against its shape.
func read[I any](body []byte) (*I, error) {
	in := new(I)
	if err := decode(body, in); err != nil {
		return nil, err
	}
	return in, checkConstraints(in)
}

func operations(api API) map[string]operation {
	ops := map[string]operation{
		"BatchGetItem":       serve(api.BatchGetItem),
		"BatchWriteItem":     serve(api.BatchWriteItem),
		"CreateTable":        serve(api.CreateTable),
		"DeleteItem":         serve(api.DeleteItem),
		"DeleteTable":        serve(api.DeleteTable),
		"DescribeLimits":     serve(api.DescribeLimits),
		"DescribeTable":      serve(api.DescribeTable),
		"DescribeTimeToLive": serve(api.DescribeTimeToLive),
		"GetItem":            serve(api.GetItem),
		"ListTables":         serve(api.ListTables),
		"ListTagsOfResource": serve(api.ListTagsOfResource),
		"PutItem":            serve(api.PutItem),
		"Query":              serve(api.Query),
		"Scan":               serve(api.Scan),
		"TagResource":        serve(api.TagResource),
		"TransactGetItems":   serve(api.TransactGetItems),
		"TransactWriteItems": serve(api.TransactWriteItems),
		"UntagResource":      serve(api.UntagResource),
		"UpdateItem":         serve(api.UpdateItem),
		"UpdateTable":        serve(api.UpdateTable),
		"UpdateTimeToLive":   serve(api.UpdateTimeToLive),
	}
	if v, ok := api.(Visits); ok {
		ops["GetItem"] = serveStored(v.VisitItem, func(*dynamodb.GetItemInput) bool { return false })
		ops["Query"] = serveStored(v.VisitQuery, func(in *dynamodb.QueryInput) bool { return in.Select != types.SelectCount })
		ops["Scan"] = serveStored(v.VisitScan, func(in *dynamodb.ScanInput) bool { return in.Select != types.SelectCount })
	}
	return ops
}

// refused maps the unsupported operations of DynamoDB to their feature.
var refused = map[string]string{
	"BatchExecuteStatement": "PartiQL", "ExecuteStatement": "PartiQL", "ExecuteTransaction": "PartiQL",

	"CreateBackup": "backups", "DeleteBackup": "backups", "DescribeBackup": "backups", "ListBackups": "backups",
	"RestoreTableFromBackup": "backups", "RestoreTableToPointInTime": "backups",
	"DescribeContinuousBackups": "backups", "UpdateContinuousBackups": "backups",

	"CreateGlobalTable": "global tables", "DescribeGlobalTable": "global tables", "ListGlobalTables": "global tables",
	"UpdateGlobalTable": "global tables", "DescribeGlobalTableSettings": "global tables",
	"UpdateGlobalTableSettings": "global tables", "DescribeTableReplicaAutoScaling": "global tables",
	"UpdateTableReplicaAutoScaling": "global tables",

	"DescribeExport": "export to S3", "ExportTableToPointInTime": "export to S3", "ListExports": "export to S3",
	"DescribeImport": "import from S3", "ImportTable": "import from S3", "ListImports": "import from S3",

	"DescribeKinesisStreamingDestination": "streams", "DisableKinesisStreamingDestination": "streams",
	"EnableKinesisStreamingDestination": "streams", "UpdateKinesisStreamingDestination": "streams",

	"DescribeContributorInsights": "contributor insights", "ListContributorInsights": "contributor insights",
	"UpdateContributorInsights": "contributor insights",

	"CancelBulkOperation": "bulk operations", "DescribeBulkOperation": "bulk operations", "ListBulkOperations": "bulk operations",
	"StartBulkPutItems": "bulk operations",

	"SearchVectors": "vector search",

	"DeleteResourcePolicy": "resource policies", "GetResourcePolicy": "resource policies", "PutResourcePolicy": "resource policies",
}
