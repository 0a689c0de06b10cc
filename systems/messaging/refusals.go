package messaging

import (
	"strings"

	"stoa/internal/kit/refusal"
)

// Errors returned to clients, by code and reason. The reasons are part of the contract.
var (
	ErrUnauthenticated = refusal.New(refusal.Unauthenticated, "", "Sign in first")
	ErrCredentials     = refusal.New(refusal.Unauthenticated, "", "The login or the password is wrong")

	ErrNotRoot       = refusal.New(refusal.Forbidden, "ROOT_ONLY", "Only operators of the service may do this")
	ErrPassword      = refusal.New(refusal.Forbidden, "WRONG_PASSWORD", "currentPassword is wrong")
	ErrRestrictedTag = refusal.New(refusal.Forbidden, "RESTRICTED_TAG", "Tags that begin with basic: follow the login: leave them out of tags")
	ErrNoLogin       = refusal.New(refusal.Forbidden, "NO_PASSWORD", "An anonymous account has neither login nor password")

	ErrNoRead        = refusal.New(refusal.Forbidden, "NO_READ", "You may not read in this topic: it takes R")
	ErrNoWrite       = refusal.New(refusal.Forbidden, "NO_WRITE", "You may not write in this topic: it takes W")
	ErrReadOnly      = refusal.New(refusal.Forbidden, "READ_ONLY_TOPIC", "Nobody writes in a topic of their own")
	ErrPending       = refusal.New(refusal.Forbidden, "PENDING_APPROVAL", "Your request waits for somebody who manages the topic")
	ErrOwnerMode     = refusal.New(refusal.Forbidden, "OWNER_MODE", "O goes with owning the topic: transfer it first, or be given it")
	ErrNotGiven      = refusal.New(refusal.Forbidden, "NOT_GIVEN", "You cannot give yourself permissions that you were not given")
	ErrNotSharer     = refusal.New(refusal.Forbidden, "NOT_SHARER", "Only those with S, A or O may invite")
	ErrNotAdmin      = refusal.New(refusal.Forbidden, "NOT_ADMIN", "Only those with A or O may do this")
	ErrNotOwner      = refusal.New(refusal.Forbidden, "NOT_OWNER", "Only the owner of the topic may do this")
	ErrRefuses       = refusal.New(refusal.Forbidden, "USER_REFUSES", "The user wants nothing of this topic")
	ErrMustTransfer  = refusal.New(refusal.Forbidden, "OWNER_MUST_TRANSFER", "The owner cannot leave: transfer the topic first, or delete it")
	ErrOwnTopic      = refusal.New(refusal.Forbidden, "OWN_TOPIC", "This cannot be done with a topic of your own")
	ErrPairTopic     = refusal.New(refusal.Forbidden, "P2P_TOPIC", "This cannot be done in a two-person topic")
	ErrRemovesSelf   = refusal.New(refusal.Forbidden, "SELF", "unsubscribe is how one leaves")
	ErrRemovesOwner  = refusal.New(refusal.Forbidden, "OWNER", "Nobody takes anything from the owner of a topic")
	ErrNoOffer       = refusal.New(refusal.Forbidden, "NOT_OFFERED", "The topic was not offered to you")
	ErrNotSubscriber = refusal.New(refusal.Forbidden, "NOT_SUBSCRIBED", "Subscribe to the topic first")
	ErrNotAuthor     = refusal.New(refusal.Forbidden, "NOT_AUTHOR", "Only the author of a message may replace it")

	ErrNoUser         = refusal.New(refusal.NotFound, "", "There is no such user")
	ErrNoTopic        = refusal.New(refusal.NotFound, "", "There is no such topic")
	ErrNoMessage      = refusal.New(refusal.NotFound, "", "There is no such message")
	ErrNoSubscription = refusal.New(refusal.NotFound, "", "There is no such subscription")

	ErrLoginTaken = refusal.New(refusal.Taken, "LOGIN_TAKEN", "Somebody else has this login: choose another")

	ErrTopicFull = refusal.New(refusal.LimitExceeded, "TOPIC_FULL", "A topic has %d subscribers at most", MaxSubscribers)

	ErrTooManyTags = refusal.New(refusal.LimitExceeded, "TOO_MANY_TAGS", "You have %d tags already: take one away first", MaxTags)

	ErrNothingVerified = refusal.New(refusal.Precondition, "NOTHING_VERIFIED",
		"The account of the token has verified neither an address nor a number: confirm one first")

	ErrTooOld = refusal.New(refusal.Precondition, "TOO_OLD", "Only the owner deletes messages for everybody that are older than 10 minutes")

	ErrSelfChat  = badInput("SELF", "userId: nobody chats with themselves")
	ErrToken     = badInput("INVALID_IDENTITY_TOKEN", "token: a token of the service's own identity, as from its sign-in")
	ErrNoSeq     = badInput("REQUIRED", "seqId: up to which message?")
	ErrSelfOffer = badInput("SELF", "userId: you own the topic already")
)

func badInput(reason, format string, args ...any) error {
	return refusal.New(refusal.BadInput, reason, format, args...)
}

// TagsTaken returns the error for tags that other users have.
func TagsTaken(tags []string) error {
	return refusal.New(refusal.Taken, "TAGS_TAKEN", "Others have the tags %s", strings.Join(tags, ", ")).With("tags", tags)
}

// TooLarge returns the error for a message of the given size.
func TooLarge(bytes int) error {
	return refusal.New(refusal.LimitExceeded, "MESSAGE_TOO_LARGE", "content and head have %d bytes as JSON together, %d are allowed", bytes, MaxMessage)
}
