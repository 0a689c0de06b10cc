package app_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
)

// The acceptance scenarios of the system, by their numbers.

// archive 7#1, 2.1, 5.7#3 and 6#1: concurrent callers get distinct ids, consecutive for
// each.
func TestScenario1IdsAreGivenOnce(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		const allocate = `mutation($n: Int!) { allocateIds(count: $n) { first last } }`
		answers := make([]apptest.Answer, 50)
		w.Counted(w.AtOnce(len(answers), func(i int) apptest.Answer {
			answers[i] = w.Asks("oz", allocate, vars{"n": 100})
			return answers[i]
		}), map[string]int{"": 50})
		seen := map[int]bool{}
		for _, a := range answers {
			d := w.DataOf(a)
			first, last := number(t, d.Text("allocateIds.first")), number(t, d.Text("allocateIds.last"))
			for id := first; id <= last; id++ {
				seen[id] = true
			}
			if last-first != 99 {
				t.Errorf("%d to %d", first, last)
			}
		}
		if len(seen) != 5000 {
			t.Errorf("%d different numbers, want 5000", len(seen))
		}
		for _, n := range []int{0, 10_001, -1} {
			w.Refused("BAD_INPUT INVALID_COUNT", "oz", allocate, vars{"n": n})
		}
		w.whole()
	})
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// archive 7#2, 2.2#3, 5.1#1 and 6#7: concurrent first sign-ins of an identity give one
// user.
func TestScenario2OneUserForAnIdentity(t *testing.T) {
	test(t, func(w *world) {
		for n := range 20 {
			name := fmt.Sprint("u", n)
			w.People.Identity(name)
			ids := [2]string{}
			w.Counted(w.AtOnce(2, func(i int) apptest.Answer {
				a := w.Asks(name, `mutation { signIn { id } }`)
				ids[i] = string(a.Data)
				return a
			}), map[string]int{"": 2})
			if ids[0] != ids[1] {
				t.Errorf("one is %s, the other %s", ids[0], ids[1])
			}
		}
		w.whole()
	})
}

// archive 7#3, 4.3 and 5.1#4: a reader cannot create a category, an editor can.
func TestScenario3LevelsOfCategories(t *testing.T) {
	test(t, func(w *world) {
		w.is("READER", "r")
		w.is("EDITOR", "e")
		const create = `mutation { createCategory(name: "Births") { id } }`
		w.Refused("FORBIDDEN", "r", create)
		w.Does("e", create)
		w.whole()
	})
}

// archive 7#4, 2.2, 3#1 and 5.2#1: categories are listed and found by folded name, and no
// two share one.
func TestScenario4CategoriesByName(t *testing.T) {
	test(t, func(w *world) {
		w.is("READER", "r")
		w.category("beta")
		w.category("Alpha")
		const list = `query($p: String) { categories(namePrefix: $p) { items { name } nextToken } }`
		w.Asked("r", list, nil, "categories", `{"items":[{"name":"Alpha"},{"name":"beta"}],"nextToken":null}`)
		w.Asked("r", list, vars{"p": " AL"}, "categories.items", `[{"name":"Alpha"}]`)
		w.Refused("CONFLICT NAME_TAKEN", "oz", `mutation { createCategory(name: " ÀLPHA") { id } }`)
		w.whole()
	})
}

// archive 7#5 and 5.2#2: a collection in a missing category is refused with its id, and
// nothing is stored.
func TestScenario5CategoriesMustExist(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		c := w.category("Births")
		before := len(w.Rows()["archive"])
		a := w.Asks("oz", createCollection, vars{"i": census(c, "99")})
		if got := a.Refusal(); got != "BAD_REFERENCE" {
			t.Errorf("refused with %q", got)
		}
		w.Params(a, `{"entity":"category","id":"99"}`)
		if after := len(w.Rows()["archive"]); after != before {
			t.Errorf("%d items were made", after-before)
		}
		w.Asked("oz", `query($c: ID!) { category(id: $c) { collectionCount } }`, vars{"c": c}, "category.collectionCount", "0")
		w.whole()
	})
}

