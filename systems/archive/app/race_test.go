package app_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"stoa/internal/apptest"
	"stoa/internal/kit/faultdb"
	"stoa/systems/archive/app"
)

// Concurrent requests: whichever is first, the responses of the others reflect the state
// they find, and the final state is consistent.

// rounds returns the number of repetitions of a race.
func rounds() int {
	if testing.Short() {
		return 20
	}
	return 100
}

// acting lists concurrent requests with their users.
type acting [][2]string

// race makes requests concurrently, repeatedly in one world, and checks each set of
// responses.
func race(t *testing.T, o app.Options, given func(w *world, n int) vars, acts acting, fine func(w *world, v vars, answers []string) bool) {
	t.Helper()
	with(t, o, func(w *world) {
		w.is("EDITOR", "a", "b", "c")
		w.People.Identity("hand")
		seen := map[string]int{}
		for n := range rounds() {
			v := given(w, n)
			calm := w.shuffled()
			answers := w.Race(acts, v)
			calm()
			w.Settle()
			if !fine(w, v, slices.Clone(answers)) {
				t.Fatalf("round %d: %q", n, answers)
			}
			seen[strings.Join(answers, " | ")]++
		}
		w.whole()
		t.Log(seen)
	})
}

// shuffled delays random calls of the store until others have been made, until the returned
// function is called.
func (w *world) shuffled() (calm func()) {
	var ends []func() bool
	for n := range 60 {
		ends = append(ends, w.Client.Arm(faultdb.Before("", n+1, func() {
			for range rand.IntN(8) {
				runtime.Gosched()
			}
		})))
	}
	return func() {
		for _, end := range ends {
			end()
		}
	}
}

// oneOf reports whether exactly one of the requests succeeded, and the others got one of
// the given errors.
func oneOf(refusals ...string) func(*world, vars, []string) bool {
	return func(_ *world, _ vars, answers []string) bool {
		won := 0
		for _, a := range answers {
			if a == "" {
				won++
			} else if !slices.Contains(refusals, a) {
				return false
			}
		}
		return won == 1
	}
}

// among reports whether each response is one of those possible for it.
func among(possible ...[]string) func(*world, vars, []string) bool {
	return func(_ *world, _ vars, answers []string) bool {
		for i, a := range answers {
			if !slices.Contains(possible[i], a) {
				return false
			}
		}
		return true
	}
}

const (
	outdated   = "CONCURRENT_UPDATE"
	publishIt  = `mutation($p: ID!, $t: DateTime!) { publishPost(id: $p, lastUpdateTime: $t) { postStatus } }`
	takeBack   = `mutation($p: ID!, $t: DateTime!) { unpublishPost(id: $p, lastUpdateTime: $t) { postStatus } }`
	nameIt     = `mutation($p: ID!, $t: DateTime!) { updatePost(id: $p, input: {name: "Other"}, lastUpdateTime: $t) { name } }`
	loadIt     = `mutation($p: ID!, $t: DateTime!) { updatePost(id: $p, input: {recordsKey: "` + someFile + `"}, lastUpdateTime: $t) { name } }`
	importOne  = `mutation($p: ID!) { importRecords(postId: $p, csv: "Name,Household,Birth,Place,Image\nEve,9,,,\n") { created } }`
	addRecord  = `mutation($p: ID!) { createRecord(postId: $p, data: {Name: "Flo"}) { id } }`
	takeRecord = `mutation($r: ID!) { deleteRecord(id: $r) }`
	editRecord = `mutation($r: ID!, $t: DateTime!) { updateRecord(id: $r, data: {Name: "Gil"}, lastUpdateTime: $t) { id } }`
	deleteIt   = `mutation($p: ID!) { deletePost(id: $p) }`
)

// loaded creates a post with the families, and publishes it if published is set.
func loaded(published bool) func(w *world, n int) vars {
	collection := ""
	return func(w *world, n int) vars {
		if n == 0 {
			collection = w.collection(census(w.category("A")))
		}
		post := w.post(collection)
		w.imports(post, families)
		if published {
			w.moves("publishPost", post)
		}
		return vars{"p": post, "t": w.at("post", post), "c": collection}
	}
}

