package app_test

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"stoa/systems/communities"
)

// exported returns a file of the export of a user.
func (w *world) exported(name, file string) string {
	w.T.Helper()
	var to bytes.Buffer
	if err := w.Host.Desk.Service.WriteExport(w.T.Context(), communities.UserID(w.ids[name]), &to); err != nil {
		w.T.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(to.Bytes()), int64(to.Len()))
	if err != nil {
		w.T.Fatal(err)
	}
	r, err := z.Open("communities/" + file)
	if err != nil {
		w.T.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		w.T.Fatal(err)
	}
	return string(text)
}

// communities 5.6#3: an export has the messages that its user sees: none of those they have hidden,
// and all since.
func TestExportsHaveWhatIsNotHidden(t *testing.T) {
	test(t, func(w *world) {
		w.registers("a", "b")
		h := w.meets("a", "b")
		w.writes("a", "PRIVATE", h, "old")
		w.Does("b", `mutation($h: ID!) { hidePrivateChat(id: $h) }`, vars{"h": h})
		w.Advance(back) // the next message has the first time after the hidden ones
		w.writes("a", "PRIVATE", h, "new")
		w.Settle()
		if got := w.exported("b", "messages.json"); strings.Contains(got, `"old"`) || !strings.Contains(got, `"new"`) {
			t.Errorf("the export of b has the messages %s", got)
		}
		if got := w.exported("a", "messages.json"); !strings.Contains(got, `"old"`) || !strings.Contains(got, `"new"`) {
			t.Errorf("the export of a has the messages %s", got)
		}
	})
}