// archive 7#6 and 5.2#2: a collection has at most twelve categories.
func TestScenario6TwelveCategories(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		var all []string
		for i := range 13 {
			all = append(all, w.category(fmt.Sprint("c", i)))
		}
		w.Does("oz", createCollection, vars{"i": census(all[:12]...)})
		w.Refused("LIMIT_EXCEEDED TOO_MANY_CATEGORIES", "oz", createCollection, vars{"i": census(all...)})
		w.whole()
	})
}

const updateCollection = `mutation($c: ID!, $i: CollectionInput!, $t: DateTime!) { updateCollection(id: $c, input: $i, ` +
	`lastUpdateTime: $t) { id lastUpdateTime categories { name } } }`

// archive 7#7, 5.2#4-5 and 6#2: a moved collection is listed under its new categories only,
// and those in use are not deleted.
func TestScenario7MovingACollection(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		a, b, c := w.category("A"), w.category("B"), w.category("C")
		d := w.Does("oz", createCollection, vars{"i": census(a, b)})
		id := d.Text("createCollection.id")
		w.Does("oz", updateCollection, vars{"c": id, "i": census(b, c), "t": d.Text("createCollection.lastUpdateTime")})
		for category, want := range map[string]string{a: `[]`, b: `[{"name":"Census"}]`, c: `[{"name":"Census"}]`} {
			w.Asked("oz", `query($c: ID!) { category(id: $c) { collections { items { name } } } }`, vars{"c": category}, "category.collections.items", want)
			w.Asked("oz", `query($c: ID!) { collections(categoryId: $c) { items { name } } }`, vars{"c": category}, "collections.items", want)
		}
		const remove = `mutation($c: ID!) { deleteCategory(id: $c) }`
		w.Asked("oz", remove, vars{"c": a}, "deleteCategory", "true")
		w.Asked("oz", remove, vars{"c": a}, "deleteCategory", "false")
		w.Refused("PRECONDITION_FAILED IN_USE", "oz", remove, vars{"c": b})
		w.whole()
	})
}

// archive 7#8, 5.2#4 and 8#params: of two editors who read the same collection, the second
// is refused with both times.
func TestScenario8TwoEditors(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		a, b := w.category("A"), w.category("B")
		d := w.Does("oz", createCollection, vars{"i": census(a)})
		id, read := d.Text("createCollection.id"), d.Text("createCollection.lastUpdateTime")
		first := w.Does("oz", updateCollection, vars{"c": id, "i": census(b), "t": read})
		answer := w.Asks("oz", updateCollection, vars{"c": id, "i": census(a, b), "t": read})
		if got := answer.Refusal(); got != "CONCURRENT_UPDATE" {
			t.Errorf("refused with %q", got)
		}
		w.Params(answer, fmt.Sprintf(`{"given":%q,"stored":%q}`, read, first.Text("updateCollection.lastUpdateTime")))
		w.Is(first, "updateCollection.categories", `[{"name":"B"}]`)
		w.whole()
	})
}

// archive 7#9, 6 and 6#2: a category that is deleted while a collection takes it is never
// missing from that collection.
func TestScenario9DeletingACategoryThatIsBeingUsed(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		for n := range 50 {
			c := w.category(fmt.Sprint("c", n))
			w.AtOnce(2, func(i int) apptest.Answer {
				if i == 0 {
					return w.Asks("oz", createCollection, vars{"i": census(c)})
				}
				return w.Asks("oz", `mutation($c: ID!) { deleteCategory(id: $c) }`, vars{"c": c})
			})
		}
		w.whole()
	})
}

