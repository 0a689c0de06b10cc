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
	var items collector
	out, err := e.VisitQuery(ctx, in, items.add)
	if err != nil {
		return nil, err
	}
	out.Items = items.page(in.Select)
	return out, nil
}

// VisitQuery is Query for callers that process the items one by one; the output has none.
func (e *Engine) VisitQuery(ctx context.Context, in *dynamodb.QueryInput, visit Visitor) (*dynamodb.QueryOutput, error) {
	if err := e.usable(ctx); err != nil {
		return nil, err
	}
	s, err := e.querySearch(in)
	if err != nil {
		return nil, public(err)
	}
	f, err := e.run(ctx, s, visit)
	if err != nil {
		return nil, public(err)
	}
	return &dynamodb.QueryOutput{Count: f.count, ScannedCount: f.scanned, LastEvaluatedKey: f.last, ConsumedCapacity: f.units}, nil
}

func (e *Engine) querySearch(in *dynamodb.QueryInput) (*search, error) {
	if err := legacyQuery(in); err != nil {
		return nil, err
	}
	target := queryTarget(in)
	if err := target.check(); err != nil {
		return nil, err
	}
	if err := checkKeyConditions(in); err != nil {
		return nil, err
	}
	p, err := expr.Compile(target.request)
	if err != nil {
		return nil, err
	}
	conditions := p.KeyConditions()
	if in.KeyConditions != nil {
		if conditions, err = legacyConditions(in.KeyConditions); err != nil {
			return nil, err
		}
	}
	s, err := e.newSearch(target, p)
	if err != nil {
		return nil, err
	}
	if err := s.seek(conditions); err != nil {
		return nil, err
	}
	s.span.backward = in.ScanIndexForward != nil && !aws.ToBool(in.ScanIndexForward)
	if err := s.startBehind(); err != nil {
		return nil, err
	}
	return s, s.checkQuery()
}

// checkQuery validates the attributes in the projection and filter of a query.
func (s *search) checkQuery() error {
	if err := s.program.CheckNestedProjection(s.table.keyAttributes, s.table.indexKeys); err != nil {
		return err
	}
	if err := s.program.CheckFilter(s.relation.schema()); err != nil {
		return err
	}
	if err := s.checkWhole(); err != nil {
		return err
	}
	if err := s.program.CheckNestedFilter(s.table.keyAttributes, s.table.indexKeys); err != nil {
		return err
	}
	return s.checkSelect()
}

// checkKeyConditions checks that a query has its key conditions in one form.
func checkKeyConditions(in *dynamodb.QueryInput) error {
	switch {
	case in.KeyConditions == nil && in.KeyConditionExpression == nil:
		return invalid("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	case in.KeyConditions != nil && in.KeyConditionExpression != nil:
		return invalid("Can not use both expression and non-expression parameters in the same request: " +
			"Non-expression parameters: {KeyConditions} Expression parameters: {KeyConditionExpression}")
	}
	return nil
}

func queryTarget(in *dynamodb.QueryInput) target {
	return target{
		table: in.TableName, index: in.IndexName, consistent: in.ConsistentRead, limit: in.Limit,
		attributes: in.Select, units: in.ReturnConsumedCapacity, start: in.ExclusiveStartKey,
		request: &expr.Request{
			On: expr.OnQuery, KeyCondition: in.KeyConditionExpression, Filter: in.FilterExpression,
			Projection: in.ProjectionExpression, Names: in.ExpressionAttributeNames, Values: in.ExpressionAttributeValues,
		},
	}
}

// seek determines the span selected by conditions. Each attribute of the key is validated
// in the starting key first, then in the conditions.
func (s *search) seek(conditions expr.KeyConditions) error {
	schema := s.relation.schema()
	if err := s.checkStartLength(); err != nil {
		return err
	}
	if err := s.checkStartPart(0); err != nil {
		return err
	}
	hash, err := conditions.Hash(schema)
	if err != nil {
		return err
	}
	if err := s.checkStartPart(1); err != nil {
		return err
	}
	sort, err := conditions.Sort(schema)
	if err != nil {
		return err
	}
	partition, ok := appendPartition(make([]byte, 0, 128), s.relation, hash)
	if !ok {
		return errKeySchema()
	}
	s.span, s.partition = s.relation.keySpan(partition, sort), partition
	s.bounded = sort.Op != expr.Any
	return nil
}

// keySpan returns the span of those items of a partition that k describes.
func (r *relation) keySpan(partition []byte, k expr.SortRange) span {
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

// appendBeginning appends the common prefix of the encodings of all values that begin with
// v.
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

// holds reports whether key is in s.
func (s span) holds(key []byte) bool {
	return bytes.Compare(key, s.lower) >= 0 && (s.upper == nil || bytes.Compare(key, s.upper) < 0)
}
