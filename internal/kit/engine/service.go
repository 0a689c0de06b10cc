package engine

import (
	"context"
	"maps"
	"regexp"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// DescribeLimits returns DynamoDB's default values, which do not limit anything here.
const (
	accountUnits = 80_000
	tableUnits   = 40_000
	maxTags      = 50
)

// DescribeLimits returns DynamoDB's default limits of provisioned capacity.
func (e *Engine) DescribeLimits(ctx context.Context, _ *dynamodb.DescribeLimitsInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeLimitsOutput, error) {
	if err := e.usable(ctx); err != nil {
		return nil, err
	}
	return &dynamodb.DescribeLimitsOutput{
		AccountMaxReadCapacityUnits: aws.Int64(accountUnits), AccountMaxWriteCapacityUnits: aws.Int64(accountUnits),
		TableMaxReadCapacityUnits: aws.Int64(tableUnits), TableMaxWriteCapacityUnits: aws.Int64(tableUnits),
	}, nil
}

// TagResource sets tags of a table.
func (e *Engine) TagResource(ctx context.Context, in *dynamodb.TagResourceInput, _ ...func(*dynamodb.Options)) (*dynamodb.TagResourceOutput, error) {
	err := e.retag(ctx, in.ResourceArn, func(tags map[string]string) error {
		for _, tag := range in.Tags {
			tags[aws.ToString(tag.Key)] = aws.ToString(tag.Value)
		}
		if len(in.Tags) == 0 {
			return invalid("Atleast one Tag needs to be provided as Input.")
		}
		if len(tags) > maxTags {
			return invalid("One or more parameter values were invalid: Too many tags: a table has at most %d", maxTags)
		}
		return nil
	})
	if err != nil {
		return nil, public(err)
	}
	return &dynamodb.TagResourceOutput{}, nil
}

// UntagResource removes tags of a table. Missing tags are ignored.
func (e *Engine) UntagResource(ctx context.Context, in *dynamodb.UntagResourceInput, _ ...func(*dynamodb.Options)) (*dynamodb.UntagResourceOutput, error) {
	err := e.retag(ctx, in.ResourceArn, func(tags map[string]string) error {
		for _, key := range in.TagKeys {
			delete(tags, key)
		}
		if len(in.TagKeys) == 0 {
			return invalid("Atleast one Tag Key needs to be provided as Input.")
		}
		return nil
	})
	if err != nil {
		return nil, public(err)
	}
	return &dynamodb.UntagResourceOutput{}, nil
}

// ListTagsOfResource returns all tags of a table, sorted by key.
func (e *Engine) ListTagsOfResource(
	ctx context.Context,
	in *dynamodb.ListTagsOfResourceInput,
	_ ...func(*dynamodb.Options),
) (*dynamodb.ListTagsOfResourceOutput, error) {
	if err := e.usable(ctx); err != nil {
		return nil, err
	}
	t, err := e.tableOfARN(in.ResourceArn)
	if err != nil {
		return nil, public(err)
	}
	out := &dynamodb.ListTagsOfResourceOutput{Tags: []types.Tag{}}
	for _, key := range slices.Sorted(maps.Keys(t.Tags)) {
		out.Tags = append(out.Tags, types.Tag{Key: aws.String(key), Value: aws.String(t.Tags[key])})
	}
	return out, nil
}

// retag replaces the tags of a table by a copy modified by change.
func (e *Engine) retag(ctx context.Context, arn *string, change func(map[string]string) error) error {
	if err := e.writable(ctx); err != nil {
		return err
	}
	if err := e.lockShape(ctx); err != nil {
		return err
	}
	defer e.shape.Unlock()
	t, err := e.tableOfARN(arn)
	if err != nil {
		return err
	}
	tags := maps.Clone(t.Tags)
	if tags == nil {
		tags = map[string]string{}
	}
	if err := change(tags); err != nil {
		return err
	}
	changed := *t.Table
	changed.Tags = tags
	batch := e.db.NewBatch()
	defer batch.Close()
	return e.replace(batch, newTable(&changed, t.names, &e.counts))
}

// tableARN matches resource names of tables. Region and account are ignored.
var tableARN = regexp.MustCompile(`^arn:[^:]*:dynamodb:[^:]*:[^:]*:table/([a-zA-Z0-9_.-]{3,255})$`)

// tableOfARN returns the table with a resource name.
func (e *Engine) tableOfARN(arn *string) (*table, error) {
	name := tableARN.FindStringSubmatch(aws.ToString(arn))
	if name == nil {
		return nil, invalid("Invalid TableArn: Invalid ResourceArn provided as input %s", aws.ToString(arn))
	}
	if t, ok := (*e.tables.Load())[name[1]]; ok {
		return t, nil
	}
	return nil, &types.ResourceNotFoundException{Message: aws.String("Requested resource not found: ResourcArn: " + *arn + " not found")}
}
