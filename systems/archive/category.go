package archive

import "time"

// Category is a category of collections.
type Category struct {
	ID              ID     `dynamo:"-"`
	Name            string `dynamo:"name"`
	CollectionCount int    `dynamo:"CollectionCount,zero"`
	Stamps
}

// NewCategory returns a new category.
func NewCategory(id ID, name string, now time.Time) (*Category, error) {
	if err := CheckCategoryName(name); err != nil {
		return nil, err
	}
	return &Category{ID: id, Name: name, Stamps: StampsAt(now)}, nil
}

// CheckCategoryName refuses an invalid name of a category.
func CheckCategoryName(name string) error { return checkName("category", name, maxName) }

// Renamed returns the category with another name.
func (c Category) Renamed(name string, given, now time.Time) (*Category, error) {
	if err := CheckCategoryName(name); err != nil {
		return nil, err
	}
	if err := c.CheckTime(given); err != nil {
		return nil, err
	}
	c.Name = name
	c.Touch(now)
	return &c, nil
}
