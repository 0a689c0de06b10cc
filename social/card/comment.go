package card

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// MoreComments returns the card of p's owner, as it changes when another n unviewed comments are
// added. It is valid only while p's number of unviewed comments is unchanged.
func (s *Service) MoreComments(ctx context.Context, p *social.Post) (change func(n int) social.CardChange, err error) {
	now := p.NotBefore(s.Now())
	present, err := s.Store.Card(ctx, social.CardCommentActivity(p.PostID).Of(p.PostedByUserID))
	return func(n int) social.CardChange {
		if n == 0 {
			return social.CardChange{}
		}
		return s.Catalogue.CommentActivity(p.PostedByUserID, p.PostID, p.CommentsUnviewedCount+n).Over(present, now)
	}, err
}

// CommentAdded puts cards for the users that a comment mentions, and updates the card of
// the post's owner if that is left to do.
func (s *Service) CommentAdded(ctx context.Context, e social.CommentAdded, tell outbox.Tell) error {
	if e.Uncounted {
		if err := s.commentActivity(ctx, e.Owner, e.PostID, func(n int) int { return n - 1 }, tell); err != nil {
			return err
		}
	}
	if !e.Mentions {
		return nil
	}
	p, err := s.post(ctx, e.PostID, e.Owner)
	if p == nil || err != nil {
		return err
	}
	comment, err := s.Comments.Comment(ctx, e.CommentID)
	if comment == nil || err != nil {
		return err
	}
	author, err := s.Users.Profile(ctx, e.Author)
	if author == nil || err != nil {
		return err
	}
	for _, tag := range comment.TextTags {
		if err := s.Put(ctx, s.Catalogue.CommentMention(tag.UserID, author.Username, p, e.CommentID).On(p, comment).Since(comment.CommentedAt), tell); err != nil {
			return err
		}
	}
	return nil
}

// CommentDeleted updates the owner's card with the number of unviewed comments, and
// withdraws the cards that refer to the comment, a page at a time.
func (s *Service) CommentDeleted(ctx context.Context, e social.CommentDeleted, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	if cursor == "" && e.Unviewed {
		if err := s.commentActivity(ctx, e.Owner, e.PostID, func(n int) int { return n + 1 }, tell); err != nil {
			return "", 0, err
		}
	}
	cards, err := s.Store.OfComment(ctx, e.CommentID, page.Query{First: page.Max, After: cursor})
	return page.Chunk(cards, err, func(c *social.Card) error { return s.withdraw(ctx, c, tell) })
}

// commentActivity puts or withdraws the card for the number of comments on a post that its
// owner has not viewed. before returns the number that was shown before it came to be n.
func (s *Service) commentActivity(ctx context.Context, owner social.UserID, id social.PostID, before func(n int) int, tell outbox.Tell) error {
	return s.change(ctx, tell, func() (social.CardChange, social.CardAbout, error) {
		p, present, err := s.Store.AboutComments(ctx, owner, id)
		on := social.CardAbout{Post: p}
		if p == nil || err != nil {
			return social.CardChange{}, on, err
		}
		if present != nil {
			present.Comments = before(p.CommentsUnviewedCount)
		}
		if p.CommentsUnviewedCount == 0 {
			return social.CardChange{Before: present}, on, nil
		}
		return s.Catalogue.CommentActivity(owner, id, p.CommentsUnviewedCount).Over(present, p.NotBefore(s.Now())), on, nil
	})
}

// post returns a post if it exists and belongs to owner, or nil.
func (s *Service) post(ctx context.Context, id social.PostID, owner social.UserID) (*social.Post, error) {
	facts, err := s.Posts.Facts(ctx, owner, []social.PostID{id}, 0)
	p := facts[id].Post
	if err != nil || p == nil || p.PostedByUserID != owner {
		return nil, err
	}
	return p, nil
}
