package app_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"stoa/internal/apptest"
)

// observed returns everything that the operator can see, and the hidden state.
func (p *player) observed(...model) model {
	p.T.Helper()
	m := model{
		Users: map[string]modelUser{}, Categories: map[string]string{}, Collections: map[string]*modelCollection{}, Posts: map[string]*modelPost{},
		Settings: &modelSettings{[]string{}}, Places: map[string]modelPlace{}, Words: map[string]string{},
	}
	for _, u := range p.Does("oz", `{ users { items { id name level enabled lastUpdateTime } } }`).Items("users.items") {
		p.note(u.Text("name"), u.Text("id"), u.Text("lastUpdateTime"))
		m.Users[u.Text("name")] = modelUser{u.Text("level"), u.At("enabled") == false}
	}
	p.observeCatalog(m)
	for _, x := range p.Does("oz", `{ posts(limit: 100) { items { id name } } }`).Items("posts.items") {
		p.ids[x.Text("name")] = x.Text("id")
		m.Posts[x.Text("name")] = p.observedPost(x.Text("name"))
	}
	for name := range m.Collections {
		got := strings.Fields(p.Does("oz", `query($c: ID) { posts(collectionId: $c) { items { name } } }`, vars{"c": p.id(name)}).List("posts.items", "name"))
		if slices.Sort(got); !slices.Equal(got, m.postsOf(name)) {
			p.T.Fatalf("collection %s lists posts %q, all posts are %q", name, got, m.postsOf(name))
		}
	}
	d := p.Does(
		"oz",
		`{ settings { postMetadata { name } lastUpdateTime } placesById(ids: [1, 2, 3]) { id fullName count } placeWords(words: ["alpha", "beta", "gamma"]) { word placeIds } }`,
	)
	m.Settings.Entries = append(m.Settings.Entries, strings.Fields(d.List("settings.postMetadata", "name"))...)
	if d.At("settings.lastUpdateTime") != nil {
		p.note("settings", "settings", d.Text("settings.lastUpdateTime"))
	}
	for _, place := range d.Items("placesById") {
		m.Places[place.Text("id")] = modelPlace{place.Text("fullName"), place.Int("count")}
	}
	for _, word := range d.Items("placeWords") {
		m.Words[word.Text("word")] = word.Text("placeIds.0")
	}
	p.suggests(m)
	p.searches(m)
	return m
}

// observeCatalog observes categories and collections through both of their lists.
func (p *player) observeCatalog(m model) {
	p.T.Helper()
	counts := map[string]int{}
	d := p.Does("oz", `{ categories { items { id name collectionCount lastUpdateTime } }
		collections(limit: 100) { items { id name location privacyLevel postCount lastUpdateTime categories { name } } } }`)
	for _, c := range d.Items("categories.items") {
		key := strings.ToLower(c.Text("name"))
		p.note("category "+key, c.Text("id"), c.Text("lastUpdateTime"))
		m.Categories[key], counts[key] = c.Text("name"), c.Int("collectionCount")
	}
	for _, c := range d.Items("collections.items") {
		location, _ := c.At("location").(string)
		seen := &modelCollection{Categories: []string{}, Privacy: c.Int("privacyLevel"), Location: location}
		for _, category := range c.Items("categories") {
			key := strings.ToLower(category.Text("name"))
			seen.Categories = append(seen.Categories, key)
			counts[key]--
		}
		p.note(c.Text("name"), c.Text("id"), c.Text("lastUpdateTime"))
		m.Collections[c.Text("name")] = seen
	}
	for key, n := range counts {
		if n != 0 {
			p.T.Fatalf("category %s counts %d collections too many", key, n)
		}
	}
	for key := range m.Categories {
		got := strings.Fields(
			p.Does("oz", `query($c: ID) { collections(categoryId: $c, limit: 100) { items { name } } }`, vars{"c": p.id("category " + key)}).List("collections.items", "name"),
		)
		for name, c := range m.Collections {
			if slices.Contains(c.Categories, key) != slices.Contains(got, name) {
				p.T.Fatalf("category %s lists %q, collection %s is in %q", key, got, name, c.Categories)
			}
		}
	}
}

