package pantry

import (
	"time"

	"stoa/internal/kit/input"
)

// FoodField is a field of a food that can be cleared.
type FoodField string

const (
	ClearUnit     FoodField = "UNIT"
	ClearQuantity FoodField = "QUANTITY"
	ClearCategory FoodField = "CATEGORY"
	ClearExpiry   FoodField = "EXPIRY"
)

// FoodChange decides on a change of a food. After a conflict it decides again.
type FoodChange interface {
	// Check refuses a change that is invalid for any food.
	Check() error
	// NeedsCategories reports whether the change sets a category, so that Apply needs the
	// list.
	NeedsCategories() bool
	// Expects reports whether the change is for a certain version of the food only.
	Expects() bool
	// Apply returns the edit of a food, or an error if it cannot be made.
	Apply(f Food, list Categories) (FoodEdit, error)
}

// FoodEdit is a decided change of one food: the fields to be set, nil for those that stay
// unchanged, or the amount to be added to its quantity.
type FoodEdit struct {
	Name     *string
	Unit     *Part[string]
	Quantity *Part[Decimal]
	Category *Part[string]
	Expiry   *Part[time.Time]
	// Add is added to the quantity. The result must be neither negative nor too large.
	Add *Decimal
	// Unset requires that there is no quantity. Otherwise a concurrently set one would be
	// lost.
	Unset bool
}

// Part is a new value of a nullable field.
type Part[T any] struct{ Value *T }

// IsEmpty reports whether the edit changes nothing.
func (e FoodEdit) IsEmpty() bool { return e == FoodEdit{} }

// After returns f after the edit.
func (e FoodEdit) After(f Food, at time.Time) Food {
	if e.Name != nil {
		f.Name = *e.Name
	}
	change(&f.Unit, e.Unit)
	change(&f.Quantity, e.Quantity)
	change(&f.Category, e.Category)
	change(&f.Expiry, e.Expiry)
	if e.Add != nil {
		if sum, ok := f.Quantity.Plus(*e.Add); ok {
			f.Quantity = &sum
		}
	}
	f.Version++
	f.UpdatedAt = at
	return f
}

func change[T any](to **T, part *Part[T]) {
	if part != nil {
		*to = part.Value
	}
}

// ReplaceFood sets every field; omitted ones become nil.
type ReplaceFood struct {
	Food     NewFood
	Expected *int
	checked  NewFood
}

func (r *ReplaceFood) Check() (err error) {
	r.checked, err = r.Food.Checked()
	return err
}

func (r *ReplaceFood) Expects() bool         { return r.Expected != nil }
func (r *ReplaceFood) NeedsCategories() bool { return r.checked.Category != nil }

func (r *ReplaceFood) Apply(f Food, list Categories) (FoodEdit, error) {
	if err := input.CheckVersion(r.Expected, f.Version); err != nil {
		return FoodEdit{}, err
	}
	n := r.checked
	return FoodEdit{
		Name: &n.Name, Unit: &Part[string]{n.Unit}, Quantity: &Part[Decimal]{n.Quantity},
		Category: &Part[string]{n.Category}, Expiry: &Part[time.Time]{n.Expiry},
	}, list.Check(n.Category)
}

// PatchFood sets the given fields and clears those in Clear.
type PatchFood struct {
	Name     *string
	Unit     *string
	Quantity *Decimal
	Category *string
	Expiry   *time.Time
	Clear    []FoodField
	Expected *int
}

func (p *PatchFood) Check() error {
	if p.Name != nil {
		if err := checkName("food", *p.Name, maxFoodName); err != nil {
			return err
		}
	}
	given := map[FoodField]bool{
		ClearUnit: p.Unit != nil, ClearQuantity: p.Quantity != nil, ClearCategory: p.Category != nil, ClearExpiry: p.Expiry != nil,
	}
	for _, field := range p.Clear {
		if given[field] {
			return badInput("SET_AND_CLEARED", "%s is both set and cleared", field)
		}
	}
	return checkParts(p.Unit, p.Quantity, p.Expiry)
}

func (p *PatchFood) Expects() bool         { return p.Expected != nil }
func (p *PatchFood) NeedsCategories() bool { return categoryOf(p.Category) != nil }

func (p *PatchFood) Apply(f Food, list Categories) (FoodEdit, error) {
	if err := input.CheckVersion(p.Expected, f.Version); err != nil {
		return FoodEdit{}, err
	}
	e := FoodEdit{Name: p.Name}
	if p.Unit != nil {
		e.Unit = &Part[string]{unitOf(p.Unit)}
	}
	if p.Quantity != nil {
		e.Quantity = &Part[Decimal]{p.Quantity}
	}
	if p.Category != nil {
		e.Category = &Part[string]{categoryOf(p.Category)}
	}
	if p.Expiry != nil {
		e.Expiry = &Part[time.Time]{stored(p.Expiry)}
	}
	for _, field := range p.Clear {
		switch field {
		case ClearUnit:
			e.Unit = &Part[string]{}
		case ClearQuantity:
			e.Quantity = &Part[Decimal]{}
		case ClearCategory:
			e.Category = &Part[string]{}
		case ClearExpiry:
			e.Expiry = &Part[time.Time]{}
		}
	}
	return e, list.Check(categoryOf(p.Category))
}

// AdjustQuantity adds a positive or negative amount to the quantity.
type AdjustQuantity struct{ Delta Decimal }

func (a AdjustQuantity) Check() error          { return nil }
func (a AdjustQuantity) Expects() bool         { return false }
func (a AdjustQuantity) NeedsCategories() bool { return false }

func (a AdjustQuantity) Apply(f Food, _ Categories) (FoodEdit, error) {
	if f.Quantity == nil {
		if a.Delta.Negative() {
			return FoodEdit{}, ErrQuantityNotSet
		}
		return FoodEdit{Quantity: &Part[Decimal]{&a.Delta}, Unset: true}, nil
	}
	sum, ok := f.Quantity.Plus(a.Delta)
	switch {
	case !ok && !a.Delta.Negative():
		return FoodEdit{}, ErrQuantityTooHigh
	case !ok || sum.Negative():
		return FoodEdit{}, ErrQuantityTooLow
	}
	return FoodEdit{Add: &a.Delta}, nil
}
