package kitchen

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/viewer"
	"stoa/systems/pantry"
)

// List returns the list of categories.
func (s *Service) List(ctx context.Context, v viewer.Viewer) ([]pantry.Category, error) {
	facts, err := s.Store.Facts(ctx, pantry.Wanted{Users: []pantry.UserID{v.UserID}, Categories: true})
	if err != nil {
		return nil, err
	}
	return facts.Categories.List(), facts.Registered(v.UserID)
}

// SetList replaces the list of categories, for an operator. Foods keep their categories.
func (s *Service) SetList(ctx context.Context, v viewer.Viewer, names []string) ([]pantry.Category, error) {
	if _, err := pantry.AsOperator(ctx, s.Operators, v.UserID); err != nil {
		return nil, err
	}
	if err := pantry.CheckCategories(names); err != nil {
		return nil, err
	}
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) ([]pantry.Category, error) {
		facts, err := s.Store.Facts(ctx, pantry.Wanted{Categories: true})
		if err != nil {
			return nil, err
		}
		list := facts.Categories.Replaced(names)
		return list.List(), s.Categories.Set(ctx, facts.Categories, list)
	})
}
