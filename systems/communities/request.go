package communities

import "time"

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
	ChatID      ChatID
	UserID      UserID
	CommunityID CommunityID
	Status      RequestStatus
	Seen        bool
	Note        *string
	DecidedAt   time.Time
	DecidedBy   UserID
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
	UserID  UserID
	ChatID  ChatID
	Request Moment
	// RetryAfter is the end of the cooldown; zero while the request is pending.
	RetryAfter time.Time
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

// Asks refuses a request to join a group chat by a user, given whether they are members of
// its community and of the chat.
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

// Enters refuses to let a user join an open group chat, given whether they are members of
// its community and of the chat.
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

// Admits refuses to accept a requester, given whether they are members of the community and
// of the chat.
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

// SeenRequest is a request as seen by its user, or by a user who may see requests of the
// chat.
type SeenRequest struct{ *Request }

func (s *SeenRequest) ID() string            { return s.Ref().Opaque() }
func (s *SeenRequest) CreatedAt() time.Time  { return s.At }
func (s *SeenRequest) DecidedAt() *time.Time { return orNil(s.Request.DecidedAt) }
