package ops

import (
	"time"

	"stoa/internal/idempotency"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/viewer"
)

// Idempotency keys: what has been done and answered on requests with one. The part is
// `field:` with the name of a root field, in the transaction of its decision, or `answer`.
// Partitions are days, so that old ones can be removed, and shards of them.
var keys = keyspec.Define[keyItem](Table, keyspec.Row{
	Key: keyspec.K("idempotency/{day}/{shard}", "{system}/{caller}/{digest}/{part}"),
})

type keyItem struct {
	Day    string        `dynamo:"day,keyonly"`
	Shard  string        `dynamo:"shard,keyonly"`
	System string        `dynamo:"system,keyonly"`
	Caller viewer.UserID `dynamo:"caller,keyonly"`
	Digest string        `dynamo:"digest,keyonly"`
	Part   string        `dynamo:"part,keyonly"`
	// Document identifies the document with its variables.
	Document string    `dynamo:"document"`
	At       time.Time `dynamo:"at"`
	// Body is the answer.
	Body string `dynamo:"body"`
}

const (
	answerPart  = "answer"
	fieldPrefix = "field:"
)

// keyShards are the digits by which the keys of a day are divided.
const keyShards = "0123456789abcdef"

func keyItemOf(k idempotency.Key, at time.Time, part string) keyItem {
	return keyItem{
		Day: at.UTC().Format(time.DateOnly), Shard: k.Digest[:1],
		System: k.System, Caller: k.Caller, Digest: k.Digest, Part: part,
	}
}
