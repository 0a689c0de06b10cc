package archive

import (
	"slices"
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

// LoadStatus is the state of a load of records or images.
type LoadStatus string

const (
	Ready     LoadStatus = "READY"
	ToLoad    LoadStatus = "TO_LOAD"
	Loading   LoadStatus = "LOADING"
	LoadError LoadStatus = "ERROR"
)

// WorkerReport is a report by a worker.
type WorkerReport string

const (
	Started   WorkerReport = "STARTED"
	Completed WorkerReport = "COMPLETED"
	Failed    WorkerReport = "FAILED"
)

// Post is a set of records that were loaded together, with their images.
type Post struct {
	ID           ID
	CollectionID ID
	// AuthorID is the user who created it.
	AuthorID ID
	Name     string
	Metadata Metadata
	// Status is the state of publishing. Requested is the last requested state: Published,
	// or Draft to withdraw the post.
	Status    PostStatus
	Requested PostStatus
	Error     string
	Records   Load
	// RecordsKey is the upload with the records; empty if there is none.
	RecordsKey string
	Images     Load
	// ImageKeys are the uploads with the images, LoadedImages those of them that have been
	// unpacked.
	ImageKeys, LoadedImages []string
	RecordCount             int
	// Deleting is set while the post and what belongs to it is being deleted.
	Deleting bool
	Stamps
}

// Load is the state of a load.
type Load struct {
	Status LoadStatus
	Error  string
	// By identifies the loader. Any other loader of the post must stop.
	By string
}

// PostPlan contains the details of a new post.
type PostPlan struct {
	Name         string
	CollectionID ID
	Metadata     Metadata
	RecordsKey   string
	ImageKeys    []string
}

// PostChange is a change of a post.
type PostChange struct {
	Name       input.Edit[string]
	Metadata   input.Edit[Metadata]
	RecordsKey input.Edit[string]
	ImageKeys  input.Edit[[]string]
}

// edited returns the value after an edit: before if it is omitted, the zero value for null.
func edited[T any](e input.Edit[T], before T) T {
	switch {
	case !e.Given:
		return before
	case e.Value == nil:
		return *new(T)
	}
	return *e.Value
}

// NewPost returns a draft.
func NewPost(id ID, author *User, plan PostPlan, settings *Settings, now time.Time) (*Post, error) {
	p := &Post{
		ID: id, CollectionID: plan.CollectionID, AuthorID: author.ID, Name: plan.Name, Metadata: plan.Metadata, Status: Draft,
		Records: Load{Status: Ready}, Images: Load{Status: Ready}, RecordsKey: plan.RecordsKey, ImageKeys: plan.ImageKeys, Stamps: StampsAt(now),
	}
	if p.RecordsKey != "" {
		p.Records.Status = ToLoad
	}
	if len(p.ImageKeys) > 0 {
		p.Images.Status = ToLoad
	}
	return p, input.First(checkName("post", p.Name, maxName), settings.CheckMetadata(p.Metadata), p.checkKeys())
}

func (p *Post) checkKeys() error {
	if n := len(p.ImageKeys); n > MaxImageKeys {
		return limit("TOO_MANY_IMAGES", "A post has at most %d archives of images, not %d", MaxImageKeys, n)
	}
	if p.RecordsKey != "" && UploadOf(p.RecordsKey) != RecordsUpload {
		return badInput("INVALID_KEY", "recordsKey %.80q is no key of an uploaded CSV file: ask for one with requestUpload", p.RecordsKey)
	}
	for i, key := range p.ImageKeys {
		if UploadOf(key) != ImagesUpload {
			return badInput("INVALID_KEY", "imagesKeys %.80q is no key of an uploaded archive: ask for one with requestUpload", key)
		}
		if slices.Contains(p.ImageKeys[:i], key) {
			return badInput("REPEATED_KEY", "imagesKeys has %s twice", key)
		}
	}
	return nil
}

// Edited returns the post after an edit. New uploads request a load.
func (p Post) Edited(c PostChange, settings *Settings, given, now time.Time) (*Post, error) {
	if p.Deleting {
		return nil, ErrDeleting
	}
	if err := p.CheckTime(given); err != nil {
		return nil, err
	}
	before := p
	p.Name, p.RecordsKey, p.ImageKeys = edited(c.Name, p.Name), edited(c.RecordsKey, p.RecordsKey), edited(c.ImageKeys, p.ImageKeys)
	if c.Metadata.Given {
		p.Metadata = edited(c.Metadata, nil)
		if err := settings.CheckMetadata(p.Metadata); err != nil {
			return nil, err
		}
	}
	if err := input.First(checkName("post", p.Name, maxName), p.checkKeys()); err != nil {
		return nil, err
	}
	if p.RecordsKey != before.RecordsKey {
		if err := p.request(&p.Records, p.RecordsKey != ""); err != nil {
			return nil, err
		}
	}
	if !slices.Equal(p.ImageKeys, before.ImageKeys) {
		if err := p.request(&p.Images, len(p.ImageKeys) > 0); err != nil {
			return nil, err
		}
		p.LoadedImages = slices.DeleteFunc(slices.Clone(p.LoadedImages), func(key string) bool { return !slices.Contains(p.ImageKeys, key) })
	}
	p.Touch(now)
	return &p, nil
}

// request requests a load, or none if nothing is left to load.
func (p *Post) request(l *Load, any bool) error {
	if err := p.Changeable(string(ToLoad)); err != nil {
		return err
	}
	if l.Status == Loading {
		return badTransition(l.Status, ToLoad)
	}
	*l = Load{Status: ToLoad}
	if !any {
		l.Status = Ready
	}
	return nil
}

// Changeable refuses changes of a post's content unless it is a draft or failed. to is the
// target state in the error.
func (p *Post) Changeable(to string) error {
	switch {
	case p.Deleting:
		return ErrDeleting
	case p.Status != Draft && p.Status != PostError:
		return badTransition(string(p.Status), to)
	}
	return nil
}

// Editable refuses changes of single records and households, also while all of them are
// being replaced.
func (p *Post) Editable() error {
	if err := p.Changeable(string(Draft)); err != nil {
		return err
	}
	if p.Records.Status == Loading {
		return badTransition(p.Records.Status, Ready)
	}
	return nil
}

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
	if err := input.First(p.CheckTime(given), p.loaded(ToPublish)); err != nil {
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
	if err := input.First(p.CheckTime(given), p.loaded(ToUnpublish)); err != nil {
		return nil, err
	}
	p.Status, p.Requested, p.Error = ToUnpublish, Draft, ""
	p.Touch(now)
	return &p, nil
}

// loaded refuses a change of state unless records and images are ready.
func (p *Post) loaded(to PostStatus) error {
	if p.Records.Status == Ready && p.Images.Status == Ready {
		return nil
	}
	e := refusal.New(refusal.Precondition, "BAD_TRANSITION", "It cannot become %s while its records are %s and its images are %s", to, p.Records.Status, p.Images.Status)
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

// ReportRecords applies a report by a loader of records.
func (p Post) ReportRecords(r WorkerReport, message, by string, now time.Time) (*Post, error) {
	return p.reported(&p.Records, r, message, by, now)
}

// ReportImages applies a report by a loader of images.
func (p Post) ReportImages(r WorkerReport, message, by string, now time.Time) (*Post, error) {
	return p.reported(&p.Images, r, message, by, now)
}

func (p *Post) reported(l *Load, r WorkerReport, message, by string, now time.Time) (*Post, error) {
	if p.Deleting {
		return nil, ErrDeleting
	}
	to := map[WorkerReport]LoadStatus{Started: Loading, Completed: Ready, Failed: LoadError}[r]
	if l.Status == to {
		return p, nil
	}
	if r == Started && l.Status != ToLoad && l.Status != LoadError || r != Started && l.Status != Loading {
		return nil, badTransition(l.Status, to)
	}
	if r != Started && l.By != by && !p.stuck(now) {
		return nil, ErrTakenOver
	}
	*l = Load{Status: to}
	switch r {
	case Started:
		l.By = by
	case Failed:
		l.Error = cut(message, maxError)
	}
	p.Touch(now)
	return p, nil
}

// Import moves the post to the state in which a request of a user replaces its records. A
// worker may do that during a load of its own. A load that was started long ago counts as
// dead.
func (p Post) Import(by string, user UserID, now time.Time) (*Post, error) {
	if err := p.Changeable(string(Loading)); err != nil {
		return nil, err
	}
	if s := p.Records.Status; s == ToLoad || s == Loading && p.Records.By != string(user) && !p.stuck(now) {
		return nil, badTransition(s, Loading)
	}
	p.Records = Load{Status: Loading, By: by}
	p.Touch(now)
	return &p, nil
}

// Doom moves the post to the state in which everything that belongs to it is deleted. An
// interrupted deletion may be repeated.
func (p Post) Doom(now time.Time) (*Post, error) {
	if p.Deleting {
		return &p, nil
	}
	if p.Status != Draft && p.Status != PostError {
		return nil, refuseDelete(p.Status)
	}
	for _, l := range []*Load{&p.Records, &p.Images} {
		if l.Status != Ready && l.Status != LoadError && !(l.Status == Loading && p.stuck(now)) {
			return nil, refuseDelete(l.Status)
		}
	}
	p.Deleting = true
	p.Touch(now)
	return &p, nil
}

// refuseDelete refuses a deletion. DELETED is not a state that clients know.
func refuseDelete[S ~string](from S) error { return badTransition(from, "DELETED") }

// stuck reports whether the post has been unchanged for so long that its loads count as
// dead.
func (p *Post) stuck(now time.Time) bool { return now.Sub(p.LastUpdateTime) > StuckAfter }

// Keys returns the uploads that the post refers to.
func (p *Post) Keys() []string {
	keys := slices.Clone(p.ImageKeys)
	if p.RecordsKey != "" {
		keys = append(keys, p.RecordsKey)
	}
	return keys
}

// VisibleTo reports whether users of a level find records of the post.
func (p *Post) VisibleTo(l AuthLevel) bool {
	return !p.Deleting && (p.Status == Published || l.AtLeast(Contributor))
}

func cut(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most])
	}
	return text
}
