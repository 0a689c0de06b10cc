package app_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"stoa/internal/kit/faultdb"
	"stoa/systems/archive/app"
)

func gazetteerFile(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile("testdata/gazetteer.csv")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// loads loads a gazetteer and returns the report.
func (w *world) loads(file string) (string, error) {
	return app.System(app.Options{}).Load(w.T.Context(), w.Host, strings.NewReader(file), func(int) {})
}

func (w *world) loadsAll(file, want string) {
	w.T.Helper()
	if got, err := w.loads(file); err != nil || got != want {
		w.T.Fatalf("loaded %q, %v, want %q", got, err, want)
	}
}

// archive 5.5#4-5: places and words of a file replace those stored.
func TestGazetteerFromAFile(t *testing.T) {
	test(t, func(w *world) {
		w.is("READER", "r")
		file := gazetteerFile(t)
		w.loadsAll(file, "50 places: 50 new, 0 changed, 0 unchanged.\n")
		w.loadsAll("\ufeff"+file, "50 places: 0 new, 0 changed, 50 unchanged.\n")
		settings := placeSettings()
		settings["abbreviations"], settings["typeWords"] = vars{"co": "county", "twp": "township"}, []string{"county", "township", "parish", "town"}
		w.Does("oz", savePlaces, vars{"i": settings})
		standard := `query($t: String!) { standardizePlace(text: $t) { fullName exact } }`
		for text, want := range map[string]string{
			"Marlow Co, Ohio":       `{"exact":true,"fullName":"Marlow, Ohio, United States"}`,
			"Autauga, Ala, USA":     `{"exact":true,"fullName":"Autauga, Alabama, United States"}`,
			"Saint Olaf, Ostmark":   `{"exact":true,"fullName":"Sankt Olav, Østmark, Norland"}`,
			"Nowhere, Marlow, Ohio": `{"exact":false,"fullName":"Nowhere, Marlow, Ohio, United States"}`,
		} {
			w.Asked("r", standard, vars{"t": text}, "standardizePlace", want)
		}
		w.Asked("", `{ places(prefix: "kråk") { fullName } }`, nil, "places",
			`[{"fullName":"Kråkvik, Söderland, Norland"},{"fullName":"Kråkvik, Østmark, Norland"}]`)
		w.Asked("", `{ place(id: "11") { name altNames types level locatedIn { name } country { name } latitude count } }`, nil, "place",
			`{"altNames":[],"count":40,"country":{"name":"United States"},"latitude":32.71,"level":3,"locatedIn":{"name":"Ohio"},"name":"Marlow","types":["County"]}`)

		// A new name replaces the old one, in another partition and with other words.
		renamed := strings.Replace(file, `11,Marlow,"Marlow, Ohio`, `11,Nyland,"Nyland, Ohio`, 1)
		w.loadsAll(renamed, "50 places: 0 new, 1 changed, 49 unchanged.\n")
		w.Asked("r", `{ placeWords(words: ["marlow", "nyland"]) { word placeIds } }`, nil, "placeWords", `[{"placeIds":["11"],"word":"nyland"}]`)
		w.Asked("r", `{ place(id: "11") { fullName } }`, nil, "place", `{"fullName":"Nyland, Ohio, United States"}`)
		w.whole()
	})
}

// Errors in a file are reported with line and column, and nothing is stored.
func TestWrongGazetteers(t *testing.T) {
	test(t, func(w *world) {
		const columns = "id,name,full_name,level,latitude,located_in_id,alt_names,also_located_in_ids,count\n"
		for file, want := range map[string]string{
			"":                                       "line 1: the file is empty",
			"id,name,full_name\n":                    "line 1, column level: the column is missing",
			"id,name,colour\n":                       "line 1, column colour: there is no such column of places",
			"id,name,id\n":                           "line 1, column id: the column is there twice",
			"\xff\xfei\x00":                          "line 1: the file is in UTF-16: save it as UTF-8",
			columns + "x,A,A,1,,,,,\n":               `line 2, column id: "x" is no id of a place: those are numbers from 1 to 999999`,
			columns + "1000000,A,A,1,,,,,\n":         `line 2, column id: "1000000" is no id of a place: those are numbers from 1 to 999999`,
			columns + "1,A,A,1,,,,,\n2, ,B,1,,,,,\n": "line 3, column name: The name of a place has 1 to 250 characters that are not all blank",
			columns + "1,A,\"A\n\",1,,,,,\n2,B,B,0,,,,,\n": `line 4, column level: "0" is no number from 1 to 20`,
			columns + "1,A,A,1,91,,,,\n":                   `line 2, column latitude: "91" is no number of degrees from -90 to 90`,
			columns + "1,A,A,1,NaN,,,,\n":                  `line 2, column latitude: "NaN" is no number of degrees from -90 to 90`,
			columns + "1,A,A,1,,-4,,,\n":                   `line 2, column located_in_id: "-4" is no id of a place: those are numbers from 1 to 999999`,
			columns + "1,A,A,1,,,,3|y,\n":                  `line 2, column also_located_in_ids: "y" is no id of a place: those are numbers from 1 to 999999`,
			columns + "1,A,A,1,,,,,-1\n":                   `line 2, column count: "-1" is no number from 0 to 2147483647`,
			columns + "1,A,A,1,,,,,\n1,B,B,1,,,,,\n":       "line 3, column id: the place 1 was there before",
			columns + "1,A,A,1,,,,,\n2,B\n":                "line 3: 2 cells, but 9 columns",
			columns + "1,A\xff,A,1,,,,,\n":                 "line 2, column name: a value is not valid UTF-8",
			columns + "1,\"A,A,1,,,,,\n":                   `line 2: extraneous or missing " in quoted-field`,
		} {
			if _, err := w.loads(file); err == nil || err.Error() != "the gazetteer cannot be loaded: "+want {
				t.Errorf("%q: %v, want %s", file, err, want)
			}
		}
		good := columns + "1,A,Aa,1,,,,,\n2,B,Bb,0,,,,,\n"
		if _, err := w.loads(good); err == nil {
			t.Error("a wrong second row")
		}
		w.Asked("", `{ place(id: "1") { name } }`, nil, "place", "null")
		w.whole()
	})
}

// A load is completed eventually, at whichever call it is interrupted.
func TestGazetteersThatAreInterrupted(t *testing.T) {
	var file bytes.Buffer
	file.WriteString("id,name,full_name,level,alt_names,count\n")
	for i := range 1_200 {
		fmt.Fprintf(&file, "%d,Place %d,\"Place %d, Land\",2,Common|Alias %d,%d\n", i+1, i, i, i%7, i%5)
	}
	test(t, func(w *world) {
		w.is("READER", "r")
		interrupted := 0
		for n := 1; n < 1_700; n += 53 {
			end := w.Client.Arm(faultdb.On("", n, faultdb.Internal))
			_, err := w.loads(file.String())
			if end(); err != nil {
				interrupted++
			}
		}
		if interrupted < 20 {
			t.Fatalf("%d loads were interrupted", interrupted)
		}
		if _, err := w.loads(file.String()); err != nil {
			t.Fatal(err)
		}
		w.loadsAll(file.String(), "1200 places: 0 new, 0 changed, 1200 unchanged.\n")
		words := w.Does("r", `{ placeWords(words: ["common", "alias3", "place77"]) { placeIds } }`, nil).Items("placeWords")
		for i, want := range []int{1200, 171, 1} {
			if got := len(words[i].Items("placeIds")); got != want {
				t.Errorf("word %d names %d places, want %d", i, got, want)
			}
		}
		w.whole()
	})
}
