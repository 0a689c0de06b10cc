package engine

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// With a state delay, each state of a table can be observed and refuses the same operations
// as on DynamoDB.
func TestStateDelay(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	e := memory(t, WithStateDelay(time.Second), WithClock(func() time.Time { return now }))
	in := testTable("things")
	name := in.TableName
	reads := func(index *string) error {
		_, err := e.Scan(ctx, &dynamodb.ScanInput{TableName: name, IndexName: index})
		return err
	}
	update := func(u types.GlobalSecondaryIndexUpdate) error {
		_, err := e.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: name,
			AttributeDefinitions: in.AttributeDefinitions, GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{u}})
		return err
	}
	remove := func() error {
		_, err := e.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: name})
		return err
	}
	removeIndex := types.GlobalSecondaryIndexUpdate{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: in.GlobalSecondaryIndexes[0].IndexName}}
	statusOf := func(index int) types.IndexStatus {
		all := describe(t, e, *name).GlobalSecondaryIndexes
		if index >= len(all) {
			return ""
		}
		return all[index].IndexStatus
	}
	wantStatus := func(want types.TableStatus) {
		t.Helper()
		if got := describe(t, e, *name).TableStatus; got != want {
			t.Fatalf("the table is %s, want %s", got, want)
		}
	}
	wantInUse := func(err error, doing string) {
		t.Helper()
		var inUse *types.ResourceInUseException
		if !errors.As(err, &inUse) || *inUse.Message != "Attempt to change a resource which is still in use: Table is being "+doing+": things" {
			t.Fatalf("got %v, want that the table is being %s", err, doing)
		}
	}
	wantMissing := func(err error) {
		t.Helper()
		var missing *types.ResourceNotFoundException
		if !errors.As(err, &missing) {
			t.Fatalf("got %v, want that there is no table", err)
		}
	}
	mustDo := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}

	create(t, e, in)
	wantStatus(types.TableStatusCreating)
	wantMissing(reads(nil))
	wantInUse(remove(), "created")
	wantInUse(update(removeIndex), "created")
	if got := statusOf(0); got != types.IndexStatusCreating {
		t.Errorf("an index of a new table is %s", got)
	}
	now = now.Add(time.Second)
	wantStatus(types.TableStatusActive)
	mustDo(reads(nil))

	mustDo(update(removeIndex))
	wantStatus(types.TableStatusUpdating)
	wantInUse(remove(), "updated")
	last := len(in.GlobalSecondaryIndexes) - 1
	if got := statusOf(last); got != types.IndexStatusDeleting {
		t.Errorf("the removed index is %s", got)
	}
	mustDo(reads(nil))
	now = now.Add(time.Second)
	if got := statusOf(last); got != "" {
		t.Errorf("the removed index is still %s", got)
	}

	add := types.CreateGlobalSecondaryIndexAction(in.GlobalSecondaryIndexes[0])
	mustDo(update(types.GlobalSecondaryIndexUpdate{Create: &add}))
	if got := statusOf(last); got != types.IndexStatusCreating {
		t.Errorf("the new index is %s", got)
	}
	refused(t, reads(add.IndexName), "Cannot read from backfilling global secondary index: "+*add.IndexName)
	e.builders.Wait() // the index is complete, but does not appear to be
	refused(t, reads(add.IndexName), "Cannot read from backfilling global secondary index: "+*add.IndexName)
	now = now.Add(time.Second)
	mustDo(reads(add.IndexName))

	mustDo(remove())
	wantStatus(types.TableStatusDeleting)
	wantMissing(reads(nil))
	mustDo(remove())
	var inUse *types.ResourceInUseException
	if _, err := e.CreateTable(ctx, in); !errors.As(err, &inUse) {
		t.Errorf("making a table that is being deleted: %v", err)
	}
	if out, err := e.ListTables(ctx, &dynamodb.ListTablesInput{}); err != nil || !slices.Equal(out.TableNames, []string{*name}) {
		t.Errorf("tables %v, %v", out.TableNames, err)
	}
	now = now.Add(time.Second)
	_, err := e.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String(*name)})
	wantMissing(err)
	create(t, e, in)
}
