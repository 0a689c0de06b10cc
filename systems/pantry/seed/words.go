package seed

// kinds and streets are the parts of group names.
var (
	kinds   = []string{"Flat at", "House at", "Kitchen of", "Shared flat,", "Family at"}
	streets = []string{"Birch Lane 4", "Canal Street 12", "Elm Court", "Hill Road 7", "Market Square 1", "Old Mill", "Rose Terrace 22", "Station Road 9"}
)

// food is a kind of food, with its pack size and its shelf life in days, if limited.
type food struct {
	name, unit string
	pack       float64
	category   string
	days       int
}

var fresh = []food{
	{"Milk", "l", 1, "Dairy", 8}, {"Butter", "g", 250, "Fats", 40}, {"Eggs", "pcs", 10, "Eggs", 24}, {"Yoghurt", "g", 500, "Dairy", 18},
	{"Cheddar", "g", 200, "Dairy", 45}, {"Feta", "g", 150, "Dairy", 30}, {"Spinach", "g", 300, "Vegetables", 4}, {"Carrots", "kg", 1, "Vegetables", 16},
	{"Tomatoes", "g", 500, "Vegetables", 7}, {"Lettuce", "pcs", 1, "Vegetables", 5}, {"Strawberries", "g", 250, "Fruits", 3}, {"Grapes", "g", 500, "Fruits", 7},
	{"Chicken breast", "g", 400, "Meat", 3}, {"Minced beef", "g", 500, "Meat", 2}, {"Salmon", "g", 250, "Seafood", 2}, {"Tofu", "g", 200, "Legumes", 25},
	{"Orange juice", "l", 1, "Beverage", 12}, {"Leftover soup", "l", 0.5, "Soup", 3}, {"Cream", "ml", 200, "Dairy", 14}, {"Hummus", "g", 200, "Legumes", 9},
}

var dry = []food{
	{"Rice", "kg", 1, "Other", 400}, {"Spaghetti", "g", 500, "Other", 600}, {"Lentils", "g", 500, "Legumes", 500}, {"Chickpeas", "can", 2, "Legumes", 800},
	{"Olive oil", "ml", 750, "Fats", 350}, {"Flour", "kg", 1, "Other", 200}, {"Oats", "g", 500, "Other", 250}, {"Walnuts", "g", 200, "Nuts & Seeds", 120},
	{
		"Almonds",
		"g",
		200,
		"Nuts & Seeds",
		180,
	}, {"Dark chocolate", "g", 100, "Desserts", 300}, {"Tea", "bag", 20, "Beverage", 700}, {"Coffee", "g", 500, "Beverage", 200},
	{"Honey", "g", 500, "Desserts", 0}, {"Salt", "", 1, "Unselected", 0}, {"Tomato soup", "can", 1, "Soup", 700}, {"Tuna", "can", 3, "Seafood", 900},
	{"Crackers", "g", 150, "Convenience", 90}, {"Peanut butter", "g", 350, "Nuts & Seeds", 200},
}

var frozen = []food{
	{
		"Peas",
		"g",
		750,
		"Vegetables",
		400,
	}, {"Fish fingers", "pcs", 15, "Seafood", 300}, {"Pizza", "pcs", 2, "Convenience", 200}, {"Raspberries", "g", 300, "Fruits", 350},
	{
		"Ice cream",
		"ml",
		500,
		"Desserts",
		250,
	}, {"Bread", "loaf", 1, "Other", 60}, {"Chicken stock", "l", 0.5, "Soup", 120}, {"Prawns", "g", 225, "Seafood", 250},
	{"Spinach cubes", "g", 450, "Vegetables", 380}, {"Burger patties", "pcs", 4, "Meat", 150},
}

// containers are the containers of kitchens. Every kitchen has the first one.
var containers = []struct {
	name  string
	foods []food
}{{"Fridge", fresh}, {"Shelf", dry}, {"Freezer", frozen}, {"Cellar", dry}}
