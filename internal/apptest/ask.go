package apptest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"
)

// Answer is a GraphQL response.
type Answer struct {
	Data   json.RawMessage
	Errors []Error
}

// Error is one of a response's errors.
type Error struct {
	Message, ErrorType string
	ErrorInfo          []string
	Path               []any
	Extensions         struct {
		Code, Reason   string
		Field          string
		CurrentVersion *int
		Tags           []string
		// Params are undecoded.
		Params json.RawMessage
		// Case is the present case of a decision that came too late, undecoded.
		Case json.RawMessage
	}
}

func (e Error) String() string {
	return fmt.Sprintf("%s %q at %v", e.Extensions.Code, e.Message, e.Path)
}

// Request is a GraphQL request with names in place of ids.
type Request struct {
	Query     string         `json:"query"`
	Variables map[string]any `json:"variables,omitempty"`
	// Path is the path of the graph, "" for the system's.
	Path string `json:"-"`
	// Key is the idempotency key, if any.
	Key string `json:"-"`
}

// Ask sends a query as the named user; "" is anonymous.
func (w *World) Ask(as, query string) Answer {
	w.T.Helper()
	return w.Send(as, Request{Query: query})
}

// Send sends a request as the named user.
func (w *World) Send(as string, r Request) Answer {
	w.T.Helper()
	w.Advance(time.Second)
	return w.send(as, r)
}

// send returns errors with the code "HTTP 401" or "HTTP 500" if the sender was refused or
// could not be authenticated.
func (w *World) send(as string, r Request) Answer {
	w.T.Helper()
	recorder := httptest.NewRecorder()
	w.Handler.ServeHTTP(recorder, w.request(as, r))
	var a Answer
	err := json.Unmarshal(recorder.Body.Bytes(), &a)
	switch {
	case err != nil:
	case recorder.Code == http.StatusOK:
		return a
	case recorder.Code == http.StatusUnauthorized, recorder.Code == http.StatusInternalServerError:
		for i := range a.Errors {
			a.Errors[i].Extensions.Code = fmt.Sprint("HTTP ", recorder.Code)
			if recorder.Code == http.StatusUnauthorized {
				a.Errors[i].ErrorType = clientError
			}
		}
		return a
	}
	w.T.Fatalf("%s asks %s: answer %d %s", as, r.Query, recorder.Code, recorder.Body)
	panic("unreachable")
}

func (w *World) request(as string, r Request) *http.Request {
	w.T.Helper()
	body, err := json.Marshal(r)
	if err != nil {
		w.T.Fatal(err)
	}
	request := httptest.NewRequestWithContext(w.T.Context(), http.MethodPost, cmp.Or(r.Path, "/graphql"), bytes.NewReader([]byte(w.People.Fill(string(body)))))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", w.Token(as))
	if r.Key != "" {
		request.Header.Set("Idempotency-Key", r.Key)
	}
	request.Header.Set("X-Request-Id", "request") // which the audit log stores
	return request
}

// SignIn sets the token that a user's requests carry from now on instead of their name. It
// is for systems with their own accounts.
func (w *World) SignIn(name, token string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tokens[name] = token
}

// Token returns the token that a user's requests carry: their name, unless they signed in.
func (w *World) Token(as string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if token, ok := w.tokens[as]; ok {
		return token
	}
	return as
}

// Must sends a query and fails the test if there are errors.
func (w *World) Must(as, query string) Answer {
	w.T.Helper()
	a := w.Ask(as, query)
	if len(a.Errors) > 0 {
		w.T.Errorf("%s asks %s: %v", as, query, a.Errors)
	}
	return a
}

// Step is an action in a world.
type Step func(*World)

// Does returns the step of a request that succeeds.
func Does(as, query string) Step {
	return func(w *World) {
		w.T.Helper()
		w.Must(as, query)
		w.Settle()
	}
}

// Later returns the step of advancing the clock.
func Later(d time.Duration) Step { return func(w *World) { w.Advance(d) } }

// Job returns the step of running a job and its effects.
func Job(name string) Step {
	return func(w *World) {
		w.T.Helper()
		w.RunJob(name)
		w.Settle()
	}
}

// Do executes steps in order.
func (w *World) Do(steps ...Step) {
	w.T.Helper()
	for _, step := range steps {
		step(w)
	}
	w.Settle()
}