// statusOf returns the state of a post.
func (w *world) statusOf(post any) string {
	w.T.Helper()
	return w.Does("oz", `query($p: ID!) { post(id: $p) { postStatus } }`, vars{"p": post}).Text("post.postStatus")
}

// archive 5.3#2 and 6: of several editors who publish a post, one succeeds.
func TestRaceOfPublishers(t *testing.T) {
	race(t, app.Options{}, loaded(false), acting{{"a", publishIt}, {"b", publishIt}, {"c", publishIt}}, func(w *world, v vars, answers []string) bool {
		return oneOf(outdated, outOfOrder)(w, v, answers) && w.statusOf(v["p"]) == "PUBLISHED"
	})
}

// archive 5.3#2 and 6: a post that is published again and taken back is a draft.
func TestRaceOfPublishingAndTakingBack(t *testing.T) {
	race(t, app.Options{}, loaded(true), acting{{"a", publishIt}, {"b", takeBack}, {"c", takeBack}}, func(w *world, v vars, answers []string) bool {
		return answers[0] != "" && oneOf(outdated, outOfOrder)(w, v, answers) && w.statusOf(v["p"]) == "DRAFT"
	})
}

// Of editors who read the same state and publish a post, rename it, or give it another
// file, only one succeeds (archive 6).
func TestRaceOfEditorsOfAPost(t *testing.T) {
	race(t, app.Options{WorkElsewhere: true}, loaded(false), acting{{"a", publishIt}, {"b", nameIt}, {"c", loadIt}}, oneOf(outdated, outOfOrder))
}

// A published post has records (archive 8#publishing).
func TestRaceOfPublishingAndTheLastRecord(t *testing.T) {
	one := loaded(false)
	race(t, app.Options{}, func(w *world, n int) vars {
		v := one(w, n)
		w.imports(v["p"].(string), header+"Ana,,,,\n")
		return vars{"p": v["p"], "t": w.at("post", v["p"].(string)), "r": w.first(v["p"].(string), "Ana")}
	}, acting{{"a", publishIt}, {"b", takeRecord}}, func(w *world, v vars, answers []string) bool {
		d := w.Does("oz", `query($p: ID!) { post(id: $p) { postStatus recordCount } }`, vars{"p": v["p"]})
		held := d.Int("post.recordCount") > 0
		return held == (d.Text("post.postStatus") == "PUBLISHED") && held == (answers[0] == "") &&
			among([]string{"", "PRECONDITION_FAILED NO_RECORDS", outdated}, []string{"", outOfOrder})(w, v, answers)
	})
}

// archive 8#states-that-take-changes: records do not change once their post is being
// published.
func TestRaceOfPublishingAndChangesOfRecords(t *testing.T) {
	one := loaded(false)
	race(t, app.Options{}, func(w *world, n int) vars {
		v := one(w, n)
		v["r"] = w.first(v["p"].(string), "Ana")
		return v
	}, acting{{"a", publishIt}, {"b", addRecord}, {"c", takeRecord}, {"oz", importOne}}, func(w *world, v vars, answers []string) bool {
		return among([]string{"", outdated, outOfOrder}, []string{"", outOfOrder}, []string{"", outOfOrder}, []string{"", outOfOrder})(w, v, answers)
	})
}

// archive 6: of several imports of a post, one runs at a time.
func TestRaceOfImports(t *testing.T) {
	race(t, app.Options{}, loaded(false), acting{{"a", importOne}, {"b", importOne}, {"c", importOne}}, func(w *world, v vars, answers []string) bool {
		w.Asked(
			"oz",
			`query($p: ID!) { post(id: $p) { recordCount recordsStatus } records(postId: $p) { items { dataMap } } }`,
			vars{"p": v["p"]},
			"post",
			`{"recordCount":1,"recordsStatus":"READY"}`,
		)
		return among([]string{"", outOfOrder}, []string{"", outOfOrder}, []string{"", outOfOrder})(w, v, answers) && slices.Contains(answers, "")
	})
}

