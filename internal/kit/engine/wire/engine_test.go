package wire_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"
)

// createTable creates a table with the key pk (S) and sk (N) and an index with the two
// reversed.
func createTable(t testing.TB, c *dynamodb.Client, name string) {
	t.Helper()
	_, err := c.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String(name), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("sk"), AttributeType: types.ScalarAttributeTypeN},
			{AttributeName: aws.String("group"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}, {AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange}},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName: aws.String("GSI-1"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
			KeySchema: []types.KeySchemaElement{
				{AttributeName: aws.String("group"), KeyType: types.KeyTypeHash}, {AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

func item(pk string, sk int, more ...string) map[string]types.AttributeValue {
	i := map[string]types.AttributeValue{
		"pk": &types.AttributeValueMemberS{Value: pk}, "sk": &types.AttributeValueMemberN{Value: strconv.Itoa(sk)}}
	for n := 0; n < len(more); n += 2 {
		i[more[n]] = &types.AttributeValueMemberS{Value: more[n+1]}
	}
	return i
}

// TestEngineThroughTheSDK uses the engine through the SDK's client over HTTP: every
// operation, and the errors that applications distinguish.
func TestEngineThroughTheSDK(t *testing.T) {
	c := client(serve(t, memory(t)))
	ctx := t.Context()
	createTable(t, c, "main")

	tables, err := c.ListTables(ctx, &dynamodb.ListTablesInput{})
	if err != nil || len(tables.TableNames) != 1 || tables.TableNames[0] != "main" {
		t.Fatalf("tables: %v, %v", tables, err)
	}
	described, err := c.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String("main")})
	if err != nil || described.Table.TableStatus != types.TableStatusActive || len(described.Table.GlobalSecondaryIndexes) != 1 || described.Table.CreationDateTime.IsZero() {
		t.Fatalf("description: %+v, %v", described, err)
	}

	put := &dynamodb.PutItemInput{TableName: aws.String("main"), Item: item("a", 1, "name", "one", "group", "g"),
		ConditionExpression: aws.String("attribute_not_exists(pk)"), ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld}
	if _, err := c.PutItem(ctx, put); err != nil {
		t.Fatal(err)
	}
	_, err = c.PutItem(ctx, put)
	var failed *types.ConditionalCheckFailedException
	if !errors.As(err, &failed) || failed.Item["name"] == nil {
		t.Fatalf("second put: %v", err)
	}
	updated, err := c.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String("main"), Key: item("a", 1),
		UpdateExpression:          aws.String("SET likes = if_not_exists(likes, :zero) + :one"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":zero": &types.AttributeValueMemberN{Value: "0"}, ":one": &types.AttributeValueMemberN{Value: "1"}},
		ReturnValues:              types.ReturnValueUpdatedNew, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal})
	if err != nil || len(updated.Attributes) != 1 || updated.Attributes["likes"].(*types.AttributeValueMemberN).Value != "1" || updated.ConsumedCapacity == nil {
		t.Fatalf("update: %+v, %v", updated, err)
	}

	_, err = c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: aws.String("main"), Item: item("a", 2, "group", "g")}},
		{Put: &types.Put{TableName: aws.String("main"), Item: item("a", 1), ConditionExpression: aws.String("attribute_not_exists(pk)"),
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld}},
	}})
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) || len(cancelled.CancellationReasons) != 2 ||
		aws.ToString(cancelled.CancellationReasons[0].Code) != "None" || aws.ToString(cancelled.CancellationReasons[1].Code) != "ConditionalCheckFailed" ||
		cancelled.CancellationReasons[1].Item["likes"] == nil {
		t.Fatalf("transaction: %v", err)
	}

	requests := make([]types.WriteRequest, 0, 25)
	for n := range 25 {
		requests = append(requests, types.WriteRequest{PutRequest: &types.PutRequest{Item: item("b", n, "group", "g")}})
	}
	written, err := c.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"main": requests}})
	if err != nil || written.UnprocessedItems == nil || len(written.UnprocessedItems) != 0 {
		t.Fatalf("batch write: %+v, %v", written, err)
	}
	batch, err := c.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
		"main": {Keys: []map[string]types.AttributeValue{item("b", 3), item("b", 99), item("a", 1)}, ProjectionExpression: aws.String("sk")}}})
	if err != nil || len(batch.Responses["main"]) != 2 || batch.UnprocessedKeys == nil {
		t.Fatalf("batch get: %+v, %v", batch, err)
	}
	both, err := c.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{
		{Get: &types.Get{TableName: aws.String("main"), Key: item("b", 1)}}, {Get: &types.Get{TableName: aws.String("main"), Key: item("b", 99)}}}})
	if err != nil || len(both.Responses) != 2 || both.Responses[0].Item == nil || both.Responses[1].Item != nil {
		t.Fatalf("transactional read: %+v, %v", both, err)
	}

	// Pages of an index, through the SDK's paginator.
	pages := dynamodb.NewQueryPaginator(c, &dynamodb.QueryInput{TableName: aws.String("main"), IndexName: aws.String("GSI-1"), Limit: aws.Int32(7),
		KeyConditionExpression: aws.String("#g = :g"), ExpressionAttributeNames: map[string]string{"#g": "group"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":g": &types.AttributeValueMemberS{Value: "g"}}})
	found := 0
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			t.Fatal(err)
		}
		found += len(page.Items)
	}
	if found != 26 {
		t.Errorf("the index has %d items, want 26", found)
	}
	none, err := c.Query(ctx, &dynamodb.QueryInput{TableName: aws.String("main"), KeyConditionExpression: aws.String("pk = :p"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":p": &types.AttributeValueMemberS{Value: "nobody"}}})
	if err != nil || none.Items == nil || len(none.Items) != 0 {
		t.Errorf("a query that finds nothing: %+v, %v", none, err)
	}
	all, err := c.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("main"), Select: types.SelectCount})
	if err != nil || all.Count != 26 || all.ScannedCount != 26 {
		t.Errorf("count: %+v, %v", all, err)
	}

	deleted, err := c.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("main"), Key: item("a", 1), ReturnValues: types.ReturnValueAllOld})
	if err != nil || deleted.Attributes["name"] == nil {
		t.Errorf("delete: %+v, %v", deleted, err)
	}
	gone, err := c.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("main"), Key: item("a", 1)})
	if err != nil || gone.Item != nil {
		t.Errorf("deleted item: %+v, %v", gone, err)
	}
	if _, err := c.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String("main")}); err != nil {
		t.Error(err)
	}
	_, err = c.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("main"), Key: item("a", 1)})
	var missing *types.ResourceNotFoundException
	if !errors.As(err, &missing) {
		t.Errorf("deleted table: %v", err)
	}
}

