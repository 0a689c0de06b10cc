package post_test

import (
	"context"
	"testing"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/archive"
	"stoa/systems/archive/post"
)

// raced is a store whose only post is removed by another call before Delete.
type raced struct{ post.Store }

func (raced) Facts(context.Context, archive.Wanted) (*archive.Facts, error) {
	p := &archive.Post{ID: 5, Deleting: true}
	return &archive.Facts{Posts: map[archive.ID]*archive.Post{p.ID: p}}, nil
}

func (raced) Delete(context.Context, *archive.Post, ...outbox.Record) error { return archive.ErrNoPost }

func (raced) Wipe(context.Context, archive.ID) (gone int, more bool, err error) { return 0, false, nil }

type gate struct{ archive.Gate }

func (gate) Admit(context.Context, viewer.Viewer, archive.AuthLevel) (*archive.User, error) {
	return nil, nil
}

// sender accepts all events, and fails the test if one is delivered.
type sender struct {
	outbox.Sender
	*testing.T
}

func (s sender) Wants(outbox.Event) bool { return true }

func (s sender) Shard(string) int { return 0 }

func (s sender) Committed(_ context.Context, records ...outbox.Record) {
	s.Errorf("delivered %v", records)
}

// An interrupted deletion can be repeated, also at the same time: one of the calls
// removes the post and leaves its files to the event, and both succeed.
func TestDeletionsAtTheSameTime(t *testing.T) {
	frame := decision.Frame{Clock: time.Now, NewID: func() string { return "id" }, Events: sender{T: t}}
	s := &post.Service{Store: raced{}, Contents: raced{}, Gate: gate{}, Frame: frame}
	if done, err := s.Delete(t.Context(), viewer.Viewer{UserID: "ana"}, 5); err != nil || !done {
		t.Errorf("the other one of two deletions: %v, %v", done, err)
	}
}
