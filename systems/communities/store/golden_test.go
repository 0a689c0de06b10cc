package store

import (
	"slices"
	"testing"

	"stoa/internal/kit/designtest"
	"stoa/internal/ops"
)

// ours lists attributes that are not in the design, with the reason.
var ours = map[string]string{
	"USER#{Id} FoundedCount":                                         "an account with communities is not deleted: a condition, not a query",
	"GROUPCHAT#{ChatId} USER#{UserId} CountedKey":                    "what UnreadCount counts, so that nothing is counted twice",
	"GROUPCHAT#{ChatId} USER#{UserId} UnreadCount":                   "unread counts of a list of chats are read with the memberships",
	"PRIVATECHAT#{ChatId} USER#{UserId} CountedKey":                  "as in group chats",
	"PRIVATECHAT#{ChatId} USER#{UserId} UnreadCount":                 "as in group chats",
	"PRIVATECHAT#{ChatId} USER#{UserId} JoinedAt":                    "as in group chats",
	"GROUPCHAT#{ChatId} USER#{UserId} LoweredCount":                  "tells a mark from before a deletion from one after it",
	"PRIVATECHAT#{ChatId} USER#{UserId} LoweredCount":                "as in group chats",
	"USER#{UserId} NOTIFICATION#UNREAD#{CreatedAt}#{Id} Quotes:BOOL": "the message is read when its notification is shown, so that it can be deleted",
	"USER#{UserId} NOTIFICATIONREAD#{CreatedAt}#{Id} Quotes:BOOL":    "as in unread ones",
	"GROUPCHAT#{ChatId} MESSAGE#{CreatedAt}#{Id} Held:BOOL":          "what the content check holds is its author's alone",
	"GROUPCHAT#{ChatId} MESSAGE#{CreatedAt}#{Id} Unchecked:BOOL":     "a later case says that the content check failed",
	"GROUPCHAT#{Id} GROUPCHAT#{Id} LastHeldAt":                       "orders messages that are held, which nobody sees from LastMessageAt",
	"PRIVATECHAT#{ChatId} MESSAGE#{CreatedAt}#{Id} Held:BOOL":        "as in group chats",
	"PRIVATECHAT#{ChatId} MESSAGE#{CreatedAt}#{Id} Unchecked:BOOL":   "as in group chats",
	"PRIVATECHAT#{Id} PRIVATECHAT#{Id} LastHeldAt":                   "as in group chats",
	"USER#{UserId} PENDING#GROUPCHAT#{ChatId} UserId":                "read without taking keys apart",
	"USER#{UserId} PENDING#GROUPCHAT#{ChatId} ChatId":                "read without taking keys apart",
}

// communities 2#1, 2#5, 2.1#1-2, 2.2#1-3, 2.3#1, 2.4#1-2, 2.5, 2.6#1-3 and 8#tables:
// tables, indexes and attributes are those of the design, and additions have a reason.
func TestTablesAreAsDesigned(t *testing.T) {
	designtest.AsDesigned(t, "testdata/design.tsv", Tables, ours)
}

func TestRowsConform(t *testing.T) {
	designtest.RowsConform(t, append(slices.Clone(Tables), ops.Table)...)
}
