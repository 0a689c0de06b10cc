package archive

import "slices"

// inside returns those of places that are inside what was found before. If none is, the
// last finding is ignored, unless it is a country or a state.
func (m *match) inside(places []*Place) ([]*Place, error) {
	if len(m.found) == 0 {
		return m.first(places)
	}
	for n := len(m.found); n > 0; n-- {
		inner, err := m.under(places, m.found[n-1].places)
		if err != nil {
			return nil, err
		}
		if len(inner) > 0 {
			m.skip(n)
			return inner, nil
		}
		if slices.ContainsFunc(m.found[n-1].places, m.isLarge) {
			return nil, nil
		}
	}
	m.skip(0)
	return m.first(places)
}

// skip drops all but the first n levels that were found.
func (m *match) skip(n int) {
	if n < len(m.found) {
		m.found, m.exact = m.found[:n], false
	}
}

// first restricts the places of the largest level.
func (m *match) first(places []*Place) ([]*Place, error) {
	if len(places) < 2 {
		return places, nil
	}
	if m.within != nil {
		inner, err := m.under(places, []*Place{m.within})
		if len(inner) > 0 || err != nil {
			return inner, err
		}
	}
	if large := slices.DeleteFunc(slices.Clone(places), func(p *Place) bool { return !m.isLarge(p) }); len(large) > 0 {
		return large, nil
	}
	return places, nil
}

// isLarge reports whether a place is a country or a US state.
func (m *match) isLarge(p *Place) bool {
	us := m.Settings.USCountryID
	return p.Level == 1 || p.Level == 2 && us != nil && p.CountryID == *us
}

// under returns those of places that have one of around as an ancestor.
func (m *match) under(places, around []*Place) (inner []*Place, err error) {
	for _, p := range places {
		in, err := m.lies(p, around)
		if err != nil {
			return nil, err
		}
		if in {
			inner = append(inner, p)
		}
	}
	return inner, nil
}

// maxAncestors is the maximum number of ancestors of a place that are searched for another.
const maxAncestors = 7

// lies reports whether a place has one of around as an ancestor and is not one of them.
func (m *match) lies(p *Place, around []*Place) (bool, error) {
	wanted := map[ID]bool{}
	for _, a := range around {
		wanted[a.ID] = true
	}
	seen, step := map[ID]bool{p.ID: true}, []*Place{p}
	for range maxAncestors {
		var ids []ID
		for _, at := range step {
			for _, id := range append([]ID{at.LocatedInID}, at.AlsoLocatedInIDs...) {
				if wanted[id] && id != p.ID {
					return true, nil
				}
				if id != 0 && !seen[id] {
					seen[id] = true
					ids = append(ids, id)
				}
			}
		}
		var err error
		if step, err = m.read(ids); err != nil || len(step) == 0 {
			return false, err
		}
	}
	return false, nil
}
