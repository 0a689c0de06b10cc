package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// sdk returns a client of the AWS SDK for Go, as an application would create it.
func sdk(url string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(url),
		Region:       "eu-central-1",
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "anyone", SecretAccessKey: "anything"}, nil
		}),
	})
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func number(n int) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: fmt.Sprint(n)}
}

type row = map[string]types.AttributeValue

// follows returns a table of follows, with an index by follower.
func follows() *dynamodb.CreateTableInput {
	key := func(hash, sort string) []types.KeySchemaElement {
		return []types.KeySchemaElement{
			{AttributeName: &hash, KeyType: types.KeyTypeHash}, {AttributeName: &sort, KeyType: types.KeyTypeRange},
		}
	}
	return &dynamodb.CreateTableInput{
		TableName: aws.String("follows"), BillingMode: types.BillingModePayPerRequest, KeySchema: key("followed", "follower"),
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("followed"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("follower"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("at"), AttributeType: types.ScalarAttributeTypeN},
		},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName: aws.String("GSI-A1"), KeySchema: key("follower", "at"),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		}},
	}
}

func TestTheSDKWritesAndReads(t *testing.T) {
	db, ctx := sdk(start(t, "dynamodb")), t.Context()
	if _, err := db.CreateTable(ctx, follows()); err != nil {
		t.Fatal(err)
	}
	wait := dynamodb.NewTableExistsWaiter(db)
	if err := wait.Wait(ctx, &dynamodb.DescribeTableInput{TableName: aws.String("follows")}, patience); err != nil {
		t.Fatal(err)
	}
	for i := range 25 {
		follow := row{"followed": text(fmt.Sprintf("user-%02d", i)), "follower": text("ana"), "at": number(i*i - 100)}
		if _, err := db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("follows"), Item: follow}); err != nil {
			t.Fatal(err)
		}
	}

	pages := dynamodb.NewQueryPaginator(db, &dynamodb.QueryInput{
		TableName: aws.String("follows"), IndexName: aws.String("GSI-A1"), Limit: aws.Int32(10), ScanIndexForward: aws.Bool(false),
		KeyConditionExpression:    aws.String("follower = :f AND #at >= :n"),
		ExpressionAttributeNames:  map[string]string{"#at": "at"},
		ExpressionAttributeValues: row{":f": text("ana"), ":n": number(-100)},
	})
	var sizes []int
	var names []string
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, len(page.Items))
		for _, item := range page.Items {
			names = append(names, item["followed"].(*types.AttributeValueMemberS).Value)
		}
	}
	if !slices.Equal(sizes, []int{10, 10, 5}) || names[0] != "user-24" || names[24] != "user-00" {
		t.Errorf("pages of %v: %v", sizes, names)
	}

	_, err := db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("follows"), Item: row{"followed": text("user-03"), "follower": text("ana"), "at": number(7)},
		ConditionExpression:                 aws.String("attribute_not_exists(followed)"),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	var failed *types.ConditionalCheckFailedException
	if !errors.As(err, &failed) || failed.Item["at"].(*types.AttributeValueMemberN).Value != "-91" {
		t.Errorf("a condition that fails: %v, %v", err, failed)
	}
}

func TestTheSDKIsToldWhyATransactionIsCancelled(t *testing.T) {
	db, ctx := sdk(start(t, "dynamodb")), t.Context()
	if _, err := db.CreateTable(ctx, follows()); err != nil {
		t.Fatal(err)
	}
	put := func(followed string) types.TransactWriteItem {
		return types.TransactWriteItem{Put: &types.Put{
			TableName: aws.String("follows"), Item: row{"followed": text(followed), "follower": text("ben"), "at": number(1)},
			ConditionExpression: aws.String("attribute_not_exists(followed)"),
		}}
	}
	transact := func(puts ...types.TransactWriteItem) error {
		_, err := db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: puts})
		return err
	}
	if err := transact(put("ana"), put("cleo")); err != nil {
		t.Fatal(err)
	}
	var cancelled *types.TransactionCanceledException
	if err := transact(put("dora"), put("cleo")); !errors.As(err, &cancelled) {
		t.Fatalf("got %v", err)
	}
	var codes []string
	for _, reason := range cancelled.CancellationReasons {
		codes = append(codes, aws.ToString(reason.Code))
	}
	if !slices.Equal(codes, []string{"None", "ConditionalCheckFailed"}) {
		t.Errorf("reasons %v", codes)
	}
	out, err := db.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("follows"), Select: types.SelectCount})
	if err != nil || out.Count != 2 {
		t.Errorf("%d items after a cancelled transaction, want 2: %v", out.Count, err)
	}
}

func TestTablesOutliveTheServer(t *testing.T) {
	dir := t.TempDir()
	t.Run("first", func(t *testing.T) {
		db := sdk(start(t, "dynamodb", "--store", "embedded:"+dir))
		if _, err := db.CreateTable(t.Context(), follows()); err != nil {
			t.Fatal(err)
		}
	})
	db := sdk(start(t, "dynamodb", "--store", "embedded:"+dir))
	out, err := db.ListTables(t.Context(), &dynamodb.ListTablesInput{})
	if err != nil || !slices.Equal(out.TableNames, []string{"follows"}) {
		t.Errorf("tables after a restart: %v, %v", out, err)
	}
	_, err = run(t, "dynamodb", "--listen", "127.0.0.1:0", "--store", "embedded:"+dir)
	if err == nil || !strings.Contains(err.Error(), "is in use by another process") || exitCode(err) != 1 {
		t.Errorf("a second server on the same tables: %v", err)
	}
}

// A client that waits for a table sees it become active.
func TestCreateDelay(t *testing.T) {
	db, ctx := sdk(start(t, "dynamodb", "--create-delay", "300ms")), t.Context()
	if _, err := db.CreateTable(ctx, follows()); err != nil {
		t.Fatal(err)
	}
	table := &dynamodb.DescribeTableInput{TableName: aws.String("follows")}
	out, err := db.DescribeTable(ctx, table)
	if err != nil || out.Table.TableStatus != types.TableStatusCreating {
		t.Fatalf("a new table is %v, %v", out, err)
	}
	wait := dynamodb.NewTableExistsWaiter(db, func(o *dynamodb.TableExistsWaiterOptions) { o.MinDelay = 50 * time.Millisecond })
	if err := wait.Wait(ctx, table, patience); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Scan(ctx, &dynamodb.ScanInput{TableName: table.TableName}); err != nil {
		t.Error(err)
	}
}
