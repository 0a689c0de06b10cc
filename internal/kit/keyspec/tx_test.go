package keyspec_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"
	"github.com/guregu/dynamo/v2/dynamodbiface"

	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/keyspec"
)

func TestConflictNamesTheActionAndWhatIsThere(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, c *client) {
		write(t, db, func(tx *keyspec.Tx) { books.Create(tx, book{BookID: "1", Title: "First", Pages: 9}) })

		tx := db.NewTx()
		created := books.Create(tx, book{BookID: "1", Title: "Second"})
		other := books.Create(tx, book{BookID: "2"})
		checked := books.Check(tx, books.Key("3")).Exists()
		err := tx.Run(t.Context())
		var conflict *keyspec.Conflict
		if !errors.As(err, &conflict) || !strings.Contains(err.Error(), "library book/1 | -, library book/3 | -") {
			t.Fatalf("Run = %v, want a Conflict on both", err)
		}
		if !keyspec.Refused(err, created) || keyspec.Refused(err, other) || !keyspec.Refused(err, checked) {
			t.Errorf("refused: %v %v %v, want true false true", keyspec.Refused(err, created), keyspec.Refused(err, other), keyspec.Refused(err, checked))
		}
		if there, err := books.Stored(err, created); err != nil || there == nil || there.Title != "First" || there.Pages != 9 {
			t.Errorf("Stored = %+v, %v", there, err)
		}
		for _, a := range []keyspec.Action{other, checked} {
			if there, err := books.Stored(err, a); there != nil || err != nil {
				t.Errorf("Stored = %+v, %v, want nothing", there, err)
			}
		}
		if stored(t, c, "test-library", "book/2", "-") != nil {
			t.Error("part of the transaction was written")
		}
	})
}

func TestConditions(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, _ *client) {
		yes := true
		write(t, db, func(tx *keyspec.Tx) {
			loans.Create(tx, loan{BookID: "b", ReaderID: "r", Status: "OUT", LentAt: stampAt(5), Text: "x"})
			books.Create(tx, book{BookID: "b", Title: "T", Pages: 7, Rare: &yes})
		})
		for _, c := range []struct {
			condition string
			values    []any
			holds     bool
		}{
			{"status = ?", []any{loanStatus("OUT")}, true},
			{"status = ?", []any{"IN"}, false},
			{"status = ? AND lentAt < ?", []any{"OUT", stampAt(6)}, true},
			{"lentAt < ?", []any{stampAt(5)}, false},
			{"text <> ?", []any{"y"}, true},
			{"attribute_not_exists(dueAt)", nil, false}, // refused: stored in keys only
			{"attribute_not_exists(text) OR text IN (?, ?)", []any{"x", "y"}, true},
			{"NOT begins_with(text, ?)", []any{"x"}, false},
			{"size(text) BETWEEN ? AND ?", []any{1, int64(2)}, true},
			{"schemaVersion = ?", []any{0}, true},
		} {
			tx := db.NewTx()
			loans.Check(tx, loans.Key("b", "r")).If(c.condition, c.values...)
			if err := tx.Run(t.Context()); (err == nil) != c.holds {
				t.Errorf("%s %v: %v", c.condition, c.values, err)
			}
		}
		tx := db.NewTx()
		books.Check(tx, books.Key("b")).If("rare = ? AND pages = ?", true, 7.0).If("title = ? OR title = ?", "U", "T")
		if err := tx.Run(t.Context()); err != nil {
			t.Errorf("joined conditions: %v", err)
		}
	})
}

// A time that is stored only inside the sort key of an index, after a prefix, is compared with its prefix.
func TestConditionsOnTimesInKeys(t *testing.T) {
	eng := enginetest.Memory(t)
	directly := keyspec.Open(dynamo.NewFromIface(eng), "", garage)
	if err := directly.CreateTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	for way, db := range map[string]*keyspec.DB{
		"directly": directly,
		"by calls": keyspec.Open(dynamo.NewFromIface(struct{ dynamodbiface.DynamoDBAPI }{eng}), "", garage),
	} {
		write(t, db, func(tx *keyspec.Tx) { cars.Put(tx, car{Plate: "x", Owner: "ann", Since: stampAt(5), Seats: 2}) })
		for _, c := range []struct {
			condition string
			values    []any
			holds     bool
		}{
			{"since = ?", []any{stampAt(5)}, true},
			{"since = ?", []any{stampAt(6)}, false},
			{"since < ? AND seats = ?", []any{stampAt(6), 2}, true},
			{"seats = ? AND since > ?", []any{2, stampAt(6)}, false},
			{"since = ? AND owner = ?", []any{stampAt(5), "ann"}, true},
			{"attribute_exists(since)", nil, true},
		} {
			tx := db.NewTx()
			cars.Check(tx, cars.Key("x")).If(c.condition, c.values...)
			if err := tx.Run(t.Context()); (err == nil) != c.holds {
				t.Errorf("%s, %s %v: %v", way, c.condition, c.values, err)
			}
		}
	}
}

