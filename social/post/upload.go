package post

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/social"
)

// patience is how long an upload request waits for its file to be processed. Processing
// that takes longer continues after the response.
const patience = 3 * time.Second

// Uploaded receives a file that was uploaded to place and is stored at staged until
// Uploaded returns. A file that no post is waiting for is ignored, with ErrPostFailed if
// the post is in ERROR.
func (s *Service) Uploaded(ctx context.Context, place, staged string) error {
	p, image, err := s.waiting(ctx, place)
	if err != nil {
		return err
	}
	if p == nil {
		return s.ignored(ctx, place)
	}
	source, err := s.Files.Keep(ctx, p, staged)
	if err != nil {
		return err
	}
	u := social.PostUpload{PostID: p.PostID, Owner: p.PostedByUserID, Source: source, Process: s.Process, At: s.Now()}
	begun, err := decision.Run(ctx, s.Frame, func(a *decision.Attempt) (bool, error) { return s.begin(ctx, a, place, p.PostedAt, u) })
	if err != nil || !begun { // another file came first, or the post was deleted
		return errors.Join(err, s.Files.Discard(ctx, source))
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.process(context.WithoutCancel(ctx), p, image, u)
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
	return nil
}

// begin sets the post that is waiting for a file at place to PROCESSING. It returns false
// if there is none, or only a newer one: its file is still to come, as deleting the older
// post deleted what was kept.
func (s *Service) begin(ctx context.Context, a *decision.Attempt, place string, postedAt time.Time, u social.PostUpload) (begun bool, err error) {
	p, _, err := s.waiting(ctx, place)
	if p == nil || !p.PostedAt.Equal(postedAt) || err != nil {
		return false, err
	}
	step, err := s.step(ctx, p, p.Processing())
	if err != nil {
		return false, err
	}
	step.Upload = &u
	return true, s.apply(ctx, a, step)
}

// Refused records that a file uploaded to place was too large to be processed.
func (s *Service) Refused(ctx context.Context, place, reason string) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		p, image, err := s.waiting(ctx, place)
		if p == nil || err != nil {
			return err
		}
		return s.finish(ctx, a, &desk.Checking{}, p, p.Failed(reason), image)
	})
}

// ignored returns why no post is waiting for a file at place, if that is worth telling.
func (s *Service) ignored(ctx context.Context, place string) error {
	owner, id, ok := social.UploadOf(place)
	if !ok {
		return nil
	}
	f, err := s.stored(ctx, owner, id)
	if err == nil && f.Post != nil && f.Post.Status == social.PostError {
		return social.ErrPostFailed
	}
	return err
}

// waiting returns the post that is waiting for a file at place, or nil.
func (s *Service) waiting(ctx context.Context, place string) (*social.Post, *social.PostImage, error) {
	owner, id, ok := social.UploadOf(place)
	if !ok {
		return nil, nil, nil
	}
	f, err := s.stored(ctx, owner, id)
	switch {
	case err != nil || f.Post == nil:
		return nil, nil, err
	case f.Post.Status != social.PostPending || f.Post.UploadPlace(f.Image) != place:
		return nil, nil, nil
	default:
		return f.Post, f.Image, nil
	}
}

// stored returns the facts of a post of owner. Post is nil if it does not exist.
func (s *Service) stored(ctx context.Context, owner social.UserID, id social.PostID) (social.PostFacts, error) {
	facts, err := s.Store.Facts(ctx, owner, []social.PostID{id}, social.PostImageRow)
	f := facts[id]
	if err == nil && f.Post != nil && f.Post.PostedByUserID != owner {
		return social.PostFacts{}, nil
	}
	return f, err
}

// process processes the upload of a PROCESSING post. A failure that is not the file's fault
// is left to Resume.
func (s *Service) process(ctx context.Context, p *social.Post, image *social.PostImage, u social.PostUpload) {
	err := s.Files.Alone(ctx, p.PostID, func(ctx context.Context) error { return s.work(ctx, p, image, u) })
	if err != nil {
		s.Logger.ErrorContext(ctx, "processing an upload failed; retrying later", slog.String("post", string(p.PostID)), slog.Any("error", err))
	}
}

