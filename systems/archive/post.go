package archive

import (
	"slices"
	"time"

	"stoa/internal/kit/input"
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

// PostPlan contains the details of a new post.
type PostPlan struct {
	Name         string
	CollectionID ID
	Metadata     Metadata
	RecordsKey   string
	ImageKeys    []string
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

// StartDeletion marks the post as being deleted, whereupon everything that belongs to it is
// deleted. An interrupted deletion may be started again.
func (p Post) StartDeletion(now time.Time) (*Post, error) {
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
