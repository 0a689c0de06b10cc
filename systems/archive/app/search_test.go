package app_test

import (
	"fmt"
	"slices"
	"testing"
)

// archive 5.2#7: what a guest finds does not depend on values that are hidden from guests,
// whatever the condition. Otherwise these could be guessed letter by letter.
func TestGuestsMatchOnlyWhatTheySee(t *testing.T) {
	test(t, func(w *world) {
		w.gazetteer()
		w.is("GUEST", "g")
		w.is("READER", "r")
		category := w.category("A")
		field := func(header, match, value string) vars {
			return vars{"fields": []vars{{"header": header, "match": match, "value": value}}}
		}
		const record = header + "\"Byrne, Ada\",7,3 May 1850,Autauga Co Ala,secret.jpg\n"
		details := []vars{
			{"text": "byrne"}, {"text": "b"}, {"text": "1850-05"}, {"place": "Alabama"}, {"household": "7"},
			field("Name", "EXACT", "byrne, ada"), field("Name", "PREFIX", "b"), field("Name", "CONTAINS", ""), field("birthDate_std", "PREFIX", "1850"),
			field("birthPlace_std", "CONTAINS", "autauga"), field("Image", "PREFIX", "s"),
		}
		images := []vars{{"text": "secret"}, field("Image", "EXACT", "secret.jpg"), field("Image", "PREFIX", "s"), field("Image", "CONTAINS", "")}
		for name, c := range map[string]struct {
			change        vars
			hidden, shown []vars
			headers       string
		}{
			"private details": {vars{"privacyLevel": 2}, details, []vars{{}}, ""},
			"private images": {
				vars{"privacyLevel": 1}, images, []vars{{}, {"text": "byrne"}, {"household": "7"}, {"place": "Alabama"}, field("Name", "PREFIX", "b")},
				"Name Household Birth birthDate_std Place birthPlace_std",
			},
			// Whatever is derived from the hidden value is hidden, too.
			"a place as the image": {
				vars{"privacyLevel": 1, "imagePathHeader": "Place"}, []vars{{"place": "Alabama"}, {"text": "autauga"}, field("birthPlace_std", "PREFIX", "a")},
				[]vars{{}, {"text": "byrne"}}, "Name Household Birth birthDate_std Image",
			},
			"a household as the image": {
				vars{"privacyLevel": 1, "imagePathHeader": "Household"}, []vars{{"household": "7"}, {"text": "7"}}, []vars{{}, {"text": "byrne"}},
				"Name Birth birthDate_std Place birthPlace_std Image",
			},
		} {
			plan := census(category)
			for key, value := range c.change {
				plan[key] = value
			}
			collection := w.collection(plan)
			post := w.post(collection)
			w.imports(post, record)
			w.moves("publishPost", post)
			found := func(who string, condition vars) int {
				n := []int{}
				for _, scope := range []vars{{"postId": post}, {"collectionId": collection}} {
					for key, value := range condition {
						scope[key] = value
					}
					n = append(n, len(w.Does(who, search, vars{"i": scope}).Items("searchRecords.items")))
				}
				if n[0] != n[1] {
					t.Errorf("%s: %v finds %v", name, condition, n)
				}
				return n[0]
			}
			for _, condition := range c.hidden {
				if found("r", condition) != 1 || found("g", condition) != 0 {
					t.Errorf("%s: a reader finds %d, a guest %d by %v", name, found("r", condition), found("g", condition), condition)
				}
			}
			for _, condition := range c.shown {
				if found("g", condition) != 1 {
					t.Errorf("%s: a guest does not find it by %v", name, condition)
				}
			}
			if got := w.Does("g", search, vars{"i": vars{"postId": post}}).List("searchRecords.items.0.record.data", "header"); got != c.headers {
				t.Errorf("%s: a guest sees %q, want %q", name, got, c.headers)
			}
		}
		w.whole()
	})
}

// archive 5.8#4: a page reads a limited number of posts and households, whoever asks, and
// the pages together find everything, in order.
func TestSearchesReadALimitedAmount(t *testing.T) {
	test(t, func(w *world) {
		w.is("GUEST", "g")
		category := w.category("A")
		collection := w.collection(census(category))
		var want []string
		for i := range 230 {
			post := w.post(collection)
			if i%10 > 0 {
				w.imports(post, header+fmt.Sprintf("person %d,1,,,\n", i))
				want = append(want, fmt.Sprint("person ", i))
			}
		}
		for name, scope := range map[string]vars{
			"household": {"household": "1"}, "collection": {"collectionId": collection}, "category": {"categoryId": category},
			"household in a category": {"household": "1", "categoryId": category},
		} {
			for who, want := range map[string][]string{"oz": want, "g": nil} {
				var got []string
				pages := 0
				for token := any(nil); pages < 50; pages++ {
					w.Client.Reset()
					d := w.Does(
						who,
						`query($i: RecordSearchInput!, $t: String) { searchRecords(input: $i, limit: 100, nextToken: $t) { items { record { dataMap } } nextToken } }`,
						vars{"i": scope, "t": token},
					)
					if n := w.Client.Total(); n > 115 {
						t.Errorf("%s: a page for %s takes %d calls (%s)", name, who, n, w.Client)
					}
					for _, hit := range d.Items("searchRecords.items") {
						got = append(got, hit.Text("record.dataMap.Name"))
					}
					if token = d.At("searchRecords.nextToken"); token == nil {
						break
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s: %s finds %d in %d pages, want %d: %q", name, who, len(got), pages+1, len(want), got)
				}
			}
		}
	})
}
