package communities

import (
	"strings"

	"stoa/internal/kit/input"
)

// What clients ask for, in the terms of the nouns.

// Registration is who somebody says they are.
type Registration struct {
	Username, Name, Email, Password string
	Location                        Location
	Bio                             *string
}

// ProfileChange is what of the viewer is to change.
type ProfileChange struct {
	Username, Name, Email         input.Edit[string]
	Bio, AvatarURL, CoverPhotoURL input.Edit[string]
	Location                      input.Edit[Location]
	Expected                      *int
}

// CommunityPlan is a community as it is to be.
type CommunityPlan struct {
	Name, Description        string
	Topic                    Topic
	Location                 Location
	AvatarURL, CoverPhotoURL *string
}

// CommunityChange is what of a community is to change.
type CommunityChange struct {
	Name, Description        input.Edit[string]
	Topic                    input.Edit[Topic]
	Location                 input.Edit[Location]
	AvatarURL, CoverPhotoURL input.Edit[string]
	Expected                 *int
}

// ChatPlan is a group chat as it is to be. A nil capacity is the largest.
type ChatPlan struct {
	Name, Description string
	Closed            bool
	Capacity          *int
}

// ChatChange is what of a group chat is to change.
type ChatChange struct {
	Name, Description input.Edit[string]
	Closed            input.Edit[bool]
	Capacity          input.Edit[int]
	Expected          *int
}

// Draft is a message that is to be sent.
type Draft struct {
	Content  string
	ReplyTo  *string
	ClientID *string
}

// On makes the changes, as far as they are allowed.
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
