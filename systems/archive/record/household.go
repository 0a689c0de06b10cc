package record

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/slice"
	"stoa/internal/kit/viewer"
	"stoa/systems/archive"
)

// Households returns the households of a post by number.
func (s *Service) Households(ctx context.Context, v viewer.Viewer, operation string, post archive.ID, args page.Args) (page.Page[*archive.Household], error) {
	var none page.Page[*archive.Household]
	if _, err := s.Gate.Admit(ctx, v, archive.Reader); err != nil {
		return none, err
	}
	l, err := page.ListOf(args, "archive."+operation, v.UserID, post.String())
	if err != nil {
		return none, err
	}
	facts, err := s.Store.Facts(ctx, archive.Wanted{Posts: []archive.ID{post}})
	if err != nil {
		return none, err
	}
	if facts.Posts[post] == nil {
		return none, archive.ErrNoPost
	}
	p, err := s.Store.Households(ctx, post, l.Query)
	return page.Seal(l, p, err)
}

// Household returns a household, or nil if it does not exist.
func (s *Service) Household(ctx context.Context, v viewer.Viewer, ref archive.HouseholdRef) (*archive.Household, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Reader); err != nil {
		return nil, err
	}
	facts, err := s.Store.Facts(ctx, archive.Wanted{Households: []archive.HouseholdRef{ref}})
	return facts.Households[ref], err
}

// Numbered returns the households with a number by post.
func (s *Service) Numbered(ctx context.Context, v viewer.Viewer, number string, args page.Args) (page.Page[*archive.Household], error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Reader); err != nil {
		return page.Page[*archive.Household]{}, err
	}
	l, err := page.ListOf(args, "archive.householdsByNumber", v.UserID, number)
	if err != nil {
		return page.Page[*archive.Household]{}, err
	}
	p, err := s.Store.HouseholdsNumbered(ctx, number, l.Query)
	return page.Seal(l, p, err)
}

// HouseholdOf returns the household of a record that the viewer sees, or nil if it is in
// none.
func (s *Service) HouseholdOf(ctx context.Context, v viewer.Viewer, r *archive.SeenRecord) (*archive.Household, error) {
	if h, known := r.KnownHousehold(); known {
		return h, nil
	}
	ref, ok := r.HouseholdRef()
	if !ok {
		_, err := s.Gate.Admit(ctx, v, archive.Reader)
		return nil, err
	}
	h, err := s.Household(ctx, v, ref)
	if !h.Has(r.ID()) {
		return nil, err
	}
	return h, err
}

// Listed returns the records of a household in order.
func (s *Service) Listed(ctx context.Context, v viewer.Viewer, h *archive.Household) ([]*archive.SeenRecord, error) {
	u, err := s.Gate.Admit(ctx, v, archive.Reader)
	if err != nil {
		return nil, err
	}
	p, c, err := s.post(ctx, h.PostID)
	if err != nil {
		return nil, err
	}
	refs := slice.Map(h.RecordIDs, func(id archive.ID) archive.RecordRef { return archive.RecordRef{PostID: h.PostID, ID: id} })
	facts, err := s.Store.Facts(ctx, archive.Wanted{Records: refs})
	if err != nil {
		return nil, err
	}
	seen := []*archive.SeenRecord{}
	for _, r := range archive.Ordered(refs, facts.Records) {
		seen = append(seen, r.SeenBy(u.Level, p, c))
	}
	return seen, nil
}

// maxEntries is the maximum number of records added to a household in one transaction,
// together with the households that may list them.
const maxEntries = 96

// SetHousehold creates a household of records, or replaces its list.
func (s *Service) SetHousehold(ctx context.Context, v viewer.Viewer, ref archive.HouseholdRef, ids []archive.ID) (*archive.Household, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Editor); err != nil {
		return nil, err
	}
	if err := archive.CheckHousehold(ref.Number, ids); err != nil {
		return nil, err
	}
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*archive.Household, error) {
		facts, err := s.Store.Facts(ctx, archive.Wanted{Posts: []archive.ID{ref.PostID}, Households: []archive.HouseholdRef{ref}})
		if err != nil {
			return nil, err
		}
		p, before := facts.Posts[ref.PostID], facts.Households[ref]
		if p == nil {
			return nil, archive.ErrNoPost
		}
		if err := p.Editable(); err != nil {
			return nil, err
		}
		entries, err := s.entries(ctx, ref, before, ids)
		if err != nil {
			return nil, err
		}
		after := ref.Listing(before, ids, s.Now())
		return after, s.Store.SetHousehold(ctx, p, before, after, entries)
	})
}

// entries returns the records to be added to a household. They must exist and be in no
// other household.
func (s *Service) entries(ctx context.Context, ref archive.HouseholdRef, before *archive.Household, ids []archive.ID) ([]archive.HouseholdEntry, error) {
	var refs []archive.RecordRef
	for _, id := range ids {
		if !before.Has(id) {
			refs = append(refs, archive.RecordRef{PostID: ref.PostID, ID: id})
		}
	}
	if len(refs) > maxEntries {
		return nil, archive.ErrLargeHousehold
	}
	facts, err := s.Store.Facts(ctx, archive.Wanted{Records: refs})
	if err != nil {
		return nil, err
	}
	found := facts.Records
	others := archive.Wanted{}
	for _, r := range refs {
		if found[r] == nil {
			return nil, archive.BadReference("record", r.ID)
		}
		if other, had := found[r].HouseholdRef(); had && other != ref {
			others.Households = append(others.Households, other)
		}
	}
	if len(others.Households) > 0 {
		if facts, err = s.Store.Facts(ctx, others); err != nil {
			return nil, err
		}
	}
	entries := make([]archive.HouseholdEntry, len(refs))
	different := map[archive.HouseholdRef]bool{}
	for i, r := range refs {
		e := archive.HouseholdEntry{Record: found[r]}
		if other, had := e.Record.HouseholdRef(); had && other != ref {
			e.Other = facts.Households[other]
			different[other] = true
		}
		if e.Other.Has(r.ID) {
			return nil, archive.ErrInOtherHousehld
		}
		entries[i] = e
	}
	if len(entries)+len(different) > maxEntries {
		return nil, archive.ErrLargeHousehold
	}
	return entries, nil
}

// DeleteHousehold deletes a household and keeps its records. It returns false if it does
// not exist.
func (s *Service) DeleteHousehold(ctx context.Context, v viewer.Viewer, ref archive.HouseholdRef) (bool, error) {
	if _, err := s.Gate.Admit(ctx, v, archive.Editor); err != nil {
		return false, err
	}
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (bool, error) {
		facts, err := s.Store.Facts(ctx, archive.Wanted{Posts: []archive.ID{ref.PostID}, Households: []archive.HouseholdRef{ref}})
		if err != nil {
			return false, err
		}
		p, h := facts.Posts[ref.PostID], facts.Households[ref]
		if p == nil || h == nil {
			return false, nil
		}
		if err := p.Editable(); err != nil {
			return false, err
		}
		err = s.Store.DeleteHousehold(ctx, p, h)
		return err == nil, err
	})
}
