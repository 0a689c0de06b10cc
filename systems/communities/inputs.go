package communities

import (
	"strings"

	"stoa/internal/kit/input"
)

// Inputs of clients, in terms of the nouns.

// Registration contains the details of a new user.
type Registration struct {
	Username, Name, Email, Password string
	Location                        Location
	Bio                             *string
}

// ProfileChange is a change of the viewer's profile.
type ProfileChange struct {
	Username, Name, Email         input.Edit[string]
	Bio, AvatarURL, CoverPhotoURL input.Edit[string]
	Location                      input.Edit[Location]
	Expected                      *int
}

// CommunityPlan contains the details of a new community.
type CommunityPlan struct {
	Name, Description        string
	Topic                    Topic
	Location                 Location
	AvatarURL, CoverPhotoURL *string
}

// CommunityChange is a change of a community.
type CommunityChange struct {
	Name, Description        input.Edit[string]
	Topic                    input.Edit[Topic]
	Location                 input.Edit[Location]
	AvatarURL, CoverPhotoURL input.Edit[string]
	Expected                 *int
}

// ChatPlan contains the details of a new group chat. A nil capacity means the maximum.
type ChatPlan struct {
	Name, Description string
	Closed            bool
	Capacity          *int
}

// ChatChange is a change of a group chat.
type ChatChange struct {
	Name, Description input.Edit[string]
	Closed            input.Edit[bool]
	Capacity          input.Edit[int]
	Expected          *int
}

// Draft is a message to be sent.
type Draft struct {
	Content  string
	ReplyTo  *string
	ClientID *string
}

// On applies the changes, or returns an error if one is invalid.
func (p ProfileChange) On(u *User) error {
	if err := input.First(
		p.Username.Required(&u.Username, "username"), p.Name.Required(&u.Name, "name"),
		p.Email.Required(&u.Email, "email"), p.Location.Required(&u.Location, "location")); err != nil {
		return err
	}
	p.Bio.Nullable(&u.Bio)
	p.AvatarURL.Nullable(&u.AvatarURL)
	p.CoverPhotoURL.Nullable(&u.CoverPhotoURL)
	u.Username, u.Name, u.Location = strings.TrimSpace(u.Username), strings.TrimSpace(u.Name), u.Location.Trimmed()
	return input.First(
		CheckUsername(u.Username), CheckName(u.Name), CheckEmail(u.Email), u.Location.Check(),
		CheckBio(u.Bio), CheckURL(u.AvatarURL), CheckURL(u.CoverPhotoURL))
}
