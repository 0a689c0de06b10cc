package app

import (
	"context"
	"errors"
	"iter"
	"path"

	"stoa/internal/kit/page"
	"stoa/internal/kit/slice"
	"stoa/internal/operator"
	"stoa/internal/operator/takeout"
	"stoa/systems/archive"
)

// Export adds a user, the posts that they created, what is in these, and the uploads that these
// refer to. Who else has worked on a post is not stored.
func (p persons) Export(ctx context.Context, id operator.UserID, to *takeout.Writer) error {
	u, err := p.user(ctx, id)
	if u == nil || err != nil {
		return err
	}
	err = to.Item("user", "Archive", takeout.Fields{
		{Name: "id", Value: u.ID.String()}, {Name: "name", Value: u.Name}, {Name: "email", Value: u.Email}, {Name: "emailConfirmed", Value: u.EmailConfirmed},
		{Name: "enabled", Value: u.Enabled}, {Name: "level", Value: string(u.Level)}, {Name: "insertTime", Value: u.InsertTime},
		{Name: "lastUpdateTime", Value: u.LastUpdateTime},
	})
	if err != nil {
		return err
	}
	e := exports{p, u.ID}
	for _, write := range []func(context.Context, *takeout.Writer) error{e.posts, e.records, e.households, e.uploads} {
		if err := write(ctx, to); err != nil {
			return err
		}
	}
	return nil
}

// exports writes what a user made.
type exports struct {
	persons
	author archive.ID
}

// own iterates over the posts of the user, by collection. It reads all posts, as nothing lists
// those of an author: an export is rare.
func (e exports) own(ctx context.Context) iter.Seq2[*archive.Post, error] {
	return func(yield func(*archive.Post, error) bool) {
		for p, err := range page.All(page.In(ctx, e.store.Posts.All)) {
			if err == nil && (p.AuthorID != e.author || p.Deleting) {
				continue
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

func (e exports) posts(ctx context.Context, to *takeout.Writer) error {
	var in *archive.Collection
	return takeout.Rows(to, "posts", "Posts", e.own(ctx), func(p *archive.Post) (takeout.Fields, error) {
		if in == nil || in.ID != p.CollectionID {
			facts, err := e.store.Posts.Facts(ctx, archive.Wanted{Collections: []archive.ID{p.CollectionID}})
			if err != nil {
				return nil, err
			}
			if in = facts.Collections[p.CollectionID]; in == nil {
				in = &archive.Collection{ID: p.CollectionID}
			}
		}
		f := takeout.Fields{
			{Name: "id", Value: p.ID.String()}, {Name: "name", Value: p.Name}, {Name: "collection", Value: in.Name},
			{Name: "postStatus", Value: string(p.Status)}, {Name: "postError", Value: p.Error}, {Name: "recordsKey", Value: p.RecordsKey},
			{Name: "recordsError", Value: p.Records.Error}, {Name: "imagesKeys", Value: p.ImageKeys}, {Name: "imagesError", Value: p.Images.Error},
			{Name: "recordCount", Value: p.RecordCount}, {Name: "insertTime", Value: p.InsertTime}, {Name: "lastUpdateTime", Value: p.LastUpdateTime},
		}
		if len(p.Metadata) > 0 {
			f = append(f, takeout.Field{Name: "metadata", Value: p.Metadata})
		}
		var files []takeout.File
		for _, key := range p.Keys() {
			there, err := e.files.Exists(ctx, key)
			if err != nil {
				return nil, err
			}
			if there {
				files = append(files, uploadPath(to, p, key))
			}
		}
		return append(f, takeout.Field{Name: "files", Value: files}), nil
	})
}

// recordsRead is the number of records that are in memory at a time: each has up to 350 KB.
const recordsRead = 20

func (e exports) records(ctx context.Context, to *takeout.Writer) error {
	return to.List("records", "Records", func(add func(takeout.Fields) error) error {
		for p, err := range e.own(ctx) {
			if err != nil {
				return err
			}
			list := func(q page.Query) (page.Page[*archive.Record], error) {
				q.First = min(q.First, recordsRead)
				return e.store.Records.OfPost(ctx, p.ID, q)
			}
			for r, err := range page.All(list) {
				if err != nil {
					return err
				}
				err := add(takeout.Fields{
					{Name: "id", Value: r.ID.String()}, {Name: "postId", Value: p.ID.String()}, {Name: "household", Value: r.Household},
					{Name: "dataMap", Value: r.Data}, {Name: "insertTime", Value: r.InsertTime}, {Name: "lastUpdateTime", Value: r.LastUpdateTime},
				})
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (e exports) households(ctx context.Context, to *takeout.Writer) error {
	return to.List("households", "Households", func(add func(takeout.Fields) error) error {
		for p, err := range e.own(ctx) {
			if err != nil {
				return err
			}
			for h, err := range page.All(page.Of(ctx, e.store.Records.Households, p.ID)) {
				if err != nil {
					return err
				}
				ids := slice.Map(h.RecordIDs, archive.ID.String)
				err := add(takeout.Fields{
					{Name: "postId", Value: p.ID.String()}, {Name: "number", Value: h.Number}, {Name: "recordIds", Value: ids},
					{Name: "insertTime", Value: h.InsertTime}, {Name: "lastUpdateTime", Value: h.LastUpdateTime},
				})
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// uploadPath returns where an upload of a post is. One that several posts refer to is with each.
func uploadPath(to *takeout.Writer, p *archive.Post, key string) takeout.File {
	return to.Path("uploads", p.ID.String(), path.Base(key))
}

func (e exports) uploads(ctx context.Context, to *takeout.Writer) error {
	for p, err := range e.own(ctx) {
		if err != nil {
			return err
		}
		for _, key := range p.Keys() {
			if err := e.upload(ctx, to, p, key); err != nil {
				return err
			}
		}
	}
	return nil
}

// upload adds an upload, unless it was never sent or has been deleted meanwhile.
func (e exports) upload(ctx context.Context, to *takeout.Writer, p *archive.Post, key string) error {
	content, err := e.files.Open(ctx, key, 0)
	if errors.Is(err, archive.ErrNoFile) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(to.File(uploadPath(to, p, key), content), content.Close())
}
