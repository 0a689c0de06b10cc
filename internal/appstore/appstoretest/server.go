// Package appstoretest provides a local fake of the App Store.
package appstoretest

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"stoa/internal/appstore"
)

// Values that the fake expects of an app.
const (
	Secret = "shared-secret"
	Bundle = "com.example.app"
)

// Server is both the production store and the sandbox.
type Server struct {
	t       testing.TB
	http    *httptest.Server // nil for InProcess
	mux     *http.ServeMux
	address string
	client  *http.Client

	mu       sync.Mutex
	receipts map[string]Receipt
	asked    []string
	// release unblocks silent requests.
	release chan struct{}
	end     func()
}

// Receipt is a receipt known to the store.
type Receipt struct {
	// Sandbox receipts are unknown to production.
	Sandbox bool
	// Status is the store's status to respond with, if set, and Code the HTTP status.
	Status, Code int
	// Body is the response body, if set.
	Body string
	// Silent receipts get no response.
	Silent bool
	// BundleID is the app's bundle id; Bundle if empty.
	BundleID string
	// OriginalTransactionID is that of the last transaction.
	OriginalTransactionID  string
	ExpiresAt, CancelledAt time.Time
}

// New starts a Server that runs until the end of the test.
func New(t testing.TB) *Server {
	s := InProcess(t)
	s.http = httptest.NewServer(s.mux)
	t.Cleanup(func() { s.end(); s.http.Close() })
	s.address, s.client = s.http.URL, s.http.Client()
	return s
}

// Address is the URL of a store created by InProcess.
const Address = "https://store.test"

// InProcess returns a Server that is called without a network connection, for tests in a
// testing/synctest bubble.
func InProcess(t testing.TB) *Server {
	s := &Server{t: t, receipts: map[string]Receipt{}, release: make(chan struct{}), mux: http.NewServeMux(), address: Address}
	s.mux.HandleFunc("POST /production", func(w http.ResponseWriter, r *http.Request) { s.verify(w, r, false) })
	s.mux.HandleFunc("POST /sandbox", func(w http.ResponseWriter, r *http.Request) { s.verify(w, r, true) })
	s.client = &http.Client{Transport: direct{s.mux}, Timeout: Timeout}
	s.end = sync.OnceFunc(func() { close(s.release) })
	t.Cleanup(s.end)
	return s
}

// Timeout is the client timeout of a store in process.
const Timeout = 10 * time.Second

// direct passes requests to a handler.
type direct struct{ handler http.Handler }

func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := httptest.NewRecorder()
	d.handler.ServeHTTP(answer, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return answer.Result(), nil
}

// Verifier returns a verifier that uses this server.
func (s *Server) Verifier() *appstore.Verifier {
	return &appstore.Verifier{
		Production: s.address + "/production", Sandbox: s.address + "/sandbox",
		Secret: Secret, Bundle: Bundle, Client: s.client,
	}
}

// Set adds or replaces a receipt. It returns the receipt in the form that an app has it.
func (s *Server) Set(name string, r Receipt) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	data := base64.StdEncoding.EncodeToString([]byte(name))
	s.receipts[data] = r
	return data
}

// Asked returns the stores that have been called since the last time.
func (s *Server) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.asked
	s.asked = nil
	return asked
}

func (s *Server) verify(w http.ResponseWriter, r *http.Request, sandbox bool) {
	var request struct {
		Password   string `json:"password"`
		Data       string `json:"receipt-data"`
		ExcludeOld *bool  `json:"exclude-old-transactions"`
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil || request.ExcludeOld == nil || *request.ExcludeOld {
		s.t.Errorf("the store is asked %+v, %v", request, err)
	}
	s.mu.Lock()
	s.asked = append(s.asked, r.URL.Path)
	known, ok := s.receipts[request.Data]
	s.mu.Unlock()
	switch {
	case known.Silent:
		select {
		case <-s.release:
		case <-r.Context().Done():
		}
	case known.Code != 0:
		w.WriteHeader(known.Code)
	case known.Body != "":
		w.Write([]byte(known.Body))
	case request.Password != Secret:
		s.answer(w, map[string]any{"status": 21004})
	case !ok:
		s.answer(w, map[string]any{"status": 21003})
	case known.Status != 0:
		s.answer(w, map[string]any{"status": known.Status})
	case known.Sandbox && !sandbox:
		s.answer(w, map[string]any{"status": 21007})
	case !known.Sandbox && sandbox:
		s.answer(w, map[string]any{"status": 21008})
	default:
		s.answer(w, known.shown(request.Data))
	}
}

// shown returns the store's representation of a receipt, with an old transaction before the
// latest.
func (r Receipt) shown(data string) map[string]any {
	bundle := r.BundleID
	if bundle == "" {
		bundle = Bundle
	}
	latest := map[string]any{"original_transaction_id": r.OriginalTransactionID, "product_id": "diamond"}
	for name, at := range map[string]time.Time{"expires_date_ms": r.ExpiresAt, "cancellation_date_ms": r.CancelledAt} {
		if !at.IsZero() {
			latest[name] = strconv.FormatInt(at.UnixMilli(), 10)
		}
	}
	return map[string]any{
		"status":         0,
		"receipt":        map[string]any{"bundle_id": bundle},
		"latest_receipt": data + "bGF0ZXN0",
		"latest_receipt_info": []any{
			map[string]any{"original_transaction_id": "old", "expires_date_ms": "1"},
			latest,
		},
		"pending_renewal_info": []any{map[string]any{"auto_renew_status": "1"}},
	}
}

func (s *Server) answer(w http.ResponseWriter, body any) {
	if err := json.NewEncoder(w).Encode(body); err != nil {
		s.t.Error(err)
	}
}
