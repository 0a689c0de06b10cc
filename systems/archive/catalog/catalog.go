// Package catalog manages categories and collections.
package catalog

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/systems/archive"
)

// Store stores categories and collections. Changes fail with refusal.Conflict if something
// has changed since it was read.
type Store interface {
	archive.FactReader
	archive.Numberer
	archive.CollectionLister
	// Categories and Collections return those whose name starts with a folded prefix,
	// ordered by name.
	Categories(ctx context.Context, prefix string, q page.Query) (page.Page[*archive.Category], error)
	Collections(ctx context.Context, prefix string, q page.Query) (page.Page[*archive.Collection], error)

	// CreateCategory and RenameCategory fail with ErrNameTaken.
	CreateCategory(ctx context.Context, c *archive.Category) error
	RenameCategory(ctx context.Context, before, after *archive.Category) error
	// DeleteCategory and DeleteCollection fail with ErrInUse.
	DeleteCategory(ctx context.Context, c *archive.Category) error
	// CreateCollection and EditCollection fail with a BadReference to the first category
	// that does not exist.
	CreateCollection(ctx context.Context, c *archive.Collection) error
	EditCollection(ctx context.Context, before, after *archive.Collection) error
	DeleteCollection(ctx context.Context, c *archive.Collection) error
}

// Service implements the catalog area. Its fields are set once.
type Service struct {
	decision.Frame
	Store Store
	Gate  archive.Gate
}

// Categories returns categories ordered by name.
func (s *Service) Categories(ctx context.Context, v viewer.Viewer, prefix string, args page.Args) (page.Page[*archive.Category], error) {
	l, err := s.list(ctx, v, args, "categories", prefix)
	if err != nil {
		return page.Page[*archive.Category]{}, err
	}
	p, err := s.Store.Categories(ctx, archive.Fold(prefix), l.Query)
	return page.Seal(l, p, err)
}

func (s *Service) list(ctx context.Context, v viewer.Viewer, args page.Args, operation string, arguments ...string) (page.List, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Reader); err != nil {
		return page.List{}, err
	}
	return page.ListOf(args, "archive."+operation, v.UserID, arguments...)
}

// Category returns a category, or nil if it does not exist.
func (s *Service) Category(ctx context.Context, v viewer.Viewer, id archive.ID) (*archive.Category, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Reader); err != nil {
		return nil, err
	}
	return s.category(ctx, id)
}

func (s *Service) category(ctx context.Context, id archive.ID) (*archive.Category, error) {
	facts, err := s.Store.Facts(ctx, archive.Wanted{Categories: []archive.ID{id}})
	return facts.Categories[id], err
}

// CategoriesOf returns the categories of collections.
func (s *Service) CategoriesOf(ctx context.Context, v viewer.Viewer, ids []archive.ID) (map[archive.ID]*archive.Category, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Reader); err != nil {
		return nil, err
	}
	facts, err := s.Store.Facts(ctx, archive.Wanted{Categories: ids})
	return facts.Categories, err
}

// Collections returns collections ordered by name.
func (s *Service) Collections(ctx context.Context, v viewer.Viewer, prefix string, args page.Args) (page.Page[*archive.Collection], error) {
	l, err := s.list(ctx, v, args, "collections", prefix)
	if err != nil {
		return page.Page[*archive.Collection]{}, err
	}
	p, err := s.Store.Collections(ctx, archive.Fold(prefix), l.Query)
	return page.Seal(l, p, err)
}

// InCategory returns the collections of a category whose name starts with prefix, ordered
// by id.
func (s *Service) InCategory(
	ctx context.Context,
	v viewer.Viewer,
	operation string,
	id archive.ID,
	prefix string,
	args page.Args,
) (page.Page[*archive.Collection], error) {
	l, err := s.list(ctx, v, args, operation, id.String(), prefix)
	if err != nil {
		return page.Page[*archive.Collection]{}, err
	}
	prefix = archive.Fold(prefix)
	return page.Fill(l,
		page.Of(ctx, s.Store.CollectionIDs, id),
		func(ids []archive.ID) ([]*archive.Collection, error) {
			facts, err := s.Store.Facts(ctx, archive.Wanted{Collections: ids})
			if err != nil {
				return nil, err
			}
			var shown []*archive.Collection
			for _, c := range archive.Ordered(ids, facts.Collections) {
				if archive.HasPrefix(c.Name, prefix) {
					shown = append(shown, c)
				}
			}
			return shown, nil
		})
}

