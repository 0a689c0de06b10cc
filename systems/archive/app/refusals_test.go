package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// refused is a request with its error.
type refused struct {
	as, query string
	v         vars
	text      string
}

// archive 5, 5.3#1, 5.3#5, 5.4#1, 5.7#2 and 5.9#4: every error by code, reason and text.
func TestRefusals(t *testing.T) {
	elsewhere(t, func(w *world) {
		w.is("EDITOR", "e")
		w.is("CONTRIBUTOR", "c")
		w.is("READER", "r", "off")
		w.Does("oz", `mutation($u: ID!) { setUserEnabled(id: $u, enabled: false) { id } }`, vars{"u": w.ids["off"]})
		for _, name := range []string{"stranger", "hand"} {
			w.People.Identity(name)
		}
		a := w.category("A")
		collection := w.collection(census(a))
		draft, empty, asked, doomed := w.post(collection), w.post(collection), w.post(collection), w.post(collection)
		for _, post := range []string{draft, asked} {
			w.imports(post, families)
		}
		w.moves("publishPost", asked)
		w.Does("oz", setHousehold, vars{"p": draft, "n": "9", "r": []string{w.first(draft, "Cal")}})
		row := w.hidden(doomed)
		row["deleting"] = true
		w.Put("archive", row)
		const never = "2026-01-01T00:00:00.000000000Z"
		at := func(kind, id string) string { return w.at(kind, id) }
		loading := w.post(collection, vars{"recordsKey": someFile})
		stamp := at("post", draft)
		w.Does("oz", updateSettings, vars{"e": []vars{{"name": "year", "type": "NUMBER"}, {"name": "day", "type": "DATE"}}})
		long := strings.Repeat("x", 251)
		record := w.first(draft, "Ana")
		plan := func(name string, value any) vars {
			p := census(a)
			p[name] = value
			return vars{"i": p}
		}
		many := func(n int, make func(i int) any) (all []any) {
			for i := range n {
				all = append(all, make(i))
			}
			return all
		}
		place := func(name string, value any) vars {
			p := vars{"id": "1", "name": "Ulm", "fullName": "Ulm", "level": 1}
			p[name] = value
			return vars{"r": []vars{p}}
		}
		words := func(word string, ids any) vars { return vars{"r": []vars{{"word": word, "placeIds": ids}}} }
		placeSetting := func(name string, value any) vars {
			p := placeSettings()
			p[name] = value
			return vars{"i": p}
		}
		archives := func(n int) any {
			return many(n, func(i int) any { return fmt.Sprintf("uploads/00000000-0000-4000-8000-%012d.zip", i) })
		}
		const (
			createCategory = `mutation($n: String!) { createCategory(name: $n) { id } }`
			renameCategory = `mutation($c: ID!, $n: String!, $t: DateTime!) { updateCategory(id: $c, name: $n, lastUpdateTime: $t) { id } }`
			setLevel       = `mutation($u: ID!, $l: AuthLevel!) { setUserLevel(id: $u, level: $l) { id } }`
			records        = `query($i: [ID!]!) { recordsById(ids: $i) { id } }`
			findRecords    = `query($i: RecordSearchInput!) { searchRecords(input: $i) { items { matched } } }`
			loadWords      = `mutation($r: [PlaceWordInput!]!) { loadPlaceWords(rows: $r) }`
			getContent     = `query($k: String!) { contentUrl(key: $k) { url } }`
			allocate       = `mutation($n: Int!) { allocateIds(count: $n) { first } }`
			listCategories = `query($l: Int, $t: String) { categories(limit: $l, nextToken: $t) { items { id } } }`
			readCategory   = `query($i: ID!) { category(id: $i) { id } }`
			otherPost      = "A record belongs to one post for good"
			nameOf         = "The name of a %s has 1 to %d characters that are not all blank"
			outdated       = "It was changed at %s: look at it again"
			noSuch         = "There is no such "
		)
		for want, all := range map[string][]refused{
			"UNAUTHENTICATED":          {{"", `{ me { id } }`, nil, "Sign in first"}},
			"FORBIDDEN NOT_REGISTERED": {{"stranger", `{ settings { lastUpdateTime } }`, nil, "There is no user yet: call signIn first"}},
			"FORBIDDEN USER_DISABLED":  {{"off", `{ settings { lastUpdateTime } }`, nil, "This user has been disabled: ask an administrator"}},
			"FORBIDDEN NOT_WORKER":     {{"oz", reportPublish, vars{"p": draft, "r": "STARTED"}, "Only workers may report: add the identity to archive-workers"}},
			"FORBIDDEN": {
				{"r", createCategory, vars{"n": "n"}, "This needs the level EDITOR: ask an administrator"},
				{"e", `{ users { items { id } } }`, nil, "This needs the level ADMIN: ask an administrator"},
				{"r", createPost, vars{"i": vars{"name": "n", "collectionId": collection}}, "This needs the level CONTRIBUTOR: ask an administrator"},
				{"c", importRecords, vars{"p": draft, "c": families}, "This needs the level EDITOR: ask an administrator"},
			},
			"PRECONDITION_FAILED LAST_ADMIN": {
				{"oz", setLevel, vars{"u": w.ids["oz"], "l": "EDITOR"}, "There must be an enabled ADMIN: make another one first"},
				{"oz", `mutation($u: ID!) { setUserEnabled(id: $u, enabled: false) { id } }`, vars{"u": w.ids["oz"]}, "There must be an enabled ADMIN: make another one first"},
			},
			"NOT_FOUND": {
				{"oz", setLevel, vars{"u": missing, "l": "EDITOR"}, noSuch + "user"}, {"oz", setLevel, vars{"u": a, "l": "EDITOR"}, noSuch + "user"},
				{"e", renameCategory, vars{"c": missing, "n": "n", "t": never}, noSuch + "category"}, {"e", renameCategory, vars{"c": collection, "n": "n", "t": never}, noSuch + "category"},
				{"e", updateCollection, vars{"c": missing, "i": census(a), "t": never}, noSuch + "collection"}, {"e", updatePost, vars{"i": missing, "c": vars{}, "t": never}, noSuch + "post"},
				{"e", moving("publishPost"), vars{"i": missing, "t": never}, noSuch + "post"}, {"e", moving("unpublishPost"), vars{"i": missing, "t": never}, noSuch + "post"},
				{"e", deletePost, vars{"p": missing}, noSuch + "post"},
				{"hand", reportPublish, vars{"p": missing, "r": "STARTED"}, noSuch + "post"}, {"hand", reportRecords, vars{"p": missing, "r": "STARTED"}, noSuch + "post"},
				{"hand", reportImages, vars{"p": missing, "r": "STARTED"}, noSuch + "post"},
				{"e", importRecords, vars{"p": missing, "c": families}, noSuch + "post"}, {"e", createRecord, vars{"p": missing, "d": vars{}}, noSuch + "post"},
				{"e", deleteRecords, vars{"p": missing}, noSuch + "post"},
				{"e", updateRecord, vars{"r": missing, "d": vars{}, "t": never}, noSuch + "record"}, {"e", setHousehold, vars{"p": missing, "n": "7", "r": []string{record}}, noSuch + "post"},
				{"r", getContent, vars{"k": someFile}, noSuch + "file"}, {"r", getContent, vars{"k": "../x"}, noSuch + "file"},
				{"r", imageURL, vars{"p": draft, "i": "x.jpg"}, noSuch + "file"}, {"r", imageURL, vars{"p": missing, "i": "x.jpg"}, noSuch + "file"},
				{"r", `{ records(postId: 5) { items { id } } }`, nil, noSuch + "post"}, {"r", `{ households(postId: 5) { items { number } } }`, nil, noSuch + "post"},
				{"r", findRecords, vars{"i": vars{"postId": missing}}, noSuch + "post"},
			},
			"CONFLICT NAME_TAKEN": {{"e", createCategory, vars{"n": " á "}, "Another category has this name: choose another one"}},
			"PRECONDITION_FAILED IN_USE": {
				{"e", `mutation($c: ID!) { deleteCategory(id: $c) }`, vars{"c": a}, "It is in use: remove what belongs to it first"},
				{"e", `mutation($c: ID!) { deleteCollection(id: $c) }`, vars{"c": collection}, "It is in use: remove what belongs to it first"},
			},
			"PRECONDITION_FAILED DELETING": {
				{"e", updatePost, vars{"i": doomed, "c": vars{"name": "n"}, "t": at("post", doomed)}, "The post is being deleted"},
				{"e", moving("publishPost"), vars{"i": doomed, "t": at("post", doomed)}, "The post is being deleted"},
				{"e", moving("unpublishPost"), vars{"i": doomed, "t": never}, "The post is being deleted"}, {"e", createRecord, vars{"p": doomed, "d": vars{}}, "The post is being deleted"},
				{"e", importRecords, vars{"p": doomed, "c": families}, "The post is being deleted"}, {"e", deleteRecords, vars{"p": doomed}, "The post is being deleted"},
				{"e", setHousehold, vars{"p": doomed, "n": "7", "r": []string{record}}, "The post is being deleted"},
				{"hand", reportPublish, vars{"p": doomed, "r": "STARTED"}, "The post is being deleted"},
				{"hand", reportRecords, vars{"p": doomed, "r": "STARTED"}, "The post is being deleted"}, {"hand", reportImages, vars{"p": doomed, "r": "STARTED"}, "The post is being deleted"},
			},
			"PRECONDITION_FAILED NO_RECORDS": {{"e", moving("publishPost"), vars{"i": empty, "t": at("post", empty)}, "The post has no records: import some first"}},
			"PRECONDITION_FAILED BAD_TRANSITION": {
				{"e", moving("publishPost"), vars{"i": loading, "t": at("post", loading)}, "It cannot become TO_PUBLISH while its records are TO_LOAD and its images are READY"},
				{"e", moving("unpublishPost"), vars{"i": draft, "t": stamp}, "It cannot become TO_UNPUBLISH while it is DRAFT"},
				{"e", deletePost, vars{"p": asked}, "It cannot become DELETED while it is TO_PUBLISH"},
				{"e", moving("unpublishPost"), vars{"i": asked, "t": at("post", asked)}, "It cannot become TO_UNPUBLISH while it is TO_PUBLISH"},
				{"e", updatePost, vars{"i": asked, "c": vars{"recordsKey": someFile}, "t": at("post", asked)}, "It cannot become TO_LOAD while it is TO_PUBLISH"},
				{"e", importRecords, vars{"p": asked, "c": families}, "It cannot become LOADING while it is TO_PUBLISH"},
				{"e", createRecord, vars{"p": asked, "d": vars{}}, "It cannot become DRAFT while it is TO_PUBLISH"},
				{"hand", reportRecords, vars{"p": draft, "r": "STARTED"}, "It cannot become LOADING while it is READY"},
				{"hand", reportImages, vars{"p": draft, "r": "FAILED"}, "It cannot become ERROR while it is READY"},
				{"hand", reportPublish, vars{"p": asked, "r": "COMPLETED"}, "It cannot become PUBLISHED while it is TO_PUBLISH"},
				{"hand", reportPublish, vars{"p": draft, "r": "STARTED"}, "It cannot become PUBLISHING while it is DRAFT"},
			},
			"CONCURRENT_UPDATE": {
				{"e", renameCategory, vars{"c": a, "n": "B", "t": never}, fmt.Sprintf(outdated, at("category", a))},
				{"e", updateCollection, vars{"c": collection, "i": census(a), "t": never}, fmt.Sprintf(outdated, at("collection", collection))},
				{"e", updatePost, vars{"i": draft, "c": vars{"name": "n"}, "t": never}, fmt.Sprintf(outdated, stamp)},
				{"e", moving("publishPost"), vars{"i": draft, "t": never}, fmt.Sprintf(outdated, stamp)},
				{"e", updateRecord, vars{"r": record, "d": vars{}, "t": never}, fmt.Sprintf(outdated, at("record", record))},
			},
			"BAD_REFERENCE": {
				{"e", createCollection, plan("categoryIds", []string{a, missing, "1999999998"}), "There is no category " + missing},
				{"c", createPost, vars{"i": vars{"name": "n", "collectionId": missing}}, "There is no collection " + missing},
				{"e", setHousehold, vars{"p": draft, "n": "11", "r": []string{missing}}, "There is no record " + missing},
			},
			"BAD_INPUT INVALID_NAME": {
				{"e", createCategory, vars{"n": " \t"}, fmt.Sprintf(nameOf, "category", 250)}, {"e", createCategory, vars{"n": long}, fmt.Sprintf(nameOf, "category", 250)},
				{"e", createCollection, plan("name", ""), fmt.Sprintf(nameOf, "collection", 250)},
				{"c", createPost, vars{"i": vars{"name": long, "collectionId": collection}}, fmt.Sprintf(nameOf, "post", 250)},
				{"e", createCollection, plan("fields", []vars{{"header": ""}}), fmt.Sprintf(nameOf, "header", 250)},
				{"e", createCollection, plan("mappings", []vars{{"header": "Name", "dbField": ""}}), fmt.Sprintf(nameOf, "dbField", 250)},
				{"oz", updateSettings, vars{"e": []vars{{"name": long[:65], "type": "DATE"}}}, fmt.Sprintf(nameOf, "settings entry", 64)},
				{"oz", loadPlaces, place("name", ""), fmt.Sprintf(nameOf, "place", 250)}, {"oz", loadPlaces, place("fullName", long), fmt.Sprintf(nameOf, "place", 250)},
				{"e", setHousehold, vars{"p": draft, "n": "", "r": []string{record}}, fmt.Sprintf(nameOf, "household", 200)},
				{"e", setHousehold, vars{"p": draft, "n": " 7", "r": []string{record}}, "The number of a household has no blanks around it"},
			},
			"BAD_INPUT NO_CATEGORY":       {{"e", createCollection, plan("categoryIds", []string{}), "A collection is in 1 to 12 categories: give categoryIds"}},
			"BAD_INPUT REPEATED_CATEGORY": {{"e", createCollection, plan("categoryIds", []string{a, a}), "The category " + a + " is given twice"}},
			"LIMIT_EXCEEDED TOO_MANY_CATEGORIES": {{"e", createCollection, plan("categoryIds", many(13, func(i int) any { return fmt.Sprint(2_000_000 + i) })),
				"A collection is in at most 12 categories, not 13"}},
			"LIMIT_EXCEEDED TOO_MANY_FIELDS": {{"e", createCollection, plan("fields", many(501, func(i int) any { return vars{"header": fmt.Sprint("h", i)} })),
				"A collection has at most 500 fields, not 501"}},
			"LIMIT_EXCEEDED TOO_MANY_MAPPINGS": {{"e", createCollection, plan("mappings", many(501, func(int) any { return vars{"header": "Name", "dbField": "n"} })),
				"A collection has at most 500 mappings, not 501"}},
			"BAD_INPUT INVALID_HEADER":  {{"e", createCollection, plan("fields", []vars{{"header": "x_std"}}), `The header "x_std" ends in _std, as standard forms do: rename it`}},
			"BAD_INPUT REPEATED_HEADER": {{"e", createCollection, plan("fields", []vars{{"header": "Page No"}, {"header": "PAGENO"}}), `The header "PAGENO" is given twice`}},
			"BAD_INPUT UNKNOWN_HEADER": {{"e", createCollection, plan("genderHeader", "Sex"), `The header "Sex" of genderHeader is not among fields`},
				{"e", createCollection, plan("mappings", []vars{{"header": "Sex", "dbField": "n"}}), `The header "Sex" of mappings is not among fields`}},
			"BAD_INPUT INVALID_PRIVACY": {{"e", createCollection, plan("privacyLevel", 8), "privacyLevel is 0 to 7, not 8"},
				{"e", createCollection, plan("privacyLevel", -1), "privacyLevel is 0 to 7, not -1"}},
			"BAD_INPUT INVALID_TEXT": {{"e", createCollection, plan("location", strings.Repeat("x", 10_001)), "location has at most 10000 characters, not 10001"},
				{"r", standardize, vars{"t": strings.Repeat("x", 1001)}, "A name of a place has at most 1000 bytes"}},
			"BAD_INPUT UNKNOWN_METADATA": {{"c", createPost, vars{"i": vars{"name": "n", "collectionId": collection, "metadata": vars{"colour": 1}}},
				`metadata has "colour", which is not in the settings`}},
			"BAD_INPUT INVALID_METADATA": {{"c", createPost, vars{"i": vars{"name": "n", "collectionId": collection, "metadata": vars{"year": "1850"}}},
				`metadata "year" must be of type NUMBER`},
				{"c", createPost, vars{"i": vars{"name": "n", "collectionId": collection, "metadata": vars{"day": "1850"}}}, `metadata "day" must be of type DATE`}},
			"BAD_INPUT INVALID_JSON": {{"c", createPost, vars{"i": vars{"name": "n", "collectionId": collection, "metadata": []int{1}}}, ""},
				{"e", createRecord, vars{"p": draft, "d": "text"}, ""}},
			"BAD_INPUT INVALID_KEY": {{"c", createPost, vars{"i": vars{"name": "n", "collectionId": collection, "recordsKey": "images/5/x.csv"}},
				`recordsKey "images/5/x.csv" is no key of an uploaded CSV file: ask for one with requestUpload`},
				{"c", createPost, vars{"i": vars{"name": "n", "collectionId": collection, "imagesKeys": []string{someFile}}},
					`imagesKeys "` + someFile + `" is no key of an uploaded archive: ask for one with requestUpload`}},
			"BAD_INPUT REPEATED_KEY": {{"e", updatePost, vars{"i": draft, "c": vars{"imagesKeys": append(archives(1).([]any), archives(1).([]any)...)}, "t": stamp},
				"imagesKeys has uploads/00000000-0000-4000-8000-000000000000.zip twice"}},
			"LIMIT_EXCEEDED TOO_MANY_IMAGES": {{"e", updatePost, vars{"i": draft, "c": vars{"imagesKeys": archives(101)}, "t": stamp}, "A post has at most 100 archives of images, " +
				"not 101"}},
			"BAD_INPUT HEADERS": {{"e", importRecords, vars{"p": draft, "c": "Name,Colour\n"}, `The headers are not those of the collection: missing ["Household" ` +
				`"Birth" "Place" "Image"], unknown ["Colour"]`}, {"e", createRecord, vars{"p": draft, "d": vars{"Colour": "red"}}, `The headers are not those of the collection: missing ` +
				`[], unknown ["Colour"]`}},
			"BAD_INPUT CSV": {{"e", importRecords, vars{"p": draft, "c": header + "Ana\n"}, "Row 2: 1 cells, but 5 headers"},
				{"e", importRecords, vars{"p": draft, "c": ""}, "Row 1: the file is empty"}},
			"LIMIT_EXCEEDED CSV_TOO_LARGE": {{"e", importRecords, vars{"p": draft, "c": header + strings.Repeat("x", 5<<20)}, "A file in a request has at most 5242880 bytes: " +
				"upload it with requestUpload and give its key as recordsKey"}},
			"BAD_INPUT INVALID_DATA": {{"e", createRecord, vars{"p": draft, "d": vars{"Name": 1}}, `data "Name" must be a text`},
				{"e", createRecord, vars{"p": draft, "d": vars{"Name": "a\x00"}}, `data "Name": a value has a zero byte`}},
			"LIMIT_EXCEEDED RECORD_TOO_LARGE": {{"e", createRecord, vars{"p": w.post(w.wide(a)), "d": w.wideData()}, ""}},
			"BAD_INPUT OTHER_POST":            {{"e", updateRecord, vars{"r": record, "p": empty, "d": vars{}, "t": never}, otherPost}},
			"BAD_INPUT EMPTY_HOUSEHOLD":       {{"e", setHousehold, vars{"p": draft, "n": "7", "r": []string{}}, "A household has at least one record: delete it instead"}},
			"BAD_INPUT REPEATED_RECORD":       {{"e", setHousehold, vars{"p": draft, "n": "7", "r": []string{record, record}}, "The record " + record + " is given twice"}},
			"CONFLICT IN_HOUSEHOLD":           {{"e", setHousehold, vars{"p": draft, "n": "8", "r": []string{record}}, "A record is in another household: take it out there first"}},
			"LIMIT_EXCEEDED HOUSEHOLD_TOO_LARGE": {{"e", setHousehold, vars{"p": draft, "n": "8", "r": many(97, func(i int) any { return fmt.Sprint(1_500_000 + i) })},
				"One call adds fewer than 100 records to a household: add the others afterwards"},
				{"e", setHousehold, vars{"p": draft, "n": "8", "r": many(10_001, func(i int) any { return fmt.Sprint(1_500_000 + i) })}, "A household has at most 10000 records, not 10001"}},
			"BAD_INPUT REPEATED_NAME": {{"oz", updateSettings, vars{"e": []vars{{"name": "a", "type": "DATE"}, {"name": "A ", "type": "DATE"}}},
				`The entry "A " is given twice`}},
			"LIMIT_EXCEEDED TOO_MANY_ENTRIES": {{"oz", updateSettings, vars{"e": many(101, func(i int) any { return vars{"name": fmt.Sprint(i), "type": "DATE"} })},
				"There are at most 100 entries, not 101"}, {"oz", loadPlaces, place("altNames", many(1001, func(int) any { return "x" })), "altNames has at most 1000 entries, not 1001"},
				{"oz", savePlaces, placeSetting("largeCountries", many(1001, func(i int) any { return fmt.Sprint(1 + i) })), "Place settings have at most 1000 entries of a kind"}},
			"BAD_INPUT INVALID_COUNT": {
				{"oz", allocate, vars{"n": 0}, "One call takes 1 to 10000 ids, not 0"}, {"oz", allocate, vars{"n": 10_001}, "One call takes 1 to 10000 ids, not 10001"},
				{"r", records, vars{"i": []string{}}, "Ask for 1 to 100 records, not 0"},
				{"r", records, vars{"i": many(101, func(i int) any { return fmt.Sprint(1 + i) })}, "Ask for 1 to 100 records, not 101"},
				{"", `{ placesById(ids: []) { id } }`, nil, "Ask for 1 to 100 places, not 0"}, {"r", `{ placeWords(words: []) { word } }`, nil, "Ask for 1 to 100 words, not 0"},
				{"oz", loadPlaces, vars{"r": []vars{}}, "One call loads 1 to 500 rows, not 0"},
				{"oz", loadWords, vars{"r": many(501, func(int) any { return vars{"word": "a", "placeIds": []string{"1"}} })}, "One call loads 1 to 500 rows, not 501"},
				{"oz", loadPlaces, place("count", -1), "The count of a place is not below zero"},
				{"r", findRecords, vars{"i": vars{"postId": draft, "fields": many(101, func(int) any { return vars{"header": "Name", "value": "x"} })}},
					"At most 100 fields are compared, not 101"},
			},
			"BAD_INPUT INVALID_ID": {{"oz", loadPlaces, place("id", "1000000"), "Places have ids from 1 to 999999, not 1000000"}, {"r", readCategory, vars{"i": "0"}, ""},
				{"r", readCategory, vars{"i": "2147483648"}, ""}, {"r", readCategory, vars{"i": "+1"}, ""}},
			"BAD_INPUT INVALID_LEVEL": {{"oz", loadPlaces, place("level", 0), "The level of a place is 1 to 20, not 0"}},
			"BAD_INPUT INVALID_POSITION": {{"oz", loadPlaces, place("latitude", 90.5), "The position of place 1 is not on the globe"},
				{"oz", loadPlaces, place("longitude", -181), "The position of place 1 is not on the globe"}},
			"BAD_INPUT INVALID_WORD": {{"oz", loadWords, words("New York", []string{"1"}), `"New York" is no word: it has lower case letters without marks and digits only`},
				{"oz", loadWords, words("ulm", []string{}), `The word "ulm" is of 1 to 10000 places`}},
			"BAD_INPUT INVALID_WEIGHTS":       {{"oz", savePlaces, placeSetting("smallCountryLevelWeights", []int{1}), "smallCountryLevelWeights has 4 numbers, not 1"}},
			"BAD_INPUT INVALID_ABBREVIATIONS": {{"oz", savePlaces, placeSetting("abbreviations", vars{"co": 1}), `abbreviations "co" must be a text`}},
			"BAD_INPUT SCOPE_NEEDED": {{"r", findRecords, vars{"i": vars{"text": "x"}}, "Say where to search: give postId, household, collectionId or categoryId"},
				{"r", findRecords, vars{"i": vars{"place": "Ulm"}}, ""}},
			"BAD_INPUT INVALID_TYPE":  {{"c", requestUpload, vars{"t": "text/html"}, `Files of type "text/html" are not taken: give text/csv or application/zip`}},
			"BAD_INPUT INVALID_LIMIT": {{"r", listCategories, vars{"l": 0}, ""}, {"r", listCategories, vars{"l": 101}, ""}},
			"BAD_INPUT INVALID_TOKEN": {{"r", listCategories, vars{"t": "nonsense"}, ""}},
		} {
			for _, r := range all {
				answer := w.Asks(r.as, r.query, r.v)
				if got := answer.Refusal(); got != want {
					t.Errorf("%s asks %s %.200v: refused with %q, want %q", r.as, r.query, r.v, got, want)
				} else if message := answer.Errors[0].Message; r.text != "" && message != "ClientError: "+r.text {
					t.Errorf("%s asks %s %.200v: %q, want %q", r.as, r.query, r.v, message, r.text)
				}
			}
		}
		// Some states are reached only by the passage of time.
		stuck := w.post(collection, vars{"recordsKey": someFile})
		w.Does("hand", reportRecords, vars{"p": stuck, "r": "STARTED"})
		w.Refused(outOfOrder, "e", createRecord, vars{"p": stuck, "d": vars{}})
		w.Advance(31 * time.Minute)
		w.Asked("e", deletePost, vars{"p": stuck}, "deletePost", "true")
	})
}

