package comment

import (
	"context"
	"errors"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/social"
)

// Add puts a comment of the caller on a post. The answer shows the details that d asks
// for.
func (s *Service) Add(ctx context.Context, c social.Caller, id social.CommentID, postID social.PostID, text string, d social.Detail) (*social.SeenComment, error) {
	if err := id.Check(); err != nil {
		return nil, err
	}
	if err := social.CheckText(text); err != nil {
		return nil, err
	}
	return retry.OnConflict(func() (*social.SeenComment, error) {
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
			CommentedAt: s.dated(on.Post), Text: text, TextTags: tags,
		}
		f := social.NewCommentFacts(c, comment, d)
		users, err := s.others(ctx, c, append(f.Users(), on.Users()...), d|social.BlockedTie|social.MatchTie)
		if err != nil {
			return nil, err
		}
		owner := on.Owner(users)
		if owner == nil {
			return nil, missingPost(postID)
		}
		if err := on.CheckComment(owner, s.Events.Now()); err != nil {
			return nil, err
		}
		e := s.Events.New(ctx, social.CommentAdded{CommentID: id, PostID: postID, Owner: on.Post.PostedByUserID, Author: c.UserID, Mentions: len(tags) > 0, BadWord: s.BadWords.In(text)})
		err = s.Store.Add(ctx, comment, on.Post, e...)
		if errors.Is(err, refusal.ErrTaken) {
			err = refusal.Invalidf("Comment `%s` already exists", id)
		}
		if err != nil {
			return nil, err
		}
		s.Events.Committed(ctx, e...)
		s.Events.Await(comment.CommentedAt)
		return f.See(users), nil
	})
}

func missingPost(id social.PostID) error { return refusal.NotFoundf("Post `%s` does not exist", id) }

// dated is the time of a new comment on p. The clocks of other processes may be ahead of
// this one's, but no comment comes before its post, or before one that the owner has yet
// to view.
func (s *Service) dated(p *social.Post) time.Time {
	return p.NextCommentAt(s.Events.Now())
}
