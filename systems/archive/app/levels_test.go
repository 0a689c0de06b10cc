package app_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"stoa/internal/apptest"
	"stoa/systems/archive/app"
)

// call is a request of one root field: the lowest level that may make it, and a document.
type call struct{ level, query string }

// calls lists all root fields with their levels (archive 4.2, 4.3 and 8#contributors). They
// refer to missing objects and request pages without a size, so that permitted callers
// change nothing and others learn nothing else.
var calls = map[string]call{
	"me": {"any", `{ me { id } }`}, "signIn": {"any", `mutation { signIn { id } }`},

	"places": {"public", `{ places(prefix: "al") { id locatedIn { id } country { id } alsoLocatedIn { id } } }`}, "place": {"public", `{ place(id: 2) { name } }`},
	"placesById": {"public", `{ placesById(ids: [2]) { name } }`},

	"searchRecords": {"GUEST", `{ searchRecords(input: {household: "none"}, limit: 0) { items { record { id } } } }`},

	"categories": {
		"READER",
		`{ categories(limit: 0) { items { id } } }`,
	}, "category": {"READER", `{ category(id: 5) { id } }`}, "collections": {"READER", `{ collections(limit: 0) { items { id } } }`},
	"collection": {"READER", `{ collection(id: 5) { id } }`}, "posts": {"READER", `{ posts(limit: 0) { items { id } } }`}, "post": {"READER", `{ post(id: 5) { id } }`},
	"records": {
		"READER",
		`{ records(postId: 5, limit: 0) { items { id } } }`,
	}, "record": {"READER", `{ record(id: 5) { id } }`}, "recordsById": {"READER", `{ recordsById(ids: [5]) { id } }`},
	"households": {"READER", `{ households(postId: 5, limit: 0) { items { number } } }`}, "household": {"READER", `{ household(postId: 5, number: "7") { number } }`},
	"householdsByNumber": {"READER", `{ householdsByNumber(number: "7", limit: 0) { items { number } } }`}, "placeWords": {"READER", `{ placeWords(words: ["a"]) { word } }`},
	"standardizePlace": {
		"READER",
		`{ standardizePlace(text: "a") { name } }`,
	}, "placeSettings": {"READER", `{ placeSettings { typeWords } }`}, "settings": {"READER", `{ settings { lastUpdateTime } }`},
	"contentUrl": {
		"READER",
		`{ contentUrl(key: "uploads/00000000-0000-4000-8000-000000000001.csv") { url } }`,
	}, "imageUrl": {"READER", `{ imageUrl(postId: 5, path: "a") { url } }`},

	"createPost": {
		"CONTRIBUTOR",
		`mutation { createPost(input: {name: "n", collectionId: 5}) { id } }`,
	}, "importRecords": {"CONTRIBUTOR", `mutation { importRecords(postId: 5, csv: "") { created } }`},
	"requestUpload": {"CONTRIBUTOR", `mutation { requestUpload(contentType: "text/csv") { key } }`},

	"createCategory": {
		"EDITOR",
		`mutation { createCategory(name: " ") { id } }`,
	}, "updateCategory": {"EDITOR", `mutation { updateCategory(id: 5, name: "n", lastUpdateTime: "2026-01-01T00:00:00Z") { id } }`},
	"deleteCategory": {
		"EDITOR",
		`mutation { deleteCategory(id: 5) }`,
	}, "createCollection": {"EDITOR", `mutation { createCollection(input: {name: "n", categoryIds: [5]}) { id } }`},
	"updateCollection": {"EDITOR", `mutation { updateCollection(id: 5, input: {name: "n", categoryIds: [5]}, lastUpdateTime: "2026-01-01T00:00:00Z") { id } }`},
	"deleteCollection": {
		"EDITOR",
		`mutation { deleteCollection(id: 5) }`,
	}, "updatePost": {"EDITOR", `mutation { updatePost(id: 5, input: {}, lastUpdateTime: "2026-01-01T00:00:00Z") { id } }`},
	"publishPost": {
		"EDITOR",
		`mutation { publishPost(id: 5, lastUpdateTime: "2026-01-01T00:00:00Z") { id } }`,
	}, "unpublishPost": {"EDITOR", `mutation { unpublishPost(id: 5, lastUpdateTime: "2026-01-01T00:00:00Z") { id } }`},
	"deletePost": {"EDITOR", `mutation { deletePost(id: 5) }`}, "createRecord": {"EDITOR", `mutation { createRecord(postId: 5, data: {}) { id } }`},
	"updateRecord": {
		"EDITOR",
		`mutation { updateRecord(id: 5, data: {}, lastUpdateTime: "2026-01-01T00:00:00Z") { id } }`,
	}, "deleteRecord": {"EDITOR", `mutation { deleteRecord(id: 5) }`},
	"setHousehold": {
		"EDITOR",
		`mutation { setHousehold(postId: 5, number: "7", recordIds: [6]) { number } }`,
	}, "deleteHousehold": {"EDITOR", `mutation { deleteHousehold(postId: 5, number: "7") }`},
	"deleteRecordsOfPost": {"EDITOR", `mutation { deleteRecordsOfPost(postId: 5) }`},

	"users": {
		"ADMIN",
		`{ users(limit: 0) { items { id } } }`,
	}, "setUserLevel": {"ADMIN", `mutation { setUserLevel(id: 5, level: READER) { id } }`}, "setUserEnabled": {"ADMIN", `mutation { setUserEnabled(id: 5, enabled: true) { id } }`},
	"updateSettings": {
		"ADMIN",
		`mutation { updateSettings(postMetadata: [], lastUpdateTime: "2026-01-01T00:00:00Z") { lastUpdateTime } }`,
	}, "loadPlaces": {"ADMIN", `mutation { loadPlaces(rows: []) }`},
	"updatePlaceSettings": {
		"ADMIN",
		`mutation { updatePlaceSettings(input: {abbreviations: {}, typeWords: [], noiseWords: [], largeCountries: [], mediumCountries: [], largeCountryLevelWeights: [],
		mediumCountryLevelWeights: [], smallCountryLevelWeights: [], primaryMatchWeight: 1}) { primaryMatchWeight } }`,
	},
	"loadPlaceWords": {"ADMIN", `mutation { loadPlaceWords(rows: []) }`}, "allocateIds": {"ADMIN", `mutation { allocateIds(count: 0) { first } }`},

	"reportPublish": {
		"worker",
		`mutation { reportPublish(postId: 5, report: STARTED) { id } }`,
	}, "reportRecords": {"worker", `mutation { reportRecords(postId: 5, report: STARTED) { id } }`},
	"reportImages": {"worker", `mutation { reportImages(postId: 5, report: STARTED) { id } }`},
}

