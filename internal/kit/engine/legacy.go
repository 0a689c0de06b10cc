package engine

import "github.com/aws/aws-sdk-go-v2/service/dynamodb"

// Parameters that expressions replaced long ago are refused, never ignored: a write with an
// ignored condition would be worse than no write. KeyConditions is the exception; see
// key_conditions.go.

type legacy struct {
	name    string
	present bool
	instead string
}

func refuseLegacy(parameters ...legacy) error {
	for _, p := range parameters {
		if p.present {
			return invalid("The parameter %s is not supported; use %s instead", p.name, p.instead)
		}
	}
	return nil
}

func attributesToGet(names []string) legacy {
	return legacy{"AttributesToGet", names != nil, "ProjectionExpression"}
}

func legacyPut(in *dynamodb.PutItemInput) error {
	return refuseLegacy(
		legacy{"Expected", in.Expected != nil, "ConditionExpression"},
		legacy{"ConditionalOperator", in.ConditionalOperator != "", "ConditionExpression"})
}

func legacyDelete(in *dynamodb.DeleteItemInput) error {
	return refuseLegacy(
		legacy{"Expected", in.Expected != nil, "ConditionExpression"},
		legacy{"ConditionalOperator", in.ConditionalOperator != "", "ConditionExpression"})
}

func legacyUpdate(in *dynamodb.UpdateItemInput) error {
	return refuseLegacy(
		legacy{"AttributeUpdates", in.AttributeUpdates != nil, "UpdateExpression"},
		legacy{"Expected", in.Expected != nil, "ConditionExpression"},
		legacy{"ConditionalOperator", in.ConditionalOperator != "", "ConditionExpression"})
}

func legacyQuery(in *dynamodb.QueryInput) error {
	return refuseLegacy(attributesToGet(in.AttributesToGet),
		legacy{"QueryFilter", in.QueryFilter != nil, "FilterExpression"},
		legacy{"ConditionalOperator", in.ConditionalOperator != "", "FilterExpression"})
}

func legacyScan(in *dynamodb.ScanInput) error {
	return refuseLegacy(attributesToGet(in.AttributesToGet),
		legacy{"ScanFilter", in.ScanFilter != nil, "FilterExpression"},
		legacy{"ConditionalOperator", in.ConditionalOperator != "", "FilterExpression"})
}