func TestMistakesInATransaction(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, c *client) {
		c.take()
		var none *string
		key := books.Key("1")
		for name, test := range map[string]struct {
			add  func(*keyspec.Tx)
			want string
		}{
			"unknown attribute":      {func(tx *keyspec.Tx) { books.Check(tx, key).If("titel = ?", "x") }, `"titel" is no attribute of`},
			"key-only attribute":     {func(tx *keyspec.Tx) { loans.Check(tx, loans.Key("b1", "u1")).If("bookId = ?", "b1") }, "stored only inside keys"},
			"placeholder":            {func(tx *keyspec.Tx) { books.Check(tx, key).If("title = :t") }, "write ? for a value"},
			"name placeholder":       {func(tx *keyspec.Tx) { books.Check(tx, key).If("#t = ?", 1) }, "bare name"},
			"too few values":         {func(tx *keyspec.Tx) { books.Check(tx, key).If("title = ?") }, "takes 1 values, got 0"},
			"too many values":        {func(tx *keyspec.Tx) { books.Check(tx, key).If("title = ?", "a", "b") }, "takes 1 values, got 2"},
			"nil value":              {func(tx *keyspec.Tx) { books.Check(tx, key).If("title = ?", nil) }, "attribute_not_exists"},
			"nil pointer":            {func(tx *keyspec.Tx) { books.Check(tx, key).If("title = ?", none) }, "attribute_not_exists"},
			"value of a bad type":    {func(tx *keyspec.Tx) { books.Check(tx, key).If("title = ?", make(chan int)) }, "cannot be stored"},
			"check of nothing":       {func(tx *keyspec.Tx) { books.Check(tx, key) }, "without a condition"},
			"put twice":              {func(tx *keyspec.Tx) { books.Put(tx, book{BookID: "1"}); books.Put(tx, book{BookID: "1"}) }, "written twice"},
			"put and deleted":        {func(tx *keyspec.Tx) { books.Put(tx, book{BookID: "1"}); books.Delete(tx, key) }, "written twice"},
			"deleted and updated":    {func(tx *keyspec.Tx) { books.Delete(tx, key); books.Update(tx, key).Set("kind", "x") }, "written twice"},
			"put and set":            {func(tx *keyspec.Tx) { books.Put(tx, book{BookID: "1"}); books.Update(tx, key).Set("kind", "x") }, `"kind" is set`},
			"put below zero":         {func(tx *keyspec.Tx) { books.Put(tx, book{BookID: "1"}); books.Update(tx, key).Shift("loanCount", -1) }, "below zero"},
			"a key that cannot be":   {func(tx *keyspec.Tx) { books.Delete(tx, books.Key("")) }, "must not be empty"},
			"an item without a key":  {func(tx *keyspec.Tx) { books.Put(tx, book{Title: "x"}) }, "must not be empty"},
			"set of no attribute":    {func(tx *keyspec.Tx) { books.Update(tx, key).Set("titel", "x") }, `"titel" is no attribute`},
			"set of another kind":    {func(tx *keyspec.Tx) { books.Update(tx, key).Set("title", 7) }, "is a string, got a int"},
			"text for a stamp":       {func(tx *keyspec.Tx) { books.Update(tx, key).Set("soldAt", "2026") }, "is a time.Time, got a string"},
			"given of no attribute":  {func(tx *keyspec.Tx) { books.Update(tx, key).Given("titel", "x") }, `"titel" is no attribute`},
			"set of the primary key": {func(tx *keyspec.Tx) { books.Update(tx, key).Set("bookId", "2") }, "part of the primary key"},
			"a key not known":        {func(tx *keyspec.Tx) { loans.Update(tx, loans.Key("b", "r")).Set("status", "IN") }, `the key on GSI-A1 also needs "lentAt"`},
			"shift of a text":        {func(tx *keyspec.Tx) { books.Update(tx, key).Shift("title", 1) }, "no number attribute"},
			"shift of a key":         {func(tx *keyspec.Tx) { books.Update(tx, key).Shift("score", 1) }, "no number attribute"},
			"set and shifted":        {func(tx *keyspec.Tx) { books.Update(tx, key).Set("loanCount", 2).Shift("loanCount", 1) }, "both set and shifted"},
			"a change that moves":    {func(tx *keyspec.Tx) { books.Change(tx, book{BookID: "1"}, book{BookID: "2"}) }, "cannot move the item"},
			"too many items": {func(tx *keyspec.Tx) {
				for i := range 101 {
					books.Put(tx, book{BookID: fmt.Sprint(i)})
				}
			}, "101 items, the limit is 100"},
		} {
			tx := db.NewTx()
			test.add(tx)
			if err := tx.Run(t.Context()); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v, want %q", name, err, test.want)
			}
		}
		if calls := c.take(); len(calls) > 0 {
			t.Errorf("mistakes were sent: %v", calls)
		}
	})
}

