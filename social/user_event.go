package social

import (
	"context"
	"time"

	"stoa/internal/kit/page"
)

// UserCreated: a user got a profile, possibly again after a reset.
type UserCreated struct{ UserID UserID }

func (UserCreated) EventName() string     { return "user.created" }
func (e UserCreated) OrderingKey() string { return string(e.UserID) }

// UserChanged: a user changed their profile.
type UserChanged struct {
	UserID UserID
	// FormerUsername is set if the username changed.
	FormerUsername string `json:",omitempty"`
}

func (UserChanged) EventName() string     { return "user.changed" }
func (e UserChanged) OrderingKey() string { return string(e.UserID) }

// UserMadePublic: a user changed from private to public. Its stored name is user.opened.
type UserMadePublic struct{ UserID UserID }

func (UserMadePublic) EventName() string     { return "user.opened" }
func (e UserMadePublic) OrderingKey() string { return string(e.UserID) }

// UserStatusChanged: an account changed its status, other than by its removal. Its stored
// name is user.status_moved.
type UserStatusChanged struct {
	UserID   UserID
	From, To UserStatus
}

func (UserStatusChanged) EventName() string     { return "user.status_moved" }
func (e UserStatusChanged) OrderingKey() string { return string(e.UserID) }

// UserRemoved: a profile was reset or deleted. Everybody counts it as missing already; what
// receivers do is to clear away what it left, in FanOut lanes.
//
// The same user may have a new profile by the time that this arrives. What belongs to that
// one stays, and its counters do not move; Left tells which of the two it is.
type UserRemoved struct {
	UserID UserID
	// Username was theirs: the groups that they leave are told.
	Username string
	// RemovedAt is when the removal was decided. A new profile of the user, and all that
	// belongs to it, is no older than that.
	RemovedAt time.Time
	// Erased is set if nothing may be left that identifies the user.
	Erased bool `json:",omitempty"`
}

// Left returns those of some rows of the removed user that are left of a removed profile.
// at returns when a row was made. The rows must have been read before the call.
//
// Every row of a user is stored on condition that the profile exists at that moment and is
// not younger than the row. So a row that was read belongs to the profile that is read after
// it, or to a former one, and is older than the present profile only in the latter case.
// RemovedAt cannot tell: it is chosen before the removal is committed, and a row written
// between the two may be later.
func Left[T any](ctx context.Context, e UserRemoved, profiles ProfileReader, rows []T, at func(T) time.Time) ([]T, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	present, err := profiles.Profile(ctx, e.UserID)
	if present == nil || err != nil {
		return rows, err
	}
	var left []T
	for _, row := range rows {
		if present.Former(at(row)) {
			left = append(left, row)
		}
	}
	return left, nil
}

// EachLeft calls remove for each item of a page that Left returns. Its results are those of a chunk
// of a fan-out; err is the error of the list.
func EachLeft[T any](
	ctx context.Context, e UserRemoved, profiles ProfileReader, p page.Page[T], err error, at func(T) time.Time, remove func(T) error,
) (next string, rows int, _ error) {
	if err != nil {
		return "", 0, err
	}
	left, err := Left(ctx, e, profiles, p.Items, at)
	if err != nil {
		return "", 0, err
	}
	for _, item := range left {
		if err := remove(item); err != nil {
			return "", rows, err
		}
		rows++
	}
	return p.Next, rows, nil
}

func (UserRemoved) EventName() string     { return "user.removed" }
func (e UserRemoved) OrderingKey() string { return string(e.UserID) }

// ContentForciblyRemoved: moderation archived a user's post, or deleted their comment or
// chat message. The event is stored in the transaction that also changes the user's forced
// counter, so that the account area decides on accurate counters.
type ContentForciblyRemoved struct {
	UserID UserID
	Kind   ContentKind
}

func (ContentForciblyRemoved) EventName() string     { return "content.forcibly_removed" }
func (e ContentForciblyRemoved) OrderingKey() string { return string(e.UserID) }

// ContentKind is a kind of content that moderation removes. Its values are stored as the
// reasons of bans.
type ContentKind string

// Kinds of content that count against their author when removed by force.
const (
	ForcedPosts        ContentKind = "posts"
	ForcedComments     ContentKind = "comments"
	ForcedChatMessages ContentKind = "chatMessages"
)
