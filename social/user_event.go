package social

// UserCreated: somebody has a profile now, also once more after a reset.
type UserCreated struct{ UserID UserID }

func (UserCreated) EventName() string     { return "user.created" }
func (e UserCreated) OrderingKey() string { return string(e.UserID) }

// UserChanged: somebody changed their profile.
type UserChanged struct {
	UserID UserID
	// FormerUsername is set when the username is among the changes.
	FormerUsername string `json:",omitempty"`
}

func (UserChanged) EventName() string     { return "user.changed" }
func (e UserChanged) OrderingKey() string { return string(e.UserID) }

// UserOpened: somebody turned from private to public.
type UserOpened struct{ UserID UserID }

func (UserOpened) EventName() string     { return "user.opened" }
func (e UserOpened) OrderingKey() string { return string(e.UserID) }
