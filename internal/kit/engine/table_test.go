package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// indexed returns a valid request with one index, as changed by a test.
func indexed(change func(in *dynamodb.CreateTableInput, x *types.GlobalSecondaryIndex)) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{
		TableName: aws.String("other"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: definitions("pk:S", "g:S"), KeySchema: schema("pk", ""),
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{IndexName: aws.String("GSI-A1"), KeySchema: schema("g", ""),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}},
	}
	change(in, &in.GlobalSecondaryIndexes[0])
	return in
}

func TestCreateTableRefusals(t *testing.T) {
	type in = *dynamodb.CreateTableInput
	type gsi = *types.GlobalSecondaryIndex
	units := &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(1), WriteCapacityUnits: aws.Int64(1)}
	for _, tt := range []struct {
		name   string
		change func(in in, x gsi)
		want   string
	}{
		{"short name", func(in in, _ gsi) { in.TableName = aws.String("ab") }, "TableName must be at least 3 characters long and at most 255 characters long"},
		{"strange name", func(in in, _ gsi) { in.TableName = aws.String("a b c") },
			"1 validation error detected: Value 'a b c' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
		{"provisioned without units", func(in in, _ gsi) { in.BillingMode = "" }, wrong + "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is " +
			"PROVISIONED"},
		{"on demand with units", func(in in, _ gsi) { in.ProvisionedThroughput = units },
			wrong + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"},
		{"fewer definitions than keys", func(in in, _ gsi) { in.AttributeDefinitions = nil }, "Invalid KeySchema: Some index key attribute have no definition"},
		{"undefined key", func(in in, _ gsi) { in.KeySchema = schema("nope", "") },
			wrong + "Some index key attributes are not defined in AttributeDefinitions. Keys: [nope], AttributeDefinitions: [pk, g]"},
		{"one attribute twice", func(in in, _ gsi) { in.KeySchema = schema("pk", "pk") }, "Both the Hash Key and the Range Key element in the KeySchema have the same name"},
		{"range first", func(in in, _ gsi) { in.KeySchema[0].KeyType = types.KeyTypeRange }, "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
		{"two hash keys", func(in in, _ gsi) { in.KeySchema = append(schema("pk", ""), schema("g", "")...) }, "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"},
		{"unused definition", func(in in, _ gsi) { in.AttributeDefinitions = append(in.AttributeDefinitions, definitions("x:S")...) },
			wrong + "Some AttributeDefinitions are not used. AttributeDefinitions: [pk, g, x], keys used: [pk, g]"},
		{"definitions without indexes", func(in in, _ gsi) { in.GlobalSecondaryIndexes = nil },
			wrong + "Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions"},
		{"empty list of indexes", func(in in, _ gsi) { in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{} }, wrong + "List of GlobalSecondaryIndexes is empty"},
		{"no projection type", func(_ in, x gsi) { x.Projection.ProjectionType = "" }, wrong + "Unknown ProjectionType: null"},
		{"ALL with attributes", func(_ in, x gsi) { x.Projection.NonKeyAttributes = []string{"a"} }, wrong + "ProjectionType is ALL, but NonKeyAttributes is specified"},
		{"INCLUDE without attributes", func(_ in, x gsi) { x.Projection.ProjectionType = "INCLUDE" }, wrong + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"},
		{"index units on demand", func(_ in, x gsi) { x.ProvisionedThroughput = units },
			wrong + "ProvisionedThroughput should not be specified for index: GSI-A1 when BillingMode is PAY_PER_REQUEST"},
		{"index without units", func(in in, _ gsi) { in.BillingMode, in.ProvisionedThroughput = "", units }, wrong + "ProvisionedThroughput is not specified for index: GSI-A1"},
		{"index twice", func(in in, x gsi) { in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, *x) }, wrong + "Duplicate index name: GSI-A1"},
		{"21 indexes", func(in in, x gsi) {
			for i := range 20 {
				more := *x
				more.IndexName = aws.String(fmt.Sprint("GSI-", i))
				in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, more)
			}
		}, wrong + "GlobalSecondaryIndex count exceeds the per-table limit of 20"},
		{"local index", func(in in, _ gsi) { in.LocalSecondaryIndexes = []types.LocalSecondaryIndex{{}} },
			wrong + "Local secondary indexes are not supported; declare a global secondary index instead"},
		{"stream", func(in in, _ gsi) {
			in.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true)}
		}, wrong + "Streams are not supported"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := memory(t)
			_, err := e.CreateTable(ctx, indexed(tt.change))
			refused(t, err, tt.want)
			if out, err := e.ListTables(ctx, &dynamodb.ListTablesInput{}); err != nil || len(out.TableNames) != 0 {
				t.Errorf("after the refusal there are tables %v, %v", out.TableNames, err)
			}
		})
	}
}

