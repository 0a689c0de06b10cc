package social

import (
	"cmp"
	"time"

	"stoa/internal/kit/optional"
	"stoa/internal/kit/refusal"
)

// maxKeywords is the maximum total length of a post's keywords, in bytes.
const maxKeywords = 64 << 10

// NewPost is a client's request to publish a post. Nil switches default to the owner's
// settings.
type NewPost struct {
	PostID PostID
	Type   PostType
	// Lifetime is an ISO 8601 duration, or "" for a post that does not expire.
	Lifetime string
	// AlbumID is "" for a post outside of albums.
	AlbumID AlbumID
	// Text may be empty. Keywords is nil if none were given.
	Text     string
	Keywords []string
	// Image is nil if the client says nothing about one. SetAsUserPhoto makes it the
	// owner's photo. Text-only posts have neither.
	Image                               *NewImage
	SetAsUserPhoto                      *bool
	CommentsDisabled, LikesDisabled     *bool
	SharingDisabled, VerificationHidden *bool
}

// PostEdit describes changes to a post. Nil keeps a value; an empty text removes it.
type PostEdit struct {
	Text                                *string
	Keywords                            []string
	CommentsDisabled, LikesDisabled     *bool
	SharingDisabled, VerificationHidden *bool
}

// PostChoice selects posts of a list. The zero value selects all.
type PostChoice struct {
	ViewedStatus *ViewedStatus
	IsVerified   *bool
	// Followed selects posts by users whom the viewer follows, and the viewer's own.
	Followed bool
}

// Includes reports whether a post may be selected, before its owner is known. Unlike in
// SeenPost.ViewedStatus, only the viewer's own posts always count as viewed, not those of the user
// whom everybody follows initially. Views of a former profile do not count: viewer is the present
// one, nil if there is none, and is ignored unless ViewedStatus is set. A post without a verdict is
// neither verified nor unverified.
func (c PostChoice) Includes(f PostFacts, viewer *User) bool {
	if c.IsVerified != nil && (f.Post.IsVerified == nil || *f.Post.IsVerified != *c.IsVerified) {
		return false
	}
	if c.ViewedStatus == nil {
		return true
	}
	f.Read.need(ViewMark, "post")
	at := f.Marks.LastViewedAt
	viewed := f.Post.PostedByUserID == f.Viewer || !at.IsZero() && viewer != nil && !viewer.Former(at)
	return viewed == (*c.ViewedStatus == Viewed)
}

// Selects reports whether a post that may be selected is.
func (c PostChoice) Selects(s *SeenPost) bool {
	return !c.Followed || s.owner.IsSelf() || s.owner.FollowedStatus() == Following
}

// Check refuses a post that cannot be published. The order of the checks is part of the
// API.
func (n NewPost) Check() error {
	if err := n.PostID.Check(); err != nil {
		return err
	}
	if _, err := ParseLifetime(n.Lifetime); err != nil {
		return err
	}
	if err := n.checkType(); err != nil {
		return err
	}
	return checkContent(n.Text, n.Keywords)
}

func (n NewPost) checkType() error {
	photo := On(n.SetAsUserPhoto)
	switch {
	case n.Type != TextOnly && n.PostID[0] == '.':
		// The id is the name of the directory of its files.
		return refusal.Invalidf("postId of a post with an image or a video cannot begin with a dot: choose a version 4 UUID")
	case n.Type == TextOnly && n.Text == "":
		return refusal.Invalidf("Cannot add text-only post without text")
	case n.Type == TextOnly && n.Image != nil:
		return refusal.Invalidf("Cannot add text-only post with ImageInput")
	case n.Type == TextOnly && photo:
		return refusal.Invalidf("Cannot add text-only post with setAsUserPhoto")
	case n.Type == VideoPost && n.Image != nil:
		return refusal.Invalidf("Cannot add video post with ImageInput")
	case n.Type == VideoPost && photo:
		return refusal.Invalidf("Cannot add video post with setAsUserPhoto")
	default:
		return n.Image.check()
	}
}

// Post returns the post that owner adds at the given time, with the tags of its text. What
// n leaves unset follows the owner's settings, and stays unset if they are. A text-only
// post is completed at once; others wait for their image or video.
func (n NewPost) Post(owner *User, at time.Time, tags []TextTag) *Post {
	lifetime, _ := ParseLifetime(n.Lifetime) // Check refuses what cannot be parsed
	status := PostPending
	if n.Type == TextOnly {
		status = PostCompleted
	}
	p := &Post{
		PostID: n.PostID, PostedByUserID: owner.UserID, Type: n.Type, Status: status, PostedAt: at,
		AlbumID: n.AlbumID, ExpiresAt: lifetime.From(at),
		Text: n.Text, TextTags: tags, Keywords: distinct(n.Keywords),
		CommentsDisabled:   cmp.Or(n.CommentsDisabled, owner.CommentsDisabled),
		LikesDisabled:      cmp.Or(n.LikesDisabled, owner.LikesDisabled),
		SharingDisabled:    cmp.Or(n.SharingDisabled, owner.SharingDisabled),
		VerificationHidden: cmp.Or(n.VerificationHidden, owner.VerificationHidden),
	}
	if status == PostPending {
		p.SetAsUserPhoto = n.SetAsUserPhoto
	}
	return p
}