// TestGureguOverHTTP checks that the stores' library works the same with the engine over
// HTTP and in the process.
func TestGureguOverHTTP(t *testing.T) {
	type note struct {
		PK   string `dynamo:"pk,hash"`
		SK   int    `dynamo:"sk,range"`
		Text string `dynamo:"text"`
	}
	db := dynamo.NewFromIface(client(serve(t, memory(t))))
	ctx := t.Context()
	if err := db.CreateTable("notes", note{}).OnDemand(true).Run(ctx); err != nil {
		t.Fatal(err)
	}
	table := db.Table("notes")
	for n := range 5 {
		if err := table.Put(note{"a", n, "text"}).If("attribute_not_exists(pk)").Run(ctx); err != nil {
			t.Fatal(err)
		}
	}
	var notes []note
	if err := table.Get("pk", "a").Range("sk", dynamo.Between, 1, 3).Order(dynamo.Descending).All(ctx, &notes); err != nil {
		t.Fatal(err)
	}
	if len(notes) != 3 || notes[0] != (note{"a", 3, "text"}) {
		t.Errorf("got %v", notes)
	}
	err := table.Put(note{PK: "a"}).If("attribute_not_exists(pk)").Run(ctx)
	if !dynamo.IsCondCheckFailed(err) {
		t.Errorf("failed condition: %v", err)
	}
}