func TestLegacyRowsAreNotWritten(t *testing.T) {
	type thing struct {
		ID string `dynamo:"id"`
	}
	table := &keyspec.Table{Name: "library", PK: "pk", SK: "sk"}
	old := keyspec.Define[thing](table, keyspec.Row{Key: keyspec.K("old/{id}", "-"), Legacy: true})
	db, _ := open(t)
	tx, bulk := db.NewTx(), db.NewBulk()
	old.Put(tx, thing{"1"})
	old.PutIn(bulk, thing{"1"})
	for _, err := range []error{tx.Run(t.Context()), bulk.Run(t.Context())} {
		if err == nil || !strings.Contains(err.Error(), "legacy") {
			t.Errorf("Run = %v", err)
		}
	}
}

func TestWhatNeedsNoTransaction(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, c *client) {
		for _, test := range []struct {
			add  func(*keyspec.Tx)
			want string
		}{
			{func(*keyspec.Tx) {}, "[]"},
			{func(tx *keyspec.Tx) { books.Put(tx, book{BookID: "1", LoanCount: 1}) }, "[PutItem]"},
			{func(tx *keyspec.Tx) { books.Create(tx, book{BookID: "2"}) }, "[TransactWriteItems]"},
			{func(tx *keyspec.Tx) { books.Update(tx, books.Key("1")).Shift("loanCount", 1).Shift("loanCount", -1) }, "[]"},
			{func(tx *keyspec.Tx) { books.Change(tx, book{BookID: "1"}, book{BookID: "1"}) }, "[]"},
			{func(tx *keyspec.Tx) { books.Delete(tx, books.Key("1")).Exists() }, "[TransactWriteItems]"},
			{func(tx *keyspec.Tx) { books.Delete(tx, books.Key("2")) }, "[DeleteItem]"},
			{func(tx *keyspec.Tx) { books.Delete(tx, books.Key("2")); books.Delete(tx, books.Key("3")) }, "[TransactWriteItems]"},
		} {
			c.take()
			write(t, db, test.add)
			if got := c.take(); fmt.Sprint(got) != test.want {
				t.Errorf("calls %v, want %s", got, test.want)
			}
		}
	})
}

func TestWritesOfOneItemJoin(t *testing.T) {
	db, c := open(t)
	var sent int
	c.transact = func(in *dynamodb.TransactWriteItemsInput) error { sent = len(in.TransactItems); return nil }
	write(t, db, func(tx *keyspec.Tx) {
		books.Update(tx, books.Key("1")).Shift("loanCount", 2)
		books.Check(tx, books.Key("1")).Absent()
		books.Put(tx, book{BookID: "1", LoanCount: 1, Pages: 5})
		loans.Check(tx, loans.Key("1", "r")).Absent()
	})
	if got, err := books.Get(t.Context(), db, books.Key("1")); sent != 2 || err != nil || got.LoanCount != 3 {
		t.Errorf("sent %d, got %+v, %v", sent, got, err)
	}
	tx := db.NewTx()
	books.Check(tx, books.Key("1")).If("pages = ?", 6)
	update := books.Update(tx, books.Key("1")).Set("tags", []string{"NOVEL"})
	if err := tx.Run(t.Context()); sent != 1 || !keyspec.Refused(err, update) {
		t.Errorf("sent %d, %v, want the check to refuse the update", sent, err)
	}
	write(t, db, func(tx *keyspec.Tx) {
		books.Update(tx, books.Key("1")).Set("tags", []string{"NOVEL"}).If("pages = ?", 5)
		books.Update(tx, books.Key("1")).Set("pages", 6).Shift("loanCount", 1)
		books.Update(tx, books.Key("1")).Set("pages", 7).Shift("loanCount", 1)
	})
	if got, err := books.Get(t.Context(), db, books.Key("1")); sent != 1 || err != nil || got.LoanCount != 5 || got.Pages != 7 || len(got.Tags) != 1 {
		t.Errorf("sent %d, got %+v, %v", sent, got, err)
	}
}