func TestTableLife(t *testing.T) {
	e := memory(t)
	out, err := e.CreateTable(ctx, testTable("things"))
	if err != nil || out.TableDescription.TableStatus != types.TableStatusCreating {
		t.Fatal(out, err)
	}
	var inUse *types.ResourceInUseException
	if _, err := e.CreateTable(ctx, testTable("things")); !errors.As(err, &inUse) || *inUse.Message != "Table already exists: things" {
		t.Errorf("creating twice: %v", err)
	}
	d := describe(t, e, "things")
	if d.TableStatus != types.TableStatusActive || len(d.GlobalSecondaryIndexes) != 4 || len(d.AttributeDefinitions) != 9 ||
		d.BillingModeSummary.BillingMode != types.BillingModePayPerRequest || *d.TableId == "" || len(d.KeySchema) != 2 {
		t.Errorf("description %+v", d)
	}
	if x := d.GlobalSecondaryIndexes[3]; x.IndexStatus != types.IndexStatusActive || x.Projection.ProjectionType != types.ProjectionTypeInclude ||
		!slices.Equal(x.Projection.NonKeyAttributes, []string{"kept"}) {
		t.Errorf("index description %+v", x)
	}
	put(t, e, item("pk", "p", "sk", "1", "a1", "x", "a1s", "y"))
	if _, err := e.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String("things")}); err != nil {
		t.Fatal(err)
	}
	var missing *types.ResourceNotFoundException
	if _, err := e.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String("things")}); !errors.As(err, &missing) ||
		*missing.Message != "Requested resource not found: Table: things not found" {
		t.Errorf("describing a deleted table: %v", err)
	}
	if _, err := e.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("things"), Key: key("p", "1")}); !errors.As(err, &missing) ||
		*missing.Message != "Requested resource not found" {
		t.Errorf("reading a deleted table: %v", err)
	}
	left := 0
	if err := e.each([]byte{spaceItems}, func(_, _ []byte) error { left++; return nil }); err != nil || left != 0 {
		t.Errorf("%d entries are left, %v", left, err)
	}
	create(t, e, testTable("things"))
	if got := get(t, e, key("p", "1")); got != nil {
		t.Errorf("a new table of the same name holds %v", got)
	}
}

func describe(t testing.TB, e *Engine, name string) *types.TableDescription {
	t.Helper()
	out, err := e.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if err != nil {
		t.Fatal(err)
	}
	return out.Table
}

func TestDeletionProtection(t *testing.T) {
	e := memory(t)
	in := testTable("things")
	in.DeletionProtectionEnabled = aws.Bool(true)
	create(t, e, in)
	_, err := e.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: in.TableName})
	refused(t, err, "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
	if _, err := e.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: in.TableName, DeletionProtectionEnabled: aws.Bool(false)}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: in.TableName}); err != nil {
		t.Error(err)
	}
}

func TestListTables(t *testing.T) {
	e := memory(t)
	for i := range 103 {
		in := indexed(func(*dynamodb.CreateTableInput, *types.GlobalSecondaryIndex) {})
		in.TableName = aws.String(fmt.Sprintf("table-%03d", i))
		create(t, e, in)
	}
	var sizes []int
	var from *string
	for {
		out, err := e.ListTables(ctx, &dynamodb.ListTablesInput{ExclusiveStartTableName: from})
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, len(out.TableNames))
		if from = out.LastEvaluatedTableName; from == nil {
			break
		}
	}
	if !slices.Equal(sizes, []int{100, 3}) {
		t.Errorf("pages of %v", sizes)
	}
	out, err := e.ListTables(ctx, &dynamodb.ListTablesInput{ExclusiveStartTableName: aws.String("table-0505"), Limit: aws.Int32(2)})
	if err != nil || !slices.Equal(out.TableNames, []string{"table-051", "table-052"}) || *out.LastEvaluatedTableName != "table-052" {
		t.Errorf("%v, %v", out, err)
	}
}

