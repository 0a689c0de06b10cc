package apptest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"stoa/internal/kit/hostile"
)

// Cost is the cost of one operation that asks for a field as often as it may.
type Cost struct {
	// Query asks for the field once.
	Query string
	// Times is how often the operation asks for it.
	Times int
	// Calls are those of the store, in worlds that count them.
	Calls int
	// CPU is what processors work for it.
	CPU time.Duration
	// Refused is how many of the fields are refused.
	Refused int
}

func (c Cost) String() string {
	return fmt.Sprintf("%8s %5d calls, %4d times, %4d refused %s",
		c.CPU.Round(100*time.Microsecond), c.Calls, c.Times, c.Refused, c.Query[:min(len(c.Query), 100)])
}

// QueryCosts lets somebody ask for each field that queries reach, each alone but as often as
// an operation may, and returns what that costs, the most expensive first. Arguments are
// those of fields, by "Type.field", and a list is asked for 1 and for 100 items as well;
// fields with other required arguments are left out. Types are reached by fields whose
// arguments are given, if there are any.
func (w *World) QueryCosts(as string, arguments map[string]string) []Cost {
	w.T.Helper()
	schema := w.Host.Joined[0].Schema.Schema()
	var all []Cost
	seen := map[string]bool{}
	type place struct{ name, before, after string }
	for level := []place{{"Query", "", ""}}; len(level) > 0; {
		var next []place
		for _, at := range level {
			for _, field := range givenFirst(at.name, schema.Types[at.name].Fields, arguments) {
				if strings.HasPrefix(field.Name, "__") || seen[at.name+"."+field.Name] {
					continue
				}
				below := schema.Types[field.Type.Name()]
				if below.IsLeafType() && isPlain(field) {
					continue // __typename costs the same
				}
				for _, call := range callsOf(at.name, field, arguments) {
					leaf := "{__typename}"
					if below.IsLeafType() {
						leaf = ""
					}
					p := w.costOf(as, "query", at.before+call+leaf+at.after)
					if p.Times == 0 {
						continue // one is too expensive
					}
					all = append(all, p)
					seen[at.name+"."+field.Name] = true
					if below.Kind == ast.Object {
						next = append(next, place{below.Name, at.before + call + "{", "}" + at.after})
					}
				}
			}
		}
		level = next
	}
	slices.SortFunc(all, func(a, b Cost) int { return cmp.Compare(b.CPU, a.CPU) })
	return all
}

// MutationCosts is like QueryCosts, for mutations. Those whose arguments are not given are
// left out if they have to have some, and what others need goes last.
func (w *World) MutationCosts(as string, arguments map[string]string) []Cost {
	w.T.Helper()
	schema := w.Host.Joined[0].Schema.Schema()
	ending := func(f *ast.FieldDefinition) int {
		for _, verb := range []string{"delete", "disable", "reset"} {
			if strings.HasPrefix(f.Name, verb) {
				return 1
			}
		}
		return 0
	}
	var all []Cost
	for _, field := range slices.SortedStableFunc(slices.Values(schema.Mutation.Fields), func(a, b *ast.FieldDefinition) int { return ending(a) - ending(b) }) {
		leaf := "{__typename}"
		if schema.Types[field.Type.Name()].IsLeafType() {
			leaf = ""
		}
		for _, call := range callsOf("Mutation", field, arguments) {
			if p := w.costOf(as, "mutation", call+leaf); p.Times > 0 {
				all = append(all, p)
			}
		}
	}
	slices.SortFunc(all, func(a, b Cost) int { return cmp.Compare(b.CPU, a.CPU) })
	return all
}

// givenFirst sorts fields, those first whose arguments are given.
func givenFirst(object string, fields ast.FieldList, arguments map[string]string) ast.FieldList {
	rank := func(f *ast.FieldDefinition) int {
		if _, given := arguments[object+"."+f.Name]; given {
			return 0
		}
		return 1
	}
	return slices.SortedStableFunc(slices.Values(fields), func(a, b *ast.FieldDefinition) int { return rank(a) - rank(b) })
}

// isPlain reports whether a field shows what is there with its object.
func isPlain(f *ast.FieldDefinition) bool {
	return len(f.Arguments) == 0 && f.Directives.ForName("reads") == nil && f.Directives.ForName("goField") == nil
}

// callsOf are the ways to ask for a field.
func callsOf(object string, field *ast.FieldDefinition, arguments map[string]string) []string {
	given, known := arguments[object+"."+field.Name]
	for _, a := range field.Arguments {
		if a.Type.NonNull && a.DefaultValue == nil && !known {
			return nil
		}
	}
	if field.Arguments.ForName("limit") == nil {
		if known {
			given = "(" + given + ")"
		}
		return []string{field.Name + given}
	}
	return []string{field.Name + "(limit:100 " + given + ")", field.Name + "(limit:1 " + given + ")"}
}

// costOf asks for as many of an operation's first field as may be. In place of #, each has a
// number of its own.
func (w *World) costOf(as, kind, query string) Cost {
	w.T.Helper()
	number := 0
	document := func(n int) []byte {
		var text strings.Builder
		for i := range n {
			number++
			fmt.Fprintf(&text, " a%d:%s", i, strings.ReplaceAll(query, "#", fmt.Sprint(number)))
		}
		body, err := json.Marshal(map[string]string{"query": kind + "{" + w.People.Fill(text.String()) + "}"})
		if err != nil {
			w.T.Fatal(err)
		}
		return body
	}
	send := func(body []byte) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(w.T.Context(), "POST", "/graphql", bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", as)
		recorder := httptest.NewRecorder()
		w.Handler.ServeHTTP(recorder, r)
		return recorder
	}
	times := 1600
	for answer := ""; times > 0; {
		recorder := send(document(times))
		answer = recorder.Body.String()
		if price, most, ok := priceIn(answer); ok {
			times = times * most / price
		} else if strings.Contains(answer, "InvalidSyntax") || strings.Contains(answer, "MaxOverlaps") || recorder.Code == http.StatusUnauthorized {
			times = times * 7 / 8 // without a token, nobody is told the price
		} else {
			break
		}
	}
	p := Cost{Query: query, Times: times, CPU: time.Hour}
	for range 3 {
		body := document(times)
		if w.Client != nil {
			w.Client.Reset()
		}
		began := hostile.CPU()
		answer := send(body).Body.Bytes()
		p.CPU = min(p.CPU, hostile.CPU()-began)
		p.Refused = w.refusals(query, answer)
		if w.Client != nil {
			p.Calls = w.Client.Total()
		}
		if p.CPU < 10*time.Millisecond {
			break
		}
	}
	return p
}

// refusals returns the number of errors in an answer. None may be the server's.
func (w *World) refusals(query string, answer []byte) int {
	var found struct {
		Errors []struct{ Message, ErrorType string }
	}
	if err := json.Unmarshal(answer, &found); err != nil {
		w.T.Errorf("%s: %.200s", query, answer)
	}
	for _, e := range found.Errors {
		if e.ErrorType == "ServerError" {
			w.T.Errorf("%s: %s", query, e.Message)
			break
		}
	}
	return len(found.Errors)
}

// priceIn returns what a refused operation would cost, and the most that it may.
func priceIn(answer string) (price, most int, ok bool) {
	_, costs, _ := strings.Cut(answer, "the operation costs ")
	_, err := fmt.Sscanf(costs, "%d without an account, at most %d", &price, &most)
	return price, most, err == nil
}