// A post that is deleted while others fill it leaves nothing behind (archive 5.9#4 and 6).
func TestRaceOfImportsAndDeletion(t *testing.T) {
	race(t, app.Options{}, loaded(false), acting{{"a", importOne}, {"b", deleteIt}, {"c", addRecord}, {"oz", publishIt}}, func(w *world, v vars, answers []string) bool {
		gone := []string{"", "NOT_FOUND", "PRECONDITION_FAILED DELETING", outOfOrder}
		left := 0
		for _, row := range w.Rows()["archive"] {
			if row["pk"] == v["p"] || row["sk"] == "record_post#"+fmt.Sprint(v["p"]) {
				left++
			}
		}
		return among(gone, []string{"", outOfOrder}, gone, append(gone, outdated))(w, v, answers) && (left == 0) == (answers[1] == "")
	})
}

// Two concurrent deletions: both succeed, or the later one reports that the object does not
// exist.
func TestRaceOfDeletions(t *testing.T) {
	race(t, app.Options{}, loaded(false), acting{{"a", deleteIt}, {"b", deleteIt}, {"c", deleteIt}},
		among([]string{"", "NOT_FOUND"}, []string{"", "NOT_FOUND"}, []string{"", "NOT_FOUND"}))
}

// archive 6#3: a post that is created while its collection is deleted has one, or is
// refused.
func TestRaceOfPostsAndTheirCollection(t *testing.T) {
	category := ""
	race(t, app.Options{}, func(w *world, n int) vars {
		if n == 0 {
			category = w.category("A")
		}
		return vars{"c": w.collection(census(category))}
	}, acting{{"a", `mutation($c: ID!) { createPost(input: {name: "n", collectionId: $c}) { id } }`}, {"b", `mutation($c: ID!) { deleteCollection(id: $c) }`}},
		func(w *world, v vars, answers []string) bool {
			return oneOf("BAD_REFERENCE", "PRECONDITION_FAILED IN_USE")(w, v, answers)
		})
}

// Editors who read the same state change the categories of a collection, while one of the
// categories is deleted.
func TestRaceOfCategoryMoves(t *testing.T) {
	move := func(to string) string {
		return `mutation($c: ID!, $` + to + `: ID!, $t: DateTime!) { updateCollection(id: $c, input: {name: "n", categoryIds: [$` + to + `]}, lastUpdateTime: $t) { id } }`
	}
	race(t, app.Options{}, func(w *world, n int) vars {
		from, x, y := w.category(fmt.Sprint("from", n)), w.category(fmt.Sprint("x", n)), w.category(fmt.Sprint("y", n))
		c := w.collection(census(from))
		return vars{"c": c, "x": x, "y": y, "f": from, "t": w.at("collection", c)}
	}, acting{{"a", move("x")}, {"b", move("y")}, {"c", `mutation($x: ID!) { deleteCategory(id: $x) }`}, {"oz", `mutation($f: ID!) { deleteCategory(id: $f) }`}},
		func(w *world, v vars, answers []string) bool {
			moved := 0
			for _, a := range answers[:2] {
				if a == "" {
					moved++
				}
			}
			used := "PRECONDITION_FAILED IN_USE"
			return moved == 1 && among([]string{"", outdated, "BAD_REFERENCE"}, []string{"", outdated}, []string{"", used}, []string{"", used})(w, v, answers) &&
				(answers[0] == "") == (answers[2] == used)
		})
}

// archive 6: of editors who read the same state, one changes it.
func TestRaceOfEditors(t *testing.T) {
	post := loaded(false)
	for name, c := range map[string]struct {
		given func(w *world, n int) vars
		query string
	}{
		"record": {func(w *world, n int) vars {
			r := w.first(post(w, n)["p"].(string), "Ana")
			return vars{"r": r, "t": w.at("record", r)}
		}, editRecord},
		"category": {func(w *world, n int) vars {
			c := w.category(fmt.Sprint("c", n))
			return vars{"c": c, "n": fmt.Sprint("d", n), "t": w.at("category", c)}
		}, `mutation($c: ID!, $n: String!, $t: DateTime!) { updateCategory(id: $c, name: $n, lastUpdateTime: $t) { id } }`},
		"settings": {func(w *world, n int) vars {
			if n == 0 {
				return vars{"t": nil}
			}
			return vars{"t": w.Does("oz", `{ settings { lastUpdateTime } }`).Text("settings.lastUpdateTime")}
		}, `mutation($t: DateTime) { updateSettings(postMetadata: [], lastUpdateTime: $t) { lastUpdateTime } }`},
	} {
		t.Run(name, func(t *testing.T) {
			acts := acting{{"a", c.query}, {"b", c.query}, {"c", c.query}}
			if name == "settings" {
				acts = acting{{"oz", c.query}, {"oz", c.query}}
			}
			race(t, app.Options{}, c.given, acts, oneOf(outdated))
		})
	}
}

