package card

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// Comments knows comments.
type Comments interface {
	// Comment returns a comment, nil when there is none.
	Comment(ctx context.Context, id social.CommentID) (*social.Comment, error)
}

// CommentAdded tells the owner of the post how many comments they have not viewed, and
// everybody whom the comment mentions.
func (s *Service) CommentAdded(ctx context.Context, e social.CommentAdded, tell outbox.Tell) error {
	p, err := s.post(ctx, e.PostID, e.Owner)
	if p == nil || err != nil {
		return err
	}
	if e.Author != e.Owner {
		if err := s.commentActivity(ctx, p, tell); err != nil {
			return err
		}
	}
	if !e.Mentions {
		return nil
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
		if err := s.Put(ctx, s.Catalogue.CommentMention(tag.UserID, author.Username, p, e.CommentID), tell); err != nil {
			return err
		}
	}
	return nil
}

// CommentDeleted counts the comments that are left for the owner of the post to view,
// and removes the cards that refer to the comment, a page at a time.
func (s *Service) CommentDeleted(ctx context.Context, e social.CommentDeleted, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	if cursor == "" && e.Unviewed {
		p, err := s.post(ctx, e.PostID, e.Owner)
		if err != nil {
			return "", 0, err
		}
		if p != nil {
			if err := s.commentActivity(ctx, p, tell); err != nil {
				return "", 0, err
			}
		}
	}
	cards, err := s.Store.OfComment(ctx, e.CommentID, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	return s.withdrawAll(ctx, cards, tell)
}

func (s *Service) commentActivity(ctx context.Context, p *social.Post, tell outbox.Tell) error {
	if p.CommentsUnviewedCount == 0 {
		return s.Withdraw(ctx, social.CardCommentActivity(p.PostID).Of(p.PostedByUserID), tell)
	}
	return s.Put(ctx, s.Catalogue.CommentActivity(p.PostedByUserID, p.PostID, p.CommentsUnviewedCount), tell)
}

// post returns a post if it is still there and the owner's.
func (s *Service) post(ctx context.Context, id social.PostID, owner social.UserID) (*social.Post, error) {
	facts, err := s.Posts.Facts(ctx, owner, []social.PostID{id}, 0)
	p := facts[id].Post
	if err != nil || p == nil || p.PostedByUserID != owner {
		return nil, err
	}
	return p, nil
}
