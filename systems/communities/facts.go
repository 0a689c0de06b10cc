package communities

import (
	"context"
	"slices"

	"stoa/internal/kit/slice"
)

// Wanted lists things to be read together, consistently.
type Wanted struct {
	Users []UserID
	// Usernames, Emails and CommunityNames are folded.
	Usernames, Emails []string
	Communities       []CommunityID
	CommunityNames    []string
	// UsernameLooks are folded names that usernames may look like.
	UsernameLooks    []string
	CommunityMembers []CommunityRef
	Chats            []ChatRef
	Members          []MemberRef
	Messages         []MessageRef
	Requests         []RequestRef
	// Guards are identified by user and chat.
	Guards []MemberRef
	// Notices are the users whose time of the last notification is read.
	Notices       []UserID
	Notifications []NotificationRef
	// Progress are the events whose progress is read; see Spread.
	Progress []Moment
}

// Facts contains those wanted things that exist.
type Facts struct {
	Users          map[UserID]*User
	Usernames      map[string]UserID
	Emails         map[string]UserID
	Communities    map[CommunityID]*Community
	CommunityNames map[string]CommunityID
	// UsernameLooks are the users whose usernames look like these.
	UsernameLooks    map[string]UserID
	CommunityMembers map[CommunityRef]*CommunityMember
	Chats            map[ChatRef]*Chat
	Members          map[MemberRef]*Member
	Messages         map[MessageRef]*Message
	// Requests are the requesters' copies.
	Requests map[RequestRef]*Request
	Guards   map[MemberRef]*Guard
	// Notices are the times of the users' last notifications.
	Notices       map[UserID]Notices
	Notifications map[NotificationRef]*Notification
	Progress      map[Moment]string
}

// Viewer returns the viewer, who must be among the wanted users, or an error if they are
// not a user or banned.
func (f *Facts) Viewer(id UserID) (Viewer, error) {
	u := f.Users[id]
	switch {
	case !u.Lives():
		return Viewer{}, ErrUnauthenticated
	case u.Banned:
		return Viewer{u}, ErrBanned
	}
	return Viewer{u}, nil
}

// Reader reads facts.
type Reader interface {
	// Facts never returns nil facts, not even with an error.
	Facts(ctx context.Context, w Wanted) (*Facts, error)
}

// Admit reads the viewer, who must be a user and not banned.
func Admit(ctx context.Context, r Reader, id UserID) (Viewer, error) {
	_, v, err := Ask(ctx, r, id, Wanted{})
	return v, err
}

// Ask reads facts and the viewer, who must be a user and not banned.
func Ask(ctx context.Context, r Reader, id UserID, w Wanted) (*Facts, Viewer, error) {
	if id == "" {
		return nil, Viewer{}, ErrUnauthenticated
	}
	w.Users = append(slices.Clone(w.Users), id)
	f, err := r.Facts(ctx, w)
	if err != nil {
		return nil, Viewer{}, err
	}
	v, err := f.Viewer(id)
	return f, v, err
}

// WithUsers returns those items of a list whose user exists, as seen together with the user.
func WithUsers[T, S any](ctx context.Context, r Reader, list []T, user func(T) UserID, see func(T, *User) S) (shown []S, err error) {
	ids := slice.Map(list, user)
	facts, err := r.Facts(ctx, Wanted{Users: ids})
	if err != nil {
		return nil, err
	}
	for i, item := range list {
		if u := facts.Users[ids[i]]; u.Lives() {
			shown = append(shown, see(item, u))
		}
	}
	return shown, nil
}
