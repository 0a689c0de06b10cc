package keyspec_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"stoa/internal/kit/keyspec"
)

// post is an item of twelve attributes in three indexes, typical of a page.
type post struct {
	PostID       string    `dynamo:"postId" dynamodbav:"postId"`
	UserID       string    `dynamo:"userId" dynamodbav:"userId"`
	Kind         string    `dynamo:"kind" dynamodbav:"kind"`
	Status       string    `dynamo:"status" dynamodbav:"status"`
	PostedAt     time.Time `dynamo:"postedAt" dynamodbav:"postedAt"`
	Text         string    `dynamo:"text" dynamodbav:"text"`
	Tags         []string  `dynamo:"tags" dynamodbav:"tags"`
	LikeCount    int       `dynamo:"likeCount" dynamodbav:"likeCount"`
	CommentCount int       `dynamo:"commentCount" dynamodbav:"commentCount"`
	ViewCount    int       `dynamo:"viewCount" dynamodbav:"viewCount"`
	Verified     bool      `dynamo:"verified" dynamodbav:"verified"`
	Hidden       *bool     `dynamo:"hidden" dynamodbav:"hidden"`
}

var benchTable = &keyspec.Table{Name: "bench", PK: "pk", SK: "sk", Indexes: []*keyspec.Index{A1, K1}}

var benchPosts = keyspec.Define[post](benchTable, keyspec.Row{
	Key: keyspec.K("post/{postId}", "-"),
	On: keyspec.Indexes{
		A1: keyspec.K("post/{userId}", "{status}/{postedAt}"),
		K1: keyspec.K("kind/{kind}", "{postedAt}"),
	},
})

func BenchmarkEncode(b *testing.B) {
	p := benchPosts.Sample(1)
	b.Run("keyspec, with keys", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := benchPosts.Item(p); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("attributevalue", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := attributevalue.MarshalMap(p); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	item, err := benchPosts.Item(benchPosts.Sample(1))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("keyspec", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := benchPosts.Read(item); err != nil {
				b.Fatal(err)
			}
		}
	})
	// For attributevalue the time is a number, so that it need not parse it.
	av, err := attributevalue.MarshalMap(benchPosts.Sample(1))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("attributevalue", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var p post
			if err := attributevalue.UnmarshalMap(av, &p); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// Reads of one item and of twenty, with the SDK's calls and directly.
func BenchmarkReads(b *testing.B) {
	byCalls, _, directly := openWays(b)
	bulk := byCalls.NewBulk()
	keys := make([]keyspec.Key, 20)
	for i := range keys {
		id := fmt.Sprint(i)
		keys[i] = loans.Key(id, "ann")
		loans.PutIn(bulk, loan{BookID: id, ReaderID: "ann", Status: "OUT", LentAt: stampAt(i), DueAt: stampAt(i), Text: "mind the cover"})
	}
	if err := bulk.Run(b.Context()); err != nil {
		b.Fatal(err)
	}
	for name, read := range map[string]func(db *keyspec.DB) error{
		"get": func(db *keyspec.DB) error {
			_, err := loans.Get(b.Context(), db, keys[0])
			return err
		},
		"batch of 20": func(db *keyspec.DB) error {
			batch := db.NewBatch()
			loans.Fetch(batch, keys...)
			return batch.Run(b.Context())
		},
		"page of 20": func(db *keyspec.DB) error {
			_, _, err := loans.Begins(A1, "ann", "OUT").Page(b.Context(), db, keyspec.Page{Limit: 20})
			return err
		},
	} {
		for way, db := range map[string]*keyspec.DB{"by calls": byCalls, "directly": directly} {
			b.Run(name+" "+way, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := read(db); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkTransaction(b *testing.B) {
	db, _ := open(b)
	write(b, db, func(tx *keyspec.Tx) { books.Create(tx, book{BookID: "1"}) })
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		tx := db.NewTx()
		loans.Create(tx, loan{BookID: "1", ReaderID: fmt.Sprint(n), Status: "OUT", LentAt: stampAt(n)})
		books.Update(tx, books.Key("1")).Shift("loanCount", 1).If("attribute_not_exists(rare) OR rare = ?", false)
		if err := tx.Run(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