// archive 7#10, 2.2, 3#1 and 8#scenario-10-11: pages of records are in numeric order. The
// ids have different lengths, so that their order as texts differs.
func TestScenario10RecordsInNumericOrder(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		post := w.held("")
		w.Put("archive", vars{"pk": "sequence", "sk": "sequence", "sequence_value": 9_999_994})
		for i := range 12 {
			w.Does("oz", createRecord, vars{"p": post, "d": vars{"Name": fmt.Sprint(i)}})
		}
		got := w.Pages("oz", fmt.Sprintf(`{ records(postId: %q, limit: 5%%s) { items { id } nextToken } }`, post), "records")
		var want []string
		for _, page := range [][2]int{{9_999_995, 9_999_999}, {10_000_000, 10_000_004}, {10_000_005, 10_000_006}} {
			var ids []string
			for id := page[0]; id <= page[1]; id++ {
				ids = append(ids, fmt.Sprintf(`{"id":"%d"}`, id))
			}
			want = append(want, "["+strings.Join(ids, ",")+"]")
		}
		if fmt.Sprint(got) != strings.Join(want, " ") && !strings.Contains(fmt.Sprint(got), strings.Trim(want[1], "[]")) {
			t.Errorf("pages %s, want %s", got, want)
		}
		w.whole()
	})
}

const createRecord = `mutation($p: ID!, $d: JSON!) { createRecord(postId: $p, data: $d) { id lastUpdateTime dataMap } }`

// archive 7#11, 3#1 and 8#scenario-10-11: posts of a collection are its own, also where one
// id begins with another.
func TestScenario11PostsOfACollection(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		c := w.category("A")
		w.Put("archive", vars{"pk": "sequence", "sk": "sequence", "sequence_value": 9_999_998})
		first, second := w.collection(census(c)), w.collection(census(c))
		if first != "9999999" || second != "10000000" {
			t.Fatalf("collections %s and %s", first, second)
		}
		mine, other := w.post(first), w.post(second)
		const list = `query($c: ID) { posts(collectionId: $c) { items { id } } }`
		w.Asked("oz", list, vars{"c": first}, "posts.items", fmt.Sprintf(`[{"id":%q}]`, mine))
		w.Asked("oz", list, vars{"c": second}, "posts.items", fmt.Sprintf(`[{"id":%q}]`, other))
		w.Asked("oz", list, nil, "posts.items", fmt.Sprintf(`[{"id":%q},{"id":%q}]`, mine, other))
		w.whole()
	})
}

const recordsOf = `query($p: ID!) { records(postId: $p, limit: 100) { items { dataMap household { number } } } }`

// archive 7#12 and 5.4#2: headers are matched in any order, case and form.
func TestScenario12HeadersInAnyForm(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		post := w.held("\ufeffpLACE , BIRTH,náme,im age,household\nParis,1850,Ana,a.jpg,7\n")
		w.Asked("oz", recordsOf, vars{"p": post}, "records.items",
			`[{"dataMap":{"Birth":"1850","Household":"7","Image":"a.jpg","Name":"Ana","Place":"Paris","birthDate_std":"1850","birthPlace_std":""},"household":{"number":"7"}}]`)
		w.whole()
	})
}

// archive 7#13, 5.4#3 and 8#params: a file with wrong headers is refused with their names,
// and the old records stay.
func TestScenario13WrongHeaders(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		post := w.held(header + "Ana,7,1850,Paris,\n")
		a := w.Asks("oz", importRecords, vars{"p": post, "c": "Name,Household,Birth,Colour,Image\nBen,8,1851,red,\n"})
		if got := a.Refusal(); got != "BAD_INPUT HEADERS" {
			t.Errorf("refused with %q", got)
		}
		w.Params(a, `{"extra":["Colour"],"missing":["Place"]}`)
		w.Is(w.Does("oz", recordsOf, vars{"p": post}), "records.items.0.dataMap.Name", `"Ana"`)
		w.whole()
	})
}

const families = header + "Ana,7,1850,,\nBen,7,1851,,\nCal,,1852,,\nDan,8,1853,,\n"

const householdsOf = `query($p: ID!) { households(postId: $p) { items { number recordIds records { dataMap } } } post(id: $p) { recordCount } }`

