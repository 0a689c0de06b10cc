package store

import (
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/systems/pantry"
)

// A container with all its foods. The group's id has another attribute name than GroupID,
// which would add the item to the indexes.
var containers = keyspec.Define[containerItem](Pantry, keyspec.Row{Key: keyspec.K("{ContainerId}", "Container")})

type containerItem struct {
	ContainerID pantry.ContainerID  `dynamo:"ContainerId,keyonly"`
	Name        string              `dynamo:"ContainerName"`
	Foods       map[string]foodItem `dynamo:"Foods"`
	OwnerGroup  pantry.GroupID      `dynamo:"OwnerGroup"`
	FoodCount   int                 `dynamo:"FoodCount,zero"`
	Version     int                 `dynamo:"Version"`
	CreatedAt   keyspec.MilliStamp  `dynamo:"CreatedAt"`
	UpdatedAt   keyspec.MilliStamp  `dynamo:"UpdatedAt"`
}

// foodItem is an entry of Foods, by id.
type foodItem struct {
	ID        pantry.FoodID       `dynamo:"FoodId"`
	Name      string              `dynamo:"Name"`
	Unit      *string             `dynamo:"Unit,null"`
	Quantity  *keyspec.Numeral    `dynamo:"Quantity,null"`
	Category  *string             `dynamo:"Category,null"`
	Expiry    *keyspec.MilliStamp `dynamo:"Expiry,null"`
	CreatedAt keyspec.MilliStamp  `dynamo:"CreatedDatetime"`
	UpdatedAt keyspec.MilliStamp  `dynamo:"UpdatedDatetime"`
	Version   int                 `dynamo:"Version"`
	AddedBy   pantry.UserID       `dynamo:"AddedBy"`
}

func containerKey(id pantry.ContainerID) keyspec.Key { return containers.Key(string(id)) }

// inFoods returns a path within Foods.
func inFoods(id pantry.FoodID, keys ...string) keyspec.Path {
	return keyspec.In("Foods", append([]string{string(id)}, keys...)...)
}

func containerItemOf(c *pantry.Container) containerItem {
	item := containerItem{
		ContainerID: c.ID, Name: c.Name, OwnerGroup: c.GroupID, Foods: map[string]foodItem{}, FoodCount: len(c.Foods), Version: c.Version,
		CreatedAt: keyspec.MilliStampOf(c.CreatedAt), UpdatedAt: keyspec.MilliStampOf(c.UpdatedAt),
	}
	for id, f := range c.Foods {
		item.Foods[string(id)] = foodItemOf(&f)
	}
	return item
}

func containerLinkOf(c *pantry.Container) containerLinkItem {
	return containerLinkItem{GroupRef: c.GroupID, ContainerID: c.ID, Name: c.Name, CreatedAt: keyspec.MilliStampOf(c.CreatedAt)}
}

func (i *containerItem) container() (*pantry.Container, error) {
	c := &pantry.Container{
		ID: i.ContainerID, GroupID: i.OwnerGroup, Name: i.Name, Version: i.Version, Foods: make(map[pantry.FoodID]pantry.Food, len(i.Foods)),
		CreatedAt: i.CreatedAt.Time(), UpdatedAt: i.UpdatedAt.Time(),
	}
	for id := range i.Foods {
		f := i.Foods[id]
		food, err := f.food()
		if err != nil {
			return nil, err
		}
		c.Foods[pantry.FoodID(id)] = food
	}
	return c, nil
}

func foodItemOf(f *pantry.Food) foodItem {
	return foodItem{
		ID: f.ID, Name: f.Name, Unit: f.Unit, Quantity: numeralOf(f.Quantity), Category: f.Category, Expiry: stampOf(f.Expiry),
		CreatedAt: keyspec.MilliStampOf(f.CreatedAt), UpdatedAt: keyspec.MilliStampOf(f.UpdatedAt), Version: f.Version, AddedBy: f.AddedBy,
	}
}

func (i *foodItem) food() (pantry.Food, error) {
	f := pantry.Food{
		ID: i.ID, Name: i.Name, Unit: i.Unit, Category: i.Category, Version: i.Version, AddedBy: i.AddedBy,
		CreatedAt: i.CreatedAt.Time(), UpdatedAt: i.UpdatedAt.Time(),
	}
	if i.Expiry != nil {
		at := i.Expiry.Time()
		f.Expiry = &at
	}
	if i.Quantity != nil {
		q, err := pantry.ParseDecimal(string(*i.Quantity))
		if err != nil {
			return f, err
		}
		f.Quantity = &q
	}
	return f, nil
}

func numeralOf(d *pantry.Decimal) *keyspec.Numeral {
	if d == nil {
		return nil
	}
	n := keyspec.Numeral(d.String())
	return &n
}

func stampOf(t *time.Time) *keyspec.MilliStamp {
	if t == nil {
		return nil
	}
	s := keyspec.MilliStampOf(*t)
	return &s
}