// An index that is added later contains existing items and those written while it is built.
func TestAddAndRemoveIndex(t *testing.T) {
	e := memory(t)
	in := testTable("things")
	in.GlobalSecondaryIndexes = in.GlobalSecondaryIndexes[:1]
	in.AttributeDefinitions = definitions("pk:S", "sk:S", "a1:S", "a1s:S")
	create(t, e, in)
	const before = 500
	for i := range before {
		put(t, e, item("pk", "p", "sk", fmt.Sprint(i), "late", "x", "n", i))
	}
	put(t, e, item("pk", "p", "sk", "not in the index", "late", 5))
	add := &dynamodb.UpdateTableInput{TableName: aws.String("things"), AttributeDefinitions: definitions("late:S", "n:N"),
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
			IndexName: aws.String("GSI-Late"), KeySchema: schema("late", "n"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}}}}}
	out, err := e.UpdateTable(ctx, add)
	if err != nil || out.TableDescription.TableStatus != types.TableStatusUpdating {
		t.Fatal(out, err)
	}
	for i := range 100 {
		put(t, e, item("pk", "p", "sk", fmt.Sprint("during ", i), "late", "x", "n", before+i))
		if _, err := e.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("things"), Key: key("p", fmt.Sprint(i))}); err != nil {
			t.Fatal(err)
		}
	}
	e.builders.Wait()
	if d := describe(t, e, "things"); d.TableStatus != types.TableStatusActive || len(d.GlobalSecondaryIndexes) != 2 || *d.GlobalSecondaryIndexes[1].ItemCount != before {
		t.Errorf("description %+v", d.GlobalSecondaryIndexes)
	}
	got := queryAll(t, e, &dynamodb.QueryInput{TableName: aws.String("things"), IndexName: aws.String("GSI-Late"), Limit: aws.Int32(7),
		KeyConditionExpression: aws.String("late = :x"), ExpressionAttributeValues: item(":x", "x")})
	if len(got) != before {
		t.Fatalf("%d entries, want %d", len(got), before)
	}
	for i, it := range got {
		if !equal(Item{"n": it["n"]}, item("n", 100+i)) || len(it) != 4 {
			t.Fatalf("entry %d is %v", i, it)
		}
	}
	remove := &dynamodb.UpdateTableInput{TableName: aws.String("things"), GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{
		{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: aws.String("GSI-Late")}}}}
	if _, err := e.UpdateTable(ctx, remove); err != nil {
		t.Fatal(err)
	}
	_, err = e.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("things"), IndexName: aws.String("GSI-Late")})
	refused(t, err, "The table does not have the specified index: GSI-Late")
	put(t, e, item("pk", "p", "sk", "free", "late", 7)) // no index restricts the type any longer
	if _, err := e.UpdateTable(ctx, remove); err == nil {
		t.Error("removing an index twice succeeded")
	}
}

const noThroughputSettings = "Settings of warm and of on-demand throughput are not supported"