// busy makes the first n transactions fail with a conflict.
func busy(c *client, n int) (tokens *[]string) {
	tokens = new([]string)
	c.transact = func(in *dynamodb.TransactWriteItemsInput) error {
		*tokens = append(*tokens, aws.ToString(in.ClientRequestToken))
		switch {
		case len(*tokens) > n:
			return nil
		case len(*tokens)%2 == 0:
			return &types.TransactionInProgressException{}
		default:
			return &types.TransactionCanceledException{CancellationReasons: []types.CancellationReason{
				{Code: aws.String("None")}, {Code: aws.String("TransactionConflict")}}}
		}
	}
	return tokens
}

func TestBusyTransactionsAreRepeated(t *testing.T) {
	db, c := open(t)
	tokens := busy(c, 4)
	write(t, db, func(tx *keyspec.Tx) {
		books.Create(tx, book{BookID: "1"})
		books.Create(tx, book{BookID: "2"})
	})
	if len(*tokens) != 5 {
		t.Errorf("sent %d times, want 5", len(*tokens))
	}
	for _, token := range *tokens {
		if token != (*tokens)[0] || len(token) != 32 {
			t.Errorf("tokens %v, want one for all attempts", *tokens)
		}
	}

	tokens = busy(c, 1000)
	tx := db.NewTx()
	books.Create(tx, book{BookID: "3"})
	if err := tx.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "given up after 11 attempts") {
		t.Errorf("Run = %v after %d attempts", err, len(*tokens))
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tokens = busy(c, 1000)
	tx = db.NewTx()
	books.Create(tx, book{BookID: "3"})
	if err := tx.Run(ctx); !errors.Is(err, context.Canceled) || len(*tokens) != 1 {
		t.Errorf("Run = %v after %d attempts, want to stop waiting", err, len(*tokens))
	}
}

// A write of one item is refused while a transaction of another process writes the item.
func TestSingleWritesInConflictAreRepeated(t *testing.T) {
	conflict := &types.TransactionConflictException{}
	for name, write := range map[string]func(ctx context.Context, db *keyspec.DB) error{
		"put": func(ctx context.Context, db *keyspec.DB) error {
			tx := db.NewTx()
			books.Put(tx, book{BookID: "1", Title: "T"})
			return tx.Run(ctx)
		},
		"delete": func(ctx context.Context, db *keyspec.DB) error {
			tx := db.NewTx()
			books.Delete(tx, books.Key("2"))
			return tx.Run(ctx)
		},
		"advance": func(ctx context.Context, db *keyspec.DB) error {
			_, err := books.Advance(ctx, db, books.Key("3"), keyspec.Sequence{Attribute: "loanCount", First: 1, Last: 9}, 1)
			return err
		},
		"repair": func(ctx context.Context, db *keyspec.DB) error {
			_, err := db.Repair(ctx, keyspec.Finding{Table: "library", PK: "book/4", SK: "-", Problem: keyspec.WrongCount, Attribute: "loanCount", Is: "0", Want: "1"})
			return err
		},
		"bulk": func(ctx context.Context, db *keyspec.DB) error {
			b := db.NewBulk()
			books.PutIn(b, book{BookID: "5"})
			return b.Run(ctx)
		},
	} {
		t.Run(name, func(t *testing.T) {
			db, c := open(t)
			sent, refuse := 0, 3
			c.single = func() error {
				if sent++; sent <= refuse {
					return conflict
				}
				return nil
			}
			c.batchWrite = func(in *dynamodb.BatchWriteItemInput) (*dynamodb.BatchWriteItemOutput, error) {
				if err := c.single(); err != nil {
					return nil, err
				}
				return c.DynamoDBAPI.BatchWriteItem(t.Context(), in)
			}
			if err := write(t.Context(), db); err != nil || sent != 4 {
				t.Errorf("%v after %d attempts, want success after 4", err, sent)
			}
			sent, refuse = 0, 1000
			if err := write(t.Context(), db); !errors.Is(err, conflict) || sent != 11 {
				t.Errorf("%v after %d attempts, want to give up after 11", err, sent)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			sent = 0
			if err := write(ctx, db); !errors.Is(err, context.Canceled) || sent != 1 {
				t.Errorf("%v after %d attempts, want to stop waiting", err, sent)
			}
		})
	}
}

// A client in the same process receives no requests.
func TestDirectClientsAreWrittenDirectly(t *testing.T) {
	_, c, direct := openWays(t)
	c.transact = func(in *dynamodb.TransactWriteItemsInput) error { return errors.New("sent as a request") }
	write(t, direct, func(tx *keyspec.Tx) { books.Create(tx, book{BookID: "1"}) })
	if got := stored(t, c, "test-library", "book/1", "-"); got == nil {
		t.Error("nothing is stored")
	}
}

func TestOtherErrorsAreNotRepeated(t *testing.T) {
	db, c := open(t)
	for _, failure := range []error{
		errors.New("no route"),
		&types.TransactionCanceledException{CancellationReasons: []types.CancellationReason{{Code: aws.String("ValidationError")}}},
		&types.TransactionCanceledException{CancellationReasons: []types.CancellationReason{{Code: aws.String("TransactionConflict")}, {Code: aws.String("ValidationError")}}},
	} {
		sent := 0
		c.transact = func(*dynamodb.TransactWriteItemsInput) error { sent++; return failure }
		tx := db.NewTx()
		created := books.Create(tx, book{BookID: "1"})
		if err := tx.Run(t.Context()); !errors.Is(err, failure) || sent != 1 || keyspec.Refused(err, created) {
			t.Errorf("Run = %v after %d attempts", err, sent)
		}
	}
}

// If many writers decide on the same state, one of them succeeds.
func TestOneOfManyCreates(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, _ *client) {
		var wait sync.WaitGroup
		won := make([]bool, 8)
		for i := range won {
			wait.Go(func() {
				tx := db.NewTx()
				books.Create(tx, book{BookID: "1", Pages: i + 1})
				books.Update(tx, books.Key("none")) // an empty update has no effect
				err := tx.Run(t.Context())
				if won[i] = err == nil; !won[i] && !errors.As(err, new(*keyspec.Conflict)) {
					t.Errorf("Run = %v", err)
				}
			})
		}
		wait.Wait()
		got, err := books.Get(t.Context(), db, books.Key("1"))
		if err != nil || got == nil {
			t.Fatal(got, err)
		}
		want := make([]bool, len(won))
		want[got.Pages-1] = true
		if !reflect.DeepEqual(won, want) {
			t.Errorf("won %v, stored %d", won, got.Pages)
		}
	})
}

