package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/faultdb"
	"stoa/systems/archive/app"
)

// archive 5.3#4, 6 and 8#imports: imports take records READY, ERROR or LOADING to LOADING,
// and end in READY or ERROR.
func TestStatesOfImports(t *testing.T) {
	elsewhere(t, func(w *world) {
		w.is("ADMIN")
		w.People.Identity("hand")
		post := w.post(w.collection(census(w.category("A"))), vars{"recordsKey": someFile})
		state := func(want string) {
			t.Helper()
			w.Asked("oz", `query($p: ID!) { post(id: $p) { recordsStatus recordsError recordCount } }`, vars{"p": post}, "post", want)
		}
		w.Refused(outOfOrder, "oz", importRecords, vars{"p": post, "c": families}) // TO_LOAD is the loader's
		w.Does("hand", reportRecords, vars{"p": post, "r": "STARTED"})
		w.Refused(outOfOrder, "oz", importRecords, vars{"p": post, "c": families}) // so is its LOADING
		w.Refused("FORBIDDEN NOT_REGISTERED", "hand", importRecords, vars{"p": post, "c": families})
		w.is("EDITOR", "hand", "other")
		w.Refused(outOfOrder, "other", importRecords, vars{"p": post, "c": families})
		w.Does("hand", importRecords, vars{"p": post, "c": families}) // the loader's own LOADING is taken
		state(`{"recordCount":4,"recordsError":null,"recordsStatus":"READY"}`)
		w.Does("hand", reportRecords, vars{"p": post, "r": "COMPLETED"}) // an equal state
		w.Does("oz", deleteRecords, vars{"p": post})
		w.Does("oz", updatePost, vars{"i": post, "c": vars{"recordsKey": strings.Replace(someFile, "1.csv", "2.csv", 1)}, "t": w.at("post", post)})
		w.Does("hand", reportRecords, vars{"p": post, "r": "STARTED"})
		// Only the loader can report on its load, until it counts as dead.
		w.People.Identity("hand2")
		for _, r := range []string{"COMPLETED", "FAILED"} {
			w.Refused("PRECONDITION_FAILED TAKEN_OVER", "hand2", reportRecords, vars{"p": post, "r": r})
		}
		w.Advance(31 * time.Minute)
		w.Does("hand2", reportRecords, vars{"p": post, "r": "FAILED", "m": "dead"})
		w.Does("hand", reportRecords, vars{"p": post, "r": "STARTED"})
		w.Does("hand", reportRecords, vars{"p": post, "r": "FAILED", "m": "torn"})
		state(`{"recordCount":0,"recordsError":"torn","recordsStatus":"ERROR"}`)
		w.imports(post, families)
		state(`{"recordCount":4,"recordsError":null,"recordsStatus":"READY"}`)
		// A refused file changes no state; a store failure results in ERROR, and the import
		// can be repeated.
		w.Refused("BAD_INPUT CSV", "oz", importRecords, vars{"p": post, "c": header + "Ana\n"})
		state(`{"recordCount":4,"recordsError":null,"recordsStatus":"READY"}`)
		failed := w.Client.Arm(faultdb.On("BatchWriteItem", 2, faultdb.Internal))
		w.Refused("INTERNAL", "oz", importRecords, vars{"p": post, "c": families})
		if !failed() {
			t.Fatal("the store did not fail")
		}
		state(`{"recordCount":0,"recordsError":"Records could not be loaded: load them again","recordsStatus":"ERROR"}`)
		w.whole()
		// The same applies to one whose end cannot be stored at first.
		w.imports(post, families)
		failed = w.Client.Arm(faultdb.On("TransactWriteItems", 2, faultdb.Internal))
		w.Refused("INTERNAL", "oz", importRecords, vars{"p": post, "c": families})
		if !failed() {
			t.Fatal("the store did not fail")
		}
		state(`{"recordCount":4,"recordsError":"Records could not be loaded: load them again","recordsStatus":"ERROR"}`)
		w.whole()
		w.imports(post, families)
		state(`{"recordCount":4,"recordsError":null,"recordsStatus":"READY"}`)
		w.families(post)
		w.whole()
	})
}

