package app_test

import (
	"maps"
	"testing"

	"stoa/internal/apptest"
	"stoa/internal/host"
	"stoa/systems/archive/app"
)

// world is the archive as served, on an empty engine. Its operator is oz, and its external
// workers are hand and hand2.
type world struct {
	*apptest.World
	// ids contains user ids by name.
	ids map[string]string
}

func with(t *testing.T, o app.Options, f func(w *world)) {
	t.Helper()
	t.Parallel()
	o.Workers = []string{"hand@example.com", "hand2@example.com"}
	apptest.Test(t, app.System(o), func(w *apptest.World) { f(&world{World: w}) }, people)
}

func people(_ *apptest.World, c *host.Config) {
	c.Operators = []string{"OZ@example.com"}
}

// test runs f in a world that loads and publishes by itself.
func test(t *testing.T, f func(w *world)) {
	t.Helper()
	with(t, app.Options{}, f)
}

// elsewhere runs f in a world with an external worker.
func elsewhere(t *testing.T, f func(w *world)) {
	t.Helper()
	with(t, app.Options{WorkElsewhere: true}, f)
}

type vars = apptest.Vars

// whole checks the invariants of everything stored.
func (w *world) whole() {
	w.T.Helper()
	w.Whole()
}

// is sets the level of users, registering them first.
func (w *world) is(level string, names ...string) {
	w.T.Helper()
	if w.ids == nil {
		w.ids = map[string]string{}
		w.signsIn("oz")
	}
	for _, name := range names {
		w.signsIn(name)
		w.Does("oz", `mutation($u: ID!, $l: AuthLevel!) { setUserLevel(id: $u, level: $l) { level } }`, vars{"u": w.ids[name], "l": level})
	}
}

func (w *world) signsIn(name string) {
	w.T.Helper()
	w.People.Identity(name)
	w.ids[name] = w.Does(name, `mutation { signIn { id } }`).Text("signIn.id")
}

// category creates a category and returns its id.
func (w *world) category(name string) string {
	w.T.Helper()
	return w.Does("oz", `mutation($n: String!) { createCategory(name: $n) { id } }`, vars{"n": name}).Text("createCategory.id")
}

// census returns the collection used by most tests.
func census(categories ...string) vars {
	fields, header := []vars{}, func(name string) vars { return vars{"header": name} }
	for _, h := range []string{"Name", "Household", "Birth", "Place", "Image"} {
		fields = append(fields, header(h))
	}
	return vars{
		"name": "Census", "categoryIds": categories, "fields": fields, "householdNumberHeader": "Household", "imagePathHeader": "Image",
		"mappings": []vars{{"header": "Name", "dbField": "fullName"}, {"header": "Birth", "dbField": "birthDate"}, {"header": "Place", "dbField": "birthPlace"}},
	}
}

const createCollection = `mutation($i: CollectionInput!) { createCollection(input: $i) { id lastUpdateTime } }`

// collection creates a collection and returns its id.
func (w *world) collection(plan vars) string {
	w.T.Helper()
	return w.Does("oz", createCollection, vars{"i": plan}).Text("createCollection.id")
}

const createPost = `mutation($i: CreatePostInput!) { createPost(input: $i) { id postStatus recordsStatus imagesStatus } }`

// post creates a post and returns its id.
func (w *world) post(collection string, more ...vars) string {
	w.T.Helper()
	plan := vars{"name": "Post", "collectionId": collection}
	for _, m := range more {
		maps.Copy(plan, m)
	}
	return w.Does("oz", createPost, vars{"i": plan}).Text("createPost.id")
}

const importRecords = `mutation($p: ID!, $c: String!) { importRecords(postId: $p, csv: $c) { created households post { recordCount recordsStatus } } }`

// imports replaces the records of a post.
func (w *world) imports(post, csv string) {
	w.T.Helper()
	w.Does("oz", importRecords, vars{"p": post, "c": csv})
}

// held creates a census with a post, and returns the post.
func (w *world) held(csv string) (post string) {
	w.T.Helper()
	post = w.post(w.collection(census(w.category("Births"))))
	if csv != "" {
		w.imports(post, csv)
	}
	return post
}

const header = "Name,Household,Birth,Place,Image\n"

// at returns the time of the last change of an object.
func (w *world) at(kind, id string) string {
	w.T.Helper()
	return w.Does("oz", `query($i: ID!) { `+kind+`(id: $i) { lastUpdateTime } }`, vars{"i": id}).Text(kind + ".lastUpdateTime")
}

