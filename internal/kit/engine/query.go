package engine

import (
	"bytes"
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/keycodec"
)

// Query returns items of one partition of a table or index, ordered by sort
// key.
func (e *Engine) Query(ctx context.Context, in *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	if err := e.usable(ctx); err != nil {
		return nil, err
	}
	s, err := e.querySearch(in)
	if err != nil {
		return nil, public(err)
	}
	f, err := e.run(ctx, s)
	if err != nil {
		return nil, public(err)
	}
	return &dynamodb.QueryOutput{
		Items: f.items, Count: f.count, ScannedCount: f.scanned, LastEvaluatedKey: f.last, ConsumedCapacity: f.units,
	}, nil
}

func (e *Engine) querySearch(in *dynamodb.QueryInput) (*search, error) {
	if err := legacyQuery(in); err != nil {
		return nil, err
	}
	var conditions map[string]bounds
	switch {
	case in.KeyConditions == nil && in.KeyConditionExpression == nil:
		if in.FilterExpression == nil { // then placeholders may be for nothing, and that is said first
			idle := &expr.Request{On: expr.OnQuery, Values: in.ExpressionAttributeValues}
			if in.ProjectionExpression == nil {
				idle.Names = in.ExpressionAttributeNames
			}
			if _, err := compile(idle); err != nil {
				return nil, err
			}
		}
		return nil, invalid("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	case in.KeyConditions != nil && in.KeyConditionExpression != nil:
		return nil, invalid("Can not use both expression and non-expression parameters in the same request: " +
			"Non-expression parameters: {KeyConditions} Expression parameters: {KeyConditionExpression}")
	case in.KeyConditions != nil:
		var err error
		if conditions, err = keyBounds(in.KeyConditions); err != nil {
			return nil, err
		}
	}
	s, err := e.newSearch(target{
		table: in.TableName, index: in.IndexName, consistent: in.ConsistentRead, limit: in.Limit,
		attributes: in.Select, units: in.ReturnConsumedCapacity,
		request: queryExpressions(in),
	})
	if err != nil {
		return nil, err
	}
	keys, err := s.keyRange(conditions)
	if err != nil {
		return nil, err
	}
	if err := s.program.CheckFilter(s.relation.schema()); err != nil {
		return nil, err
	}
	if err := s.table.checkPaths(s.program); err != nil {
		return nil, err
	}
	partition, ok := appendPartition(make([]byte, 0, 128), s.relation, keys.Hash)
	if !ok {
		return nil, errKeySchema()
	}
	s.span, s.partition = s.relation.keySpan(partition, keys), partition
	s.bounded = keys.Op != expr.Any
	s.span.backward = in.ScanIndexForward != nil && !aws.ToBool(in.ScanIndexForward)
	return s, s.from(in.ExclusiveStartKey)
}

func queryExpressions(in *dynamodb.QueryInput) *expr.Request {
	return &expr.Request{
		On: expr.OnQuery, KeyCondition: in.KeyConditionExpression, Filter: in.FilterExpression,
		Projection: in.ProjectionExpression, Names: in.ExpressionAttributeNames, Values: in.ExpressionAttributeValues,
	}
}

// keyRange returns the part of the relation that is queried, given by an
// expression or by conditions.
func (s *search) keyRange(conditions map[string]bounds) (expr.KeyRange, error) {
	if conditions != nil {
		return boundsRange(conditions, s.relation.schema())
	}
	return s.program.KeyRange(s.relation.schema())
}

// keySpan returns where those items of a partition are stored that k describes.
func (r *relation) keySpan(partition []byte, k expr.KeyRange) span {
	// at returns the first key at or after sort value v.
	at := func(v types.AttributeValue) []byte {
		key, _ := appendScalar(partition[:len(partition):len(partition)], r.key.Sort.Type, v)
		return key
	}
	s := span{lower: partition, upper: keycodec.After(partition)}
	switch k.Op {
	case expr.Any:
	case expr.Equal:
		s.lower = at(k.Low)
		s.upper = keycodec.After(s.lower)
	case expr.Less:
		s.upper = at(k.Low)
	case expr.LessOrEqual:
		s.upper = keycodec.After(at(k.Low))
	case expr.Greater:
		s.lower = keycodec.After(at(k.Low))
	case expr.GreaterOrEqual:
		s.lower = at(k.Low)
	case expr.Between:
		s.lower, s.upper = at(k.Low), keycodec.After(at(k.High))
	case expr.BeginsWith:
		s.lower = appendBeginning(partition, k.Low)
		s.upper = keycodec.After(s.lower)
	}
	return s
}

// appendBeginning appends what the encodings of all values beginning with v
// have in common.
func appendBeginning(dst []byte, v types.AttributeValue) []byte {
	dst = dst[:len(dst):len(dst)]
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return keycodec.AppendPrefix(dst, v.Value)
	case *types.AttributeValueMemberB:
		return keycodec.AppendPrefix(dst, v.Value)
	}
	return dst
}

// holds reports whether key lies within s.
func (s span) holds(key []byte) bool {
	return bytes.Compare(key, s.lower) >= 0 && (s.upper == nil || bytes.Compare(key, s.upper) < 0)
}
