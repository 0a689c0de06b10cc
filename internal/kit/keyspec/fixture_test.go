package keyspec_test

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/keyspec"
)

// A library: books, loans of books to readers, and the fees of readers.
var (
	A1 = &keyspec.Index{Name: "GSI-A1", PK: "a1PK", SK: "a1SK"}
	A4 = &keyspec.Index{Name: "GSI-A4", PK: "a4PK", SK: "a4SK", Number: true}
	K1 = &keyspec.Index{Name: "GSI-K1", PK: "k1PK", SK: "k1SK", KeysOnly: true}

	library = &keyspec.Table{Name: "library", PK: "pk", SK: "sk", Indexes: []*keyspec.Index{A1, A4, K1}}
	shelf   = &keyspec.Table{Name: "shelf", PK: "room", SK: "bookId", Unversioned: true, Indexes: []*keyspec.Index{
		{Name: "GSI-S1", PK: "room", SK: "placedAt"},
	}}
)

type loanStatus string

type book struct {
	BookID    string            `dynamo:"bookId"`
	Title     string            `dynamo:"title"`
	Tags      []string          `dynamo:"tags"`
	Pages     int               `dynamo:"pages"`
	LoanCount int               `dynamo:"loanCount"`
	Rare      *bool             `dynamo:"rare"`
	Writers   []writer          `dynamo:"writers"`
	Notes     map[string]string `dynamo:"notes"`
	Score     *float64          `dynamo:"score,keyonly"`
	Kind      string            `dynamo:"kind"`
	SoldAt    time.Time         `dynamo:"soldAt"`
}

type writer struct {
	Name string `dynamo:"name"`
	Born int    `dynamo:"born"`
}

var books = keyspec.Define[book](library, keyspec.Row{
	Version: 2,
	Key:     keyspec.K("book/{bookId}", "-"),
	On: keyspec.Indexes{
		A1: keyspec.K("title/{title}", "-"),
		A4: keyspec.K("ranking", "{score}"),
		K1: keyspec.K("sold/{soldDate}", "{soldTime}").Unless("kind", "GIFT"),
	},
	Computed: keyspec.Computed{"soldDate": keyspec.DateOf("soldAt"), "soldTime": keyspec.TimeOf("soldAt")},
})

type loan struct {
	BookID   string     `dynamo:"bookId,keyonly"`
	ReaderID string     `dynamo:"readerId"`
	Status   loanStatus `dynamo:"status"`
	LentAt   time.Time  `dynamo:"lentAt"`
	DueAt    time.Time  `dynamo:"dueAt,keyonly"`
	Text     string     `dynamo:"text"`
}

var loans = keyspec.Define[loan](library, keyspec.Row{
	Key: keyspec.K("book/{bookId}", "loan/{readerId}"),
	On: keyspec.Indexes{
		A1: keyspec.K("reader/{readerId}", "{status}/{lentAt}"),
		K1: keyspec.K("due", "{dueAt} or ~"),
	},
})

// Slips used to have a "body" instead of a text.
type slip struct {
	SlipID string `dynamo:"slipId,keyonly"`
	Text   string `dynamo:"text"`
}

var slips = keyspec.Define[slip](library, keyspec.Row{
	Version: 1,
	Key:     keyspec.K("slip/{slipId}", "-"),
	Upgrade: map[int]func(item) error{0: func(i item) error { i["text"] = i["body"]; return nil }},
})

type placed struct {
	Room     string    `dynamo:"room"`
	BookID   string    `dynamo:"bookId"`
	PlacedAt time.Time `dynamo:"placedAt"`
}

var places = keyspec.Define[placed](shelf, keyspec.Row{
	Key: keyspec.K("{room}", "{bookId}"),
	On:  keyspec.Indexes{shelf.Indexes[0]: keyspec.K("{room}", "{placedAt}")},
})

// item is an item in the form of the client.
type item = map[string]types.AttributeValue

func text(s string) types.AttributeValue   { return &types.AttributeValueMemberS{Value: s} }
func number(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }

func stampAt(minute int) time.Time { return time.Date(2026, 5, 1, 12, minute, 0, 0, time.UTC) }
