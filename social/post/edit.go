package post

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/social"
)

// Edit edits a post of the caller, whatever its status. Mentions are looked up only if the
// text is edited.
func (s *Service) Edit(ctx context.Context, c social.Caller, id social.PostID, edit social.PostEdit, d social.Detail) (*social.SeenPost, error) {
	check := desk.Checking{By: s.Checker}
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenPost, error) {
		f, err := s.own(ctx, c, id, "edit", d)
		if err != nil {
			return nil, err
		}
		if err := edit.Check(f.Post); err != nil {
			return nil, err
		}
		again, err := s.lookAgain(ctx, a, f.Post, edit)
		if err != nil {
			return nil, err
		}
		p, err := s.checkEdit(ctx, &check, f.Post, edit)
		if err != nil {
			return nil, err
		}
		f = f.Changed(p)
		var tags []social.TextTag
		if edit.Text != nil {
			if tags, err = s.People.Tags(ctx, *edit.Text); err != nil {
				return nil, err
			}
		}
		var mentioned []social.UserID
		if s.Checker == nil || f.Post.Status == social.PostCompleted {
			mentioned = social.NewlyTagged(f.Post.TextTags, tags)
		}
		before := f.Post
		f = f.Edited(edit, tags, s.Now())
		answer, err := s.show(ctx, c, f, d)
		if err != nil {
			return nil, err
		}
		edited := social.PostEdited{PostID: id, UserID: c.UserID, Text: edit.Text != nil, Mentioned: mentioned}
		return answer, s.Store.Edit(ctx, before, f.Post, edit, again, a.Emit(edited)...)
	})
}

// lookAgain returns the step of the case of a post whose text is edited while it is held, or nil:
// whoever decides it has to look again.
func (s *Service) lookAgain(ctx context.Context, a *decision.Attempt, p *social.Post, edit social.PostEdit) (*desk.CaseStep, error) {
	if !p.Held || edit.Text == nil {
		return nil, nil
	}
	in, err := desk.EditedIn(ctx, s.Cases, p.CaseItem())
	if in != nil {
		a.Tell(in.Message())
	}
	return in, err
}
