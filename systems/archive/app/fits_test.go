package app_test

import (
	"fmt"
	"strings"
	"testing"
)

// Things of which each text is within its limit are refused if they are too large together to be stored,
// and stored up to that size (archive 4.3, 5.2, 5.3, 5.5, 5.6 and 5.7).
func TestWhatFitsTheStore(t *testing.T) {
	const most = 350 << 10
	test(t, func(w *world) {
		w.is("ADMIN")
		category := w.category("A")
		// texts returns n different texts of size bytes in all.
		texts := func(n, size int) []string {
			all := make([]string, n)
			for i := range all {
				rest := size / (n - i)
				size -= rest
				all[i] = fmt.Sprintf("%04d", i) + strings.Repeat("語", (rest-4)/3) + strings.Repeat("x", (rest-4)%3)
			}
			return all
		}
		settings := func(size int) (string, vars) {
			var entries []vars
			for i, text := range texts(100, size-100*4) {
				entries = append(entries, vars{"name": fmt.Sprintf("%04d", i), "type": "STRING", "tooltip": text})
			}
			return `mutation($m: [PostMetadataInput!]!) { updateSettings(postMetadata: $m) { lastUpdateTime } }`, vars{"m": entries}
		}
		collection := func(size int) (string, vars) {
			var fields, mappings []vars
			for _, text := range texts(500, (size-1)/5) {
				fields = append(fields, vars{"header": text})
				mappings = append(mappings, vars{"header": text, "dbField": text, "ixRole": text, "ixField": text})
			}
			rest := (size - 1) % 5
			return createCollection, vars{"i": vars{
				"name": "x", "categoryIds": []string{category}, "fields": fields, "mappings": mappings, "location": strings.Repeat("x", rest),
			}}
		}
		place := func(size int) (string, vars) {
			names, types := texts(1000, size/2), texts(1000, size-size/2)
			return `mutation($r: [PlaceInput!]!) { loadPlaces(rows: $r) }`,
				vars{"r": []vars{{"id": "5", "name": "x", "fullName": "xx", "level": 1, "altNames": names, "types": types}}}
		}
		places := func(size int) (string, vars) {
			s := placeSettings()
			for _, list := range []string{"typeWords", "noiseWords", "largeCountries", "mediumCountries"} {
				s[list] = []string{}
			}
			abbreviations := vars{}
			for _, text := range texts(1000, size-1000) {
				abbreviations[text] = "x"
			}
			s["abbreviations"] = abbreviations
			return savePlaces, vars{"i": s}
		}
		for name, sized := range map[string]func(int) (string, vars){
			"settings": settings, "a collection": collection, "a place": place, "place settings": places,
		} {
			t.Log(name)
			for _, size := range []int{most + 1, 2 * most, most} {
				query, v := sized(size)
				want := "LIMIT_EXCEEDED TOO_LARGE"
				if size == most {
					want = ""
				}
				w.Refused(want, "oz", query, v)
			}
		}
		owner, metadata := w.collection(census(category)), func(size int) vars {
			m := vars{}
			for i, text := range texts(100, size-100*6) { // and quotes
				m[fmt.Sprintf("%04d", i)] = text
			}
			return m
		}
		const edit = `mutation($p: ID!, $t: DateTime!, $m: JSON) { updatePost(id: $p, lastUpdateTime: $t, input: {metadata: $m}) { id } }`
		w.Refused("LIMIT_EXCEEDED TOO_LARGE", "oz", createPost, vars{"i": vars{"name": "x", "collectionId": owner, "metadata": metadata(most + 1)}})
		post := w.post(owner, vars{"metadata": metadata(most)})
		w.Refused("LIMIT_EXCEEDED TOO_LARGE", "oz", edit, vars{"p": post, "t": w.at("post", post), "m": metadata(most + 1)})
		w.whole()
	})
}
