package apptest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"stoa/internal/kit/slice"
)

// Vars are the variables of a request.
type Vars = map[string]any

// Asks sends a query with variables as the named user.
func (w *World) Asks(as, query string, v ...Vars) Answer {
	w.T.Helper()
	all := Vars{}
	for _, some := range v {
		maps.Copy(all, some)
	}
	return w.Send(as, Request{Query: query, Variables: all})
}

// Used returns those variables that a query declares.
func Used(query string, v Vars) Vars {
	some := Vars{}
	for name, value := range v {
		if strings.Contains(query, "$"+name+":") {
			some[name] = value
		}
	}
	return some
}

// Does sends a request, which must succeed, and returns its data.
func (w *World) Does(as, query string, v ...Vars) Data {
	w.T.Helper()
	a := w.Asks(as, query, v...)
	if len(a.Errors) > 0 {
		w.T.Fatalf("%s asks %s %v: %v", as, query, v, a.Errors)
	}
	return w.DataOf(a)
}

// Asked compares a part of the response to a request, as JSON.
func (w *World) Asked(as, query string, v Vars, path, want string) {
	w.T.Helper()
	w.Is(w.Does(as, query, v), path, want)
}

// Refused sends a request that must be refused with a code and, after a space, an optional
// reason.
func (w *World) Refused(want, as, query string, v ...Vars) {
	w.T.Helper()
	if got := w.Asks(as, query, v...).Refusal(); got != want {
		w.T.Errorf("%s asks %s %v: refused with %q, want %q", as, query, v, got, want)
	}
}

// Refusal returns the code and the reason of a response's errors, with the current version
// if there is one; "" if there are no errors.
func (a Answer) Refusal() string {
	var all []string
	for _, e := range a.Errors {
		text := strings.TrimSpace(e.Extensions.Code + " " + e.Extensions.Reason)
		if e.Extensions.CurrentVersion != nil {
			text += fmt.Sprintf(" %d", *e.Extensions.CurrentVersion)
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

// AtOnce sends n concurrent requests and returns the number of responses by refusal, "" for
// none.
func (w *World) AtOnce(n int, request func(i int) Answer) map[string]int {
	answers := make([]Answer, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { answers[i] = request(i) })
	}
	all.Wait()
	counts := map[string]int{}
	for _, a := range answers {
		counts[a.Refusal()]++
	}
	return counts
}

// Race sends concurrent requests, each a user and a query with those variables that it
// declares, and returns their refusals in the same order.
func (w *World) Race(requests [][2]string, v Vars) []string {
	refusals := make([]string, len(requests))
	w.AtOnce(len(requests), func(i int) Answer {
		as, query := requests[i][0], requests[i][1]
		answer := w.Asks(as, query, Used(query, v))
		refusals[i] = answer.Refusal()
		return answer
	})
	return refusals
}

// Counted compares results of AtOnce.
func (w *World) Counted(got, want map[string]int) {
	w.T.Helper()
	if !maps.Equal(got, want) {
		w.T.Errorf("answers %v, want %v", got, want)
	}
}

// Status sends a query with an Authorization header and returns the HTTP status.
func (w *World) Status(authorization, query string) int {
	w.T.Helper()
	r := w.request("", Request{Query: query})
	r.Header.Set("Authorization", authorization)
	recorder := httptest.NewRecorder()
	w.Handler.ServeHTTP(recorder, r)
	return recorder.Code
}

// Data is the data of a response, or a part of it.
type Data struct {
	t     testing.TB
	value any
}

// DataOf returns the data of a response.
func (w *World) DataOf(a Answer) Data {
	w.T.Helper()
	d := Data{t: w.T}
	if err := json.Unmarshal(a.Data, &d.value); err != nil {
		w.T.Fatal(err)
	}
	return d
}

// At returns the value at a path, such as "group.containers.items.0.id", in the form of
// encoding/json.
func (d Data) At(path string) any {
	d.t.Helper()
	value := d.value
	for step := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[step]
		case []any:
			i := 0
			if _, err := fmt.Sscan(step, &i); err != nil || i >= len(v) {
				d.t.Fatalf("%s does not lead anywhere in %v", path, d.value)
			}
			value = v[i]
		default:
			d.t.Fatalf("%s does not lead anywhere in %v", path, d.value)
		}
	}
	return value
}

// Text returns the string at a path.
func (d Data) Text(path string) string {
	d.t.Helper()
	s, ok := d.At(path).(string)
	if !ok {
		d.t.Fatalf("%s is no text in %v", path, d.value)
	}
	return s
}

// Int returns the whole number at a path.
func (d Data) Int(path string) int {
	d.t.Helper()
	n, ok := d.At(path).(float64)
	if !ok {
		d.t.Fatalf("%s is no number in %v", path, d.value)
	}
	return int(n)
}

// Items returns the items of the list at a path.
func (d Data) Items(path string) []Data {
	d.t.Helper()
	items, ok := d.At(path).([]any)
	if !ok {
		d.t.Fatalf("%s is no list in %v", path, d.value)
	}
	all := slice.Map(items, func(item any) Data { return Data{d.t, item} })
	return all
}

// List returns a field of each item of a list, as text.
func (d Data) List(path, field string) string {
	d.t.Helper()
	var all []string
	for _, item := range d.Items(path) {
		all = append(all, fmt.Sprint(item.At(field)))
	}
	return strings.Join(all, " ")
}

func (d Data) String() string { return fmt.Sprint(d.value) }

// Is compares the value at a path, as JSON.
func (w *World) Is(d Data, path, want string) {
	w.T.Helper()
	got, err := json.Marshal(d.At(path))
	if err != nil {
		w.T.Fatal(err)
	}
	if string(got) != want {
		w.T.Errorf("%s is %s, want %s", path, got, want)
	}
}
