package pantry

// Unselected is the category of the list that means that none was chosen. It is stored
// as none.
const Unselected = "Unselected"

// DefaultCategories is the list until an operator sets another.
var DefaultCategories = Categories{Names: []string{
	Unselected, "Beverage", "Dairy", "Eggs", "Fats", "Fruits", "Vegetables", "Legumes", "Nuts & Seeds", "Meat", "Desserts", "Soup",
	"Seafood", "Convenience", "Other",
}}

// Category is one of the list.
type Category struct{ Name string }

// Categories is the list, in the order in which it is shown.
type Categories struct {
	Names []string
	// Version is 0 while the list is the default one.
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

// Check refuses a category that is not of the list. Nil is none.
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

// CheckCategories refuses what is no list of categories.
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