// TestGureguQueriesOverHTTP makes the library's common reads, which send key conditions in
// the legacy form.
func TestGureguQueriesOverHTTP(t *testing.T) {
	type note struct {
		PK    string `dynamo:"pk,hash"`
		SK    int    `dynamo:"sk,range"`
		Group string `dynamo:"group" index:"GSI-1,hash"`
		At    string `dynamo:"at" index:"GSI-1,range"`
		Text  string `dynamo:"text,omitempty"`
	}
	ctx := t.Context()
	db := dynamo.NewFromIface(client(serve(t, memory(t))))
	if err := db.CreateTable("notes", note{}).OnDemand(true).Project("GSI-1", dynamo.AllProjection).Run(ctx); err != nil {
		t.Fatal(err)
	}
	table := db.Table("notes")
	for n := range 10 {
		if err := table.Put(note{"a", n, "even odd"[5*(n%2) : 4+4*(n%2)], "2030-" + strconv.Itoa(n), "text"}).Run(ctx); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		query *dynamo.Query
		want  []int
	}{
		"Get":               {table.Get("pk", "a"), []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		"Range Equal":       {table.Get("pk", "a").Range("sk", dynamo.Equal, 3), []int{3}},
		"Range Less":        {table.Get("pk", "a").Range("sk", dynamo.Less, 2), []int{0, 1}},
		"Range at most":     {table.Get("pk", "a").Range("sk", dynamo.LessOrEqual, 2), []int{0, 1, 2}},
		"Range Greater":     {table.Get("pk", "a").Range("sk", dynamo.Greater, 7), []int{8, 9}},
		"Range at least":    {table.Get("pk", "a").Range("sk", dynamo.GreaterOrEqual, 7), []int{7, 8, 9}},
		"Range Between":     {table.Get("pk", "a").Range("sk", dynamo.Between, 2, 4), []int{2, 3, 4}},
		"Order":             {table.Get("pk", "a").Range("sk", dynamo.Less, 3).Order(dynamo.Descending), []int{2, 1, 0}},
		"Index":             {table.Get("group", "odd").Index("GSI-1"), []int{1, 3, 5, 7, 9}},
		"Index BeginsWith":  {table.Get("group", "odd").Index("GSI-1").Range("at", dynamo.BeginsWith, "2030-7"), []int{7}},
		"Index Between":     {table.Get("group", "even").Index("GSI-1").Range("at", dynamo.Between, "2030-2", "2030-6"), []int{2, 4, 6}},
		"Filter":            {table.Get("pk", "a").Filter("$ = ? AND 'at' > ?", "group", "odd", "2030-4"), []int{5, 7, 9}},
		"Limit":             {table.Get("pk", "a").Limit(3), []int{0, 1, 2}},
		"Consistent":        {table.Get("pk", "a").Range("sk", dynamo.Equal, 1).Consistent(true), []int{1}},
		"nothing":           {table.Get("pk", "b"), nil},
		"Filter of nothing": {table.Get("pk", "a").Filter("'text' = ?", "other"), nil},
	} {
		var notes []note
		err := c.query.All(ctx, &notes)
		var got []int
		for _, n := range notes {
			got = append(got, n.SK)
		}
		if err != nil && !errors.Is(err, dynamo.ErrNotFound) || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, c.want)
		}
	}
	var one note
	if err := table.Get("pk", "a").Range("sk", dynamo.Equal, 3).Project("sk", "at").One(ctx, &one); err != nil || one != (note{SK: 3, At: "2030-3"}) {
		t.Errorf("Project: got %+v, %v", one, err)
	}
	if n, err := table.Get("group", "odd").Index("GSI-1").Count(ctx); err != nil || n != 5 {
		t.Errorf("Count: got %d, %v", n, err)
	}
	var paged []int
	var from dynamo.PagingKey
	for page := 0; page < 4; page++ {
		q := table.Get("pk", "a").SearchLimit(3)
		if from != nil {
			q.StartFrom(from)
		}
		var notes []note
		var err error
		if from, err = q.AllWithLastEvaluatedKey(ctx, &notes); err != nil {
			t.Fatal(err)
		}
		for _, n := range notes {
			paged = append(paged, n.SK)
		}
	}
	if from != nil || !slices.Equal(paged, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
		t.Errorf("paging: got %v, and then %v", paged, from)
	}
}

// TestCompositeIndexKeysAreRefused checks that the error names the unsupported feature.
func TestCompositeIndexKeysAreRefused(t *testing.T) {
	type note struct {
		PK string `dynamo:"pk,hash"`
		A  string `dynamo:"a" index:"GSI-1,hash"`
		B  string `dynamo:"b" index:"GSI-1,hash"`
		C  string `dynamo:"c" index:"GSI-1,range"`
	}
	err := dynamo.NewFromIface(client(serve(t, memory(t)))).CreateTable("notes", note{}).OnDemand(true).Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "Keys of more than one HASH and one RANGE attribute are not supported") {
		t.Errorf("got %v", err)
	}
}

// TestManyClients checks that concurrent requests do not share buffers.
func TestManyClients(t *testing.T) {
	c := client(serve(t, memory(t)))
	createTable(t, c, "main")
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			name := strconv.Itoa(g)
			for n := range 20 {
				if _, err := c.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: aws.String("main"), Item: item(name, n, "owner", name)}); err != nil {
					t.Error(err)
					return
				}
				got, err := c.GetItem(context.Background(), &dynamodb.GetItemInput{TableName: aws.String("main"), Key: item(name, n)})
				if err != nil || got.Item["owner"].(*types.AttributeValueMemberS).Value != name {
					t.Errorf("client %s got %v, %v", name, got, err)
					return
				}
			}
		})
	}
	all.Wait()
}
