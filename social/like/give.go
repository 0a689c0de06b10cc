package like

import (
	"cmp"
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// Like makes the caller like a post with the given status. It returns the post with the
// like counted and the details in d.
func (s *Service) Like(ctx context.Context, c social.Caller, id social.PostID, status social.LikeStatus, d social.Detail) (*social.SeenPost, error) {
	attempts := 0
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (_ *social.SeenPost, err error) {
		if attempts++; attempts > 1 {
			if c, err = c.Renewed(ctx, s.Profiles); err != nil {
				return nil, err
			}
		}
		f, users, err := s.post(ctx, c, id, d)
		if err != nil {
			return nil, err
		}
		step, err := f.Like(f.Owner(users), c.User, status, s.Now())
		if err != nil {
			return nil, err
		}
		if step.Former != nil {
			if err := s.remove(ctx, *step.Former); err != nil {
				return nil, err
			}
		}
		liked := f.Liked(status)
		if a.MayShare() && attempts == 1 && s.hot.Hot(id) {
			outcome, err := s.hot.Do(ctx, id, given{step, liked.Post, f.Owner(users)})
			return liked.See(users), cmp.Or(err, outcome)
		}
		var told bool
		if step.Card, told, err = s.card(ctx, f.Owner(users), liked.Post, attempts); err != nil {
			return nil, err
		}
		if step.Card.Moves() {
			a.Tell(step.Card.Notification())
		}
		e := a.Emit(social.PostLiked{PostID: id, Owner: step.Like.PostedByUserID, Liker: c.UserID, Status: status, Told: told})
		return liked.See(users), s.Store.Add(ctx, step, e...)
	})
}

// telling is the number of attempts to like a post that also create the card that tells its
// owner. Of several first likes at the same time only one succeeds, so further attempts leave
// the card to the receiver of the event.
const telling = 3

// card returns the change of the card of a liked post's owner, and whether nothing of it is
// left to the receiver of the event.
func (s *Service) card(ctx context.Context, owner *social.SeenUser, liked *social.Post, attempt int) (change social.CardChange, told bool, err error) {
	switch {
	case !liked.TellsLikes():
		return change, true, nil
	case attempt > telling:
		return change, false, nil
	default:
		return s.Cards.OneMoreLike(ctx, owner, liked)
	}
}

// Dislike removes the caller's like of a post, of either status. Blocks, privacy and
// disabled likes do not prevent that. It returns nil if the caller may no longer see the
// post.
func (s *Service) Dislike(ctx context.Context, c social.Caller, id social.PostID, d social.Detail) (*social.SeenPost, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*social.SeenPost, error) {
		f, users, err := s.post(ctx, c, id, d)
		if err != nil {
			return nil, err
		}
		l, err := f.GivenLike(c.User)
		if err != nil {
			return nil, err
		}
		return f.Liked(social.NotLiked).See(users), s.remove(ctx, l)
	})
}

// post reads a post and the users that its reader sees, with the details in d and those
// that decide about likes, whether or not the caller may see it. It fails if the post or
// its owner does not exist.
func (s *Service) post(ctx context.Context, c social.Caller, id social.PostID, d social.Detail) (f social.PostFacts, users social.SeenUsers, err error) {
	missing := refusal.NotFoundf("Post `%s` does not exist", id)
	facts, err := s.Posts.Facts(ctx, c.UserID, []social.PostID{id}, d|social.LikeMark)
	if err != nil {
		return f, nil, err
	}
	f, found := facts[id]
	if !found {
		return f, nil, missing
	}
	users, err = s.People.VisibleTo(ctx, c, f.Users(), d|social.BlockedTie)
	if err != nil {
		return f, nil, err
	}
	if f.Owner(users) == nil {
		return f, nil, missing
	}
	return f, users, nil
}
