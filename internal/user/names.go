package user

import (
	"context"

	"stoa"
)

// UsernameStatus reports whether a name could be taken. A name is held in every case
// of its letters.
func (s *Service) UsernameStatus(ctx context.Context, name string) (stoa.UsernameStatus, error) {
	if !stoa.ValidUsername(name) {
		return stoa.UsernameInvalid, nil
	}
	_, held, err := s.UserIDByUsername(ctx, name)
	switch {
	case err != nil:
		return "", err
	case held:
		return stoa.UsernameNotAvailable, nil
	default:
		return stoa.UsernameAvailable, nil
	}
}

// UserIDByUsername returns who signs in under a name, in any case of its letters.
func (s *Service) UserIDByUsername(ctx context.Context, name string) (id stoa.UserID, found bool, err error) {
	if !stoa.ValidUsername(name) {
		return "", false, nil
	}
	holders, err := s.Store.Holders(ctx, []string{name})
	if err != nil {
		return "", false, err
	}
	holder, found := holders[stoa.FoldUsername(name)]
	return holder.UserID, found, nil
}

// Tags returns the mentions of text that name a user, spelled as that user spells it.
func (s *Service) Tags(ctx context.Context, text string) ([]stoa.TextTag, error) {
	mentions := stoa.Mentions(text)
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
	var tags []stoa.TextTag
	for i, name := range names {
		if h, ok := holders[stoa.FoldUsername(name)]; ok && h.Username == name {
			tags = append(tags, stoa.TextTag{Tag: mentions[i], UserID: h.UserID})
		}
	}
	return tags, nil
}
