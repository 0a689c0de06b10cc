package pantry

import (
	"errors"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/refusal"
)

var noon = time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)

func at(days int, hours ...int) *time.Time {
	t := noon.Truncate(24*time.Hour).AddDate(0, 0, days)
	for _, h := range hours {
		t = t.Add(time.Duration(h) * time.Hour)
	}
	return &t
}

func names(foods []*SeenFood) string {
	var all []string
	for _, f := range foods {
		all = append(all, f.Name())
	}
	return strings.Join(all, " ")
}

func box(foods ...Food) *SeenContainer {
	c := &Container{ID: "c", Foods: map[FoodID]Food{}}
	for i, f := range foods {
		f.ID = FoodID(rune('a' + i))
		f.CreatedAt = noon.Add(-time.Duration(i) * time.Minute)
		c.Foods[f.ID] = f
	}
	return c.ChangedBy("ana", noon)
}

// pantry 5.4#8: foods without an expiry come last, and names and categories ignore case.
func TestFoodsAreSortedAndFiltered(t *testing.T) {
	soup, dairy := "soup", "Dairy"
	c := box(
		Food{Name: "milk", Expiry: at(1), Category: &dairy},
		Food{Name: "Apple"},
		Food{Name: "broth", Expiry: at(-1), Category: &soup},
		Food{Name: "Butter", Expiry: at(1), Category: &dairy},
	)
	for sort, want := range map[FoodSort]string{
		SortByExpiry: "broth Butter milk Apple", SortByName: "Apple broth Butter milk", SortByCreated: "Butter broth Apple milk",
		SortByCategory: "Butter milk broth Apple",
	} {
		if got := names(c.Foods(nil, &sort)); got != want {
			t.Errorf("by %s: %s, want %s", sort, got, want)
		}
	}
	if got := names(c.Foods(nil, nil)); got != "broth Butter milk Apple" {
		t.Errorf("by default: %s", got)
	}
	yes, part, other := true, "B", "DAIRY"
	for want, filter := range map[string]FoodFilter{
		"broth": {ExpiredOnly: &yes}, "Butter milk": {Category: &dairy}, "broth Butter": {NameContains: &part}, "": {Category: &other},
		"broth Butter milk": {ExpiringBefore: at(1, 1)}, "Butter": {Category: &dairy, NameContains: &part},
	} {
		if got := names(c.Foods(&filter, nil)); got != want {
			t.Errorf("filtered: %q, want %q", got, want)
		}
	}
}

// pantry 5.4#6-7: days are days of UTC, negative once past; a food is expired at its very
// time.
func TestDaysLeft(t *testing.T) {
	for _, c := range []struct {
		expiry  *time.Time
		days    int
		expired bool
	}{
		{at(0, 0), 0, true}, {at(0, 11), 0, true}, {at(0, 12), 0, false}, {at(0, 23), 0, false}, {at(1, 0), 1, false}, {at(-1, 23), -1, true}, {at(365), 365, false},
		{new(time.Date(3000, 1, 10, 0, 0, 0, 0, time.UTC)), 355_746, false}, {new(time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)), 2_912_433, false},
	} {
		f := SeenFood{Food{Expiry: c.expiry}, "", noon}
		if got := *f.DaysLeft(); got != c.days || f.Expired() != c.expired {
			t.Errorf("%s: %d days, expired %v, want %d and %v", c.expiry, got, f.Expired(), c.days, c.expired)
		}
	}
	if f := (SeenFood{Food{}, "", noon}); f.DaysLeft() != nil || f.Expired() {
		t.Error("a food without expiry expires")
	}
}

// pantry 4.2#4 and 5.4#9: foods up to the end of the last day, with or without expired
// ones, and after any mark.
func TestExpiringFoodsAndMarks(t *testing.T) {
	c := box(Food{Name: "d", Expiry: at(4)}, Food{Name: "c", Expiry: at(3, 23)}, Food{Name: "never"}, Food{Name: "b", Expiry: at(0, 13)}, Food{Name: "a", Expiry: at(-1)})
	list := func(e Expiring) string {
		found, err := e.In([]*SeenContainer{c}, noon).After("")
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, f := range found.found {
			all = append(all, f.Food.Name())
		}
		return strings.Join(all, " ")
	}
	for e, want := range map[Expiring]string{
		{3, true}: "a b c", {3, false}: "b c", {4, true}: "a b c d", {0, true}: "a b", {0, false}: "b",
	} {
		if got := list(e); got != want {
			t.Errorf("%+v: %s, want %s", e, got, want)
		}
	}
	all := Expiring{9, true}.In([]*SeenContainer{c}, noon)
	for i, f := range all.found {
		rest, err := all.After(f.Mark())
		if err != nil || len(rest.found) != len(all.found)-i-1 {
			t.Errorf("after %s: %d foods, %v", f.Food.Name(), len(rest.found), err)
		}
	}
	for _, mark := range []string{"x", "x y z", " "} {
		if _, err := all.After(mark); err == nil {
			t.Errorf("mark %q is taken", mark)
		}
	}
}

