// Package serve handles downloads and uploads of media at signed URLs.
//
// An upload never replaces an object. It is staged separately, and its receiver decides
// whether it is still wanted, so that a late or repeated upload cannot change what was
// shown before.
package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"stoa/internal/kit/pace"
	"stoa/internal/kit/turns"
	"stoa/internal/media/blob"
	"stoa/internal/media/signedurl"
)

// Upload is a file that a client has uploaded to the URL of Key.
type Upload struct {
	Key string
	// Staged is the temporary key of the bytes until Uploaded returns. Copy them to keep
	// them. It is empty if TooLarge.
	Staged string
	Size   int64
	// TooLarge is set if the upload exceeded its limit, and nothing was stored.
	TooLarge bool
}

// Receiver is notified of uploads.
type Receiver interface {
	// Limit returns the maximum number of bytes of an upload to key.
	Limit(key string) int64
	// Owner returns the user who uploads to key.
	Owner(key string) string
	// Uploaded is called once for each complete upload, before the response, with a context
	// that outlives the client. An error causes status 500, and the client may retry, unless
	// it is Ignored.
	Uploaded(ctx context.Context, u Upload) error
}

// Ignored is the error of a Receiver that has no use for an upload. The response has the
// status of one that arrived, and the text, which says what to do instead.
type Ignored string

func (i Ignored) Error() string { return string(i) }

// Handler serves the objects of a store. Its fields are set once.
type Handler struct {
	Store    blob.Store
	Links    *signedurl.Signer
	Receiver Receiver
	// Uploads limits the uploads of each owner that run at once.
	Uploads *turns.Turns
	// Accepts are the content types that an upload may declare; nil means those of pictures
	// and videos.
	Accepts []string
	// Streams reports whether an object is part of a stream, which players read with
	// cookies instead of signatures. Cookies are sent over https only; if Links.Base is
	// plain http, streams are open to anybody who knows their URL.
	Streams func(key string) bool
	Cookies interface {
		// Allows reports whether a request has cookies that give access to an object.
		Allows(r *http.Request, key string) bool
	}
	Log *slog.Logger
}

const (
	// idle is the timeout for a client that neither sends nor receives.
	idle = 30 * time.Second
	// answering is the timeout for the receiver of a complete upload.
	answering = 5 * time.Minute
	// discarding is the timeout for removing a staged upload.
	discarding = 10 * time.Second
	// OwnUploads is the number of uploads of one owner that run at once, waiting the timeout
	// for others to end.
	OwnUploads = 16
	waiting    = 30 * time.Second
	// presigned is the validity of presigned URLs, which are cached for half of it.
	presigned = 2 * time.Hour
)

// lasting lets clients keep what they have read: an object shown at a URL never changes.
const lasting = "private, max-age=31536000, immutable"

// accepted are the content types that an upload may declare.
var accepted = []string{"image/jpeg", "image/png", "image/heic", "video/quicktime"}

// ServeHTTP handles one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key, ok := h.key(r.URL)
	if !ok {
		reject(w, r, http.StatusForbidden)
		return
	}
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox") // uploads must not be executed
	switch signed := h.Links.Allows(r.Method, key, r.URL.Query()); {
	case signed && r.Method == http.MethodPut:
		h.upload(w, r, key)
	case signed:
		h.download(w, r, key)
	case h.streams(r, key):
		h.send(w, r, key)
	default:
		reject(w, r, http.StatusForbidden)
	}
}

// key returns the key in a URL, and whether it is valid.
func (h *Handler) key(u *url.URL) (string, bool) {
	base, err := url.Parse(h.Links.Base)
	if err != nil {
		return "", false
	}
	key, ok := strings.CutPrefix(u.Path, base.Path+"/")
	return key, ok && blob.CheckKey(key) == nil
}

// streams reports whether a request may read key as part of a stream.
func (h *Handler) streams(r *http.Request, key string) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || !h.Streams(key) || r.URL.Query().Has("Method") {
		return false
	}
	return strings.HasPrefix(h.Links.Base, "http://") || h.Cookies.Allows(r, key)
}

// download sends an object, or redirects to the store itself.
func (h *Handler) download(w http.ResponseWriter, r *http.Request, key string) {
	store, ok := h.Store.(blob.Presigner)
	if !ok {
		h.send(w, r, key)
		return
	}
	good := presigned
	if h.Links.Life > 0 {
		good = min(good, h.Links.Life)
	}
	address, err := store.Presign(r.Context(), r.Method, key, good, lasting)
	if err != nil {
		h.fail(w, "presign", key, err)
		return
	}
	w.Header().Set("Cache-Control", "private, max-age=3600")
	http.Redirect(w, r, address, http.StatusTemporaryRedirect)
}

