package post

import (
	"context"

	"stoa/internal/kit/retry"
	"stoa/social"
)

// Edit edits a post of the caller, whatever its status. Mentions are looked up only if the
// text is edited.
func (s *Service) Edit(ctx context.Context, c social.Caller, id social.PostID, edit social.PostEdit, d social.Detail) (*social.SeenPost, error) {
	return retry.OnConflict(func() (*social.SeenPost, error) {
		f, err := s.own(ctx, c, id, "edit", d)
		if err != nil {
			return nil, err
		}
		if err := edit.Check(f.Post); err != nil {
			return nil, err
		}
		var tags []social.TextTag
		if edit.Text != nil {
			if tags, err = s.People.Tags(ctx, *edit.Text); err != nil {
				return nil, err
			}
		}
		mentioned := social.NewlyTagged(f.Post.TextTags, tags)
		before := f.Post
		f = f.Edited(edit, tags, s.Now())
		answer, err := s.show(ctx, c, f, d)
		if err != nil {
			return nil, err
		}
		e := s.New(ctx, social.PostEdited{PostID: id, UserID: c.UserID, Text: edit.Text != nil, Mentioned: mentioned})
		if err := s.Store.Edit(ctx, before, f.Post, edit, e...); err != nil {
			return nil, err
		}
		s.Committed(ctx, e...)
		return answer, nil
	})
}