// observedPost returns the content of a post.
func (p *player) observedPost(name string) *modelPost {
	p.T.Helper()
	d := p.Does("oz", `query($p: ID!) { post(id: $p) { id name collection { name } metadata postStatus recordsStatus imagesStatus recordsKey recordCount lastUpdateTime
		records(limit: 100) { items { id dataMap citation lastUpdateTime household { number } } } households(limit: 100) { items { number records { dataMap } } } } }`,
		vars{"p": p.id(name)})
	hidden := p.hidden(p.id(name))
	x := &modelPost{
		Collection: d.Text("post.collection.name"), Status: d.Text("post.postStatus"), Records: d.Text("post.recordsStatus"), Images: d.Text("post.imagesStatus"),
		Metadata: map[string]string{}, Rows: []modelRow{}, Households: map[string][]string{},
	}
	p.note(name, d.Text("post.id"), d.Text("post.lastUpdateTime"))
	x.Key, _ = d.At("post.recordsKey").(string)
	x.Requested, _ = hidden["requested_status"].(string)
	x.Author = p.order[fmt.Sprintf("%.0f", hidden["author_id"])]
	for key, value := range d.At("post.metadata").(map[string]any) {
		x.Metadata[key] = fmt.Sprint(value)
	}
	for _, r := range d.Items("post.records.items") {
		data := rowOf(r)
		p.note(data["Name"], r.Text("id"), r.Text("lastUpdateTime"))
		x.Rows = append(x.Rows, data)
		if got, want := r.Text("citation"), data["Name"]+", "+data["Birth"]; got != want {
			p.T.Fatalf("%s is cited as %q, want %q", data["Name"], got, want)
		}
	}
	for _, h := range d.Items("post.households.items") {
		for _, r := range h.Items("records") {
			x.Households[h.Text("number")] = append(x.Households[h.Text("number")], rowOf(r)["Name"])
		}
	}
	for _, r := range d.Items("post.records.items") {
		number, _ := r.At("household").(map[string]any)
		if want := x.householdOf(rowOf(r)["Name"]); number != nil && number["number"] != want || number == nil && want != "" {
			p.T.Fatalf("%s is in household %v, which lists it in %q", rowOf(r)["Name"], number, want)
		}
	}
	if n := d.Int("post.recordCount"); n != len(x.Rows) {
		p.T.Fatalf("post %s counts %d records of %d", name, n, len(x.Rows))
	}
	return x
}

// hidden returns a stored post with the fields that nobody can see.
func (w *world) hidden(id string) map[string]any { return w.Get("archive", id, "post") }

func rowOf(r apptest.Data) modelRow {
	row := modelRow{}
	for header, value := range r.At("dataMap").(map[string]any) {
		row[header] = value.(string)
	}
	return row
}

// suggests compares the suggestions for prefixes of all names.
func (p *player) suggests(m model) {
	p.T.Helper()
	ids := slices.SortedFunc(maps.Keys(m.Places), func(a, b string) int {
		return cmp.Or(m.Places[b].Count-m.Places[a].Count, strings.Compare(m.Places[a].FullName, m.Places[b].FullName), strings.Compare(a, b))
	})
	var want []string
	for _, id := range ids {
		if strings.HasPrefix(m.Places[id].FullName, "Pl") {
			want = append(want, id)
		}
	}
	if got := p.Does("", `{ places(prefix: "pl") { id } }`).List("places", "id"); got != strings.Join(want, " ") {
		p.T.Fatalf("suggested are %q, want %q", got, want)
	}
}

// searches compares what every user finds in a random collection.
func (p *player) searches(m model) {
	p.T.Helper()
	names := slices.Sorted(maps.Keys(m.Collections))
	if len(names) == 0 {
		return
	}
	collection, word := names[p.IntN(len(names))], []string{"ana", "ben", "1850", "r", "plain", "jpg"}[p.IntN(6)]
	for _, who := range append([]string{"oz"}, everyone...) {
		v := vars{"i": vars{"collectionId": p.id(collection), "text": word}}
		const query = `query($i: RecordSearchInput!) { searchRecords(input: $i, limit: 100) { items { record { id restricted data { header } } matched } } }`
		if refused := m.gate(who, "GUEST"); refused != "" {
			p.Refused(refused, who, query, v)
			continue
		}
		want := m.finds(who, collection, word, func(posts []string) {
			slices.SortFunc(posts, func(a, b string) int { return p.number(a) - p.number(b) })
		})
		hits := p.Does(who, query, v).Items("searchRecords.items")
		var got []string
		hidden := m.Collections[collection].Privacy&2 != 0 && !m.atLeast(who, "READER")
		for _, hit := range hits {
			got = append(got, p.order[hit.Text("record.id")])
			if hit.At("record.restricted") != hidden || (len(hit.Items("record.data")) == 0) != hidden || (len(hit.At("matched").([]any)) == 0) != hidden {
				p.T.Fatalf("%s finds %v in a collection of privacy %d", who, hit, m.Collections[collection].Privacy)
			}
		}
		if !slices.Equal(got, want) {
			p.T.Fatalf("%s finds %q in %s by %q, want %q", who, got, collection, word, want)
		}
	}
}

func (p *player) number(name string) int {
	n, err := strconv.Atoi(p.id(name))
	if err != nil {
		p.T.Fatal(err)
	}
	return n
}
