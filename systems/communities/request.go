package communities

import (
	"time"

	"stoa/internal/kit/optional"
)

// RequestStatus is the status of a request.
type RequestStatus string

const (
	Pending   RequestStatus = "PENDING"
	Accepted  RequestStatus = "ACCEPTED"
	Rejected  RequestStatus = "REJECTED"
	Cancelled RequestStatus = "CANCELLED"
)

// cooldown is how long after a rejection the user may not ask again.
const cooldown = 24 * time.Hour

// Request is a user's request to join a closed group chat.
type Request struct {
	Moment
	ChatID      ChatID        `dynamo:"ChatId"`
	UserID      UserID        `dynamo:"UserId"`
	CommunityID CommunityID   `dynamo:"CommunityId"`
	Status      RequestStatus `dynamo:"Status"`
	Seen        bool          `dynamo:"Seen,zero"`
	Note        *string       `dynamo:"Note"`
	DecidedAt   time.Time     `dynamo:"DecidedAt"`
	DecidedBy   UserID        `dynamo:"DecidedBy"`
}

// Ref returns the reference of the request.
func (r *Request) Ref() RequestRef { return RequestRef{r.ChatID, r.UserID, r.Moment} }

// PendingID returns the id by which a pending request is listed, or "" for others.
func (r *Request) PendingID() string {
	if r.Status != Pending {
		return ""
	}
	return PendingID(r.Moment)
}

// Decided returns the request with a decision, or an error if it has been decided already.
func (r *Request) Decided(status RequestStatus, by UserID, at time.Time) (*Request, error) {
	if r.Status != Pending {
		return nil, ErrDecided
	}
	decided := *r
	decided.Status, decided.DecidedBy, decided.DecidedAt = status, by, at
	return &decided, nil
}

// Guard prevents a user from having two pending requests for a chat, and from asking again
// too soon after a rejection.
type Guard struct {
	UserID  UserID `dynamo:"UserId"`
	ChatID  ChatID `dynamo:"ChatId"`
	Request Moment `dynamo:"-"`
	// RetryAfter is the end of the cooldown; zero while the request is pending.
	RetryAfter time.Time `dynamo:"RetryAfter"`
}

// Allows refuses a new request while the guard is effective. A nil guard allows all.
func (g *Guard) Allows(now time.Time) error {
	switch {
	case g == nil:
		return nil
	case g.RetryAfter.IsZero():
		return ErrRequestPending
	case now.Before(g.RetryAfter):
		return ErrTooSoon
	}
	return nil
}

// PendingGuard returns the guard of a pending request.
func (r *Request) PendingGuard() *Guard {
	return &Guard{UserID: r.UserID, ChatID: r.ChatID, Request: r.Moment}
}

// CooldownGuard returns the guard of a rejected request.
func (r *Request) CooldownGuard() *Guard {
	g := r.PendingGuard()
	g.RetryAfter = r.DecidedAt.Add(cooldown)
	return g
}

// CheckRequest refuses a request to join a group chat by a user, given whether they are members of
// its community and of the chat.
func (c *Chat) CheckRequest(community, member bool) error {
	switch {
	case !c.Closed:
		return ErrChatOpen
	case !community:
		return ErrNotInside
	case member:
		return ErrMember
	}
	return nil
}

// CheckJoin refuses to let a user join an open group chat, given whether they are members of
// its community and of the chat.
func (c *Chat) CheckJoin(community, member bool) error {
	switch {
	case !community:
		return ErrNotInside
	case member:
		return ErrMember
	case c.Closed:
		return ErrPrivateChat
	case c.NumMembers >= c.Capacity:
		return ErrChatFull
	}
	return nil
}

// CheckAcceptance refuses to accept a requester, given whether they are members of the community and
// of the chat.
func (c *Chat) CheckAcceptance(community, member bool) error {
	switch {
	case !community:
		return ErrNotInside
	case member:
		return ErrMember
	case c.NumMembers >= c.Capacity:
		return ErrChatFull
	}
	return nil
}

// SeenRequest is a request as a viewer sees it.
type SeenRequest struct{ request *Request }

// SeenBy returns r as a viewer sees it, given whether they decide on requests for the chat
// and whether they are a member of it. Users see their own requests, those who decide all,
// and members pending ones. It returns nil to others.
func (r *Request) SeenBy(v UserID, decides, member bool) *SeenRequest {
	if r.UserID != v && !decides && (!member || r.Status != Pending) {
		return nil
	}
	return &SeenRequest{r}
}

// UserID, ChatID and DeciderID return the user who asks, the chat, and who has decided, ""
// if nobody has.
func (s *SeenRequest) UserID() UserID    { return s.request.UserID }
func (s *SeenRequest) ChatID() ChatID    { return s.request.ChatID }
func (s *SeenRequest) DeciderID() UserID { return s.request.DecidedBy }

func (s *SeenRequest) ID() string            { return s.request.Ref().Opaque() }
func (s *SeenRequest) Note() *string         { return s.request.Note }
func (s *SeenRequest) CreatedAt() time.Time  { return s.request.At }
func (s *SeenRequest) Status() RequestStatus { return s.request.Status }
func (s *SeenRequest) Seen() bool            { return s.request.Seen }
func (s *SeenRequest) DecidedAt() *time.Time { return optional.IfSet(s.request.DecidedAt) }
