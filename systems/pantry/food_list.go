package pantry

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"
)

// FoodSort is an order of foods.
type FoodSort string

const (
	SortByExpiry   FoodSort = "EXPIRY"
	SortByName     FoodSort = "NAME"
	SortByCreated  FoodSort = "CREATED"
	SortByCategory FoodSort = "CATEGORY"
)

// FoodFilter selects the foods that pass all conditions that are not nil.
type FoodFilter struct {
	Category       *string
	NameContains   *string
	ExpiredOnly    *bool
	ExpiringBefore *time.Time
}

func (f *FoodFilter) passes(food Food, now time.Time) bool {
	switch {
	case f == nil:
		return true
	case f.Category != nil && (food.Category == nil || *food.Category != *f.Category):
		return false
	case f.NameContains != nil && !contains(food.Name, *f.NameContains):
		return false
	case f.ExpiredOnly != nil && *f.ExpiredOnly && !food.Expired(now):
		return false
	case f.ExpiringBefore != nil && (food.Expiry == nil || !food.Expiry.Before(*f.ExpiringBefore)):
		return false
	}
	return true
}

// contains reports whether text contains part, regardless of case.
func contains(text, part string) bool { return strings.Contains(fold(text), fold(part)) }

func fold(text string) string { return strings.ToLower(text) }

// sortFoods sorts foods. Ties are broken by name, and then by id.
func sortFoods(foods []*SeenFood, by FoodSort) {
	slices.SortFunc(foods, func(a, b *SeenFood) int { return compareFoods(&a.food, &b.food, by) })
}

func compareFoods(a, b *Food, by FoodSort) int {
	first := 0
	switch by {
	case SortByName:
	case SortByCreated:
		first = a.CreatedAt.Compare(b.CreatedAt)
	case SortByCategory:
		first = nilLast(a.Category, b.Category, func(c, d string) int { return cmp.Compare(fold(c), fold(d)) })
	default:
		first = nilLast(a.Expiry, b.Expiry, time.Time.Compare)
	}
	return cmp.Or(first, cmp.Compare(fold(a.Name), fold(b.Name)), cmp.Compare(a.ID, b.ID))
}

// nilLast compares two values, either of which may be nil and then sorts last.
func nilLast[T any](a, b *T, compare func(T, T) int) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return compare(*a, *b)
}

// Found is a food with the container it was found in.
type Found struct {
	Food      *SeenFood
	Container *SeenContainer
}

// Group returns the group of the container.
func (f Found) Group() *SeenGroup { return f.Container.group }

// Expiring selects foods that expire up to the end of a day, counted from today as 0.
type Expiring struct {
	WithinDays int
	// IncludeExpired also selects foods that have already expired.
	IncludeExpired bool
}

const (
	// DefaultWithinDays is the default of WithinDays.
	DefaultWithinDays = 3
	// maxWithinDays is the maximum of WithinDays.
	maxWithinDays = 365
)

// Check refuses WithinDays that is out of range.
func (e Expiring) Check() error {
	if e.WithinDays < 0 || e.WithinDays > maxWithinDays {
		return badInput("INVALID_DAYS", "withinDays lies between 0 and %d", maxWithinDays)
	}
	return nil
}

// In returns the selected foods in containers, soonest to expire first.
func (e Expiring) In(containers []*SeenContainer, now time.Time) FoundList {
	end := dayOf(now).Add(time.Duration(e.WithinDays+1) * day)
	return find(containers, SortByExpiry, func(f Food) bool {
		return f.Expiry != nil && f.Expiry.Before(end) && (e.IncludeExpired || !f.Expired(now))
	})
}

// CheckSearch refuses a search text of invalid length.
func CheckSearch(text string) error { return checkName("food to search for", text, maxFoodName) }

// Search returns the foods in containers whose names contain a text, by name.
func Search(containers []*SeenContainer, text string) FoundList {
	return find(containers, SortByName, func(f Food) bool { return contains(f.Name, text) })
}

// FoundList is a sorted list of found foods.
type FoundList struct {
	found []Found
	by    FoodSort
}

func find(containers []*SeenContainer, by FoodSort, wanted func(Food) bool) FoundList {
	l := FoundList{by: by}
	for _, c := range containers {
		for _, f := range c.container.Foods {
			if wanted(f) {
				l.found = append(l.found, Found{&SeenFood{f, c.viewer, c.now}, c})
			}
		}
	}
	slices.SortFunc(l.found, func(a, b Found) int { return compareFoods(&a.Food.food, &b.Food.food, by) })
	return l
}

// Mark returns the position of a food in a sorted list, for After.
func (f Found) Mark() string {
	food := f.Food.food
	at := ""
	if food.Expiry != nil {
		at = food.Expiry.Format(time.RFC3339Nano)
	}
	return at + " " + string(food.ID) + " " + food.Name
}

// After returns the foods after a mark, or all if mark is empty. The marked food need not
// exist any more.
func (l FoundList) After(mark string) (FoundList, error) {
	if mark == "" {
		return l, nil
	}
	parts := strings.SplitN(mark, " ", 3)
	if len(parts) != 3 {
		return FoundList{}, errMark
	}
	last := Food{ID: FoodID(parts[1]), Name: parts[2]}
	if parts[0] != "" {
		at, err := time.Parse(time.RFC3339Nano, parts[0])
		if err != nil {
			return FoundList{}, errMark
		}
		last.Expiry = &at
	}
	from := slices.IndexFunc(l.found, func(f Found) bool { return compareFoods(&f.Food.food, &last, l.by) > 0 })
	if from < 0 {
		from = len(l.found)
	}
	return FoundList{l.found[from:], l.by}, nil
}

// With returns the first foods of two lists of the same order, at most n.
func (l FoundList) With(other FoundList, n int) FoundList {
	all := slices.Concat(l.found, other.found)
	slices.SortFunc(all, func(a, b Found) int { return compareFoods(&a.Food.food, &b.Food.food, other.by) })
	// The clone releases the containers of the rest.
	return FoundList{slices.Clone(all[:min(n, len(all))]), other.by}
}

// First returns the first foods, at most n, and whether there are more.
func (l FoundList) First(n int) (found []*Found, more bool) {
	for i := range l.found[:min(n, len(l.found))] {
		found = append(found, &l.found[i])
	}
	return found, len(l.found) > n
}

var errMark = errors.New("not a mark of this list")
