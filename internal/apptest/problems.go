package apptest

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/guregu/dynamo/v2"
	"github.com/guregu/dynamo/v2/dynamodbiface"

	"stoa/internal/host"
	"stoa/internal/kit/keyspec"
)

// Problems returns contradictions between the store and its declarations: index keys that
// do not match their items, wrong counters, items of unknown rows, counters of missing
// items, and violated invariants of identity and of the system.
func (w *World) Problems() []string {
	w.T.Helper()
	var problems []string
	once := &scansOnce{w.Client.Engine(), map[string]*dynamodb.ScanOutput{}}
	db := keyspec.Open(dynamo.NewFromIface(once), Prefix, host.Tables(w.system)...)
	err := db.Verify(w.T.Context(), func(f keyspec.Finding) { problems = append(problems, w.People.Name(f.String())) })
	if err != nil {
		w.T.Fatal(err)
	}
	flaws, err := host.Broken(w.T.Context(), db, w.Now(), w.system)
	if err != nil {
		w.T.Fatal(err)
	}
	for _, f := range flaws {
		problems = append(problems, w.People.Name(f.Text))
	}
	slices.Sort(problems)
	return problems
}

// Whole fails the test if the stored data is inconsistent after all effects have settled.
func (w *World) Whole() {
	w.T.Helper()
	w.Settle()
	for _, problem := range w.Problems() {
		w.T.Error(problem)
	}
}

// scansOnce is a client that scans each table of one page only once, since all checks read
// the same items.
type scansOnce struct {
	dynamodbiface.DynamoDBAPI
	pages map[string]*dynamodb.ScanOutput
}

func (s *scansOnce) Scan(ctx context.Context, in *dynamodb.ScanInput, o ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	all := in.IndexName == nil && in.FilterExpression == nil && in.Limit == nil && in.ExclusiveStartKey == nil
	if page := s.pages[*in.TableName]; all && page != nil {
		return page, nil
	}
	out, err := s.DynamoDBAPI.Scan(ctx, in, o...)
	if all && err == nil && out.LastEvaluatedKey == nil {
		s.pages[*in.TableName] = out
	}
	return out, err
}