// archive 8#params: what a refusal says beside its reason.
func TestParams(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		category := w.category("A")
		post := w.held("")
		const given = "2026-01-01T00:00:00.123456789Z"
		params := func(query string, v vars, want string) {
			t.Helper()
			w.Params(w.Asks("oz", query, v), want)
		}
		stored := w.at("category", category)
		params(
			`mutation($c: ID!, $t: DateTime!) { updateCategory(id: $c, name: "B", lastUpdateTime: $t) { id } }`,
			vars{"c": category, "t": given},
			fmt.Sprintf(`{"given":%q,"stored":%q}`, given, stored),
		)
		params(importRecords, vars{"p": post, "c": "Colour,Name,Age\n"}, `{"extra":["Colour","Age"],"missing":["Household","Birth","Place","Image"]}`)
		params(moving("unpublishPost"), vars{"i": post, "t": w.at("post", post)}, `{"from":"DRAFT","to":"TO_UNPUBLISH"}`)
		params(createCollection, vars{"i": census(category, missing, "1999999998")}, `{"entity":"category","id":"`+missing+`"}`)
		params(createPost, vars{"i": vars{"name": "n", "collectionId": category}}, `{"entity":"collection","id":"`+category+`"}`)
		at := w.Does("oz", updateSettings, vars{"e": []vars{}}).Text("updateSettings.lastUpdateTime")
		params(updateSettings, vars{"e": []vars{}}, fmt.Sprintf(`{"given":null,"stored":%q}`, at))
		w.Does("oz", updateSettings, vars{"e": []vars{}, "t": strings.Replace(at, "Z", "+00:00", 1)}) // the same time in another form
	})
}

// archive 8#folding: one definition for names, prefixes and search; keys of places are in lower
// case only.
func TestFolding(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		w.category("  Élan vital ")
		w.category("Straße")
		for _, taken := range []string{"elan VITAL", "ÉLAN VITAL", "Élan vital", "STRAßE"} {
			w.Refused("CONFLICT NAME_TAKEN", "oz", `mutation($n: String!) { createCategory(name: $n) { id } }`, vars{"n": taken})
		}
		w.category("Strasse")
		w.Asked("oz", `{ categories(namePrefix: " ÈLA") { items { name } } }`, nil, "categories.items", `[{"name":"  Élan vital "}]`)
		post := w.held(header + "Zoë Ångström,7,1850,,\n")
		for _, text := range []string{"zoe angstrom", "ZOË", "ångs", "e a"} {
			d := w.Does("oz", search, vars{"i": vars{"postId": post, "text": text}})
			if len(d.Items("searchRecords.items")) != 1 {
				t.Errorf("%q is not found", text)
			}
			d = w.Does("oz", search, vars{"i": vars{"postId": post, "fields": []vars{{"header": "Name", "value": text, "match": "CONTAINS"}}}})
			w.Is(d, "searchRecords.items.0.matched", `["Name"]`)
		}
		w.Does(
			"oz",
			loadPlaces,
			vars{"r": []vars{{"id": "1", "name": "Zürich", "fullName": "Zürich, Schweiz", "level": 2}, {"id": "2", "name": "ÖY", "fullName": "Ö", "level": 2}}},
		)
		for typed, want := range map[string]string{"zü": "1", "ZÜRICH, SCH": "1", "zu": "", "zurich": "", "ö": "", "Ö": ""} {
			if got := w.Does("", `query($p: String!) { places(prefix: $p) { id } }`, vars{"p": typed}).List("places", "id"); got != want {
				t.Errorf("%q suggests %q, want %q", typed, got, want)
			}
		}
		w.whole()
	})
}

