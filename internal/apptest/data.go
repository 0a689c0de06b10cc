package apptest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
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

// Used are those variables that a query declares.
func Used(query string, v Vars) Vars {
	some := Vars{}
	for name, value := range v {
		if strings.Contains(query, "$"+name+":") {
			some[name] = value
		}
	}
	return some
}

// Does makes a request that succeeds, and returns its data.
func (w *World) Does(as, query string, v ...Vars) Data {
	w.T.Helper()
	a := w.Asks(as, query, v...)
	if len(a.Errors) > 0 {
		w.T.Fatalf("%s asks %s %v: %v", as, query, v, a.Errors)
	}
	return w.DataOf(a)
}

// Asked compares a part of what a request answers, as JSON.
func (w *World) Asked(as, query string, v Vars, path, want string) {
	w.T.Helper()
	w.Is(w.Does(as, query, v), path, want)
}

// Refused makes a request that is refused, with a code and, after a space, a reason.
func (w *World) Refused(want, as, query string, v ...Vars) {
	w.T.Helper()
	if got := w.Asks(as, query, v...).Refusal(); got != want {
		w.T.Errorf("%s asks %s %v: refused with %q, want %q", as, query, v, got, want)
	}
}

// Refusal is the code and the reason of an answer's errors, with the current version where
// there is one; "" without any.
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

// AtOnce makes n requests at once and returns how often each refusal, "" for none, was the
// answer.
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

// Counted compares what AtOnce returns.
func (w *World) Counted(got, want map[string]int) {
	w.T.Helper()
	if !maps.Equal(got, want) {
		w.T.Errorf("answers %v, want %v", got, want)
	}
}

// Status sends a query with an Authorization header and returns the status of HTTP.
func (w *World) Status(authorization, query string) int {
	w.T.Helper()
	r := w.request("", Request{Query: query})
	r.Header.Set("Authorization", authorization)
	recorder := httptest.NewRecorder()
	w.Handler.ServeHTTP(recorder, r)
	return recorder.Code
}

// Data are the data of an answer, or a part of them.
type Data struct {
	t     testing.TB
	value any
}

// DataOf are the data of an answer.
func (w *World) DataOf(a Answer) Data {
	w.T.Helper()
	d := Data{t: w.T}
	if err := json.Unmarshal(a.Data, &d.value); err != nil {
		w.T.Fatal(err)
	}
	return d
}

// At returns what a path leads to, such as "group.containers.items.0.id", as encoding/json
// has it.
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

// Text is a text that a path leads to.
func (d Data) Text(path string) string {
	d.t.Helper()
	s, ok := d.At(path).(string)
	if !ok {
		d.t.Fatalf("%s is no text in %v", path, d.value)
	}
	return s
}

// Int is a whole number that a path leads to.
func (d Data) Int(path string) int {
	d.t.Helper()
	n, ok := d.At(path).(float64)
	if !ok {
		d.t.Fatalf("%s is no number in %v", path, d.value)
	}
	return int(n)
}

// Items are those of a list that a path leads to.
func (d Data) Items(path string) []Data {
	d.t.Helper()
	items, ok := d.At(path).([]any)
	if !ok {
		d.t.Fatalf("%s is no list in %v", path, d.value)
	}
	all := make([]Data, len(items))
	for i, item := range items {
		all[i] = Data{d.t, item}
	}
	return all
}

// List returns a field of each item of a list, as texts.
func (d Data) List(path, field string) string {
	d.t.Helper()
	var all []string
	for _, item := range d.Items(path) {
		all = append(all, fmt.Sprint(item.At(field)))
	}
	return strings.Join(all, " ")
}

func (d Data) String() string { return fmt.Sprint(d.value) }

// Is compares what a path leads to, as JSON.
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