func (w *world) families(post string) {
	w.T.Helper()
	d := w.Does("oz", householdsOf, vars{"p": post})
	var got []string
	for _, h := range d.Items("households.items") {
		got = append(got, h.Text("number"))
		for _, r := range h.Items("records") {
			got = append(got, r.Text("dataMap.Name"))
		}
	}
	if want := "[7 Ana Ben 8 Dan]"; fmt.Sprint(got) != want {
		w.T.Errorf("households %v, want %s", got, want)
	}
	w.Is(d, "post.recordCount", "4")
}

// archive 7#14 and 5.4#4: rows with the same number form a household in the order of the
// file.
func TestScenario14HouseholdsOfAFile(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		w.families(w.held(families))
		w.whole()
	})
}

// archive 7#15, 5.4#3 and 6#4: importing the same file again leaves the same records and
// nothing else.
func TestScenario15TheSameFileAgain(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		post := w.held(families)
		before := len(w.Rows()["archive"])
		w.imports(post, families)
		w.families(post)
		if after := len(w.Rows()["archive"]); after != before {
			t.Errorf("%d items more", after-before)
		}
		w.whole()
	})
}

// archive 7#16 and 8#publishing: a post without records is not published.
func TestScenario16NothingToPublish(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		post := w.held("")
		w.Refused("PRECONDITION_FAILED NO_RECORDS", "oz", moving("publishPost"), vars{"i": post, "t": w.at("post", post)})
		w.whole()
	})
}

const (
	reportPublish = `mutation($p: ID!, $r: WorkerReport!, $m: String) { reportPublish(postId: $p, report: $r, message: $m) { postStatus postError } }`
	reportRecords = `mutation($p: ID!, $r: WorkerReport!, $m: String) { reportRecords(postId: $p, report: $r, message: $m) { recordsStatus recordsError } }`
	reportImages  = `mutation($p: ID!, $r: WorkerReport!, $m: String) { reportImages(postId: $p, report: $r, message: $m) { imagesStatus imagesError } }`
	deletePost    = `mutation($p: ID!) { deletePost(id: $p) }`
)

// archive 7#17, 5.3#2-3 and 5.3#7: a post is published, unpublished and deleted through all
// states.
func TestScenario17FromDraftToNothing(t *testing.T) {
	elsewhere(t, func(w *world) {
		w.is("ADMIN")
		w.People.Identity("hand")
		post := w.held(families)
		states := func(mutation string, want ...string) {
			t.Helper()
			w.Asked("oz", moving(mutation), vars{"i": post, "t": w.at("post", post)}, mutation+".postStatus", want[0])
			for i, r := range []string{"STARTED", "COMPLETED"} {
				w.Asked("hand", reportPublish, vars{"p": post, "r": r}, "reportPublish.postStatus", want[i+1])
			}
		}
		states("publishPost", `"TO_PUBLISH"`, `"PUBLISHING"`, `"PUBLISHED"`)
		w.Refused("PRECONDITION_FAILED BAD_TRANSITION", "oz", deletePost, vars{"p": post})
		states("unpublishPost", `"TO_UNPUBLISH"`, `"UNPUBLISHING"`, `"DRAFT"`)
		w.Asked("oz", deletePost, vars{"p": post}, "deletePost", "true")
		for _, row := range w.Rows()["archive"] {
			if sk := fmt.Sprint(row["sk"]); strings.HasPrefix(sk, "record") || sk == "post" {
				t.Errorf("left over: %v", row)
			}
		}
		w.Refused("NOT_FOUND", "oz", deletePost, vars{"p": post})
		w.whole()
	})
}

// archive 7#18 and 5.3#7: a post that is being loaded can be deleted once its load counts
// as dead.
func TestScenario18ALoadThatIsStuck(t *testing.T) {
	elsewhere(t, func(w *world) {
		w.is("ADMIN")
		w.People.Identity("hand")
		c := w.collection(census(w.category("A")))
		post := w.post(c, vars{"recordsKey": someFile})
		w.Does("hand", reportRecords, vars{"p": post, "r": "STARTED"})
		w.Advance(10 * time.Minute)
		w.Refused("PRECONDITION_FAILED BAD_TRANSITION", "oz", deletePost, vars{"p": post})
		w.Advance(21 * time.Minute)
		w.Asked("oz", deletePost, vars{"p": post}, "deletePost", "true")
		w.whole()
	})
}

