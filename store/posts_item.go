package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

func (i *postItem) post() *social.Post {
	return &social.Post{
		PostID:                i.PostID,
		PostedByUserID:        i.PostedByUserID,
		Type:                  i.PostType,
		Status:                i.PostStatus,
		StatusReason:          i.PostStatusReason,
		RemovedBy:             i.RemovedBy,
		PostedAt:              i.PostedAt.Time(),
		ExpiresAt:             i.ExpiresAt.Time(),
		AlbumID:               i.AlbumID,
		AlbumRank:             i.rank(),
		Text:                  i.Text,
		TextTags:              textTagsOf(i.TextTags),
		TextEditedAt:          i.TextEditedAt.Time(),
		Keywords:              i.Keywords,
		IsVerified:            i.IsVerified,
		IsVerifiedHidden:      i.IsVerifiedHiddenValue,
		Checksum:              i.Checksum,
		OriginalPostID:        i.OriginalPostID,
		SetAsUserPhoto:        i.SetAsUserPhoto,
		CommentsDisabled:      i.CommentsDisabled,
		LikesDisabled:         i.LikesDisabled,
		SharingDisabled:       i.SharingDisabled,
		VerificationHidden:    i.VerificationHidden,
		ViewedByCount:         i.ViewedByCount,
		FlagCount:             i.FlagCount,
		OnymousLikeCount:      i.OnymousLikeCount,
		AnonymousLikeCount:    i.AnonymousLikeCount,
		CommentCount:          i.CommentCount,
		CommentsUnviewedCount: i.CommentsUnviewedCount,
		UnviewedCommentAt:     i.LastUnreadCommentAt.Time(),
	}
}

// postItemOf returns the row of a post. Counters are zero in a new post, and later change
// by increments only.
func postItemOf(p *social.Post) postItem {
	item := postItem{
		PostID:                p.PostID,
		PostedByUserID:        p.PostedByUserID,
		PostType:              p.Type,
		PostStatus:            p.Status,
		PostStatusReason:      p.StatusReason,
		RemovedBy:             p.RemovedBy,
		PostedAt:              keyspec.StampOf(p.PostedAt),
		ExpiresAt:             keyspec.StampOf(p.ExpiresAt),
		Text:                  p.Text,
		TextTags:              textTagItems(p.Text, p.TextTags),
		TextEditedAt:          keyspec.StampOf(p.TextEditedAt),
		Keywords:              p.Keywords,
		OriginalPostID:        p.OriginalPostID,
		IsVerified:            p.IsVerified,
		IsVerifiedHiddenValue: p.IsVerifiedHidden,
		Checksum:              p.Checksum,
		SetAsUserPhoto:        p.SetAsUserPhoto,
		CommentsDisabled:      p.CommentsDisabled,
		LikesDisabled:         p.LikesDisabled,
		SharingDisabled:       p.SharingDisabled,
		VerificationHidden:    p.VerificationHidden,
	}
	if p.AlbumID != "" {
		rank := p.AlbumRank
		item.AlbumID, item.AlbumRank = p.AlbumID, &rank
	}
	return item
}

func (i *postItem) id() social.PostID { return i.PostID }

// rank returns the post's place in its album, or 0 if it is in none.
func (i *postItem) rank() float64 {
	if i.AlbumRank == nil {
		return 0
	}
	return *i.AlbumRank
}