// pantry 5.1#5-9: the limits of the fields of a food, at both ends.
func TestChecked(t *testing.T) {
	text := func(s string) *string { return &s }
	minus := MustDecimal("-1")
	for name, c := range map[string]struct {
		food NewFood
		ok   bool
	}{
		"a name":                {NewFood{Name: "x"}, true},
		"no name":               {NewFood{}, false},
		"30 combining marks":    {NewFood{Name: strings.Repeat("\u0301", 30)}, true},
		"15 letters with marks": {NewFood{Name: strings.Repeat("e\u0301", 15)}, true},
		"16 letters with marks": {NewFood{Name: strings.Repeat("e\u0301", 16)}, false},
		"20 characters of unit": {NewFood{Name: "x", Unit: text(strings.Repeat("é", 20))}, true},
		"21 characters of unit": {NewFood{Name: "x", Unit: text(strings.Repeat("é", 21))}, false},
		"below zero":            {NewFood{Name: "x", Quantity: &minus}, false},
		"the past":              {NewFood{Name: "x", Expiry: at(-9000)}, true},
		"1970":                  {NewFood{Name: "x", Expiry: new(time.Unix(0, 999_999).UTC())}, false},
		"the millisecond after": {NewFood{Name: "x", Expiry: new(time.UnixMilli(1).UTC())}, true},
		"the year 10000":        {NewFood{Name: "x", Expiry: new(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))}, false},
	} {
		if _, err := c.food.Checked(); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	f, err := NewFood{Name: "x", Unit: text(""), Category: text(Unselected)}.Checked()
	if err != nil || f.Unit != nil || f.Category != nil {
		t.Errorf("what was not chosen is stored: %+v, %v", f, err)
	}
}

// pantry 5.1#2-3: the limits of group names, and which addresses are valid.
func TestNamesAndAddresses(t *testing.T) {
	for n, ok := range map[int]bool{0: false, 1: true, 255: true, 256: false} {
		if err := CheckGroupName(strings.Repeat("ß", n)); (err == nil) != ok {
			t.Errorf("%d characters: %v", n, err)
		}
	}
	for address, want := range map[string]string{
		"A@X.org": "a@x.org", "a@x.org": "a@x.org", "": "", "a": "", "a@": "", "Ann <a@x.org>": "", "a@x.org, b@x.org": "", " a@x.org": "",
	} {
		if got, _ := FoldEmail(address); got != want {
			t.Errorf("%q is %q, want %q", address, got, want)
		}
	}
}

// pantry 5.4#2 and 5.4#4-5: an adjustment adds exactly, and each raises the version by one.
func TestAdjusting(t *testing.T) {
	for _, c := range []struct{ quantity, delta, want string }{
		{"", "1.5", "1.5"}, {"", "0", "0"}, {"", "-1", "QUANTITY_NOT_SET"}, {"", "-0.001", "QUANTITY_NOT_SET"}, {"1", "-1", "0"},
		{"1", "-1.01", "QUANTITY_TOO_LOW"}, {"999999999", "1", "QUANTITY_TOO_HIGH"}, {"0.1", "0.2", "0.3"},
	} {
		f := Food{Version: 4}
		if c.quantity != "" {
			f.Quantity = new(MustDecimal(c.quantity))
		}
		edit, err := AdjustQuantity{MustDecimal(c.delta)}.Apply(f, Categories{})
		got := ""
		if err != nil {
			got = reasonOf(err)
		} else if after := edit.After(f, noon); after.Version == 5 {
			got = after.Quantity.String()
		}
		if got != c.want {
			t.Errorf("%q and %s: %s, want %s", c.quantity, c.delta, got, c.want)
		}
	}
}

func reasonOf(err error) string {
	var r *refusal.Error
	if errors.As(err, &r) {
		return r.Reason
	}
	return err.Error()
}