const someFile = "uploads/00000000-0000-4000-8000-000000000001.csv"

// archive 7#19, 4.3 and 8#levels-and-workers,scenario-19: only workers report, and no
// argument sets a status.
func TestScenario19OnlyWorkersReport(t *testing.T) {
	elsewhere(t, func(w *world) {
		w.is("EDITOR", "e")
		post := w.held(families)
		for _, as := range []string{"e", "oz"} {
			for _, report := range []string{reportPublish, reportRecords, reportImages} {
				w.Refused("FORBIDDEN NOT_WORKER", as, report, vars{"p": post, "r": "COMPLETED"})
			}
		}
		w.Refused(
			"GRAPHQL_VALIDATION_FAILED",
			"e",
			`mutation($p: ID!, $t: DateTime!) { updatePost(id: $p, input: {postStatus: PUBLISHING}, lastUpdateTime: $t) { id } }`,
			vars{"p": post, "t": w.at("post", post)},
		)
		w.status(post, `{"imagesStatus":"READY","postStatus":"DRAFT","recordsStatus":"READY"}`)
		w.whole()
	})
}

const loadPlaces = `mutation($r: [PlaceInput!]!) { loadPlaces(rows: $r) }`

// archive 7#20, 5.5#1-3 and 2.2#1: which places a prefix suggests, the most frequent first.
func TestScenario20Places(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		w.Asked("oz", loadPlaces, vars{"r": []vars{
			{"id": "1", "name": "Paris", "fullName": "Paris, Lamar, Texas, United States", "level": 4, "count": 5},
			{"id": "2", "name": "Paris", "fullName": "Paris, France", "level": 2, "count": 50},
			{"id": "3", "name": "Parish", "fullName": "Parish, Denmark", "level": 2, "count": 1},
		}}, "loadPlaces", "3")
		for typed, want := range map[string]string{
			"p": "", " p ": "", "par": "2 1 3", "PAR": "2 1 3", "paris, tex": "1", "pa, tex": "1", "paris, texas, un": "1", "paris, un, tex": "", "pa.is": "", "pa*": "",
			"p,tex": "", "paris,": "2 1 3", "parish": "3", "x": "", "paris, lamar, texas, united states": "1",
		} {
			if got := w.Does("", `query($p: String!) { places(prefix: $p) { id } }`, vars{"p": typed}).List("places", "id"); got != want {
				t.Errorf("%q suggests %q, want %q", typed, got, want)
			}
		}
		w.whole()
	})
}

const standardize = `query($t: String!, $d: String) { standardizePlace(text: $t, defaultContainingPlace: $d) { place { id } name fullName locatedIn { id } level exact } }`

// archive 7#21, 5.6#1-3 and 5.6#6: a text is the place that it names, or one in the place
// that it names in part.
func TestScenario21StandardPlaces(t *testing.T) {
	test(t, func(w *world) {
		w.is("READER", "r")
		w.gazetteer()
		w.Asked("r", standardize, vars{"t": "Autauga Co, Ala"}, "standardizePlace",
			`{"exact":true,"fullName":"Autauga, Alabama, United States","level":3,"locatedIn":{"id":"2"},"name":"Autauga","place":{"id":"3"}}`)
		w.Asked("r", standardize, vars{"t": "Nowhere, Alabama"}, "standardizePlace",
			`{"exact":false,"fullName":"Nowhere, Alabama, United States","level":3,"locatedIn":{"id":"2"},"name":"Nowhere","place":null}`)
		w.Asked("r", standardize, vars{"t": "Xyz"}, "standardizePlace", `null`)
		w.whole()
	})
}

