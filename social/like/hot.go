package like

import (
	"cmp"
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

// addAll stores likes of one post, with the card that tells its owner of them.
func (s *Service) addAll(ctx context.Context, _ social.PostID, all []given) []error {
	errs := make([]error, len(all))
	var places []int
	var steps []social.LikeStep
	likers := map[social.UserID]bool{}
	for i, g := range all {
		l := g.step.Like
		if errs[i] = refusal.ErrChanged; likers[l.LikedByUserID] || l.PostedByUserID != all[0].step.Like.PostedByUserID {
			continue // the second of two likes by one user is decided again, and refused
		}
		likers[l.LikedByUserID] = true
		places, steps = append(places, i), append(steps, g.step)
	}
	for range cardAttempts {
		card, told, err := s.newCard(ctx, all)
		if err == nil && !told { // each like leaves the card to its event
			return errs
		}
		outcomes := make([]error, len(steps))
		if err == nil {
			outcomes = s.Store.AddAll(ctx, steps, card)
		}
		stored, again := false, card.Moves()
		for i, place := range places {
			errs[place] = cmp.Or(err, outcomes[i])
			stored = stored || errs[place] == nil
			again = again && refusal.KindOf(errs[place]) == refusal.Conflict
		}
		if stored && card.Moves() && s.Events != nil {
			s.Events.Tell(ctx, card.Notification())
		}
		if !again {
			return errs
		}
	}
	return errs
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
