package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/systems/pantry"
)

// A container with all its foods. The group's id has another attribute name than GroupID,
// which would add the item to the indexes.
var containers = keyspec.Define[containerItem](Pantry, keyspec.Row{Key: keyspec.K("{ContainerId}", "Container")})

type containerItem struct {
	pantry.Container
	Foods     map[pantry.FoodID]foodItem `dynamo:"Foods"`
	FoodCount int                        `dynamo:"FoodCount,zero"`
}

// foodItem is an entry of Foods, by id.
type foodItem struct {
	pantry.Food
	Quantity *keyspec.Numeral `dynamo:"Quantity,null"`
}

func containerKey(id pantry.ContainerID) keyspec.Key { return containers.Key(string(id)) }

// inFoods returns a path within Foods.
func inFoods(id pantry.FoodID, keys ...string) keyspec.Path {
	return keyspec.In("Foods", append([]string{string(id)}, keys...)...)
}

func containerItemOf(c *pantry.Container) containerItem {
	item := containerItem{*c, make(map[pantry.FoodID]foodItem, len(c.Foods)), len(c.Foods)}
	for id, f := range c.Foods {
		item.Foods[id] = foodItemOf(f)
	}
	return item
}

func containerLinkOf(c *pantry.Container) containerLinkItem {
	return containerLinkItem{GroupRef: c.GroupID, ContainerID: c.ID, Name: c.Name, CreatedAt: c.CreatedAt}
}

func (i *containerItem) container() (_ *pantry.Container, err error) {
	c := i.Container
	c.Foods = make(map[pantry.FoodID]pantry.Food, len(i.Foods))
	for id, f := range i.Foods {
		if c.Foods[id], err = f.food(); err != nil {
			return nil, err
		}
	}
	return &c, nil
}

func foodItemOf(f pantry.Food) foodItem { return foodItem{f, numeralOf(f.Quantity)} }

func (i foodItem) food() (f pantry.Food, err error) {
	f = i.Food
	if i.Quantity != nil {
		f.Quantity = new(pantry.Decimal)
		*f.Quantity, err = pantry.ParseDecimal(string(*i.Quantity))
	}
	return f, err
}

func numeralOf(d *pantry.Decimal) *keyspec.Numeral {
	if d == nil {
		return nil
	}
	n := keyspec.Numeral(d.String())
	return &n
}