// archive 4.2, 4.3, 5.1#4 and 8#contributors: every root field needs its level, and no
// more.
func TestLevels(t *testing.T) {
	root := app.System(app.Options{}).Schema().Schema()
	for _, object := range []string{"Query", "Mutation"} {
		for _, f := range root.Types[object].Fields {
			if _, known := calls[f.Name]; !known && !strings.HasPrefix(f.Name, "__") {
				t.Errorf("%s.%s is not called", object, f.Name)
			}
		}
	}
	test(t, func(w *world) {
		w.gazetteer()
		for _, level := range modelLevels {
			w.is(level, strings.ToLower(level))
		}
		w.is("ADMIN", "off")
		w.Does("oz", `mutation($u: ID!) { setUserEnabled(id: $u, enabled: false) { id } }`, vars{"u": w.ids["off"]})
		w.People.Identity("stranger")
		w.People.Identity("hand")
		for _, name := range slices.Sorted(maps.Keys(calls)) {
			c := calls[name]
			needed := slices.Index(modelLevels, c.level)
			for n, level := range modelLevels {
				got := w.Asks(strings.ToLower(level), c.query).Refusal()
				want := apptest.Either(c.level == "worker", "FORBIDDEN NOT_WORKER", needed > n, "FORBIDDEN")
				if want != "" && got != want || want == "" && strings.Contains(got, "FORBIDDEN") {
					t.Errorf("%s by %s: refused with %q, want %q", name, level, got, want)
				}
			}
			want := map[string]string{"any": "", "public": "", "worker": "FORBIDDEN NOT_WORKER"}
			if refused, special := want[c.level]; !special {
				w.Refused("FORBIDDEN NOT_REGISTERED", "stranger", c.query)
			} else if name != "signIn" { // which makes a user
				w.Refused(refused, "stranger", c.query)
			}
			if c.level != "public" {
				w.Refused("FORBIDDEN USER_DISABLED", "off", c.query)
			}
			if c.level == "worker" {
				w.Refused("NOT_FOUND", "hand", c.query)
			}
		}
		w.Refused("", "stranger", calls["signIn"].query)
		w.whole()
	})
}

