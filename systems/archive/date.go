package archive

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// approximate are words that mark a date as approximate. They are ignored.
var approximate = []string{"abt", "about", "ca", "circa", "c", "est", "estimated", "cal", "calculated", "on", "of", "the"}

var (
	dateWord = regexp.MustCompile(`[0-9]+|\pL+`)
	ordinal  = regexp.MustCompile(`([0-9])(st|nd|rd|th)\b`)
)

// StandardDate returns a date as YYYY, YYYY-MM or YYYY-MM-DD, or "" for a text that is not
// a date, or only a bound of one. Ambiguous days and months are omitted.
func StandardDate(text string) string {
	if len(text) > longestDate {
		return ""
	}
	var numbers []string
	month := 0
	for _, word := range dateWord.FindAllString(ordinal.ReplaceAllString(unmarked(text), "$1"), -1) {
		switch m := monthOf(word); {
		case word[0] >= '0' && word[0] <= '9':
			numbers = append(numbers, word)
		case m > 0 && month == 0:
			month = m
		case !slices.Contains(approximate, word):
			return ""
		}
	}
	at := slices.IndexFunc(numbers, func(n string) bool { return len(n) == 4 })
	if at < 0 || len(numbers) > 3 || month > 0 && len(numbers) > 2 {
		return ""
	}
	year := numbers[at]
	if year == "0000" {
		return ""
	}
	rest := slices.Delete(slices.Clone(numbers), at, at+1)
	small := make([]int, len(rest))
	for i, n := range rest {
		if len(n) > 2 {
			return ""
		}
		small[i], _ = strconv.Atoi(n)
	}
	switch {
	case len(small) == 0 && month == 0:
		return year
	case len(small) == 0:
		return yearMonth(year, month)
	case month > 0:
		return yearMonthDay(year, month, small[0])
	case len(small) == 1:
		return yearMonth(year, small[0])
	case at == 0 || small[0] == small[1]:
		return yearMonthDay(year, small[0], small[1])
	case small[0] > 12:
		return yearMonthDay(year, small[1], small[0])
	case small[1] > 12:
		return yearMonthDay(year, small[0], small[1])
	default:
		return year
	}
}

// longestDate is longer than dates are, in bytes.
const longestDate = 1000

// monthOf returns the month with the given name or its abbreviation, or 0.
func monthOf(word string) int {
	if word == "sept" {
		return 9
	}
	for m := time.January; m <= time.December; m++ {
		if name := strings.ToLower(m.String()); len(word) >= 3 && (word == name || word == name[:3]) {
			return int(m)
		}
	}
	return 0
}

func yearMonth(year string, month int) string {
	if month < 1 || month > 12 {
		return ""
	}
	return fmt.Sprintf("%s-%02d", year, month)
}

func yearMonthDay(year string, month, day int) string {
	date := fmt.Sprintf("%s-%02d-%02d", year, month, day)
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		return ""
	}
	return date
}
