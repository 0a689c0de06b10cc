package pantry

import (
	"time"
	"unicode/utf8"
)

// Food is something in a container.
type Food struct {
	ID   FoodID `dynamo:"FoodId"`
	Name string `dynamo:"Name"`
	// Nil means unset.
	Unit     *string    `dynamo:"Unit,null"`
	Quantity *Decimal   `dynamo:"-"`
	Category *string    `dynamo:"Category,null"`
	Expiry   *time.Time `dynamo:"Expiry,null"`

	CreatedAt time.Time `dynamo:"CreatedDatetime"`
	UpdatedAt time.Time `dynamo:"UpdatedDatetime"`
	Version   int       `dynamo:"Version"`
	AddedBy   UserID    `dynamo:"AddedBy"`
}

// Expired reports whether the food has expired.
func (f *Food) Expired(now time.Time) bool { return f.Expiry != nil && f.Expiry.Before(now) }

// SeenFood is a food as a member of its group sees it at a given time.
type SeenFood struct {
	food   Food
	viewer UserID
	now    time.Time
}

func (s *SeenFood) ID() FoodID           { return s.food.ID }
func (s *SeenFood) Name() string         { return s.food.Name }
func (s *SeenFood) Unit() *string        { return s.food.Unit }
func (s *SeenFood) Quantity() *Decimal   { return s.food.Quantity }
func (s *SeenFood) Category() *string    { return s.food.Category }
func (s *SeenFood) Expiry() *time.Time   { return s.food.Expiry }
func (s *SeenFood) Expired() bool        { return s.food.Expired(s.now) }
func (s *SeenFood) CreatedAt() time.Time { return s.food.CreatedAt }
func (s *SeenFood) UpdatedAt() time.Time { return s.food.UpdatedAt }
func (s *SeenFood) Version() int         { return s.food.Version }

// Adder returns the user who added the food.
func (s *SeenFood) Adder() Met { return Met{s.food.AddedBy, s.viewer} }

// DaysLeft returns the number of days from today to the day of the expiry in UTC, negative
// if it has passed, or nil if the food has no expiry.
func (s *SeenFood) DaysLeft() *int {
	if s.food.Expiry == nil {
		return nil
	}
	// A time.Duration spans 292 years, which an expiry may exceed.
	days := int((dayOf(*s.food.Expiry).Unix() - dayOf(s.now).Unix()) / int64(day/time.Second))
	return &days
}

const day = 24 * time.Hour

// dayOf returns the start of the UTC day of t.
func dayOf(t time.Time) time.Time { return t.UTC().Truncate(day) }

// NewFood is a food to be added, before it is checked.
type NewFood struct {
	Name     string
	Unit     *string
	Quantity *Decimal
	Category *string
	Expiry   *time.Time
}

// Checked returns n in the form to be stored, with an empty unit and the category
// Unselected replaced by nil, or an error if it is invalid.
func (n NewFood) Checked() (NewFood, error) {
	if err := checkName("food", n.Name, maxFoodName); err != nil {
		return NewFood{}, err
	}
	if err := checkParts(n.Unit, n.Quantity, n.Expiry); err != nil {
		return NewFood{}, err
	}
	n.Unit, n.Category, n.Expiry = unitOf(n.Unit), categoryOf(n.Category), stored(n.Expiry)
	return n, nil
}

func checkParts(unit *string, quantity *Decimal, expiry *time.Time) error {
	if unit != nil {
		if n := utf8.RuneCountInString(*unit); n > maxUnit {
			return badInput("INVALID_UNIT", "A unit has at most %d characters, not %d", maxUnit, n)
		}
	}
	if err := CheckQuantity(quantity); err != nil {
		return err
	}
	if expiry != nil && !(stored(expiry).After(time.Unix(0, 0)) && expiry.UTC().Year() <= 9999) {
		return badInput("INVALID_EXPIRY", "An expiry lies after 1970-01-01T00:00:00Z and before the year 10000")
	}
	return nil
}

func unitOf(unit *string) *string {
	if unit == nil || *unit == "" {
		return nil
	}
	return unit
}

// stored truncates a time to the stored precision.
func stored(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	cut := t.UTC().Truncate(time.Millisecond)
	return &cut
}
