package pantry

// Unselected is the category that means that none was selected. It is stored as nil.
const Unselected = "Unselected"

// DefaultCategories is the list used until an operator sets another.
var DefaultCategories = Categories{Names: []string{
	Unselected, "Beverage", "Dairy", "Eggs", "Fats", "Fruits", "Vegetables", "Legumes", "Nuts & Seeds", "Meat", "Desserts", "Soup",
	"Seafood", "Convenience", "Other",
}}

// Category is an element of the list of categories.
type Category struct{ Name string }

// Categories is the list of categories, in display order.
type Categories struct {
	Names []string
	// Version is 0 for the default list.
	Version int
}

// List returns the categories.
func (c Categories) List() []Category {
	list := make([]Category, len(c.Names))
	for i, name := range c.Names {
		list[i] = Category{name}
	}
	return list
}

// Replaced returns the next version of the list, with other names.
func (c Categories) Replaced(names []string) Categories {
	return Categories{Names: names, Version: c.Version + 1}
}

// Check refuses a category that is not in the list. Nil is allowed.
func (c Categories) Check(category *string) error {
	if category == nil {
		return nil
	}
	for _, name := range c.Names {
		if name == *category {
			return nil
		}
	}
	return ErrUnknownCategory
}

// CheckCategories refuses names that are not a valid list of categories.
func CheckCategories(names []string) error {
	if n := len(names); n < 1 || n > MaxCategories {
		return badInput("INVALID_CATEGORIES", "There are 1 to %d categories, not %d", MaxCategories, n)
	}
	seen := map[string]bool{}
	for _, name := range names {
		if err := checkName("category", name, maxCategoryName); err != nil {
			return err
		}
		if seen[name] {
			return badInput("INVALID_CATEGORIES", "The category %q is named twice", name)
		}
		seen[name] = true
	}
	return nil
}

func categoryOf(category *string) *string {
	if category == nil || *category == Unselected {
		return nil
	}
	return category
}
