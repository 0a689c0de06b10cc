package page

import (
	"slices"
	"strings"
)

// Lists reads several lists one after the other. A cursor consists of the name of a list and a
// cursor within it, and is "" at the start. Lists returns both for the page to read, and the
// function that returns the cursor of the page behind it, from the cursor within the list. It
// returns "" at the end of the last list.
func Lists[S ~string](names []S, cursor string) (name S, after string, next func(after string) string) {
	first, after, _ := strings.Cut(cursor, " ")
	at := max(0, slices.Index(names, S(first)))
	return names[at], after, func(after string) string {
		switch {
		case after != "":
			return string(names[at]) + " " + after
		case at+1 < len(names):
			return string(names[at+1]) + " "
		default:
			return ""
		}
	}
}