// moves requests the publication or the withdrawal of a post.
func (w *world) moves(mutation, post string) {
	w.T.Helper()
	w.Does("oz", moving(mutation), vars{"i": post, "t": w.at("post", post)})
	w.Settle()
}

func moving(mutation string) string {
	return `mutation($i: ID!, $t: DateTime!) { ` + mutation + `(id: $i, lastUpdateTime: $t) { postStatus } }`
}

// status compares the states of a post.
func (w *world) status(post, want string) {
	w.T.Helper()
	w.Asked("oz", `query($i: ID!) { post(id: $i) { postStatus recordsStatus imagesStatus } }`, vars{"i": post}, "post", want)
}

// Params compares the additional members of a response's only error.
func (w *world) Params(a apptest.Answer, want string) {
	w.T.Helper()
	if len(a.Errors) != 1 {
		w.T.Fatalf("errors %v", a.Errors)
	}
	if got := string(a.Errors[0].Extensions.Params); got != want {
		w.T.Errorf("params %s, want %s", got, want)
	}
}

// gazetteer loads a few places, their words, and the settings for standardizing names.
func (w *world) gazetteer() {
	w.T.Helper()
	if w.ids == nil {
		w.is("ADMIN")
	}
	place := func(id, name, full, in string, level int, more vars) vars {
		p := vars{"id": id, "name": name, "fullName": full, "level": level, "countryId": "1"}
		if in != "" {
			p["locatedInId"] = in
		}
		maps.Copy(p, more)
		return p
	}
	w.Does("oz", `mutation($r: [PlaceInput!]!) { loadPlaces(rows: $r) }`, vars{"r": []vars{
		place("1", "United States", "United States", "", 1, nil),
		place("2", "Alabama", "Alabama, United States", "1", 2, vars{"altNames": []string{"Ala", "Alabama Territory"}, "types": []string{"State"}}),
		place("3", "Autauga", "Autauga, Alabama, United States", "2", 3, vars{"types": []string{"County"}}),
		place("4", "Texas", "Texas, United States", "1", 2, vars{"types": []string{"State"}}),
		place("5", "Paris", "Paris, Lamar, Texas, United States", "6", 4, vars{"count": 5}),
		place("6", "Lamar", "Lamar, Texas, United States", "4", 3, vars{"types": []string{"County"}}),
		place("7", "France", "France", "", 1, vars{"countryId": "7"}),
		place("8", "Paris", "Paris, France", "7", 2, vars{"countryId": "7", "count": 50}),
		place("9", "Autauga", "Autauga, Texas, United States", "4", 4, vars{"types": []string{"Town"}}),
		place("10", "Lamar", "Lamar, Alabama, United States", "2", 3, vars{"types": []string{"County"}}),
		place("11", "Lamar", "Lamar, Lamar, Alabama, United States", "10", 4, vars{"types": []string{"Town"}, "alsoLocatedInIds": []string{"6"}}),
	}})
	var words []vars
	for word, ids := range map[string][]string{
		"unitedstates": {"1"}, "usa": {"1"}, "alabama": {"2"}, "ala": {"2"}, "alabamaterritory": {"2"}, "autauga": {"3", "9"}, "texas": {"4"}, "paris": {"5", "8"},
		"lamar": {"6", "10", "11"}, "france": {"7"},
	} {
		words = append(words, vars{"word": word, "placeIds": ids})
	}
	w.Does("oz", `mutation($r: [PlaceWordInput!]!) { loadPlaceWords(rows: $r) }`, vars{"r": words})
	w.Does("oz", savePlaces, vars{"i": placeSettings()})
}

const savePlaces = `mutation($i: PlaceSettingsInput!) { updatePlaceSettings(input: $i) { lastUpdateTime } }`

func placeSettings() vars {
	weights := []int{40, 30, 20, 10}
	return vars{
		"abbreviations": vars{"co": "county", "par": "parish"}, "typeWords": []string{"county", "parish", "town"}, "noiseWords": []string{"near", "of", "the"},
		"largeCountries": []string{"1"}, "mediumCountries": []string{"7"}, "largeCountryLevelWeights": weights, "mediumCountryLevelWeights": weights,
		"smallCountryLevelWeights": weights, "primaryMatchWeight": 5, "usCountryId": "1",
	}
}
