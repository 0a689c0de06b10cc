package app_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/together"
	"stoa/systems/pantry"
	"stoa/systems/pantry/store"
)

// fills creates containers with 499 foods each in a group.
func (w *world) fills(by, group string, containers int) {
	w.T.Helper()
	s := store.Open(w.DB)
	err := together.Each(w.T.Context(), containers, 1, func(ctx context.Context, i int) error {
		c := &pantry.Container{
			ID: pantry.ContainerID(w.Host.NewID()), GroupID: pantry.GroupID(group), Name: "box",
			Foods: map[pantry.FoodID]pantry.Food{}, Version: 1, CreatedAt: w.Now(), UpdatedAt: w.Now(),
		}
		for n := range pantry.MaxFoods - 1 {
			f := pantry.Food{
				ID: pantry.FoodID(w.Host.NewID()), Name: fmt.Sprintf("food %d", n), CreatedAt: w.Now(), UpdatedAt: w.Now(), Version: 1,
				AddedBy: pantry.UserID(by),
			}
			if n == 250 {
				f.Name = fmt.Sprintf("rice %02d of %s", 99-i, group[len(group)-4:])
			}
			c.Foods[f.ID] = f
		}
		return s.Containers.Create(ctx, c, pantry.UserID(by))
	})
	if err != nil {
		w.T.Fatal(err)
	}
}

// pantry 4#paging and 4.2#3: a request searches a bounded number of foods, and the next
// page goes on from there. Every food is found once, and those of a window are in order.
func TestSearchesAreBounded(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		second := w.Does("a", `mutation { createGroup { id } }`).Text("createGroup.id")
		w.fills(a.user, a.group, 30)
		w.fills(a.user, second, 30)
		const query = `query($x: String!, $g: ID, $l: Int, $t: String) {
			searchFoods(text: $x, groupId: $g, limit: $l, nextToken: $t) { items { food { name } group { id } } nextToken }
		}`
		pages := func(v vars) (pages [][]string) {
			t.Helper()
			for {
				d := w.Does("a", query, v)
				var names []string
				for i := range d.At("searchFoods.items").([]any) {
					names = append(names, d.Text(fmt.Sprintf("searchFoods.items.%d.food.name", i)))
				}
				pages = append(pages, names)
				if d.At("searchFoods.nextToken") == nil {
					return pages
				}
				v["t"] = d.Text("searchFoods.nextToken")
			}
		}
		for _, limit := range []int{100, 7} {
			all := pages(vars{"x": "RICE", "l": limit})
			for _, names := range all {
				if len(names) > min(limit, 25) || !slices.IsSorted(names) {
					t.Errorf("a page of %d in %q", limit, names)
				}
			}
			found := slices.Concat(all...)
			slices.Sort(found)
			if len(found) != 60 || len(slices.Compact(found)) != 60 {
				t.Errorf("in pages of %d, found %q", limit, found)
			}
		}
		if all := pages(vars{"x": "nothing like it"}); len(all) < 3 || len(slices.Concat(all...)) > 0 {
			t.Errorf("what is not there is found in %q", all)
		}
		// A container deleted or added between two pages changes nothing for the others.
		v := vars{"x": "rice", "g": a.group, "l": 10}
		first := w.Does("a", query, v)
		names := strings.Fields(first.List("searchFoods.items", "food.name"))
		w.fills(a.user, a.group, 5)
		v["t"] = first.Text("searchFoods.nextToken")
		if rest := slices.Concat(pages(v)...); len(rest) < 20 || slices.Contains(rest, names[0]) {
			t.Errorf("after %q come %q", names, rest)
		}
		w.Whole()
	})
}

// pantry 3#4 and 5.4#9: pages of expiring foods are in order over all containers, however
// many are read.
func TestManyExpiringFoods(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		w.fills(a.user, a.group, 40)
		const query = `query($l: Int, $t: String) { expiringFoods(limit: $l, nextToken: $t) { items { food { name } } nextToken } }`
		d := w.Does("a", `query($g: ID!) { groupContainers(groupId: $g, limit: 100) { items { id } } }`, vars{"g": a.group})
		containers := strings.Fields(d.List("groupContainers.items", "id"))
		var want []string
		for i := range 12 {
			// The soonest is in the container read last.
			name := fmt.Sprintf("milk%02d", i)
			w.adds("a", containers[len(containers)-1-3*i], vars{"name": name, "expiry": w.Now().Add(time.Duration(i) * time.Hour)})
			want = append(want, name)
		}
		var got []string
		for v := (vars{"l": 5}); ; {
			d := w.Does("a", query, v)
			got = append(got, strings.Fields(d.List("expiringFoods.items", "food.name"))...)
			if d.At("expiringFoods.nextToken") == nil {
				break
			}
			v["t"] = d.Text("expiringFoods.nextToken")
		}
		if !slices.Equal(got, want) {
			t.Errorf("expiring %q, want %q", got, want)
		}
	})
}
