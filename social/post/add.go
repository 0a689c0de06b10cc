package post

import (
	"context"
	"errors"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/social"
)

// Add publishes a post of the caller. It is completed at once, as posts of text are. The
// answer shows the details that d asks for.
func (s *Service) Add(ctx context.Context, c social.Caller, n social.NewPost, d social.Detail) (*social.SeenPost, error) {
	if err := n.Check(); err != nil {
		return nil, err
	}
	return retry.OnConflict(func() (*social.SeenPost, error) {
		tags, err := s.People.Tags(ctx, n.Text)
		if err != nil {
			return nil, err
		}
		p := n.Post(c.User, s.Events.Now(), tags)
		albums, err := s.Albums.Facts(ctx, c.UserID, social.AlbumsOf(nil, p))
		if err != nil {
			return nil, err
		}
		if err := n.CheckAlbum(c.UserID, albums); err != nil {
			return nil, err
		}
		step := social.NewPostStep(nil, p, albums, s.Events.Now())
		answer, err := s.show(ctx, c, social.NewPostFacts(c, p, d).After(step), d)
		if err != nil {
			return nil, err
		}
		err = s.take(ctx, step, social.PostMoved{PostID: p.PostID, UserID: p.PostedByUserID, To: p.Status, At: p.PostedAt, Mentioned: social.NewlyTagged(nil, tags)})
		switch {
		case errors.Is(err, refusal.ErrTaken):
			return nil, refusal.Invalidf("Post `%s` duplicated", p.PostID)
		case err != nil:
			return nil, err
		}
		return answer, nil
	})
}
