package like

import (
	"context"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/social"
)

// Likes of a hot post wait for others, and are stored together. The most is what fits into a
// transaction: each like with the liker's profile and perhaps a follow, the post, the owner and
// their card.
const (
	pause = 15 * time.Millisecond
	most  = 30
)

// given is a like that was decided, with the liked post and its owner as the liker saw them.
type given struct {
	step  social.LikeStep
	liked *social.Post
	owner *social.SeenUser
}

// cardAttempts is the maximum number of attempts to store likes with the card of the owner,
// which others may change at the same time.
const cardAttempts = 3

// addAll stores likes of one post. They are stored with the card that tells the owner of them.
func (s *Service) addAll(ctx context.Context, _ social.PostID, all []given) []error {
	errs := make([]error, len(all))
	// A liker who has sent two requests gives one like; the other is decided again.
	var places []int
	var steps []social.LikeStep
	likers := map[social.UserID]bool{}
	for i, g := range all {
		switch {
		case likers[g.step.Like.LikedByUserID], g.step.Like.PostedByUserID != all[0].step.Like.PostedByUserID:
			errs[i] = refusal.ErrChanged
		default:
			likers[g.step.Like.LikedByUserID] = true
			places, steps = append(places, i), append(steps, g.step)
		}
	}
	for attempt := 1; ; attempt++ {
		card, all, err := s.newCard(ctx, all)
		if err == nil && !all {
			err = refusal.ErrChanged // a card of a former profile: each like leaves it to its event
		}
		var outcomes []error
		if err == nil {
			outcomes = s.Store.AddAll(ctx, steps, card)
		}
		stored, refused := 0, 0
		for i, place := range places {
			switch {
			case err != nil:
				errs[place] = err
			default:
				errs[place] = outcomes[i]
			}
			switch refusal.KindOf(errs[place]) {
			case refusal.Conflict:
				refused++
			default:
				if errs[place] == nil {
					stored++
				}
			}
		}
		if stored > 0 && card.Moves() && s.Events != nil {
			s.Events.Tell(ctx, card.Notification())
		}
		if err != nil || refused < len(places) || !card.Moves() || attempt == cardAttempts {
			return errs
		}
	}
}

// newCard returns the change of the owner's card for likes of a post, and whether nothing is left
// to do for it afterwards.
func (s *Service) newCard(ctx context.Context, likes []given) (change social.CardChange, all bool, err error) {
	for _, g := range likes {
		if g.liked.TellsLikes() {
			return s.Cards.OneMoreLike(ctx, g.owner, g.liked)
		}
	}
	return change, true, nil
}
