package post

import (
	"context"
	"errors"

	"stoa/internal/kit/refusal"
	"stoa/social"
)

// Add publishes a post of the caller. It is completed at once, as posts of text are. The
// answer shows the details that d asks for.
func (s *Service) Add(ctx context.Context, c social.Caller, n social.NewPost, d social.Detail) (*social.SeenPost, error) {
	if err := n.Check(); err != nil {
		return nil, err
	}
	tags, err := s.People.Tags(ctx, n.Text)
	if err != nil {
		return nil, err
	}
	p := n.Post(c.User, s.Events.Now(), tags)
	answer, err := s.show(ctx, c, social.NewPostFacts(c, p, d), d)
	if err != nil {
		return nil, err
	}
	e := s.Events.New(ctx, social.PostMoved{PostID: p.PostID, UserID: p.PostedByUserID, To: p.Status, At: p.PostedAt, Mentioned: social.NewlyTagged(nil, tags)})
	switch err := s.Store.Add(ctx, p, e...); {
	case errors.Is(err, refusal.ErrTaken):
		return nil, refusal.Invalidf("Post `%s` duplicated", p.PostID)
	case err != nil:
		return nil, err
	}
	s.Events.Committed(ctx, e...)
	return answer, nil
}
