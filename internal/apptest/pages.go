package apptest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Pages reads a list to its end and returns the items of each page. The query has a %s
// after the other arguments of the list, which is at path.
func (w *World) Pages(as, query string, path ...string) string {
	w.T.Helper()
	var pages []string
	for after := ""; ; {
		data := w.Must(as, fmt.Sprintf(query, after)).Data
		for _, name := range path {
			var object map[string]json.RawMessage
			if err := json.Unmarshal(data, &object); err != nil {
				w.T.Fatal(err)
			}
			data = object[name]
		}
		var list struct {
			Items     json.RawMessage
			NextToken *string
		}
		if err := json.Unmarshal(data, &list); err != nil {
			w.T.Fatal(err)
		}
		pages = append(pages, string(list.Items))
		if list.NextToken == nil {
			return strings.Join(pages, " ")
		}
		after = fmt.Sprintf(", nextToken: %q", *list.NextToken)
	}
}
