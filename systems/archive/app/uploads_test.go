package app_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"stoa/internal/kit/faultdb"
	"stoa/internal/media/blob"
	"stoa/systems/archive/file"
)

// there reports whether the file of an upload exists.
func (w *world) there(key string) bool {
	w.T.Helper()
	_, err := w.Host.Media.Files.Head(w.T.Context(), "archive/"+key)
	if err != nil && !errors.Is(err, blob.ErrNotFound) {
		w.T.Fatal(err)
	}
	return err == nil
}

const setImages = `mutation($i: ID!, $k: [String!], $t: DateTime!) { updatePost(id: $i, input: {imagesKeys: $k}, lastUpdateTime: $t) { id } }`

// refers replaces the archives of images of a post.
func (w *world) refers(post string, keys ...string) {
	w.T.Helper()
	w.Does("oz", setImages, vars{"i": post, "k": append([]string{}, keys...), "t": w.at("post", post)})
	w.Settle()
}

// Uploads that no post refers to are deleted after a day, and others are kept (archive
// 5.9#3).
func TestUnusedUploads(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		data := zipped(entry{"a.jpg", picture(4, 4)})
		post := w.held("")
		early, late, never := w.uploads("application/zip", data), w.uploads("application/zip", data), w.uploads("text/csv", []byte(header))
		unsent := w.Does("oz", requestUpload, vars{"t": "text/csv"}).Text("requestUpload.key")
		w.refers(post, early)
		states := func(when string, want ...bool) {
			t.Helper()
			w.RunJob(file.DeleteUnusedJob)
			w.whole()
			if got := []bool{w.there(early), w.there(late), w.there(never), w.there(unsent)}; !slices.Equal(got, want) {
				t.Errorf("%s: uploads are there: %v, want %v", when, got, want)
			}
		}
		w.Advance(23 * time.Hour)
		states("before a day", true, true, true, false)
		w.refers(post, early, late)
		w.Advance(2 * time.Hour)
		states("after a day", true, true, false, false)
		w.Advance(100 * 24 * time.Hour)
		states("much later", true, true, false, false)
		w.refers(post, late)
		states("one is left", false, true, false, false)
		w.Does("oz", deletePost, vars{"p": post})
		w.Settle()
		states("the post is gone", false, false, false, false)
	})
}

// An upload of several posts is deleted with the last reference, whether its ticket is from
// this version or from an earlier one, which stored nothing (archive 5.3#6).
func TestSharedUploads(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		collection := w.collection(census(w.category("A")))
		data := zipped(entry{"a.jpg", picture(4, 4)})
		old := "uploads/00000000-0000-4000-8000-00000000000a.zip"
		if _, err := w.Host.Media.Files.Put(t.Context(), "archive/"+old, bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{w.uploads("application/zip", data), old} {
			posts := []string{w.post(collection), w.post(collection), w.post(collection)}
			for _, post := range posts {
				w.refers(post, key)
			}
			w.refers(posts[0])
			w.refers(posts[0], key)
			w.refers(posts[0])
			w.Does("oz", deletePost, vars{"p": posts[1]})
			w.Settle()
			if !w.there(key) {
				t.Errorf("%s is gone before its last post", key)
			}
			w.refers(posts[2])
			if w.there(key) {
				t.Errorf("%s is still there", key)
			}
		}
		w.whole()
	})
}

// Whether a post still refers to a file does not take reading all posts.
func TestLeftUploadsAreLookedUp(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		collection := w.collection(census(w.category("A")))
		calls := func() int {
			key := w.uploads("application/zip", zipped(entry{"a.jpg", picture(4, 4)}))
			post := w.post(collection)
			w.refers(post, key)
			at := w.at("post", post)
			w.Client.Reset()
			w.Does("oz", setImages, vars{"i": post, "k": []string{}, "t": at})
			w.Settle()
			if w.there(key) {
				t.Errorf("%s is still there", key)
			}
			return w.Client.Total()
		}
		few := calls()
		for range 450 {
			w.post(collection)
		}
		if many := calls(); many > few+2 { // which polls the queues
			t.Errorf("%d calls with few posts, %d with many", few, many)
		}
	})
}

// Whichever call fails, the deletion of an unused upload goes on with the next run, and a
// post never refers to an upload that is being deleted.
func TestUnusedUploadsWhoseDeletionFails(t *testing.T) {
	test(t, func(w *world) {
		w.is("ADMIN")
		collection := w.collection(census(w.category("A")))
		outcomes := map[string]int{}
		for n := 1; n <= 15; n++ {
			key := w.uploads("text/csv", []byte(header+"Ana,,,,\n"))
			w.Advance(25 * time.Hour)
			failed := w.Client.Arm(faultdb.On("", n, faultdb.Internal))
			_ = w.Host.Jobs.RunNow(context.Background(), file.DeleteUnusedJob)
			failed()
			a := w.Asks("oz", createPost, vars{"i": vars{"name": "Post", "collectionId": collection, "recordsKey": key}})
			w.Settle()
			w.Advance(time.Hour) // for the lease
			w.RunJob(file.DeleteUnusedJob)
			w.whole()
			outcomes[fmt.Sprintf("%q, file %v", a.Refusal(), w.there(key))]++
		}
		for outcome, n := range outcomes {
			if !slices.Contains([]string{`"", file true`, `"BAD_INPUT INVALID_KEY", file false`, `"", file false`}, outcome) {
				t.Errorf("%d times %s", n, outcome)
			}
		}
		if outcomes[`"", file true`] == 0 || outcomes[`"BAD_INPUT INVALID_KEY", file false`] == 0 {
			t.Errorf("outcomes %v", outcomes)
		}
	})
}

// A post can have as many uploads as ever, and a call adds as many as fit into a transaction.
func TestManyUploadsAtOnce(t *testing.T) {
	elsewhere(t, func(w *world) {
		w.is("ADMIN")
		collection := w.collection(census(w.category("A")))
		var keys []string
		for range 100 {
			keys = append(keys, w.Does("oz", requestUpload, vars{"t": "application/zip"}).Text("requestUpload.key"))
		}
		records := w.Does("oz", requestUpload, vars{"t": "text/csv"}).Text("requestUpload.key")
		plan := vars{"name": "Post", "collectionId": collection, "recordsKey": records, "imagesKeys": keys[:90]}
		w.Refused("LIMIT_EXCEEDED TOO_MANY_UPLOADS", "oz", createPost, vars{"i": plan})
		plan["imagesKeys"] = keys[10:99]
		post := w.Does("oz", createPost, vars{"i": plan}).Text("createPost.id")
		other := w.post(collection)
		w.Refused("LIMIT_EXCEEDED TOO_MANY_UPLOADS", "oz", setImages, vars{"i": other, "k": keys, "t": w.at("post", other)})
		w.refers(other, keys[:90]...)
		w.refers(other, keys...)
		w.refers(post, keys[:10]...)
		w.whole()
	})
}
