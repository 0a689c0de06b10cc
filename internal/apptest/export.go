package apptest

import (
	"archive/zip"
	"bytes"
	"io"

	"stoa/internal/kit/viewer"
)

// Exported returns the files of a user's export, by name.
func (w *World) Exported(id viewer.UserID) map[string][]byte {
	w.T.Helper()
	var to bytes.Buffer
	if err := w.Host.Desk.Service.WriteExport(w.T.Context(), id, &to); err != nil {
		w.T.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(to.Bytes()), int64(to.Len()))
	if err != nil {
		w.T.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			w.T.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			w.T.Fatal(err)
		}
	}
	return files
}