// Collection returns a collection, or nil if it does not exist.
func (s *Service) Collection(ctx context.Context, v viewer.Viewer, id archive.ID) (*archive.Collection, error) {
	found, err := s.Several(ctx, v, []archive.ID{id})
	return found[id], err
}

// Several returns those collections that exist.
func (s *Service) Several(ctx context.Context, v viewer.Viewer, ids []archive.ID) (map[archive.ID]*archive.Collection, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Reader); err != nil {
		return nil, err
	}
	facts, err := s.Store.Facts(ctx, archive.Wanted{Collections: ids})
	return facts.Collections, err
}

func (s *Service) edits(ctx context.Context, v viewer.Viewer) error {
	_, err := s.Gate.Admit(ctx, v, archive.Editor)
	return err
}

// CreateCategory creates a category.
func (s *Service) CreateCategory(ctx context.Context, v viewer.Viewer, name string) (*archive.Category, error) {
	if err := s.edits(ctx, v); err != nil {
		return nil, err
	}
	if err := archive.CheckCategoryName(name); err != nil {
		return nil, err
	}
	id, err := s.Store.NewID(ctx)
	if err != nil {
		return nil, err
	}
	c, err := archive.NewCategory(id, name, s.Now())
	if err != nil {
		return nil, err
	}
	return c, s.Store.CreateCategory(ctx, c)
}

// RenameCategory renames a category.
func (s *Service) RenameCategory(ctx context.Context, v viewer.Viewer, id archive.ID, name string, given time.Time) (*archive.Category, error) {
	if err := s.edits(ctx, v); err != nil {
		return nil, err
	}
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*archive.Category, error) {
		before, err := s.category(ctx, id)
		if err != nil {
			return nil, err
		}
		if before == nil {
			return nil, archive.ErrNoCategory
		}
		after, err := before.Renamed(name, given, s.Now())
		if err != nil {
			return nil, err
		}
		return after, s.Store.RenameCategory(ctx, before, after)
	})
}

// DeleteCategory deletes a category. It returns false if it does not exist.
func (s *Service) DeleteCategory(ctx context.Context, v viewer.Viewer, id archive.ID) (bool, error) {
	if err := s.edits(ctx, v); err != nil {
		return false, err
	}
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (bool, error) {
		c, err := s.category(ctx, id)
		if c == nil || err != nil {
			return false, err
		}
		if c.CollectionCount > 0 {
			return false, archive.ErrInUse
		}
		err = s.Store.DeleteCategory(ctx, c)
		return err == nil, err
	})
}

// CreateCollection creates a collection.
func (s *Service) CreateCollection(ctx context.Context, v viewer.Viewer, plan archive.CollectionPlan) (*archive.Collection, error) {
	if err := s.edits(ctx, v); err != nil {
		return nil, err
	}
	if err := plan.Check(); err != nil {
		return nil, err
	}
	id, err := s.Store.NewID(ctx)
	if err != nil {
		return nil, err
	}
	c := archive.NewCollection(id, plan, s.Now())
	return c, s.Store.CreateCollection(ctx, c)
}

// EditCollection replaces the editable fields of a collection.
func (s *Service) EditCollection(
	ctx context.Context,
	v viewer.Viewer,
	id archive.ID,
	plan archive.CollectionPlan,
	given time.Time,
) (*archive.Collection, error) {
	if err := s.edits(ctx, v); err != nil {
		return nil, err
	}
	if err := plan.Check(); err != nil {
		return nil, err
	}
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*archive.Collection, error) {
		before, err := s.collection(ctx, id)
		if err != nil {
			return nil, err
		}
		if before == nil {
			return nil, archive.ErrNoCollection
		}
		after, err := before.Edited(plan, given, s.Now())
		if err != nil {
			return nil, err
		}
		return after, s.Store.EditCollection(ctx, before, after)
	})
}

func (s *Service) collection(ctx context.Context, id archive.ID) (*archive.Collection, error) {
	facts, err := s.Store.Facts(ctx, archive.Wanted{Collections: []archive.ID{id}})
	return facts.Collections[id], err
}

// DeleteCollection deletes a collection. It returns false if it does not exist.
func (s *Service) DeleteCollection(ctx context.Context, v viewer.Viewer, id archive.ID) (bool, error) {
	if err := s.edits(ctx, v); err != nil {
		return false, err
	}
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (bool, error) {
		c, err := s.collection(ctx, id)
		if c == nil || err != nil {
			return false, err
		}
		if c.PostCount > 0 {
			return false, archive.ErrInUse
		}
		err = s.Store.DeleteCollection(ctx, c)
		return err == nil, err
	})
}
