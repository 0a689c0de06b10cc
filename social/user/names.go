package user

import (
	"context"

	"stoa/social"
)

// UsernameStatus reports whether a name could be taken. A name is held in every case
// of its letters.
func (s *Service) UsernameStatus(ctx context.Context, name string) (social.UsernameStatus, error) {
	if !social.ValidUsername(name) {
		return social.UsernameInvalid, nil
	}
	_, held, err := s.UserIDByUsername(ctx, name)
	switch {
	case err != nil:
		return "", err
	case held || s.Reserved.Has(name):
		return social.UsernameNotAvailable, nil
	default:
		return social.UsernameAvailable, nil
	}
}

// ReservedUsername reports whether nobody may take a name.
func (s *Service) ReservedUsername(name string) bool { return s.Reserved.Has(name) }

// ValidUsername reports whether somebody could be named so.
func (s *Service) ValidUsername(name string) bool { return social.ValidUsername(name) }

// UserIDByUsername returns who signs in under a name, in any case of its letters.
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

// Tags returns the mentions of text that name a user, spelled as that user spells it.
func (s *Service) Tags(ctx context.Context, text string) ([]social.TextTag, error) {
	mentions := social.Mentions(text)
	if len(mentions) == 0 {
		return nil, nil
	}
	names := make([]string, len(mentions))
	for i, mention := range mentions {
		names[i] = mention[len("@"):]
	}
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
