package file

import (
	"context"
	"slices"
	"testing"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/systems/archive"
)

// shelf holds a post, and an upload to which only the post refers.
type shelf struct {
	Store
	Uploads
	post   *archive.Post
	upload *archive.StoredUpload
	// between is called once between reading and the next change.
	between func()
}

func (s *shelf) Facts(context.Context, archive.Wanted) (*archive.Facts, error) {
	p, u := *s.post, *s.upload
	return &archive.Facts{Posts: map[archive.ID]*archive.Post{p.ID: &p}, Uploads: map[string]*archive.StoredUpload{u.Key: &u}}, nil
}

func (s *shelf) Unused(context.Context, time.Time, page.Query) (page.Page[*archive.StoredUpload], error) {
	u := *s.upload
	return page.Page[*archive.StoredUpload]{Items: []*archive.StoredUpload{&u}}, nil
}

func (s *shelf) now(before *archive.StoredUpload) error {
	if f := s.between; f != nil {
		s.between = nil
		f()
	}
	if !slices.Equal(before.Posts, s.upload.Posts) {
		return refusal.ErrChanged
	}
	return nil
}

func (s *shelf) Release(_ context.Context, before, after *archive.StoredUpload, _ archive.ID, p *archive.Post) error {
	if err := s.now(before); err != nil || !p.LastUpdateTime.Equal(s.post.LastUpdateTime) {
		return refusal.ErrChanged
	}
	s.upload = after
	return nil
}

func (s *shelf) MarkForDeletion(_ context.Context, before, after *archive.StoredUpload) error {
	if err := s.now(before); err != nil {
		return err
	}
	s.upload = after
	return nil
}

// An upload is kept if a post refers to it between the decision to delete it and the change.
func TestUploadsThatPostsReferToAgain(t *testing.T) {
	const key = "uploads/00000000-0000-4000-8000-000000000001.zip"
	s := &shelf{post: &archive.Post{ID: 5}, upload: &archive.StoredUpload{Key: key, Posts: []archive.ID{5}}}
	service := &Service{Store: s, Uploads: s, Frame: decision.Frame{Clock: time.Now}}
	refer := func() {
		s.post.ImageKeys = []string{key}
		s.post.Touch(time.Now())
		s.upload = &archive.StoredUpload{Key: key, Posts: []archive.ID{5}}
	}
	s.between = refer
	if err := service.left(t.Context(), key, 5); err != nil || s.upload.Deleting {
		t.Errorf("after it was left: upload %+v, %v", s.upload, err)
	}
	s.upload = &archive.StoredUpload{Key: key, UnusedSince: time.Now().Add(-25 * time.Hour)}
	s.between = refer
	if err := service.DeleteUnused(t.Context(), time.Now()); err != nil || s.upload.Deleting {
		t.Errorf("after a day without posts: upload %+v, %v", s.upload, err)
	}
}
