package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/systems/pantry"
)

// The list of categories, if an operator has set one.
var categories = keyspec.Define[categoriesItem](Pantry, keyspec.Row{Key: keyspec.K("Category", "Category")})

type categoriesItem struct {
	Category []categoryItem `dynamo:"Category"`
	Version  int            `dynamo:"Version"`
}

type categoryItem struct {
	Name string `dynamo:"name"`
}

func categoriesItemOf(c pantry.Categories) categoriesItem {
	item := categoriesItem{Version: c.Version}
	for _, name := range c.Names {
		item.Category = append(item.Category, categoryItem{name})
	}
	return item
}

func (i *categoriesItem) categories() pantry.Categories {
	if i == nil {
		return pantry.DefaultCategories
	}
	c := pantry.Categories{Version: i.Version}
	for _, category := range i.Category {
		c.Names = append(c.Names, category.Name)
	}
	return c
}
