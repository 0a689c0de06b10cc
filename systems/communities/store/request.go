package store

import (
	"strings"

	"stoa/internal/kit/keyspec"
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
	Type        string                    `dynamo:"Type"`
	ID          string                    `dynamo:"Id"`
	UserID      communities.UserID        `dynamo:"UserId"`
	ChatID      communities.ChatID        `dynamo:"ChatId"`
	CommunityID communities.CommunityID   `dynamo:"CommunityId"`
	CreatedAt   keyspec.MilliStamp        `dynamo:"CreatedAt"`
	Status      communities.RequestStatus `dynamo:"Status"`
	Seen        bool                      `dynamo:"Seen,zero"`
	PendingID   string                    `dynamo:"PendingId"`
	DecidedAt   keyspec.MilliStamp        `dynamo:"DecidedAt"`
	DecidedBy   communities.UserID        `dynamo:"DecidedBy"`
	Note        *string                   `dynamo:"Note"`
}

// Prevents a user from asking twice, and from asking again too soon.
var guards = keyspec.Define[guardItem](ChatRequests, keyspec.Row{Key: keyspec.K("USER#{UserId}", "PENDING#GROUPCHAT#{ChatId}")})

type guardItem struct {
	Type       string             `dynamo:"Type"`
	UserID     communities.UserID `dynamo:"UserId"`
	ChatID     communities.ChatID `dynamo:"ChatId"`
	RequestID  string             `dynamo:"RequestId"`
	RequestSK  string             `dynamo:"RequestSK"`
	State      string             `dynamo:"State"`
	RetryAfter keyspec.MilliStamp `dynamo:"RetryAfter"`
	ExpiresAt  int64              `dynamo:"ExpiresAt"`
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
	return userRequests.Key(string(r.UserID), keyspec.MilliStampOf(r.At).String(), r.ID)
}

func chatRequestKey(r communities.RequestRef) keyspec.Key {
	return chatRequests.Key(string(r.ChatID), keyspec.MilliStampOf(r.At).String(), r.ID)
}

func requestItemOf(r *communities.Request) requestItem {
	return requestItem{
		Type: "ChatRequest", ID: r.ID, UserID: r.UserID, ChatID: r.ChatID, CommunityID: r.CommunityID, CreatedAt: keyspec.MilliStampOf(r.At),
		Status: r.Status, Seen: r.Seen, PendingID: r.PendingID(), DecidedAt: keyspec.MilliStampOf(r.DecidedAt), DecidedBy: r.DecidedBy, Note: r.Note,
	}
}

func (i *requestItem) request() *communities.Request {
	return &communities.Request{
		Moment: communities.Moment{At: i.CreatedAt.Time(), ID: i.ID}, ChatID: i.ChatID, UserID: i.UserID, CommunityID: i.CommunityID,
		Status: i.Status, Seen: i.Seen, Note: i.Note, DecidedAt: i.DecidedAt.Time(), DecidedBy: i.DecidedBy,
	}
}

func guardItemOf(g *communities.Guard) guardItem {
	i := guardItem{
		Type: "RequestGuard", UserID: g.UserID, ChatID: g.ChatID, RequestID: g.Request.ID, RequestSK: requestPrefix + g.Request.String(),
		State: statePending,
	}
	if !g.RetryAfter.IsZero() {
		i.State, i.RetryAfter, i.ExpiresAt = stateCooldown, keyspec.MilliStampOf(g.RetryAfter), g.RetryAfter.Unix()+1
	}
	return i
}

func (i *guardItem) guard() *communities.Guard {
	request, _ := communities.MomentOf(strings.TrimPrefix(i.RequestSK, requestPrefix))
	return &communities.Guard{UserID: i.UserID, ChatID: i.ChatID, Request: request, RetryAfter: i.RetryAfter.Time()}
}