// archive 6#2, 6#4 and 8#record-counts: counters change in the transactions of what they
// count.
func TestCounts(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		a, b := w.category("A"), w.category("B")
		collection := w.collection(census(a, b))
		post := w.post(collection)
		counts := func(ofA, ofB, posts, records int) {
			t.Helper()
			w.Asked(
				"oz",
				`query($a: ID!, $b: ID!, $c: ID!, $p: ID!) { a: category(id: $a) { collectionCount } b: category(id: $b) { collectionCount } collection(id: $c) { postCount } `+
					`post(id: $p) { recordCount } }`,
				vars{"a": a, "b": b, "c": collection, "p": post},
				"a.collectionCount",
				fmt.Sprint(ofA),
			)
			stored := map[string]any{}
			for _, row := range w.Rows()["archive"] {
				for _, count := range []string{"CollectionCount", "PostCount", "record_count"} {
					if n, counted := row[count]; counted {
						stored[fmt.Sprint(row["pk"])] = n
					}
				}
			}
			for id, want := range map[string]int{a: ofA, b: ofB, collection: posts, post: records} {
				if fmt.Sprint(stored[id]) != fmt.Sprint(want) {
					t.Errorf("%s counts %v, want %d", id, stored[id], want)
				}
			}
			w.whole()
		}
		counts(1, 1, 1, 0)
		w.Does("oz", updateCollection, vars{"c": collection, "i": census(b), "t": w.at("collection", collection)})
		w.post(collection)
		w.imports(post, families)
		counts(0, 1, 2, 4)
		w.Does("oz", createRecord, vars{"p": post, "d": vars{}})
		w.Does("oz", deleteRecord, vars{"r": w.first(post, "Ana")})
		w.Does("oz", deleteRecord, vars{"r": w.first(post, "Ben")})
		counts(0, 1, 2, 3)
		w.Asked("oz", deleteRecords, vars{"p": post}, "deleteRecordsOfPost", "3")
		counts(0, 1, 2, 0)
	})
}

// archive 2.2 and 8#scenario-10-11: ids keep their numeric order where their length
// changes, in pages of records and of posts.
func TestOrderWhereIdsGrow(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		collection := w.collection(census(w.category("A")))
		post := w.post(collection)
		w.Put("archive", vars{"pk": "sequence", "sk": "sequence", "sequence_value": 99_999_996})
		w.imports(post, header+strings.Repeat("x,7,,,\n", 6))
		want := `[{"id":"99999997"},{"id":"99999998"}] [{"id":"99999999"},{"id":"100000000"}] [{"id":"100000001"},{"id":"100000002"}]`
		if got := w.Pages("oz", fmt.Sprintf(`{ records(postId: %q, limit: 2%%s) { items { id } nextToken } }`, post), "records"); got != want {
			t.Errorf("pages %s, want %s", got, want)
		}
		hits := w.Does("oz", `query($i: RecordSearchInput!) { searchRecords(input: $i) { items { record { id } } } }`, vars{"i": vars{"household": "7"}})
		if got := hits.List("searchRecords.items", "record.id"); got != "99999997 99999998 99999999 100000000 100000001 100000002" {
			t.Errorf("hits %s", got)
		}
	})
}

// archive 8#scenario-19: a status that no argument takes is refused by the schema.
func TestStatusesAreNoInput(t *testing.T) {
	types := app.System(app.Options{}).Schema().Schema()
	for _, object := range []string{"Mutation", "Subscription"} {
		for _, f := range types.Types[object].Fields {
			for _, a := range f.Arguments {
				if input := types.Types[a.Type.Name()]; slices.Contains([]string{"PostStatus", "LoadStatus"}, input.Name) || input.Fields.ForName("postStatus") != nil ||
					input.Fields.ForName("recordsStatus") != nil {
					t.Errorf("%s.%s takes a status in %s", object, f.Name, a.Name)
				}
			}
		}
	}
	test(t, func(w *world) {
		w.is("ADMIN")
		for _, query := range []string{
			`mutation { reportPublish(postId: 5, report: PUBLISHED) { id } }`, `mutation { createPost(input: {name: "n", collectionId: 5, postStatus: PUBLISHED}) { id } }`,
			`mutation { updatePost(id: 5, input: {recordsStatus: LOADING}, lastUpdateTime: "2026-01-01T00:00:00Z") { id } }`,
		} {
			w.Refused("GRAPHQL_VALIDATION_FAILED", "oz", query)
		}
		// archive 8#ids: 1 to 2 147 483 647, as text or as number.
		w.Asked("oz", `{ category(id: 2147483647) { id } other: category(id: "1") { id } }`, nil, "category", "null")
		for _, id := range []string{`0`, `2147483648`, `-1`, `"1 "`, `"01"`, `"1.0"`, `"0x1"`, `"１"`} {
			if got := w.Asks("oz", `{ category(id: `+id+`) { id } }`).Refusal(); got != "BAD_INPUT INVALID_ID" {
				t.Errorf("id %s: refused with %q", id, got)
			}
		}
	})
}

