// Package nearest finds the intended word for a misspelled one.
package nearest

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Word returns the known word nearest to an unknown one, ignoring case, or "" if none is
// near: at most about a third of its letters may differ.
func Word(word string, known []string) string {
	best, distance := "", (len(word)+1)/3+1
	for _, k := range known {
		if d := difference(strings.ToLower(word), strings.ToLower(k)); d < distance {
			best, distance = k, d
		}
	}
	return best
}

// difference returns the number of letters that differ. Two that are swapped count as one.
func difference(word, known string) int {
	for i := 1; i < len(word); i++ {
		if word[:i-1]+word[i:i+1]+word[i-1:i]+word[i+1:] == known {
			return 1
		}
	}
	return levenshtein.ComputeDistance(word, known)
}