// first returns the id of the first record of a post with a name.
func (w *world) first(post, name string) string {
	w.T.Helper()
	for _, r := range w.Does("oz", `query($p: ID!) { records(postId: $p) { items { id dataMap } } }`, vars{"p": post}).Items("records.items") {
		if r.Text("dataMap.Name") == name {
			return r.Text("id")
		}
	}
	w.T.Fatalf("%s has no record of %s", post, name)
	return ""
}

// wide creates a collection whose records can be too large although no value is, like those
// of wideData.
func (w *world) wide(category string) string {
	w.T.Helper()
	var fields []vars
	for i := range 7 {
		fields = append(fields, vars{"header": fmt.Sprint("h", i)})
	}
	return w.collection(vars{"name": "Wide", "categoryIds": []string{category}, "fields": fields})
}

func (w *world) wideData() vars {
	data := vars{}
	for i := range 7 {
		data[fmt.Sprint("h", i)] = strings.Repeat("x", 60<<10)
	}
	return data
}

// outside lists reasons that are not errors of requests: those of image archives are stored
// in a post's imagesError, that of a load ends its worker, and the others belong to
// identities and to the command that loads gazetteers.
var outside = []string{"ARCHIVE", "IMAGE", "TAKEN_OVER", "INVALID_ISSUER", "GAZETTEER", "TOO_MANY_PLACES"}

// Every reason in the source is expected by some test.
func TestEveryReasonIsTested(t *testing.T) {
	read := func(patterns ...string) (text string) {
		for _, pattern := range patterns {
			files, err := filepath.Glob(pattern)
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if strings.HasSuffix(pattern, "_test.go") || !strings.HasSuffix(file, "_test.go") {
					text += string(data)
				}
			}
		}
		return text
	}
	tests := read("*_test.go")
	reasons := regexp.MustCompile(`(?:[bB]adInput|limit|New)\((?:refusal\.\w+, )?"([A-Z_]+)"`).FindAllStringSubmatch(read("*.go", "../*.go", "../*/*.go"), -1)
	if len(reasons) < 60 {
		t.Fatalf("found %d reasons", len(reasons))
	}
	for _, r := range reasons {
		if reason := r[1]; !slices.Contains(outside, reason) && !regexp.MustCompile(`[A-Z_]+ `+reason+`\b`).MatchString(tests) {
			t.Errorf("no test is refused with %s", reason)
		}
	}
}
