package messaging

import (
	"slices"
	"time"
)

// Message is a published message.
type Message struct {
	MessageRef
	From      UserID    `dynamo:"From"`
	CreatedAt time.Time `dynamo:"CreatedAt"`
	// DeletedAt is when it was deleted for everybody; zero if it was not.
	DeletedAt  time.Time `dynamo:"DeletedAt,null"`
	DeletedFor []UserID  `dynamo:"DeletedFor"`
	Head       JSON      `dynamo:"Head,json,null"`
	Content    JSON      `dynamo:"Content,json,null"`
	// Expires has a precision of seconds.
	Expires  time.Time `dynamo:"-"`
	ClientID string    `dynamo:"ClientId"`
	// Unchecked is set if the message is shown although its content check failed.
	Unchecked bool `dynamo:"Unchecked"`
	// PublishedAs is set in place of a message that was held, and is its number now.
	PublishedAs int `dynamo:"PublishedAs"`
}

// UpdatedAt returns when the message was published or deleted.
func (m *Message) UpdatedAt() time.Time {
	if !m.DeletedAt.IsZero() {
		return m.DeletedAt
	}
	return m.CreatedAt
}

// Exists reports whether the message has neither been deleted for everybody nor expired.
func (m *Message) Exists(now time.Time) bool {
	return m.Stored(now) && m.DeletedAt.IsZero()
}

// Stored reports whether the message has not expired. It may have been deleted for everybody.
func (m *Message) Stored(now time.Time) bool { return m != nil && now.Before(m.Expires) }

// DeletedBy reports whether a user has deleted the message for themselves.
func (m *Message) DeletedBy(id UserID) bool { return slices.Contains(m.DeletedFor, id) }

// Erased returns m after it is deleted for everybody.
func (m *Message) Erased(now time.Time) *Message {
	erased := *m
	erased.DeletedAt, erased.Head, erased.Content = now, "", ""
	return &erased
}

// Draft is a message to be published.
type Draft struct {
	Content, Head JSON
	NoEcho        bool
	ClientID      *string
}

// CheckSize refuses content and head whose total size is too large.
func CheckSize(content, head JSON) error {
	if n := len(content) + len(head); n > MaxMessage {
		return TooLarge(n)
	}
	return nil
}
