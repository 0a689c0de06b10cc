package app

import (
	"context"

	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/operator"
	"stoa/social"
	"stoa/social/media"
	"stoa/social/post"
	"stoa/store"
)

// content shows what users report to those who decide about it.
type content struct {
	posts *post.Service
	store *store.Store
	files *media.Service
}

// Shown returns what moderators see of items of one kind, as far as they exist.
func (c content) Shown(ctx context.Context, kind desk.ContentKind, ids []string) (map[string]*operator.Shown, error) {
	all := map[string]*operator.Shown{}
	if kind != desk.Post {
		return all, nil
	}
	posts := make([]social.PostID, len(ids))
	for i, id := range ids {
		posts[i] = social.PostID(id)
	}
	facts, err := c.store.Posts.Facts(ctx, "", posts, 0)
	if err != nil {
		return nil, err
	}
	for id, f := range facts {
		all[string(id)] = c.post(f.Post)
	}
	return all, nil
}

func (c content) post(p *social.Post) *operator.Shown {
	s := &operator.Shown{Excerpt: operator.Excerpt(p.Text), Media: []string{},
		Visible: p.Status == social.PostCompleted, RemovedBy: operator.RemovedBy(p.RemovedBy)}
	if p.HasFiles() && p.Shown() {
		s.Media = append(s.Media, c.files.At(social.PostFiles(p.PostedByUserID, p.PostID)+"/image").URL1080p)
	}
	return s
}

// Reports returns the reports that are with an item.
func (c content) Reports(ctx context.Context, kind desk.ContentKind, id string, q page.Query) (page.Page[desk.Report], error) {
	if kind != desk.Post {
		return page.Page[desk.Report]{}, nil
	}
	flags, err := c.store.Flags.Of(ctx, social.FlagOnPost, id, q)
	return page.Map(flags, func(f social.Flag) desk.Report { return f.Report() }), err
}

// Decide carries out a verdict together with the step of the item's case.
func (c content) Decide(ctx context.Context, v desk.Verdict, step desk.CaseStep) (found bool, err error) {
	if step.After.Kind != desk.Post {
		return false, nil
	}
	return c.posts.Decide(ctx, social.PostID(step.After.ItemID), v, step)
}
