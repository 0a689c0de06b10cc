package engine

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stoa/internal/kit/engine/expr"
)

// Scan returns items of a table or index in storage order: by hash of the partition key,
// then by sort key.
func (e *Engine) Scan(ctx context.Context, in *dynamodb.ScanInput, _ ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	var items collector
	out, err := e.VisitScan(ctx, in, items.add)
	if err != nil {
		return nil, err
	}
	out.Items = items.page(in.Select)
	return out, nil
}

// VisitScan is Scan for callers that process the items one by one; the output has none.
func (e *Engine) VisitScan(ctx context.Context, in *dynamodb.ScanInput, visit Visitor) (*dynamodb.ScanOutput, error) {
	if err := e.usable(ctx); err != nil {
		return nil, err
	}
	s, err := e.scanSearch(in)
	if err != nil {
		return nil, public(err)
	}
	f, err := e.run(ctx, s, visit)
	if err != nil {
		return nil, public(err)
	}
	return &dynamodb.ScanOutput{Count: f.count, ScannedCount: f.scanned, LastEvaluatedKey: f.last, ConsumedCapacity: f.units}, nil
}

func (e *Engine) scanSearch(in *dynamodb.ScanInput) (*search, error) {
	if err := legacyScan(in); err != nil {
		return nil, err
	}
	target := scanTarget(in)
	if err := target.check(); err != nil {
		return nil, err
	}
	if err := checkSegments(in.Segment, in.TotalSegments); err != nil {
		return nil, err
	}
	p, err := expr.Compile(target.request)
	if err != nil {
		return nil, err
	}
	s, err := e.newSearch(target, p)
	if err != nil {
		return nil, err
	}
	if err := s.checkScanStart(); err != nil {
		return nil, err
	}
	if err := s.checkWhole(); err != nil {
		return nil, err
	}
	s.span = s.relation.whole()
	if in.TotalSegments != nil {
		s.span = s.relation.segment(int(*in.Segment), int(*in.TotalSegments))
		s.segment = fmt.Sprintf("TotalSegments: %d Segment: %d", *in.TotalSegments, *in.Segment)
	}
	if err := s.startBehind(); err != nil {
		return nil, err
	}
	if err := s.program.CheckNestedProjection(s.table.keyAttributes, s.table.indexKeys); err != nil {
		return nil, err
	}
	if err := s.program.CheckNestedFilter(s.table.keyAttributes, s.table.indexKeys); err != nil {
		return nil, err
	}
	return s, s.checkSelect()
}

func scanTarget(in *dynamodb.ScanInput) target {
	return target{
		table: in.TableName, index: in.IndexName, consistent: in.ConsistentRead, limit: in.Limit,
		attributes: in.Select, units: in.ReturnConsumedCapacity, start: in.ExclusiveStartKey,
		request: &expr.Request{
			On:     expr.OnScan,
			Filter: in.FilterExpression, Projection: in.ProjectionExpression,
			Names: in.ExpressionAttributeNames, Values: in.ExpressionAttributeValues,
		},
	}
}

func checkSegments(segment, total *int32) error {
	switch {
	case segment == nil && total == nil:
		return nil
	case total == nil:
		return invalid("The TotalSegments parameter is required but was not present in the request when Segment parameter is present")
	case segment == nil:
		return invalid("The Segment parameter is required but was not present in the request when parameter TotalSegments is present")
	case *segment >= *total:
		return invalid("The Segment parameter is zero-based and must be less than parameter TotalSegments: "+
			"Segment: %d is not less than TotalSegments: %d", *segment, *total)
	}
	return nil
}
