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

// On applies the changes, or returns an error if one is invalid. Names that remain are not
// checked again: they may be older than the rules.
func (p ProfileChange) On(u *User) error {
	before := *u
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
		checkNew(before.Username, u.Username, CheckUsername), checkNew(before.Name, u.Name, CheckName), CheckEmail(u.Email), u.Location.Check(),
		CheckBio(u.Bio), CheckURL(u.AvatarURL), CheckURL(u.CoverPhotoURL))
}

// checkNew checks a name that has changed.
func checkNew(before, after string, check func(string) error) error {
	if before == after {
		return nil
	}
	return check(after)
}
