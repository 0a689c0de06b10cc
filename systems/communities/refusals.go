package communities

import "stoa/internal/kit/refusal"

// Errors returned to clients, by code and reason. The reasons are part of the contract.
var (
	ErrUnauthenticated = refusal.New(refusal.Unauthenticated, "", "Sign in first")
	ErrCredentials     = refusal.New(refusal.Unauthenticated, "", "The login or the password is wrong")

	ErrBanned        = refusal.New(refusal.Forbidden, "BANNED", "You are banned")
	ErrPermission    = refusal.New(refusal.Forbidden, "PERMISSION_MISSING", "You may not do this")
	ErrNotChatMember = refusal.New(refusal.Forbidden, "NOT_CHAT_MEMBER", "Only members of the chat may do this")
	ErrNotInside     = refusal.New(refusal.Forbidden, "NOT_COMMUNITY_MEMBER", "Only members of the community may do this")
	ErrPrivateChat   = refusal.New(refusal.Forbidden, "PRIVATE_CHAT", "The chat is private: request to join it")
	ErrPassword      = refusal.New(refusal.Forbidden, "WRONG_PASSWORD", "The password is wrong")
	ErrCannotBan     = refusal.New(refusal.Forbidden, "CANNOT_BAN", "Nobody bans themselves or an administrator")

	ErrNoUser         = refusal.New(refusal.NotFound, "", "There is no such user")
	ErrNoCommunity    = refusal.New(refusal.NotFound, "", "There is no such community")
	ErrNoChat         = refusal.New(refusal.NotFound, "", "There is no such chat")
	ErrNoMessage      = refusal.New(refusal.NotFound, "", "There is no such message")
	ErrNoRequest      = refusal.New(refusal.NotFound, "", "There is no such request")
	ErrNoNotification = refusal.New(refusal.NotFound, "", "There is no such notification")
	ErrNoReaction     = refusal.New(refusal.NotFound, "NO_REACTION", "You have not reacted to the message")
	ErrNotMember      = refusal.New(refusal.NotFound, "NOT_MEMBER", "That user is not a member")

	ErrUsernameTaken  = refusal.New(refusal.Taken, "USERNAME_TAKEN", "Somebody else has this username")
	ErrUsernameLooks  = refusal.New(refusal.Taken, "USERNAME_TAKEN", "The username looks like that of somebody else: choose another")
	ErrEmailTaken     = refusal.New(refusal.Taken, "EMAIL_TAKEN", "Somebody else has this e-mail address")
	ErrNameTaken      = refusal.New(refusal.Taken, "NAME_TAKEN", "Another community has this name")
	ErrNameLooks      = refusal.New(refusal.Taken, "NAME_TAKEN", "The name of the community looks like that of another: choose another")
	ErrMember         = refusal.New(refusal.Taken, "ALREADY_MEMBER", "That user is a member already")
	ErrAlreadyBanned  = refusal.New(refusal.Taken, "ALREADY_BANNED", "That user is banned already")
	ErrNotBanned      = refusal.New(refusal.Taken, "NOT_BANNED", "That user is not banned")
	ErrRequestPending = refusal.New(refusal.Taken, "REQUEST_PENDING", "There is a pending request already")
	ErrDecided        = refusal.New(refusal.Taken, "REQUEST_ALREADY_DECIDED", "The request was decided already")

	ErrChatFull = refusal.New(refusal.LimitExceeded, "CHAT_FULL", "The chat is full")

	ErrUserBanned      = refusal.New(refusal.Precondition, "USER_BANNED", "The user is banned")
	ErrFounds          = refusal.New(refusal.Precondition, "FOUNDS_COMMUNITY", "Delete your communities or hand them over first")
	ErrFounderLeaves   = refusal.New(refusal.Precondition, "FOUNDER_CANNOT_LEAVE", "The founder cannot leave the community")
	ErrHasChats        = refusal.New(refusal.Precondition, "COMMUNITY_HAS_CHATS", "Delete the group chats of the community first")
	ErrChatOpen        = refusal.New(refusal.Precondition, "CHAT_IS_OPEN", "The chat is open: join it")
	ErrTooSoon         = refusal.New(refusal.Precondition, "REQUEST_TOO_SOON", "A day has to pass after a rejection")
	ErrCapacityTooLow  = refusal.New(refusal.Precondition, "CAPACITY_TOO_LOW", "The chat has more members than that")
	ErrPlaceIncomplete = badInput("LOCATION_INCOMPLETE", "A city needs its state and country, a state its country; without a place give a topic")

	ErrOwnMessage = refusal.New(refusal.Precondition, "OWN_MESSAGE", "Nobody reports their own messages")

	ErrSelfChat = badInput("SELF", "Nobody chats with themselves")
)

func badInput(reason, format string, args ...any) error {
	return refusal.New(refusal.BadInput, reason, format, args...)
}
