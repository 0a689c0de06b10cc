package app_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// operator 4#5: an export has the user, the posts that they created with records, households and
// uploads, and nothing of the posts of others.
func TestExport(t *testing.T) {
	test(t, func(w *world) {
		w.is("CONTRIBUTOR", "cora", "dan")
		collection := w.collection(census(w.category("Births")))
		send := func(as, kind string, data []byte) string {
			d := w.Does(as, requestUpload, vars{"t": kind})
			if got := w.put(d.Text("requestUpload.url"), kind, data); got != http.StatusOK {
				t.Fatalf("upload: %d", got)
			}
			return d.Text("requestUpload.key")
		}
		creates := func(as string, plan vars) string {
			plan["collectionId"] = collection
			id := w.Does(as, createPost, vars{"i": plan}).Text("createPost.id")
			w.Settle()
			return id
		}
		rows := []byte(header + "Mary Ann,7,1 Jan 1850,Paris,a.jpg\nJohn,7,,,\n")
		scans := zipped(entry{"a.jpg", picture(4, 4)})
		csv, images := send("cora", "text/csv", rows), send("cora", "application/zip", scans)
		unsent := w.Does("cora", requestUpload, vars{"t": "application/zip"}).Text("requestUpload.key")
		post := creates("cora", vars{"name": "Hers", "recordsKey": csv, "imagesKeys": []string{images}})
		again := creates("cora", vars{"name": "Hers too", "imagesKeys": []string{images}})
		creates("cora", vars{"name": "Lost", "imagesKeys": []string{unsent}})
		creates("dan", vars{"name": "His", "recordsKey": send("dan", "text/csv", []byte(header+"Secretive,1,,,\n"))})
		send("cora", "text/csv", []byte("referred to by nothing"))

		files := w.Exported(w.People.Identity("cora"))
		want := []string{
			"archive/households.json", "archive/posts.json", "archive/records.json",
			"archive/uploads/" + again + strings.TrimPrefix(images, "uploads"),
			"archive/uploads/" + post + strings.TrimPrefix(csv, "uploads"), "archive/uploads/" + post + strings.TrimPrefix(images, "uploads"),
			"archive/user.json",
		}
		slices.Sort(want)
		got := slices.Sorted(maps.Keys(files))
		got = slices.DeleteFunc(got, func(name string) bool { return !strings.HasPrefix(name, "archive/") })
		if !slices.Equal(got, want) {
			t.Errorf("files are %q, want %q", got, want)
		}
		for name, content := range files {
			if strings.HasSuffix(name, ".json") && !json.Valid(content) {
				t.Errorf("%s is no JSON: %s", name, content)
			}
			if bytes.Contains(content, []byte("Secretive")) || bytes.Contains(content, []byte(`"His"`)) {
				t.Errorf("%s has what is not hers: %s", name, content)
			}
		}
		for name, text := range map[string]string{
			"archive/user.json": `"level": "CONTRIBUTOR"`, "archive/posts.json": `"name":"Hers","collection":"Census","postStatus":"DRAFT","recordsKey":"` + csv + `"`,
			"archive/records.json": `"Name":"Mary Ann"`, "archive/households.json": `"postId":"` + post + `","number":"7","recordIds":["`,
			"index.html": "Mary Ann",
		} {
			if !bytes.Contains(files[name], []byte(text)) {
				t.Errorf("%s lacks %s: %s", name, text, files[name])
			}
		}
		if !bytes.Equal(files["archive/uploads/"+post+strings.TrimPrefix(csv, "uploads")], rows) ||
			!bytes.Equal(files["archive/uploads/"+post+strings.TrimPrefix(images, "uploads")], scans) {
			t.Error("uploads are not as they were sent")
		}
		if n := bytes.Count(files["archive/posts.json"], []byte(`"files":[`)); n != 2 {
			t.Errorf("%d posts have files: %s", n, files["archive/posts.json"])
		}
		if files := w.Exported(w.People.Identity("nobody")); files["archive/user.json"] != nil {
			t.Errorf("somebody without an account has %s", files["archive/user.json"])
		}
	})
}