func (s *Service) work(ctx context.Context, p *social.Post, image *social.PostImage, u social.PostUpload) error {
	var made social.MadeImage
	var err error
	if p.Type == social.VideoPost {
		err = s.Files.Video(ctx, p, u.Source)
	} else {
		made, err = s.Files.Image(ctx, p, image, u.Source)
	}
	r, err := processedAs(made, err)
	if err != nil {
		return err
	}
	check := desk.Checking{By: s.Checker}
	there, err := decision.Run(ctx, s.Frame, func(a *decision.Attempt) (bool, error) {
		f, err := s.stored(ctx, p.PostedByUserID, p.PostID)
		if err != nil || f.Post == nil {
			return false, err
		}
		if !f.Post.PostedAt.Equal(p.PostedAt) || f.Post.Status != social.PostProcessing || f.Post.Held {
			return true, nil
		}
		done, known, err := s.outcome(ctx, f.Post, f.Image, *r)
		if err != nil {
			return true, err
		}
		return true, s.finish(ctx, a, &check, f.Post, done, known)
	})
	switch {
	case err != nil:
		return err
	case !there: // deleted meanwhile with its files, except those created since
		return s.Files.Remove(ctx, p.PostedByUserID, p.PostID)
	default:
		return s.Files.Discard(ctx, u.Source)
	}
}

// finish stores the outcome of processing p and of its content check, with the information about
// its image.
func (s *Service) finish(ctx context.Context, a *decision.Attempt, check *desk.Checking, p, done *social.Post, image *social.PostImage) error {
	done, withheld, err := s.checked(ctx, check, p, done)
	if err != nil {
		return err
	}
	step, err := s.step(ctx, p, done)
	if err != nil {
		return err
	}
	owner := social.Viewer{UserID: p.PostedByUserID}
	users, err := s.People.Visible(ctx, owner, []social.UserID{owner.UserID}, 0)
	if err != nil {
		return err
	}
	step = step.With(image).Began(users[owner.UserID], s.FollowedByAll, s.Now())
	moved := step.StatusChanged(s.Now())
	if s.Checker != nil && moved.First() {
		moved.Mentioned = done.Mentioned()
	}
	removed, opened := withhold(a, &step, withheld)
	return s.Store.Apply(ctx, step, slices.Concat(s.effects(a, step, append(removed, moved)...), opened)...)
}

// neverEnded is the reason of failure of a post whose file stopped every process that
// worked on it.
const neverEnded = "File cannot be processed: every attempt was cut off"

// Resume restarts uploads whose process ended before they were done, one at a time, because
// one may end this process too. Images do not wait for videos, which may take hours.
func (s *Service) Resume(ctx context.Context, now time.Time) error {
	var images, videos []social.PostUpload
	for u, err := range page.All(page.In(ctx, s.Store.Uploads)) {
		switch {
		case err != nil:
			return err
		case !u.Left(s.Process, now):
		case u.IsVideo():
			videos = append(videos, u)
		default:
			images = append(images, u)
		}
	}
	var both sync.WaitGroup
	both.Go(func() { s.resume(ctx, images) })
	both.Go(func() { s.resume(ctx, videos) })
	both.Wait()
	return nil
}

func (s *Service) resume(ctx context.Context, uploads []social.PostUpload) {
	for _, u := range uploads {
		if err := s.Files.Alone(ctx, u.PostID, func(ctx context.Context) error { return s.again(ctx, u) }); err != nil {
			s.Logger.ErrorContext(ctx, "processing an upload failed; retrying later", slog.String("post", string(u.PostID)), slog.Any("error", err))
		}
	}
}

func (s *Service) again(ctx context.Context, u social.PostUpload) error {
	f, err := s.stored(ctx, u.Owner, u.PostID)
	if err != nil || f.Post == nil || f.Post.Status != social.PostProcessing || f.Post.Held {
		return err
	}
	if u.Attempts >= social.MaxUploadAttempts {
		return decision.DoOnce(ctx, s.Frame, func(a *decision.Attempt) error {
			return s.finish(ctx, a, &desk.Checking{}, f.Post, f.Post.Failed(neverEnded), f.Image)
		})
	}
	counted := u
	counted.Attempts++
	counted.Process, counted.At = s.Process, s.Now()
	if err := s.Store.BeginAgain(ctx, counted); err != nil {
		return err
	}
	if err := s.work(ctx, f.Post, f.Image, u); err != nil {
		return errors.Join(err, s.Store.BeginAgain(ctx, u)) // the attempt failed, but its process did not die
	}
	return nil
}
