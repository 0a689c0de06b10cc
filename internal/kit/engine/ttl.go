package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// UpdateTimeToLive says which attribute holds the second since 1970 at which an
// item expires, or that items do not expire.
func (e *Engine) UpdateTimeToLive(ctx context.Context, in *dynamodb.UpdateTimeToLiveInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateTimeToLiveOutput, error) {
	if err := e.usable(ctx); err != nil {
		return nil, err
	}
	spec := in.TimeToLiveSpecification
	if spec == nil || spec.Enabled == nil || aws.ToString(spec.AttributeName) == "" {
		return nil, public(invalid("1 validation error detected: Value null at 'timeToLiveSpecification' failed to satisfy " +
			"constraint: Member must not be null"))
	}
	e.shape.Lock()
	defer e.shape.Unlock()
	t, err := e.namedTable(in.TableName)
	if err != nil {
		return nil, public(err)
	}
	changed := *t.Table
	switch {
	case *spec.Enabled && t.ExpiryAttribute != "":
		return nil, public(invalid("TimeToLive is already enabled"))
	case *spec.Enabled:
		changed.ExpiryAttribute = *spec.AttributeName
	case t.ExpiryAttribute == "":
		return nil, public(invalid("TimeToLive is already disabled"))
	case t.ExpiryAttribute != *spec.AttributeName:
		return nil, public(invalid("TimeToLive is active on a different AttributeName: current AttributeName is %s", t.ExpiryAttribute))
	default:
		changed.ExpiryAttribute = ""
	}
	batch := e.db.NewBatch()
	defer batch.Close()
	if err := e.replace(batch, newTable(&changed, t.names, &e.counts)); err != nil {
		return nil, err
	}
	return &dynamodb.UpdateTimeToLiveOutput{TimeToLiveSpecification: &types.TimeToLiveSpecification{
		AttributeName: aws.String(*spec.AttributeName), Enabled: aws.Bool(*spec.Enabled),
	}}, nil
}

// DescribeTimeToLive tells whether items of a table expire, and by which
// attribute.
func (e *Engine) DescribeTimeToLive(ctx context.Context, in *dynamodb.DescribeTimeToLiveInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeTimeToLiveOutput, error) {
	if err := e.usable(ctx); err != nil {
		return nil, err
	}
	t, err := e.namedTable(in.TableName)
	if err != nil {
		return nil, public(err)
	}
	d := &types.TimeToLiveDescription{TimeToLiveStatus: types.TimeToLiveStatusDisabled}
	if t.ExpiryAttribute != "" {
		d.TimeToLiveStatus, d.AttributeName = types.TimeToLiveStatusEnabled, aws.String(t.ExpiryAttribute)
	}
	return &dynamodb.DescribeTimeToLiveOutput{TimeToLiveDescription: d}, nil
}