// archive 8#without-a-token: public fields answer, alone and with what lies around places;
// everything else is refused, also beside public fields. That the refusal is HTTP 401 is
// TestArchiveMoves's, which has a token's issuer.
func TestWithoutAToken(t *testing.T) {
	test(t, func(w *world) {
		w.gazetteer()
		for name, c := range calls {
			want := apptest.Either(c.level != "public", "UNAUTHENTICATED")
			w.Refused(want, "", c.query)
			if got := w.Status("nobody", c.query); got != 401 {
				t.Errorf("%s with a token of nobody: HTTP %d", name, got)
			}
			if beside := strings.Replace(c.query, "{ ", `{ places(prefix: "al") { id } `, 1); strings.HasPrefix(c.query, "{") && want != "" {
				if got := w.Asks("", beside).Refusal(); got != want {
					t.Errorf("%s beside a public field: %q", name, got)
				}
			}
		}
		w.Asked("", `{ place(id: 5) { fullName locatedIn { name locatedIn { name } } country { name } } }`, nil, "place",
			`{"country":{"name":"United States"},"fullName":"Paris, Lamar, Texas, United States","locatedIn":{"locatedIn":{"name":"Texas"},"name":"Lamar"}}`)
		w.Asked("", `{ place(id: 99) { name } placesById(ids: [99, 5]) { name } }`, nil, "place", "null")
		w.Refused("BAD_INPUT INVALID_COUNT", "", `{ placesById(ids: []) { name } }`)
	})
}

// archive 5.2#6: the fields of a hit that a guest sees at each of the eight privacy levels.
func TestPrivacyLevels(t *testing.T) {
	test(t, func(w *world) {
		w.is("GUEST", "g")
		w.is("READER", "r")
		category := w.category("A")
		const find = `query($i: RecordSearchInput!) { searchRecords(input: $i) { items { matched record { restricted data { header } dataMap citation imagePath labels { label } } ` +
			`collection { privacyLevel privateImages privateDetail privateSearch } } } }`
		for level := range 8 {
			plan := census(category)
			plan["privacyLevel"], plan["citationTemplate"] = level, "{{Name}} {{Image}}"
			post := w.post(w.collection(plan))
			w.imports(post, header+"Ana,7,1850,,a.jpg\n")
			w.moves("publishPost", post)
			images, detail, hidden := level&1 != 0, level&2 != 0, level&4 != 0
			for who, guest := range map[string]bool{"g": true, "r": false} {
				// Private details are not searched.
				sought := vars{"postId": post, "text": "ana"}
				if guest && detail {
					w.Asked(who, find, vars{"i": sought}, "searchRecords.items", "[]")
					sought = vars{"postId": post}
				}
				hits := w.Does(who, find, vars{"i": sought}).Items("searchRecords.items")
				if guest && hidden {
					if len(hits) > 0 {
						t.Errorf("level %d: a guest finds %v", level, hits)
					}
					continue
				}
				w.Is(
					hits[0],
					"collection",
					apptest.Either(
						true,
						`{"privacyLevel":`+string(rune('0'+level))+`,"privateDetail":`+truth(detail)+`,"privateImages":`+truth(images)+`,"privateSearch":`+truth(hidden)+`}`,
					),
				)
				w.Is(hits[0], "record.restricted", truth(guest && detail))
				w.Is(hits[0], "record.citation", apptest.Either(guest && detail, `null`, guest && images, `"Ana "`, true, `"Ana a.jpg"`))
				w.Is(hits[0], "record.imagePath", apptest.Either(guest && (images || detail), `null`, true, `"a.jpg"`))
				w.Is(hits[0], "matched", apptest.Either(guest && detail, `[]`, true, `["Name"]`))
				got := hits[0].List("record.data", "header")
				if want := apptest.Either(
					guest && detail,
					"",
					guest && images,
					"Name Household Birth birthDate_std Place birthPlace_std",
					true,
					"Name Household Birth birthDate_std Place birthPlace_std Image",
				); got != want {
					t.Errorf("level %d: %s sees %q, want %q", level, who, got, want)
				}
				if _, shown := hits[0].At("record.dataMap").(map[string]any)["Image"]; shown != !(guest && (images || detail)) {
					t.Errorf("level %d: %s sees %v", level, who, hits[0].At("record.dataMap"))
				}
				// Hidden values are not searched, either.
				if n := len(w.Does(who, find, vars{"i": vars{"postId": post, "text": "a.jpg"}}).Items("searchRecords.items")); (n == 0) != (guest && (images || detail)) {
					t.Errorf("level %d: %s finds %d by the image", level, who, n)
				}
			}
		}
		w.whole()
	})
}

func truth(is bool) string { return map[bool]string{true: "true", false: "false"}[is] }
