package comment

import (
	"cmp"
	"context"
	"errors"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// Add adds a comment by the caller to a post, and returns it with the details in d.
func (s *Service) Add(
	ctx context.Context, c social.Caller, id social.CommentID, postID social.PostID, text string, d social.Detail,
) (*social.SeenComment, error) {
	if err := id.Check(); err != nil {
		return nil, err
	}
	if err := social.CheckText(text); err != nil {
		return nil, err
	}
	check := desk.Checking{By: s.Checker}
	attempts, alone := 0, false // alone is set if the comment was refused, and not because of others
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenComment, error) {
		attempts++
		on, found, err := s.post(ctx, c.UserID, postID, 0)
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, missingPost(postID)
		}
		tags, err := s.People.Tags(ctx, text)
		if err != nil {
			return nil, err
		}
		comment := &social.Comment{
			CommentID: id, PostID: postID, UserID: c.UserID,
			CommentedAt: on.Post.NextCommentAt(c.User.NotBefore(s.Now())), Text: text, TextTags: tags,
		}
		f := social.NewCommentFacts(c, comment, d)
		shared := !alone && a.MayShare() && s.hot.Hot(postID)
		// One struct and copies: each variable that a read shares with its caller takes an allocation.
		read := &struct {
			users social.SeenUsers
			card  social.CardChange
			left  bool
		}{}
		ids, post, attempt := append(f.Users(), on.Users()...), on.Post, attempts
		if err := s.Store.Together(ctx, func(ctx context.Context) (err error) {
			read.users, err = c.With(ctx, s.People, ids, d|social.BlockedTie|social.MatchTie)
			return err
		}, func(ctx context.Context) (err error) {
			if !shared {
				read.card, read.left, err = s.card(ctx, comment, post, attempt)
			}
			return err
		}); err != nil {
			return nil, err
		}
		users, card := read.users, read.card
		owner := on.Owner(users)
		if owner == nil {
			return nil, missingPost(postID)
		}
		if err := on.CheckComment(owner, s.Now()); err != nil {
			return nil, err
		}
		checked, err := check.Of(ctx, func() desk.Draft { return desk.Draft{Item: comment.CaseItem(), Author: c.UserID, Text: text} })
		if err != nil {
			return nil, err
		}
		if !checked.Allows() {
			comment.Held = true
			return f.See(users), s.withhold(ctx, a, comment, on.Post, checked)
		}
		comment.Unchecked = checked.Failed
		if shared {
			outcome, err := s.hot.Do(ctx, postID, adding{comment, a.Emit(s.added(comment, on.Post, false))})
			if err = cmp.Or(err, outcome); err != nil {
				alone = !errors.Is(err, errCrowded)
				return nil, err
			}
			a.Until(comment.CommentedAt)
			return f.See(users), nil
		}
		added := s.added(comment, on.Post, read.left)
		if card.Moves() {
			a.Tell(card.Notification())
		}
		a.Until(comment.CommentedAt)
		err = s.Store.Add(ctx, comment, on.Post, card, a.Emit(added)...)
		return f.See(users), taken(err, id)
	})
}

func taken(err error, id social.CommentID) error {
	if errors.Is(err, refusal.ErrTaken) {
		return refusal.Invalidf("Comment `%s` already exists", id)
	}
	return err
}

// added returns the event of a comment on p. uncounted is set if the owner's card is left to its
// receiver.
func (s *Service) added(c *social.Comment, p *social.Post, uncounted bool) social.CommentAdded {
	return social.CommentAdded{
		CommentID: c.CommentID, PostID: p.PostID, Owner: p.PostedByUserID, Author: c.UserID,
		Mentions: len(c.TextTags) > 0, BadWord: s.BadWords.In(c.Text), Uncounted: uncounted,
	}
}

// counting is the number of attempts to add a comment that also change the card that counts
// it. On a post with many concurrent comments only one of them would succeed at a time, so
// further attempts leave the card to the receiver of the event.
const counting = 3

// card returns the change of the card of p's owner for a new comment, and whether the card
// is left to the receiver of the event.
func (s *Service) card(ctx context.Context, c *social.Comment, p *social.Post, attempt int) (change social.CardChange, left bool, err error) {
	if c.UserID == p.PostedByUserID || attempt > counting {
		return change, c.UserID != p.PostedByUserID, nil
	}
	more, err := s.Cards.MoreComments(ctx, p)
	if err != nil {
		return change, false, err
	}
	return more(1), false, nil
}

func missingPost(id social.PostID) error { return refusal.NotFoundf("Post `%s` does not exist", id) }