// send sends an object, or the requested part.
func (h *Handler) send(w http.ResponseWriter, r *http.Request, key string) {
	info, err := h.Store.Head(r.Context(), key)
	switch {
	case errors.Is(err, blob.ErrNotFound):
		refuse(w, http.StatusNotFound)
		return
	case err != nil:
		h.fail(w, "download", key, err)
		return
	}
	content := blob.NewSeeker(r.Context(), h.Store, key, info)
	defer content.Close()
	header := w.Header()
	header.Set("Content-Type", blob.ContentType(key))
	header.Set("ETag", info.ETag)
	header.Set("Cache-Control", lasting)
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	http.ServeContent(&patient{w, http.NewResponseController(w)}, r, "", info.ModifiedAt, content)
}

// upload stages a body and notifies the receiver. It checks only the size and declared
// type; the content is checked later.
func (h *Handler) upload(w http.ResponseWriter, r *http.Request, key string) {
	if declared := r.Header.Get("Content-Type"); declared != "" {
		kind, _, err := mime.ParseMediaType(declared)
		accepts := h.Accepts
		if accepts == nil {
			accepts = accepted
		}
		if err != nil || !slices.Contains(accepts, kind) {
			rejectWith(w, r, http.StatusUnsupportedMediaType, "send the file with one of these content types, or without: "+strings.Join(accepts, ", "))
			return
		}
	}
	patience, cancel := context.WithTimeout(r.Context(), waiting)
	defer cancel()
	end, err := h.Uploads.Acquire(patience, h.Receiver.Owner(key), 1)
	defer end()
	if err != nil {
		w.Header().Set("Retry-After", "30")
		refuseWith(w, http.StatusTooManyRequests, fmt.Sprintf("%d uploads of yours are running, which is the maximum: try again when one has ended", OwnUploads))
		pace.Drain(w, r)
		return
	}
	control := http.NewResponseController(w)
	limit := h.Receiver.Limit(key)
	u := Upload{Key: key, Size: r.ContentLength, TooLarge: r.ContentLength > limit}
	if !u.TooLarge {
		u.Staged = key + "." + rand.Text()
		defer h.discard(u.Staged)
		body := &clientBody{pace.NewReader(w, http.MaxBytesReader(w, r.Body, limit))}
		u.Size, err = h.Store.Put(r.Context(), u.Staged, body)
		control.SetWriteDeadline(time.Now().Add(idle)) // fails if the server has no deadlines
		switch {
		case isClients(r, err) && pace.TooSlow(err):
			w.Header().Set("Connection", "close")
			refuse(w, http.StatusRequestTimeout)
			return
		case errors.As(err, new(*http.MaxBytesError)):
			u.Staged, u.Size, u.TooLarge = "", limit, true
		case err != nil && isClients(r, err):
			refuse(w, http.StatusBadRequest)
			return
		case err != nil:
			h.fail(w, "upload", key, err)
			return
		}
	}
	control.SetWriteDeadline(time.Now().Add(answering)) // fails if the server has no deadlines
	err = h.Receiver.Uploaded(context.WithoutCancel(r.Context()), u)
	if ignored := Ignored(""); errors.As(err, &ignored) {
		refuseWith(w, http.StatusOK, ignored.Error())
		return
	}
	if err != nil {
		h.fail(w, "receive", key, err)
		return
	}
	if u.TooLarge {
		w.Header().Set("Connection", "close")
		reject(w, r, http.StatusRequestEntityTooLarge)
		return
	}
	w.WriteHeader(http.StatusOK)
}

// isClients reports whether an upload failed because the client disconnected or sent less
// than declared.
func isClients(r *http.Request, err error) bool {
	var failure *bodyError
	return r.Context().Err() != nil || errors.As(err, &failure)
}

// discard removes a staged upload. Failures do not affect the client.
func (h *Handler) discard(staged string) {
	ctx, cancel := context.WithTimeout(context.Background(), discarding)
	defer cancel()
	if err := h.Store.Delete(ctx, staged); err != nil {
		h.Log.Error("removing a staged upload failed", slog.String("key", staged), slog.String("error", err.Error()))
	}
}

func (h *Handler) fail(w http.ResponseWriter, what, key string, err error) {
	h.Log.Error("media: "+what+" failed", slog.String("key", key), slog.String("error", err.Error()))
	refuse(w, http.StatusInternalServerError)
}

func refuse(w http.ResponseWriter, status int) { refuseWith(w, status, http.StatusText(status)) }

func refuseWith(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, text, status)
}

// reject refuses a request whose body has not been read to its end.
func reject(w http.ResponseWriter, r *http.Request, status int) {
	rejectWith(w, r, status, http.StatusText(status))
}

func rejectWith(w http.ResponseWriter, r *http.Request, status int, text string) {
	refuseWith(w, status, text)
	pace.Drain(w, r)
}

// bodyError is an error of reading from the client.
type bodyError struct{ error }

func (e *bodyError) Unwrap() error { return e.error }

// clientBody marks errors of reading from the client.
type clientBody struct{ io.Reader }

func (b *clientBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = &bodyError{err}
	}
	return n, err
}

// patient applies the idle timeout to each write to a client.
type patient struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (p *patient) Write(b []byte) (int, error) {
	p.control.SetWriteDeadline(time.Now().Add(idle)) // fails if the server has no deadlines
	return p.ResponseWriter.Write(b)
}
