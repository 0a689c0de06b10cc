package user

import (
	"context"

	"stoa/internal/kit/slice"
	"stoa/social"
)

// UsernameStatus returns whether a username is available to the viewer. Usernames are unique
// regardless of case.
func (s *Service) UsernameStatus(ctx context.Context, v social.Viewer, name string) (social.UsernameStatus, error) {
	if !social.ValidUsername(name) {
		return social.UsernameInvalid, nil
	}
	_, held, err := s.UserIDByUsername(ctx, name)
	if err == nil && !held {
		held, err = s.reservedFor(ctx, v.UserID, name)
	}
	switch {
	case err != nil:
		return "", err
	case held:
		return social.UsernameNotAvailable, nil
	default:
		return social.UsernameAvailable, nil
	}
}

// ReservedUsername reports whether a username is reserved.
func (s *Service) ReservedUsername(name string) bool {
	return s.Reserved.Has(name) || s.FollowedByAll.Reserves(name)
}

// reservedFor reports whether a username is reserved for others than the user.
func (s *Service) reservedFor(ctx context.Context, id social.UserID, name string) (bool, error) {
	if !s.FollowedByAll.Reserves(name) || s.Reserved.Has(name) {
		return s.Reserved.Has(name), nil
	}
	moderates, err := s.Moderators.IsModerator(ctx, id)
	return !moderates, err
}

// ValidUsername reports whether a username is well-formed.
func (s *Service) ValidUsername(name string) bool { return social.ValidUsername(name) }

// UserIDByUsername returns the user with the given username, regardless of case.
func (s *Service) UserIDByUsername(ctx context.Context, name string) (id social.UserID, found bool, err error) {
	if !social.ValidUsername(name) {
		return "", false, nil
	}
	holders, err := s.Store.Holders(ctx, []string{name})
	if err != nil {
		return "", false, err
	}
	holder, found := holders[social.FoldUsername(name)]
	return holder.UserID, found, nil
}

// Tags returns the mentions of users in text, spelled as the users spell their names.
func (s *Service) Tags(ctx context.Context, text string) ([]social.TextTag, error) {
	mentions := social.Mentions(text)
	if len(mentions) == 0 {
		return nil, nil
	}
	names := slice.Map(mentions, func(mention string) string { return mention[len("@"):] })
	holders, err := s.Store.Holders(ctx, names)
	if err != nil {
		return nil, err
	}
	var tags []social.TextTag
	for i, name := range names {
		if h, ok := holders[social.FoldUsername(name)]; ok && h.Username == name {
			tags = append(tags, social.TextTag{Tag: mentions[i], UserID: h.UserID})
		}
	}
	return tags, nil
}
