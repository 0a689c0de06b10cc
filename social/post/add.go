package post

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// Add adds a post of the caller and returns it with the details in d. A text-only post is
// completed at once. A post whose image is included is processed at once, and either
// completed or failed for good. Other posts wait for their upload.
func (s *Service) Add(ctx context.Context, c social.Caller, n social.NewPost, d social.Detail) (*social.SeenPost, error) {
	if err := n.Check(); err != nil {
		return nil, err
	}
	end, err := s.Adding.Acquire(ctx, social.PostFiles(c.UserID, n.PostID), 1)
	defer end()
	if err != nil {
		return nil, err
	}
	inline, err := s.inline(ctx, c, n)
	if err != nil {
		return nil, err
	}
	dated, check := s.dates(ctx, c.User), desk.Checking{By: s.Checker}
	seen, err := decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenPost, error) {
		at, err := dated()
		if err != nil {
			return nil, err
		}
		tags, err := s.People.Tags(ctx, n.Text)
		if err != nil {
			return nil, err
		}
		p := n.Post(c.User, at, tags)
		albums, err := s.permit(ctx, c, n, p)
		if err != nil {
			return nil, err
		}
		added, image := p, n.PostImage()
		if inline != nil {
			if added, image, err = s.outcome(ctx, p, image, *inline); err != nil {
				return nil, err
			}
		}
		added, withheld, err := s.checked(ctx, &check, nil, added)
		if err != nil {
			return nil, err
		}
		step := social.NewPostStep(nil, added, albums, s.Now()).With(image).Began(c.See(), s.FollowedByAll, s.Now())
		step.Metadata = n.Metadata()
		answer, err := s.show(ctx, c, social.NewPostFacts(c, added, d).With(image).After(step), d)
		if err != nil {
			return nil, err
		}
		moved := step.StatusChanged(p.PostedAt)
		if s.Checker == nil || moved.First() { // else those who are mentioned hear of it once it has been checked
			moved.Mentioned = p.Mentioned()
		}
		moved.SetAsUserPhoto = moved.First() && social.On(p.SetAsUserPhoto)
		removed, opened := withhold(a, &step, withheld)
		err = s.Store.Apply(ctx, step, slices.Concat(s.effects(a, step, append(removed, moved)...), opened)...)
		if errors.Is(err, refusal.ErrTaken) {
			return nil, duplicated(p.PostID)
		}
		return answer, err
	})
	if kind := refusal.KindOf(err); inline != nil && kind != 0 && kind != refusal.Fault {
		err = cmp.Or(s.tidy(ctx, c.UserID, n.PostID), err)
	}
	return seen, err
}

// permit returns the albums of a new post, or an error if the post may not be added with its
// lifetime or to its album.
func (s *Service) permit(ctx context.Context, c social.Caller, n social.NewPost, p *social.Post) (map[social.AlbumID]social.AlbumFacts, error) {
	albums, err := s.albums(ctx, c, nil, p)
	if err != nil {
		return nil, err
	}
	if err := n.CheckLifetime(p); err != nil {
		return nil, err
	}
	return albums, n.CheckAlbum(c.UserID, albums)
}

// dates returns a function that returns the time of a new post of u: now, or a microsecond
// after u's last post if that was timed by a clock ahead of this one. The first attempt
// uses u.LastPostedAt. Later attempts read it again, as a concurrent post may have caused
// the conflict.
func (s *Service) dates(ctx context.Context, u *social.User) func() (time.Time, error) {
	last, attempts := u.LastPostedAt, 0
	return func() (time.Time, error) {
		if attempts++; attempts > 1 {
			var err error
			if last, err = s.Store.LastPostedAt(ctx, u.UserID); err != nil {
				return time.Time{}, err
			}
		}
		return social.NextPostAt(last, u.NotBefore(s.Now())), nil
	}
}

func duplicated(id social.PostID) error { return refusal.Invalidf("Post `%s` duplicated", id) }

// inline processes the image included in a new post; it returns nil if there is none.
// Nothing of the post is stored before the outcome is known, so that a failure leaves no
// partial post. Refusals are checked first, so that the files of an existing post with the
// same id stay.
func (s *Service) inline(ctx context.Context, c social.Caller, n social.NewPost) (*processed, error) {
	data := n.Inline()
	if data == "" {
		return nil, nil
	}
	p := n.Post(c.User, s.Now(), nil)
	facts, err := s.Store.Facts(ctx, c.UserID, []social.PostID{n.PostID}, 0)
	if err != nil {
		return nil, err
	}
	if _, err := s.permit(ctx, c, n, p); err != nil {
		return nil, err
	}
	if len(facts) > 0 {
		return nil, duplicated(n.PostID)
	}
	made, err := s.Files.Inline(ctx, p, n.PostImage(), data)
	return processedAs(made, err)
}

// processed is the outcome of processing a file: the image, or the reason why it is unfit.
type processed struct {
	made  social.MadeImage
	unfit *social.Unfit
}

// processedAs separates failures that are the file's fault from other errors.
func processedAs(made social.MadeImage, err error) (*processed, error) {
	r := &processed{made: made}
	if err != nil && !errors.As(err, &r.unfit) {
		return nil, err
	}
	return r, nil
}

// outcome returns p and the information about its image after its file has been processed.
func (s *Service) outcome(ctx context.Context, p *social.Post, image *social.PostImage, r processed) (*social.Post, *social.PostImage, error) {
	switch {
	case r.unfit != nil:
		return p.Failed(r.unfit.Reason), image, nil
	case p.Type == social.VideoPost:
		return p.Completed(), nil, nil
	}
	verdict, err := s.Files.Verified(ctx, p, image)
	if unfit := (*social.Unfit)(nil); errors.As(err, &unfit) {
		return p.Failed(unfit.Reason), image, nil
	}
	if err != nil {
		return nil, nil, err
	}
	original, err := s.Store.FirstWith(ctx, r.made.Checksum, p.PostedAt)
	if err != nil {
		return nil, nil, err
	}
	return p.WithImage(r.made.Checksum, verdict, original).Completed(), image.Made(r.made), nil
}

// tidy deletes the files of a post that was refused after its image had been processed. Those
// of another post of the same user are stored in the same place and stay.
func (s *Service) tidy(ctx context.Context, owner social.UserID, id social.PostID) error {
	f, err := s.stored(ctx, owner, id)
	if err != nil || f.Post != nil {
		return err
	}
	return s.Files.Remove(ctx, owner, id)
}