// A worker that reports twice, or runs twice, ends a load or a publication only once
// (archive 5.9#2).
func TestRaceOfReports(t *testing.T) {
	one := loaded(false)
	report := func(what string) string {
		return `mutation($p: ID!) { reportPublish(postId: $p, report: ` + what + `) { postStatus } }`
	}
	race(t, app.Options{WorkElsewhere: true}, func(w *world, n int) vars {
		v := one(w, n)
		w.moves("publishPost", v["p"].(string))
		w.Does("hand", report("STARTED"), vars{"p": v["p"]})
		return v
	}, acting{{"hand", report("COMPLETED")}, {"hand", report("FAILED")}, {"hand", report("STARTED")}}, func(w *world, v vars, answers []string) bool {
		// After a failure the third may start again, and then complete or fail.
		status := w.statusOf(v["p"])
		return slices.Contains([]string{"PUBLISHED", "ERROR", "PUBLISHING"}, status) &&
			among([]string{"", outOfOrder}, []string{"", outOfOrder}, []string{"", outOfOrder})(w, v, answers) &&
			slices.Contains(answers, "")
	})
}

// archive 5.5#5: a new place that is loaded twice at once, under names that begin differently, is stored
// once, and one that was stored twice before is after the next load.
func TestPlacesLoadedTwiceAtOnce(t *testing.T) {
	row := func(name string) vars {
		return vars{"r": []vars{{"id": "7", "name": name, "fullName": name + ", France", "level": 2}}}
	}
	stored := func(w *world) (names []string) {
		for _, item := range w.Rows()["archive"] {
			if item["pk"] == "7" {
				names = append(names, fmt.Sprint(item["name"]))
			}
		}
		return names
	}
	for call := 1; call <= 5; call++ {
		t.Run(fmt.Sprint("call ", call), func(t *testing.T) {
			test(t, func(w *world) {
				w.is("ADMIN", "a", "b")
				disarm := w.Client.Arm(faultdb.Before("", call, func() { w.Does("b", loadPlaces, row("Lyon")) }))
				w.Does("a", loadPlaces, row("Paris"))
				disarm()
				if names := stored(w); len(names) != 1 {
					t.Errorf("stored are %q", names)
				}
				w.whole()
			})
		})
	}
	t.Run("before", func(t *testing.T) {
		test(t, func(w *world) {
			w.is("ADMIN", "a")
			w.Does("a", loadPlaces, row("Lyon"))
			var lyon map[string]any
			for _, item := range w.Rows()["archive"] {
				if item["pk"] == "7" {
					lyon = item
				}
			}
			w.Does("a", loadPlaces, row("Paris"))
			w.Put("archive", lyon)
			if names := stored(w); len(names) != 2 {
				t.Fatalf("stored are %q", names)
			}
			w.Does("a", loadPlaces, row("Metz"))
			if names := stored(w); !slices.Equal(names, []string{"Metz"}) {
				t.Errorf("stored are %q", names)
			}
			w.whole()
		})
	})
}

// archive 5.1#2: who is no administrator any more meanwhile takes nothing from the other one.
func TestAdministratorsDoNotDemoteEachOther(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN", "a", "b")
		for _, change := range []string{
			`mutation($u: ID!) { setUserLevel(id: $u, level: READER) { level } }`, `mutation($u: ID!) { setUserEnabled(id: $u, enabled: false) { level } }`,
		} {
			happened := w.Before(1, func(*apptest.World) {
				w.Does("a", `mutation($u: ID!) { setUserLevel(id: $u, level: EDITOR) { level } }`, vars{"u": w.ids["b"]})
			})
			w.Refused("FORBIDDEN", "b", change, vars{"u": w.ids["a"]})
			if !happened() {
				t.Error("nobody was demoted meanwhile")
			}
			w.Asked("a", `{ me { level enabled } }`, nil, "me", `{"enabled":true,"level":"ADMIN"}`)
			w.is("ADMIN", "b")
		}
		w.whole()
	})
}
