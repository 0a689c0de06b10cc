package comment

import (
	"context"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Comments on a hot post wait for others, and are stored together. The most is what fits into a
// transaction: each comment with its author and events, the post, the owner and their card.
const (
	pause = 15 * time.Millisecond
	most  = 30
)

// adding is a comment to be added with its events.
type adding struct {
	comment *social.Comment
	events  []outbox.Record
}

// errCrowded is refusal.ErrChanged for comments that were refused because of others: they are
// gathered again.
var errCrowded = &refusal.Error{Kind: refusal.Conflict, Text: refusal.ErrChanged.Text}

// addAll stores comments on one post, with the card that tells its owner of them.
func (s *Service) addAll(ctx context.Context, id social.PostID, all []adding) []error {
	errs := make([]error, len(all))
	fail := func(err error) []error {
		for i := range errs {
			errs[i] = err
		}
		return errs
	}
	for range counting {
		facts, err := s.Posts.Facts(ctx, "", []social.PostID{id}, 0)
		if err != nil {
			return fail(err)
		}
		p := facts[id].Post
		if p == nil {
			return fail(refusal.ErrChanged) // each is decided again, and refused
		}
		more, err := s.Cards.MoreComments(ctx, p)
		if err != nil {
			return fail(err)
		}
		var places []int
		var added []*social.Comment
		var events [][]outbox.Record
		ids := map[social.CommentID]bool{}
		at := p.NextCommentAt(s.Now())
		for i, a := range all {
			if errs[i] = refusal.ErrChanged; ids[a.comment.CommentID] { // the second of two with one id is decided again
				continue
			}
			ids[a.comment.CommentID] = true
			if a.comment.CommentedAt.Before(at) {
				a.comment.CommentedAt = at
			}
			at = a.comment.CommentedAt.Add(time.Microsecond)
			places, added, events = append(places, i), append(added, a.comment), append(events, a.events)
		}
		outcomes, card := s.Store.AddAll(ctx, added, events, p, more)
		again := true
		for i, place := range places {
			errs[place] = outcomes[i]
			again = again && refusal.KindOf(outcomes[i]) == refusal.Conflict
		}
		if again { // the card or the post has changed
			for _, place := range places {
				errs[place] = errCrowded
			}
			continue
		}
		if card.Moves() && s.Events != nil {
			s.Events.Tell(ctx, card.Notification())
		}
		return errs
	}
	return errs
}
