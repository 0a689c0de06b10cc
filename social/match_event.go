package social

import "time"

// MatchApproved: UserID approved of MatchUserID.
type MatchApproved struct{ UserID, MatchUserID UserID }

func (MatchApproved) EventName() string     { return "match.approved" }
func (e MatchApproved) OrderingKey() string { return string(e.MatchUserID) }

// MatchConfirmed: two users have approved of each other, UserID second.
type MatchConfirmed struct {
	UserID, MatchUserID UserID
	// CreatedAt is when the two matched; zero in events of a version before.
	CreatedAt time.Time
	// ChatID and MessageID are those of the chat opened for them.
	ChatID    ChatID
	MessageID ChatMessageID
}

func (MatchConfirmed) EventName() string { return "match.confirmed" }

// OrderingKey is the pair.
func (e MatchConfirmed) OrderingKey() string { return pairKey(e.UserID, e.MatchUserID) }