// archive 8#unread-attributes: attributes that are stored and not read.
func TestWhatIsOnlyStored(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		plan := census(w.category("A"))
		plan["mappings"] = []vars{{"header": "Name", "dbField": "fullName", "ixRole": "principal", "ixField": "given"}}
		collection := w.collection(plan)
		w.Asked("oz", `query($c: ID!) { collection(id: $c) { mappings { header dbField ixRole ixField } } }`, vars{"c": collection}, "collection.mappings",
			`[{"dbField":"fullName","header":"Name","ixField":"given","ixRole":"principal"}]`)
		post := w.post(collection)
		hash := func() (row map[string]any, hash string) {
			for _, row := range w.Rows()["archive"] {
				if strings.HasPrefix(fmt.Sprint(row["sk"]), "record_post#") {
					return row, fmt.Sprint(row["ix_hash"])
				}
			}
			t.Fatal("there is no record")
			return nil, ""
		}
		d := w.Does("oz", createRecord, vars{"p": post, "d": vars{"Name": "Ana"}})
		_, first := hash()
		w.Does("oz", updateRecord, vars{"r": d.Text("createRecord.id"), "d": vars{"Name": "Ben"}, "t": d.Text("createRecord.lastUpdateTime")})
		row, second := hash()
		if first == second || first == "<nil>" {
			t.Errorf("hashes %s and %s", first, second)
		}
		delete(row, "ix_hash")
		w.Put("archive", row)
		w.Asked("oz", `query($r: ID!) { record(id: $r) { dataMap } }`, vars{"r": d.Text("createRecord.id")}, "record.dataMap", `{"Name":"Ben"}`)
	})
}

// archive 8#input-types: the fields of all inputs.
func TestInputTypes(t *testing.T) {
	types := app.System(app.Options{}).Schema().Schema().Types
	for name, want := range map[string]string{
		"CollectionInput": "name: String! categoryIds: [ID!]! location: String type: CollectionType fields: [CollectionFieldInput!] mappings: [CollectionMappingInput!] " +
			"citationTemplate: String " +
			"imagePathHeader: String householdNumberHeader: String householdRelationshipHeader: String genderHeader: String privacyLevel: Int",
		"CreatePostInput":   "name: String! collectionId: ID! metadata: JSON recordsKey: String imagesKeys: [String!]",
		"UpdatePostInput":   "name: String metadata: JSON recordsKey: String imagesKeys: [String!]",
		"RecordSearchInput": "collectionId: ID postId: ID categoryId: ID household: String text: String fields: [FieldCondition!] place: String",
		"PlaceInput": "id: ID! name: String! fullName: String! altNames: [String!] types: [String!] locatedInId: ID alsoLocatedInIds: [ID!] level: Int! countryId: ID " +
			"latitude: Float longitude: Float count: Int",
		"PlaceWordInput": "word: String! placeIds: [ID!]!",
		"PlaceSettingsInput": "abbreviations: JSON! typeWords: [String!]! noiseWords: [String!]! largeCountries: [ID!]! mediumCountries: [ID!]! largeCountryLevelWeights: [Int!]! " +
			"mediumCountryLevelWeights: [Int!]! " +
			"smallCountryLevelWeights: [Int!]! primaryMatchWeight: Int! usCountryId: ID lastUpdateTime: DateTime",
	} {
		var got []string
		for _, f := range types[name].Fields {
			got = append(got, f.Name+": "+f.Type.String())
		}
		if all := strings.Join(got, " "); all != want {
			t.Errorf("%s has %s, want %s", name, all, want)
		}
	}
	if d := types["CollectionInput"].Fields.ForName("privacyLevel").DefaultValue; d == nil || d.Raw != "0" {
		t.Errorf("privacyLevel is %v when it is left out", d)
	}
}
