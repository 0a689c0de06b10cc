package post_test

import (
	"maps"
	"testing"

	"stoa/social"
	. "stoa/social/socialtest"
	"stoa/store"
)

// addText is a mutation that adds a text, selecting selection of the answer.
func addText(id, arguments, selection string) string {
	return `mutation { addPost(postId: "` + id + `", postType: TEXT_ONLY, ` + arguments + `) { ` + selection + ` } }`
}

// stored returns a post as it is in the store, nil when there is none.
func stored(w *World, id social.PostID) *social.Post {
	w.T.Helper()
	facts, err := store.Open(w.DB).Posts.Facts(w.T.Context(), "", []social.PostID{id}, 0)
	if err != nil {
		w.T.Fatal(err)
	}
	return facts[id].Post
}

// inStatus gives a post of text a status that no mutation leads to. What counts posts by
// their status stays as it is.
func inStatus(id string, status social.PostStatus) func(*World) {
	return func(w *World) {
		w.T.Helper()
		item := w.Get(store.Main.Name, "post/"+id, "-")
		item["postStatus"] = string(status)
		item["gsiA2SortKey"] = string(status) + "/" + item["postedAt"].(string)
		w.Put(store.Main.Name, item)
	}
}

// wantShifts compares by how much counters shift while something happens.
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

func ptr[T any](v T) *T { return &v }

// each makes a world of what is given for a test by name.
func each(t *testing.T, name string, given Given, f func(w *World)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { Test(t, given, f) })
}
