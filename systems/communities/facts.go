package communities

import (
	"context"
	"slices"
)

// Wanted names things to read together, as they are now.
type Wanted struct {
	Users []UserID
	// Usernames, Emails and CommunityNames are folded.
	Usernames, Emails []string
	Communities       []CommunityID
	CommunityNames    []string
	CommunityMembers  []CommunityRef
	Chats             []ChatRef
	Members           []MemberRef
	Messages          []MessageRef
	Requests          []RequestRef
	// Guards are wanted by user and chat.
	Guards []MemberRef
	// Notices are the users whose last notification is asked for.
	Notices       []UserID
	Notifications []NotificationRef
}

// Facts are those of the wanted things that are there.
type Facts struct {
	Users            map[UserID]*User
	Usernames        map[string]UserID
	Emails           map[string]UserID
	Communities      map[CommunityID]*Community
	CommunityNames   map[string]CommunityID
	CommunityMembers map[CommunityRef]*CommunityMember
	Chats            map[ChatRef]*Chat
	Members          map[MemberRef]*Member
	Messages         map[MessageRef]*Message
	// Requests are those of the requester's copy.
	Requests map[RequestRef]*Request
	Guards   map[MemberRef]*Guard
	// Notices say when each user was notified last.
	Notices       map[UserID]Notices
	Notifications map[NotificationRef]*Notification
}

// Viewer returns whoever asks, who must be among the wanted users, and refuses those who
// are no users or banned.
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
	Facts(ctx context.Context, w Wanted) (*Facts, error)
}

// Ask reads facts together with whoever asks for them, who must be a user without a ban.
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
