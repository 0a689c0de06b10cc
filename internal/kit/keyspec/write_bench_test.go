package keyspec_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"
	"github.com/guregu/dynamo/v2/dynamodbiface"

	"stoa/internal/kit/engine"
	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/keyspec"
)

// A table like that of a service: four indexes with all attributes, three with keys only.
var (
	byList  = &keyspec.Index{Name: "GSI-A1", PK: "gsiA1PartitionKey", SK: "gsiA1SortKey"}
	byOwner = &keyspec.Index{Name: "GSI-A2", PK: "gsiA2PartitionKey", SK: "gsiA2SortKey"}
	byTime  = &keyspec.Index{Name: "GSI-A3", PK: "gsiA3PartitionKey", SK: "gsiA3SortKey"}
	byScore = &keyspec.Index{Name: "GSI-A4", PK: "gsiA4PartitionKey", SK: "gsiA4SortKey", Number: true}
	forum   = &keyspec.Table{Name: "forum", PK: "partitionKey", SK: "sortKey", Indexes: []*keyspec.Index{
		byList, byOwner, byTime, byScore,
		{Name: "GSI-K1", PK: "gsiK1PartitionKey", SK: "gsiK1SortKey", KeysOnly: true},
		{Name: "GSI-K2", PK: "gsiK2PartitionKey", SK: "gsiK2SortKey", KeysOnly: true},
		{Name: "GSI-K3", PK: "gsiK3PartitionKey", SK: "gsiK3SortKey", Number: true, KeysOnly: true},
	}}
)

type member struct {
	MemberID   string    `dynamo:"memberId"`
	Name       string    `dynamo:"name"`
	FullName   string    `dynamo:"fullName"`
	Bio        string    `dynamo:"bio"`
	JoinedAt   time.Time `dynamo:"joinedAt"`
	TopicCount int       `dynamo:"topicCount"`
	ReplyCount int       `dynamo:"replyCount"`
}

type topic struct {
	TopicID    string    `dynamo:"topicId"`
	MemberID   string    `dynamo:"memberId"`
	Status     string    `dynamo:"status"`
	WrittenAt  time.Time `dynamo:"writtenAt"`
	Text       string    `dynamo:"text"`
	Tags       []string  `dynamo:"tags"`
	Closed     *bool     `dynamo:"closed"`
	ReplyCount int       `dynamo:"replyCount"`
	ViewCount  int       `dynamo:"viewCount"`
	LastReply  time.Time `dynamo:"lastReply"`
}

type reply struct {
	ReplyID   string    `dynamo:"replyId"`
	TopicID   string    `dynamo:"topicId"`
	MemberID  string    `dynamo:"memberId"`
	WrittenAt time.Time `dynamo:"writtenAt"`
	Text      string    `dynamo:"text"`
	Tags      []string  `dynamo:"tags"`
}

var (
	members = keyspec.Define[member](forum, keyspec.Row{
		Version: 1,
		Key:     keyspec.K("member/{memberId}", "profile"),
		On:      keyspec.Indexes{byList: keyspec.K("member/{name}", "-")},
	})
	topics = keyspec.Define[topic](forum, keyspec.Row{
		Version: 1,
		Key:     keyspec.K("topic/{topicId}", "-"),
		On: keyspec.Indexes{
			byOwner: keyspec.K("topic/{memberId}", "{status}/{writtenAt}"),
			byTime:  keyspec.K("topic", "{writtenAt}"),
		},
	})
	replies = keyspec.Define[reply](forum, keyspec.Row{
		Version: 1,
		Key:     keyspec.K("reply/{replyId}", "-"),
		On: keyspec.Indexes{
			byList:  keyspec.K("reply/{topicId}", "{writtenAt}"),
			byOwner: keyspec.K("reply/{memberId}", "{writtenAt}"),
		},
	})
)

// addReply is a typical transaction of a service: it creates an item, and increments the
// counters of two others under conditions.
func addReply(ctx context.Context, db *keyspec.DB, n int) error {
	tx := db.NewTx()
	replies.Create(
		tx,
		reply{ReplyID: fmt.Sprint("reply", n), TopicID: "one", MemberID: "ann", WrittenAt: stampAt(0).Add(time.Duration(n) * time.Microsecond), Text: "What a topic!"},
	)
	topics.Update(tx, topics.Key("one")).Shift("replyCount", 1).
		If("memberId = ? AND writtenAt = ?", "ben", stampAt(1)).
		If("attribute_not_exists(closed) OR closed = ?", false)
	members.Update(tx, members.Key("ann")).Shift("replyCount", 1)
	members.Check(tx, members.Key("ann")).Exists()
	return tx.Run(ctx)
}

func BenchmarkAddReply(b *testing.B) {
	for name, client := range map[string]func(*engine.Engine) dynamodbiface.DynamoDBAPI{
		"by calls": func(e *engine.Engine) dynamodbiface.DynamoDBAPI {
			return struct{ dynamodbiface.DynamoDBAPI }{e} // hides the methods of raw.Store
		},
		"raw": func(e *engine.Engine) dynamodbiface.DynamoDBAPI { return e },
	} {
		b.Run(name, func(b *testing.B) {
			eng := enginetest.Memory(b)
			db := keyspec.Open(dynamo.NewFromIface(client(eng)), "", forum)
			if err := db.CreateTables(b.Context()); err != nil {
				b.Fatal(err)
			}
			write(b, db, func(tx *keyspec.Tx) {
				members.Create(tx, member{MemberID: "ann", Name: "ann", FullName: "Ann Example", Bio: strings.Repeat("likes topics ", 10), JoinedAt: stampAt(0), ReplyCount: 1000})
				topics.Create(
					tx,
					topic{
						TopicID:    "one",
						MemberID:   "ben",
						Status:     "OPEN",
						WrittenAt:  stampAt(1),
						Text:       strings.Repeat("a topic ", 40),
						Tags:       []string{"a", "b"},
						ReplyCount: 1000,
						ViewCount:  70,
					},
				)
			})
			b.ReportAllocs()
			b.SetParallelism(8) // so that waiting for the log matters little
			var n atomic.Int64
			b.RunParallel(func(p *testing.PB) {
				for p.Next() {
					if err := addReply(b.Context(), db, int(n.Add(1))); err != nil {
						b.Error(err)
						return
					}
				}
			})
		})
	}
}