// Settings that are not supported are refused, not dropped.
func TestCreateTableDropsNothing(t *testing.T) {
	e := memory(t)
	for _, tt := range []struct {
		set  func(*dynamodb.CreateTableInput)
		want string
	}{
		{func(in *dynamodb.CreateTableInput) {
			in.SSESpecification = &types.SSESpecification{Enabled: aws.Bool(true)}
		}, "Encryption settings are not supported"},
		{func(in *dynamodb.CreateTableInput) {
			in.SSESpecification = &types.SSESpecification{SSEType: types.SSETypeKms}
		}, "Encryption settings are not supported"},
		{func(in *dynamodb.CreateTableInput) { in.ResourcePolicy = aws.String("{}") }, "Resource policies are not supported"},
		{func(in *dynamodb.CreateTableInput) { in.VectorIndexes = make([]types.VectorIndex, 1) }, "Vector indexes are not supported"},
		{func(in *dynamodb.CreateTableInput) {
			in.GlobalTableSettingsReplicationMode = types.GlobalTableSettingsReplicationModeEnabled
		}, "Global tables are not supported"},
		{func(in *dynamodb.CreateTableInput) { in.WarmThroughput = &types.WarmThroughput{} }, noThroughputSettings},
		{func(in *dynamodb.CreateTableInput) { in.OnDemandThroughput = &types.OnDemandThroughput{} }, noThroughputSettings},
		{func(in *dynamodb.CreateTableInput) {
			in.GlobalSecondaryIndexes[0].OnDemandThroughput = &types.OnDemandThroughput{}
		}, noThroughputSettings},
	} {
		in := testTable("things")
		tt.set(in)
		_, err := e.CreateTable(ctx, in)
		refused(t, err, wrong+tt.want)
	}
	in := testTable("things")
	in.SSESpecification = &types.SSESpecification{Enabled: aws.Bool(false)} // as all tables are
	create(t, e, in)
}

func TestUpdateTableRefusals(t *testing.T) {
	e := withTable(t)
	for _, tt := range []struct {
		in   dynamodb.UpdateTableInput
		want string
	}{
		{dynamodb.UpdateTableInput{}, "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, " +
			"GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required"},
		{dynamodb.UpdateTableInput{BillingMode: types.BillingModeProvisioned}, wrong + "ProvisionedThroughput must be specified when BillingMode is PROVISIONED"},
		{dynamodb.UpdateTableInput{GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{}}}, wrong + "One of GlobalSecondaryIndexUpdate.Update, " +
			"GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null"},
		{dynamodb.UpdateTableInput{StreamSpecification: &types.StreamSpecification{}}, wrong + "Streams are not supported"},
		{dynamodb.UpdateTableInput{ReplicaUpdates: []types.ReplicationGroupUpdate{}}, wrong + "Global tables are not supported"},
		{dynamodb.UpdateTableInput{DisassociationProtectionEnabled: aws.Bool(true)}, wrong + "Global tables are not supported"},
		{dynamodb.UpdateTableInput{GlobalTableSettingsReplicationMode: "ENABLED"}, wrong + "Global tables are not supported"},
		{dynamodb.UpdateTableInput{VectorIndexUpdates: []types.VectorIndexUpdate{}}, wrong + "Vector indexes are not supported"},
		{dynamodb.UpdateTableInput{MultiRegionConsistency: types.MultiRegionConsistencyStrong}, wrong + "Global tables are not supported"},
		{dynamodb.UpdateTableInput{SSESpecification: &types.SSESpecification{}}, wrong + "Encryption settings are not supported"},
		{dynamodb.UpdateTableInput{WarmThroughput: &types.WarmThroughput{}}, wrong + noThroughputSettings},
		{dynamodb.UpdateTableInput{OnDemandThroughput: &types.OnDemandThroughput{}}, wrong + noThroughputSettings},
		{dynamodb.UpdateTableInput{GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Update: &types.UpdateGlobalSecondaryIndexAction{
			IndexName: aws.String("GSI-A1"), OnDemandThroughput: &types.OnDemandThroughput{}}}}}, wrong + noThroughputSettings},
	} {
		tt.in.TableName = aws.String("things")
		_, err := e.UpdateTable(ctx, &tt.in)
		refused(t, err, tt.want)
	}
	two := types.GlobalSecondaryIndexUpdate{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: aws.String("GSI-A1")}}
	_, err := e.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: aws.String("things"), GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{two, two}})
	var tooMany *types.LimitExceededException
	if !errors.As(err, &tooMany) {
		t.Errorf("two index changes at once: %v", err)
	}
}