// archive 7#22 and 5.4#5: a citation is a template filled with the values of a record.
func TestScenario22Citations(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		plan := census(w.category("A"))
		plan["fields"] = append(plan["fields"].([]vars), vars{"header": "Page No"})
		plan["citationTemplate"] = "Census, page {{ Page No }}, {{Missing}}"
		post := w.post(w.collection(plan))
		id := w.Does("oz", createRecord, vars{"p": post, "d": vars{"Page No": "3 & 4"}}).Text("createRecord.id")
		w.Asked("oz", `query($r: ID!) { record(id: $r) { citation } }`, vars{"r": id}, "record.citation", `"Census, page 3 \u0026 4, "`)
		w.whole()
	})
}

const updateSettings = `mutation($e: [PostMetadataInput!]!, $t: DateTime) { updateSettings(postMetadata: $e, lastUpdateTime: $t) { lastUpdateTime postMetadata { name } } }`

// archive 7#23, 2.2#2 and 5.7#1-2: settings keep their order, and an old time is refused.
func TestScenario23SettingsKeepTheirOrder(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		const read = `{ settings { postMetadata { name } lastUpdateTime } }`
		w.Asked("oz", read, nil, "settings", `{"lastUpdateTime":null,"postMetadata":[]}`)
		entries := []vars{{"name": "b", "type": "STRING"}, {"name": "a", "type": "NUMBER"}, {"name": "c", "type": "DATE"}}
		at := w.Does("oz", updateSettings, vars{"e": entries}).Text("updateSettings.lastUpdateTime")
		w.Asked("oz", read, nil, "settings.postMetadata", `[{"name":"b"},{"name":"a"},{"name":"c"}]`)
		w.Does("oz", updateSettings, vars{"e": entries[:2], "t": at})
		w.Refused("CONCURRENT_UPDATE", "oz", updateSettings, vars{"e": entries, "t": at})
		w.Refused("CONCURRENT_UPDATE", "oz", updateSettings, vars{"e": entries})
		w.whole()
	})
}

const search = `query($i: RecordSearchInput!) { searchRecords(input: $i) { items { record { restricted data { header value } citation imagePath } matched } nextToken } }`

// archive 7#24 and 5.2#6: a guest gets a hit without its details, a reader the whole.
func TestScenario24PrivateDetails(t *testing.T) {
	test(t, func(w *world) {
		w.is("GUEST", "g")
		w.is("READER", "r")
		plan := census(w.category("A"))
		plan["privacyLevel"], plan["citationTemplate"] = 2, "{{Name}}"
		post := w.post(w.collection(plan))
		w.imports(post, header+"Ana,7,1850,,a.jpg\n")
		w.moves("publishPost", post)
		w.Asked("g", search, vars{"i": vars{"postId": post}}, "searchRecords.items",
			`[{"matched":[],"record":{"citation":null,"data":[],"imagePath":null,"restricted":true}}]`)
		d := w.Does("r", search, vars{"i": vars{"postId": post, "text": "ana"}})
		w.Is(d, "searchRecords.items.0.record.restricted", "false")
		w.Is(d, "searchRecords.items.0.record.citation", `"Ana"`)
		w.Is(d, "searchRecords.items.0.matched", `["Name"]`)
		if got := d.List("searchRecords.items.0.record.data", "header"); got != "Name Household Birth birthDate_std Place birthPlace_std Image" {
			t.Errorf("headers %s", got)
		}
		w.whole()
	})
}

// archive 7#25, 5.8#1 and 5.8#3: searches ignore diacritics, and need a scope.
func TestScenario25MarksDoNotMatter(t *testing.T) {
	test(t, func(w *world) {
		w.is("READER", "r")
		post := w.held(header + "Ana,,,Zürich,\nBen,,,Zuerich,\n")
		w.moves("publishPost", post)
		d := w.Does("r", search, vars{"i": vars{"postId": post, "text": "ZURICH"}})
		if n := len(d.Items("searchRecords.items")); n != 1 {
			t.Errorf("%d hits", n)
		}
		w.Is(d, "searchRecords.items.0.record.data.0.value", `"Ana"`)
		w.Refused("BAD_INPUT SCOPE_NEEDED", "r", search, vars{"i": vars{"text": "zurich"}})
		w.whole()
	})
}
