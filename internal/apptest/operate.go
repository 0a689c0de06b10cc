package apptest

import (
	"context"
	"maps"

	"stoa/internal/kit/viewer"
)

// OperatorPath is the path of the API of those who run the service.
const OperatorPath = "/operator/graphql"

// OperatorAsks sends a request to the operator API.
func (w *World) OperatorAsks(as, query string, v ...Vars) Answer {
	w.T.Helper()
	all := Vars{}
	for _, some := range v {
		maps.Copy(all, some)
	}
	return w.Send(as, Request{Query: query, Variables: all, Path: OperatorPath})
}

// OperatorDoes is Does for the operator API.
func (w *World) OperatorDoes(as, query string, v ...Vars) Data {
	w.T.Helper()
	a := w.OperatorAsks(as, query, v...)
	if len(a.Errors) > 0 {
		w.T.Fatalf("%s asks operators' %s %v: %v", as, query, v, a.Errors)
	}
	return w.DataOf(a)
}

// OperatorRefused is Refused for the operator API.
func (w *World) OperatorRefused(want, as, query string, v ...Vars) {
	w.T.Helper()
	if got := w.OperatorAsks(as, query, v...).Refusal(); got != want {
		w.T.Errorf("%s asks operators' %s %v: refused with %q, want %q", as, query, v, got, want)
	}
}

// OperatorAnswered compares the response of the operator API to a request, with names in place
// of ids.
func (w *World) OperatorAnswered(as, query, want string, v ...Vars) {
	w.T.Helper()
	a := w.OperatorAsks(as, query, v...)
	if len(a.Errors) > 0 {
		w.T.Errorf("%s asks operators' %s %v: %v", as, query, v, a.Errors)
		return
	}
	w.Compare(query, a.Data, want)
}

// OperatorContext returns the context of a request by the named user.
func (w *World) OperatorContext(as string) context.Context {
	return viewer.With(w.T.Context(), viewer.Viewer{UserID: w.ID(as)})
}