func TestTags(t *testing.T) {
	e := withTable(t)
	arn := describe(t, e, "things").TableArn
	tag := func(key, value string) types.Tag { return types.Tag{Key: &key, Value: &value} }
	if _, err := e.TagResource(ctx, &dynamodb.TagResourceInput{ResourceArn: arn, Tags: []types.Tag{tag("b", "1"), tag("a", "2"), tag("c", "3")}}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.UntagResource(ctx, &dynamodb.UntagResourceInput{ResourceArn: arn, TagKeys: []string{"b", "absent"}}); err != nil {
		t.Fatal(err)
	}
	out, err := e.ListTagsOfResource(ctx, &dynamodb.ListTagsOfResourceInput{ResourceArn: arn})
	if err != nil || len(out.Tags) != 2 || *out.Tags[0].Key != "a" || *out.Tags[0].Value != "2" || *out.Tags[1].Key != "c" {
		t.Errorf("%+v, %v", out, err)
	}
	_, err = e.ListTagsOfResource(ctx, &dynamodb.ListTagsOfResourceInput{ResourceArn: aws.String("things")})
	refused(t, err, "Invalid TableArn: Invalid ResourceArn provided as input things")
}

func TestGlobalTablesAreRefused(t *testing.T) {
	_, err := memory(t).ListGlobalTables(ctx, &dynamodb.ListGlobalTablesInput{})
	var api smithy.APIError
	if !errors.As(err, &api) || api.ErrorCode() != "UnknownOperationException" {
		t.Errorf("got %v", err)
	}
}

func TestTimeToLive(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	e := withTable(t, WithClock(func() time.Time { return now }))
	live := func(attribute string, enabled bool) error {
		_, err := e.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{TableName: aws.String("things"),
			TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: &attribute, Enabled: &enabled}})
		return err
	}
	for i := range 1500 {
		put(t, e, item("pk", "many", "sk", fmt.Sprint(i), "until", 1_800_000_050, "k1", "k"))
	}
	for sk, until := range map[string]any{
		"due": 1_799_999_999, "now": 1_800_000_000, "later": 1_800_000_001, "text": "1", "long ago": 1_600_000_000, "fraction": n("1799999999.5"),
	} {
		put(t, e, item("pk", "p", "sk", sk, "until", until))
	}
	put(t, e, key("p", "for ever"))
	if n, err := e.Expire(ctx); n != 0 || err != nil {
		t.Fatalf("without time to live %d expired, %v", n, err)
	}
	if err := live("until", true); err != nil {
		t.Fatal(err)
	}
	refused(t, live("until", true), "TimeToLive is already enabled")
	refused(t, live("other", false), "TimeToLive is active on a different AttributeName: current AttributeName is until")
	out, err := e.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: aws.String("things")})
	if err != nil || out.TimeToLiveDescription.TimeToLiveStatus != types.TimeToLiveStatusEnabled || *out.TimeToLiveDescription.AttributeName != "until" {
		t.Errorf("%+v, %v", out, err)
	}
	if n, err := e.Expire(ctx); n != 3 || err != nil {
		t.Fatalf("%d expired, %v", n, err)
	}
	for _, sk := range []string{"later", "text", "long ago", "for ever"} {
		if get(t, e, key("p", sk)) == nil {
			t.Errorf("%q expired", sk)
		}
	}
	now = now.Add(time.Minute)
	if n, err := e.Expire(ctx); n != 1501 || err != nil {
		t.Fatalf("%d expired, %v", n, err)
	}
	if left := scanAll(t, e, "GSI-K1", 1); len(left) != 0 {
		t.Errorf("%d index entries of expired items are left", len(left))
	}
	if err := live("until", false); err != nil {
		t.Fatal(err)
	}
	refused(t, live("until", false), "TimeToLive is already disabled")
}

// messages is a log handler that sends messages to a channel.
type messages struct {
	slog.Handler
	to chan string
}

func (m messages) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelInfo }

func (m messages) Handle(_ context.Context, r slog.Record) error {
	m.to <- r.Message
	return nil
}

func TestExpiredItemsAreSweptInTheBackground(t *testing.T) {
	log := messages{to: make(chan string, 1)}
	e := withTable(t, WithExpiry(time.Millisecond), WithLogger(slog.New(log)))
	put(t, e, item("pk", "p", "sk", "1", "until", int(time.Now().Unix())-1))
	if _, err := e.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{TableName: aws.String("things"),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("until"), Enabled: aws.Bool(true)}}); err != nil {
		t.Fatal(err)
	}
	for message := range log.to {
		if message == "expired items removed" {
			break
		}
	}
	if got := get(t, e, key("p", "1")); got != nil {
		t.Errorf("the sweeper left %v", got)
	}
}
