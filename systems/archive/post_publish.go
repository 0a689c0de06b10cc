package archive

import (
	"time"

	"stoa/internal/kit/input"
	"stoa/internal/kit/refusal"
)

// PostStatus is the state of publishing a post.
type PostStatus string

const (
	Draft        PostStatus = "DRAFT"
	ToPublish    PostStatus = "TO_PUBLISH"
	Publishing   PostStatus = "PUBLISHING"
	Published    PostStatus = "PUBLISHED"
	ToUnpublish  PostStatus = "TO_UNPUBLISH"
	Unpublishing PostStatus = "UNPUBLISHING"
	PostError    PostStatus = "ERROR"
)

// Publish requests the publication of the post.
func (p Post) Publish(given, now time.Time) (*Post, error) {
	switch {
	case p.Deleting:
		return nil, ErrDeleting
	case p.Status == ToPublish:
		return &p, p.CheckTime(given)
	case p.Status != Draft && p.Status != PostError:
		return nil, badTransition(p.Status, ToPublish)
	}
	if err := input.First(p.CheckTime(given), p.checkLoaded(ToPublish)); err != nil {
		return nil, err
	}
	if p.RecordCount == 0 {
		return nil, ErrNoRecords
	}
	p.Status, p.Requested, p.Error = ToPublish, Published, ""
	p.Touch(now)
	return &p, nil
}

// Unpublish requests the withdrawal of the post.
func (p Post) Unpublish(given, now time.Time) (*Post, error) {
	switch {
	case p.Deleting:
		return nil, ErrDeleting
	case p.Status == ToUnpublish:
		return &p, p.CheckTime(given)
	case p.Status != Published:
		return nil, badTransition(p.Status, ToUnpublish)
	}
	if err := input.First(p.CheckTime(given), p.checkLoaded(ToUnpublish)); err != nil {
		return nil, err
	}
	p.Status, p.Requested, p.Error = ToUnpublish, Draft, ""
	p.Touch(now)
	return &p, nil
}

// checkLoaded refuses a change of state unless records and images are ready.
func (p *Post) checkLoaded(to PostStatus) error {
	if p.Records.Status == Ready && p.Images.Status == Ready {
		return nil
	}
	e := refusal.New(
		refusal.Precondition,
		"BAD_TRANSITION",
		"It cannot become %s while its records are %s and its images are %s",
		to,
		p.Records.Status,
		p.Images.Status,
	)
	return params(e, map[string]any{"from": string(p.Status), "to": string(to)})
}

// ReportPublish applies a report by the publisher. A failed post keeps its requested state,
// so that a worker may retry.
func (p Post) ReportPublish(r WorkerReport, message string, now time.Time) (*Post, error) {
	begun, done := Publishing, Published
	if p.Requested == Draft {
		begun, done = Unpublishing, Draft
	}
	var to PostStatus
	switch r {
	case Started:
		to = begun
	case Completed:
		to = done
	case Failed:
		to = PostError
	}
	if p.Deleting {
		return nil, ErrDeleting
	}
	if p.Status == to {
		return &p, nil
	}
	asked := p.Status == ToPublish || p.Status == ToUnpublish || p.Status == PostError && p.Requested != ""
	if r == Started && !asked || r != Started && p.Status != begun {
		return nil, badTransition(p.Status, to)
	}
	p.Status = to
	p.Error = ""
	if r == Failed {
		p.Error = cut(message, maxError)
	}
	p.Touch(now)
	return &p, nil
}