// A transaction that has run is refused, whether or not it succeeded: it would overwrite
// later changes.
func TestTransactionRunsOnce(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, c *client) {
		for _, id := range []string{"1", "1"} { // the second time it exists
			tx := db.NewTx()
			books.Create(tx, book{BookID: id, Title: "Own"})
			first := tx.Run(t.Context())
			write(t, db, func(tx *keyspec.Tx) { books.Put(tx, book{BookID: "2", Title: "Other"}) })
			c.take()
			if err := tx.Run(t.Context()); err == nil || err == first || !strings.Contains(err.Error(), "has run before") || len(c.take()) > 0 {
				t.Errorf("running again = %v", err)
			}
		}
		got, err := books.Get(t.Context(), db, books.Key("1"))
		if err != nil || got == nil || got.Title != "Own" {
			t.Errorf("stored %+v, %v", got, err)
		}
	})
}

// Reads and writes in separate goroutines return an error if the client panics.
func TestPanicsOfTheClientAreErrors(t *testing.T) {
	db, c := open(t)
	c.batchGet = func(*dynamodb.BatchGetItemInput) (*dynamodb.BatchGetItemOutput, error) { panic("boom") }
	c.batchWrite = func(*dynamodb.BatchWriteItemInput) (*dynamodb.BatchWriteItemOutput, error) { panic("boom") }
	b, bulk := db.NewBatch(), db.NewBulk()
	for i := range 101 {
		books.Fetch(b, books.Key(strconv.Itoa(i)))
		books.PutIn(bulk, book{BookID: strconv.Itoa(i)})
	}
	for name, err := range map[string]error{"batch": b.Run(t.Context()), "bulk": bulk.Run(t.Context())} {
		if err == nil || !strings.Contains(err.Error(), "boom") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The cache of conditions is bounded, even if conditions contain data.
func TestRememberedConditionsAreBounded(t *testing.T) {
	db, _ := open(t)
	write(t, db, func(tx *keyspec.Tx) { books.Put(tx, book{BookID: "1", Pages: 1}) })
	for i := range 400 {
		tx := db.NewTx()
		books.Check(tx, books.Key("1")).If("pages = ?"+strings.Repeat(" ", i), 1)
		if err := tx.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := books.RememberedConditions(); n > 256 {
		t.Errorf("%d conditions are remembered", n)
	}
}
