package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/catalog"
)

// UpdateTable changes settings of a table, or adds or removes one index. A new
// index is filled in the background; until then it is CREATING and cannot be
// read.
func (e *Engine) UpdateTable(ctx context.Context, in *dynamodb.UpdateTableInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateTableOutput, error) {
	if err := e.writable(ctx); err != nil {
		return nil, err
	}
	if err := checkTableUpdate(in); err != nil {
		return nil, public(err)
	}
	if err := e.lockShape(ctx); err != nil {
		return nil, err
	}
	defer e.shape.Unlock()
	t, err := e.namedTable(in.TableName)
	if err != nil {
		return nil, public(err)
	}
	if err := e.appearances.checkIdle(t.Name); err != nil {
		return nil, err
	}
	changed, err := t.WithSettings(in)
	if err != nil {
		return nil, public(err)
	}
	batch := e.db.NewBatch()
	defer batch.Close()
	var removed *index
	var added string
	for _, u := range in.GlobalSecondaryIndexUpdates {
		switch {
		case u.Create != nil:
			x, err := catalog.NewIndex(changed, types.GlobalSecondaryIndex(*u.Create), in.AttributeDefinitions)
			if err != nil {
				return nil, public(err)
			}
			x.Building, added = true, x.Name
			if x.ID, err = e.nextRelation(batch, 1); err != nil {
				return nil, err
			}
			changed = changed.WithIndex(x)
		case u.Delete != nil:
			if removed, err = t.anyIndex(aws.ToString(u.Delete.IndexName)); err != nil {
				return nil, err
			}
			if err := dropRelation(batch, removed.ID); err != nil {
				return nil, err
			}
			changed = changed.WithoutIndex(removed.Name)
		case u.Update != nil:
			if changed, err = changed.WithThroughput(*u.Update); err != nil {
				return nil, public(err)
			}
		}
	}
	if err := changed.Check(); err != nil {
		return nil, public(err)
	}
	now := appearance{status: types.TableStatusUpdating, added: added}
	if removed != nil {
		now.goneIndex = e.describeRemoved(t, removed.Name)
	}
	tb := newTable(changed, t.names, &e.counts)
	if err := e.replace(batch, tb); err != nil {
		return nil, err
	}
	if removed != nil {
		e.counts.drop(removed.ID)
	}
	if added != "" {
		e.build(tb.Name, added)
	}
	description := e.describe(tb)
	now.show(description)
	e.appearances.begin(tb.Name, now)
	return &dynamodb.UpdateTableOutput{TableDescription: description}, nil
}

// anyIndex returns the index called name, readable or not.
func (t *table) anyIndex(name string) (*index, error) {
	for _, x := range t.indexes {
		if x.Name == name {
			return x, nil
		}
	}
	return nil, &types.ResourceNotFoundException{Message: aws.String("Requested resource not found")}
}

const oneIndex = "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"

// checkTableUpdate performs the checks that need no table.
func checkTableUpdate(in *dynamodb.UpdateTableInput) error {
	if err := catalog.CheckTableName(aws.ToString(in.TableName)); err != nil {
		return err
	}
	switch {
	case in.StreamSpecification != nil:
		return invalid(invalidValues + "Streams are not supported")
	case in.ReplicaUpdates != nil:
		return invalid(invalidValues + "Global tables are not supported")
	case in.SSESpecification != nil:
		return invalid(invalidValues + "Encryption settings are not supported")
	case in.MultiRegionConsistency != "" || in.GlobalTableWitnessUpdates != nil ||
		in.DisassociationProtectionEnabled != nil || in.GlobalTableSettingsReplicationMode != "":
		return invalid(invalidValues + "Global tables are not supported")
	case in.VectorIndexUpdates != nil:
		return invalid(invalidValues + "Vector indexes are not supported")
	}
	if err := catalog.CheckThroughputSettings(in.WarmThroughput, in.OnDemandThroughput); err != nil {
		return err
	}
	online := 0
	for _, u := range in.GlobalSecondaryIndexUpdates {
		given := 0
		for _, present := range []bool{u.Create != nil, u.Delete != nil, u.Update != nil} {
			if present {
				given++
			}
		}
		if given != 1 {
			return invalid(invalidValues + "One of GlobalSecondaryIndexUpdate.Update, " +
				"GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null")
		}
		if u.Update == nil {
			online++
		} else if err := catalog.CheckThroughputSettings(u.Update.WarmThroughput, u.Update.OnDemandThroughput); err != nil {
			return err
		}
	}
	if online > 1 {
		return &types.LimitExceededException{Message: aws.String(oneIndex)}
	}
	if len(in.GlobalSecondaryIndexUpdates) == 0 && in.BillingMode == "" && in.ProvisionedThroughput == nil &&
		in.TableClass == "" && in.DeletionProtectionEnabled == nil {
		return invalid("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates " +
			"or SSESpecification or ReplicaUpdates is required")
	}
	return nil
}
