package host

import (
	"context"
	"log/slog"
	"net/http"
	"strings"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/internal/operator"
)

// ownExportPath is where people fetch their own data.
const ownExportPath = "/auth/me/export"

// exportMounts are the handlers of exports, by http.ServeMux pattern.
func (h *Host) exportMounts() map[string]http.Handler {
	return map[string]http.Handler{
		"GET " + ownExportPath:                  http.HandlerFunc(h.ownExport),
		"GET " + operator.ExportPath + "{name}": http.HandlerFunc(h.fetchExport),
	}
}

// exporter returns who may have their data: with a token of the service, or of a system with
// accounts of its own.
func (h *Host) exporter(ctx context.Context, authorization string) (viewer.UserID, error) {
	id, err := h.Authenticator.Authenticate(ctx, authorization)
	for _, j := range h.Joined {
		if refusal.KindOf(err) == 0 || j.Authenticator == nil {
			continue
		}
		if other, otherErr := j.Authenticator.Authenticate(ctx, authorization); otherErr == nil && other != "" {
			id, err = other, nil
		}
	}
	return id, known(id, err)
}

// ownExport answers with the caller's own data.
func (h *Host) ownExport(w http.ResponseWriter, r *http.Request) {
	id, err := h.exporter(r.Context(), r.Header.Get("Authorization"))
	if err == nil {
		err = h.Desk.Service.OwnExport(r.Context(), id)
	}
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	h.writeExport(w, r, id)
}

// fetchExport answers with the data that the path names.
func (h *Host) fetchExport(w http.ResponseWriter, r *http.Request) {
	id, err := h.Desk.Service.Fetch(r.Context(), strings.TrimPrefix(r.URL.Path, operator.ExportPath))
	if err == nil && id == "" {
		err = refusal.NotFoundf("There is no such export: it can be fetched once, within ten minutes")
	}
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	h.writeExport(w, r, id)
}

// writeExport writes the ZIP of a person. It breaks off on failure, so that nobody takes a
// part for the whole.
func (h *Host) writeExport(w http.ResponseWriter, r *http.Request, id viewer.UserID) {
	header := w.Header()
	header.Set("Content-Type", "application/zip")
	header.Set("Content-Disposition", `attachment; filename="export.zip"`)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	if err := h.Desk.Service.WriteExport(r.Context(), id, patiently{w, http.NewResponseController(w)}); err != nil {
		if r.Context().Err() == nil {
			h.Log.ErrorContext(r.Context(), "export failed", slog.Any("error", err))
		}
		panic(http.ErrAbortHandler)
	}
}
