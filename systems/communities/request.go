package communities

import "time"

// RequestStatus is what has become of a request.
type RequestStatus string

const (
	Pending   RequestStatus = "PENDING"
	Accepted  RequestStatus = "ACCEPTED"
	Rejected  RequestStatus = "REJECTED"
	Cancelled RequestStatus = "CANCELLED"
)

// cooldown is how long after a rejection nobody asks again.
const cooldown = 24 * time.Hour

// Request is somebody's wish to join a private group chat.
type Request struct {
	Moment
	ChatID      ChatID
	UserID      UserID
	CommunityID CommunityID
	Status      RequestStatus
	Seen        bool
	Note        *string
	DecidedAt   time.Time
	DecidedBy   UserID
}

// Ref says where the request is stored.
func (r *Request) Ref() RequestRef { return RequestRef{r.ChatID, r.UserID, r.Moment} }

// PendingID is what a pending request is listed by; "" for others.
func (r *Request) PendingID() string {
	if r.Status != Pending {
		return ""
	}
	return PendingID(r.Moment)
}

// Decided returns the request with a decision, and refuses one that was decided.
func (r *Request) Decided(status RequestStatus, by UserID, at time.Time) (*Request, error) {
	if r.Status != Pending {
		return nil, ErrDecided
	}
	decided := *r
	decided.Status, decided.DecidedBy, decided.DecidedAt = status, by, at
	return &decided, nil
}

// Guard keeps a user from having two pending requests for a chat, and from asking again
// too soon after a rejection.
type Guard struct {
	UserID  UserID
	ChatID  ChatID
	Request Moment
	// RetryAfter is zero while the request is pending.
	RetryAfter time.Time
}

// Allows refuses a new request at a time. Nil is no guard.
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

// PendingGuard is the guard of a pending request.
func (r *Request) PendingGuard() *Guard {
	return &Guard{UserID: r.UserID, ChatID: r.ChatID, Request: r.Moment}
}

// CooldownGuard is the guard of a rejected request.
func (r *Request) CooldownGuard() *Guard {
	g := r.PendingGuard()
	g.RetryAfter = r.DecidedAt.Add(cooldown)
	return g
}

// Asks refuses to let a user of the community ask to join a group chat.
func (c *Chat) Asks(community, member bool) error {
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

// Enters refuses to let a user of the community into an open group chat.
func (c *Chat) Enters(community, member bool) error {
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

// Admits refuses to let the requester of a group chat in.
func (c *Chat) Admits(community, member bool) error {
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

// SeenRequest is a request as its user sees it, or somebody who may see requests of the
// chat.
type SeenRequest struct{ *Request }

func (s *SeenRequest) ID() string            { return s.Ref().Opaque() }
func (s *SeenRequest) CreatedAt() time.Time  { return s.At }
func (s *SeenRequest) DecidedAt() *time.Time { return orNil(s.Request.DecidedAt) }
