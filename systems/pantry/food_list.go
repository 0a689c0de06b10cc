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

// FoodFilter chooses foods: those that pass all parts that are not nil.
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

// contains ignores case.
func contains(text, part string) bool { return strings.Contains(fold(text), fold(part)) }

func fold(text string) string { return strings.ToLower(text) }

// sortFoods sorts foods. Those that an order does not tell apart follow their names, and
// then their ids.
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

// nilLast compares what may be missing.
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

// Found is a food with where it was found.
type Found struct {
	Food      *SeenFood
	Container *SeenContainer
}

// Group is the group of the container.
func (f Found) Group() *SeenGroup { return f.Container.Group }

// Expiring chooses foods that expire before the end of a day, today being 0.
type Expiring struct {
	WithinDays int
	// IncludeExpired also chooses those that have expired already.
	IncludeExpired bool
}

const (
	// DefaultWithinDays is how far ahead one looks who does not say.
	DefaultWithinDays = 3
	// maxWithinDays is how far ahead one may look.
	maxWithinDays = 365
)

// Check refuses to look too far.
func (e Expiring) Check() error {
	if e.WithinDays < 0 || e.WithinDays > maxWithinDays {
		return badInput("INVALID_DAYS", "withinDays lies between 0 and %d", maxWithinDays)
	}
	return nil
}

// In lists the foods that expire in some containers, soonest first.
func (e Expiring) In(containers []*SeenContainer, now time.Time) FoundList {
	end := dayOf(now).Add(time.Duration(e.WithinDays+1) * day)
	return find(containers, SortByExpiry, func(f Food) bool {
		return f.Expiry != nil && f.Expiry.Before(end) && (e.IncludeExpired || !f.Expired(now))
	})
}

// CheckSearch refuses to search for nothing.
func CheckSearch(text string) error { return checkName("food to search for", text, maxFoodName) }

// Search lists the foods in some containers whose names contain a text, by name.
func Search(containers []*SeenContainer, text string) FoundList {
	return find(containers, SortByName, func(f Food) bool { return contains(f.Name, text) })
}

// FoundList are foods that were found, in an order.
type FoundList struct {
	found []Found
	by    FoodSort
}

func find(containers []*SeenContainer, by FoodSort, wanted func(Food) bool) FoundList {
	l := FoundList{by: by}
	for _, c := range containers {
		for _, f := range c.container.Foods {
			if wanted(f) {
				l.found = append(l.found, Found{&SeenFood{f, c.now}, c})
			}
		}
	}
	slices.SortFunc(l.found, func(a, b Found) int { return compareFoods(&a.Food.food, &b.Food.food, by) })
	return l
}

// Mark says where a food stands in an order, for After.
func (f Found) Mark() string {
	food := f.Food.food
	at := ""
	if food.Expiry != nil {
		at = food.Expiry.Format(time.RFC3339Nano)
	}
	return at + " " + string(food.ID) + " " + food.Name
}

// After returns what comes after a mark, all when it is empty. The food that made the
// mark need not be there any more.
func (l FoundList) After(mark string) ([]Found, error) {
	if mark == "" {
		return l.found, nil
	}
	parts := strings.SplitN(mark, " ", 3)
	if len(parts) != 3 {
		return nil, errMark
	}
	last := Food{ID: FoodID(parts[1]), Name: parts[2]}
	if parts[0] != "" {
		at, err := time.Parse(time.RFC3339Nano, parts[0])
		if err != nil {
			return nil, errMark
		}
		last.Expiry = &at
	}
	from := slices.IndexFunc(l.found, func(f Found) bool { return compareFoods(&f.Food.food, &last, l.by) > 0 })
	if from < 0 {
		return nil, nil
	}
	return l.found[from:], nil
}

var errMark = errors.New("not a mark of this list")
