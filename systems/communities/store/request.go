package store

import (
	"strings"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stamp"
	"stoa/systems/communities"
)

// A request is stored twice, with its user and with its chat. Only pending ones have a
// PendingId, by which they are listed.
var (
	userRequests = keyspec.Define[requestItem](ChatRequests, keyspec.Row{
		Key: keyspec.K("USER#{UserId}", "CHATREQUEST#{CreatedAt}#{Id}"),
		On:  keyspec.Indexes{PendingChatRequests: keyspec.K("USER#{UserId}", "{PendingId}")},
	})
	chatRequests = keyspec.Define[requestItem](ChatRequests, keyspec.Row{
		Key: keyspec.K("GROUPCHAT#{ChatId}", "CHATREQUEST#{CreatedAt}#{Id}"),
		On:  keyspec.Indexes{PendingChatRequests: keyspec.K("GROUPCHAT#{ChatId}", "{PendingId}")},
	})
)

type requestItem struct {
	Type string `dynamo:"Type"`
	communities.Request
	PendingID string `dynamo:"PendingId"`
}

// Prevents a user from asking twice, and from asking again too soon.
var guards = keyspec.Define[guardItem](ChatRequests, keyspec.Row{Key: keyspec.K("USER#{UserId}", "PENDING#GROUPCHAT#{ChatId}")})

type guardItem struct {
	Type string `dynamo:"Type"`
	communities.Guard
	RequestID string `dynamo:"RequestId"`
	RequestSK string `dynamo:"RequestSK"`
	State     string `dynamo:"State"`
	ExpiresAt int64  `dynamo:"ExpiresAt"`
}

// States of a guard.
const (
	statePending  = "PENDING"
	stateCooldown = "COOLDOWN"
)

const requestPrefix = "CHATREQUEST#"

func guardKey(m communities.MemberRef) keyspec.Key {
	return guards.Key(string(m.UserID), string(m.Chat.ID))
}

func userRequestKey(r communities.RequestRef) keyspec.Key {
	return userRequests.Key(string(r.UserID), stamp.MilliOf(r.At), r.ID)
}

func chatRequestKey(r communities.RequestRef) keyspec.Key {
	return chatRequests.Key(string(r.ChatID), stamp.MilliOf(r.At), r.ID)
}

func requestItemOf(r *communities.Request) requestItem {
	return requestItem{"ChatRequest", *r, r.PendingID()}
}

func (i *requestItem) request() *communities.Request { return &i.Request }

func guardItemOf(g *communities.Guard) guardItem {
	i := guardItem{
		Type: "RequestGuard", Guard: *g, RequestID: g.Request.ID, RequestSK: requestPrefix + g.Request.String(), State: statePending,
	}
	if !g.RetryAfter.IsZero() {
		i.State, i.ExpiresAt = stateCooldown, g.RetryAfter.Unix()+1
	}
	return i
}

func (i *guardItem) guard() *communities.Guard {
	i.Request, _ = communities.MomentOf(strings.TrimPrefix(i.RequestSK, requestPrefix))
	return &i.Guard
}
