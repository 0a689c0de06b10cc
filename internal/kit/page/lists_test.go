package page

import (
	"strings"
	"testing"
)

func TestListsAreReadOneAfterTheOther(t *testing.T) {
	pages := map[string][]string{"own": {"1", "2"}, "against": {""}} // the cursors after each first page
	var read []string
	for cursor := ""; ; {
		name, after, next := Lists([]string{"own", "empty", "against"}, cursor)
		read = append(read, name+":"+after)
		behind := ""
		if left := pages[name]; len(left) > 0 {
			behind, pages[name] = left[0], left[1:]
		}
		if cursor = next(behind); cursor == "" {
			break
		}
	}
	if got, want := strings.Join(read, " "), "own: own:1 own:2 empty: against:"; got != want {
		t.Errorf("read %s, want %s", got, want)
	}
}
