package config

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest returns which of the known words was probably meant by one that is not known,
// "" if none is near: about a third of its letters at most would have to change. Case
// does not count.
func Nearest(word string, known []string) string {
	best, distance := "", (len(word)+1)/3+1
	for _, k := range known {
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(k)); d < distance {
			best, distance = k, d
		}
	}
	return best
}
