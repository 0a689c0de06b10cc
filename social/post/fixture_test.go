package post_test

import (
	"maps"
	"testing"

	"stoa/social"
	. "stoa/social/socialtest"
	"stoa/store"
)

// addText returns a mutation that adds a text post, with the given selection.
func addText(id, arguments, selection string) string {
	return `mutation { addPost(postId: "` + id + `", postType: TEXT_ONLY, ` + arguments + `) { ` + selection + ` } }`
}

// stored returns a stored post, or nil if it does not exist.
func stored(w *World, id social.PostID) *social.Post {
	w.T.Helper()
	facts, err := store.Open(w.DB).Posts.Facts(w.T.Context(), "", []social.PostID{id}, 0)
	if err != nil {
		w.T.Fatal(err)
	}
	return facts[id].Post
}

// inStatus gives a text post a status that no mutation leads to. Counts by status are
// unchanged.
func inStatus(id string, status social.PostStatus) func(*World) {
	return func(w *World) {
		w.T.Helper()
		item := w.Get(store.Main.Name, "post/"+id, "-")
		item["postStatus"] = string(status)
		item["gsiA2SortKey"] = string(status) + "/" + item["postedAt"].(string)
		w.Put(store.Main.Name, item)
	}
}

// wantShifts compares the changes of counters during happens.
func wantShifts(w *World, want Counts, happens func()) {
	w.T.Helper()
	before := w.Counters()
	happens()
	got := Counts{}
	for name, n := range w.Counters() {
		if n != before[name] {
			got[name] = n - before[name]
		}
	}
	for name, n := range before {
		if _, left := w.Counters()[name]; !left {
			got[name] = -n
		}
	}
	if !maps.Equal(got, want) {
		w.T.Errorf("counters shift by %v, want %v", got, want)
	}
}

func wantNoProblems(w *World) {
	w.T.Helper()
	for _, problem := range w.Problems() {
		w.T.Error(problem)
	}
}

// each runs a named test in a world with the given setup.
func each(t *testing.T, name string, given Given, f func(w *World)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { Test(t, given, f) })
}