// Metadata returns the metadata that the client sent with the image, unchanged.
func (n NewPost) Metadata() string {
	if n.Image == nil {
		return ""
	}
	return n.Image.OriginalMetadata
}

// PostImage returns the initial information about the image, or nil if there is none.
func (n NewPost) PostImage() *PostImage { return n.Image.image() }

// Inline returns the base64 image sent with the post, or "".
func (n NewPost) Inline() string {
	if n.Image == nil {
		return ""
	}
	return n.Image.Data
}

// CheckLifetime refuses p, the post made from n, if it would expire at once.
func (n NewPost) CheckLifetime(p *Post) error {
	if !p.ExpiresAt.IsZero() && !p.ExpiresAt.After(p.PostedAt) {
		return refusal.Invalidf("Refusing to add post `%s` for user `%s` with non-positive lifetime", n.PostID, p.PostedByUserID)
	}
	return nil
}

// CheckAlbum refuses a new post whose album is missing from albums or belongs to another
// user.
func (n NewPost) CheckAlbum(owner UserID, albums map[AlbumID]AlbumFacts) error {
	f, found := albums[n.AlbumID]
	switch {
	case n.AlbumID == "":
		return nil
	case !found:
		return refusal.NotFoundf("Album `%s` does not exist", n.AlbumID)
	case f.Album.OwnedByUserID != owner:
		return refusal.Invalidf("Album `%s` does not belong to caller user `%s`", n.AlbumID, owner)
	default:
		return nil
	}
}

// Check refuses an empty edit, and one that would leave p without its content.
func (e PostEdit) Check(p *Post) error {
	switch {
	case e.empty():
		return refusal.Invalidf("Empty edit requested")
	case e.Text != nil && *e.Text == "" && p.Type == TextOnly:
		return refusal.Invalidf("Cannot set text to null on text-only post")
	default:
		return checkContent(optional.Or(e.Text, ""), e.Keywords)
	}
}

func (e PostEdit) empty() bool {
	return e.Text == nil && e.Keywords == nil && e.CommentsDisabled == nil && e.LikesDisabled == nil &&
		e.SharingDisabled == nil && e.VerificationHidden == nil
}

// Of returns p after the edit. The tags are those of the new text, and are ignored if the
// text is not edited.
func (e PostEdit) Of(p *Post, tags []TextTag, at time.Time) *Post {
	edited := *p
	if e.Text != nil {
		edited.Text, edited.TextTags, edited.TextEditedAt = *e.Text, tags, at
	}
	if e.Keywords != nil {
		edited.Keywords = distinct(e.Keywords)
	}
	edited.CommentsDisabled = cmp.Or(e.CommentsDisabled, p.CommentsDisabled)
	edited.LikesDisabled = cmp.Or(e.LikesDisabled, p.LikesDisabled)
	edited.SharingDisabled = cmp.Or(e.SharingDisabled, p.SharingDisabled)
	edited.VerificationHidden = cmp.Or(e.VerificationHidden, p.VerificationHidden)
	switch hidden := On(edited.VerificationHidden); {
	case hidden == On(p.VerificationHidden):
	case hidden && p.IsVerified != nil:
		edited.IsVerified, edited.IsVerifiedHidden = new(true), p.IsVerified
	case !hidden && p.IsVerifiedHidden != nil:
		edited.IsVerified, edited.IsVerifiedHidden = p.IsVerifiedHidden, nil
	}
	return &edited
}

func checkContent(text string, keywords []string) error {
	size := 0
	for _, keyword := range keywords {
		size += len(keyword)
	}
	if size > maxKeywords {
		return refusal.Invalidf("keywords are %d bytes long in total: shorten them to at most %d", size, maxKeywords)
	}
	return CheckText(text)
}

// distinct returns words without duplicates, in order of first appearance. It returns nil
// only for nil.
func distinct(words []string) []string {
	if words == nil {
		return nil
	}
	kept := make([]string, 0, len(words))
	seen := make(map[string]bool, len(words))
	for _, word := range words {
		if !seen[word] {
			seen[word] = true
			kept = append(kept, word)
		}
	}
	return kept
}
