package resolvers_test

import (
	"fmt"
	"strings"
	"testing"

	. "stoa/social/socialtest"
)

// The bytes read by an operation are limited even if it returns few of them.
func TestReadsAreBounded(t *testing.T) {
	const posts, length = 90, 250_000 // 22 MB
	Test(t, Users("ana"), func(w *World) {
		for i := range posts {
			w.Must("ana", fmt.Sprintf(`mutation { addPost(postId: "post%02d", postType: TEXT_ONLY, text: "%s") { postId } }`, i, strings.Repeat("x", length)))
		}
		list := func(alias string) string { return alias + `: posts(limit: 90) { items { postId } }` }
		w.Must("ana", `{ self { `+list("a")+` } }`)
		a := w.Ask("ana", `{ self { `+list("a")+list("b")+list("c")+list("d")+` } }`)
		if len(a.Errors) == 0 {
			w.T.Fatalf("90 MB are read for %d bytes", len(a.Data))
		}
		const want = "ClientError: The operation reads too much at once: ask for fewer fields or shorter lists"
		for _, e := range a.Errors {
			if e.Message != want || e.Extensions.Code != "ANSWER_TOO_LARGE" {
				w.T.Errorf("refused with %+v", e)
			}
		}
	})
}
