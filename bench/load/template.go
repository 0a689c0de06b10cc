package load

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// reference matches a placeholder in a template, which is filled for each request:
//
//	${a-b}      a random integer from a to b
//	${a-b:%05d} the same, formatted
//	${last}     the last random integer, with an optional format
//	${seq}      an unused number
//	${tok}      a random token
//	${tok<50}   one of the first 50 tokens, at random
var reference = regexp.MustCompile(`\$\{(seq|tok(?:<\d+)?|(?:(\d+)-(\d+)|last)(?::([^}]*))?)\}`)

// sequence starts at the current time so that a second run does not reuse ids of the first.
var sequence atomic.Int64

func init() { sequence.Store(time.Now().UnixMicro()) }

// state is the state of filling one request.
type state struct {
	random *rand.Rand
	last   int
	tokens []string
}

type part func(b []byte, s *state) []byte

func compile(template string) (parts []part) {
	literal := func(text string) {
		if text != "" {
			parts = append(parts, func(b []byte, _ *state) []byte { return append(b, text...) })
		}
	}
	end := 0
	for _, m := range reference.FindAllStringSubmatchIndex(template, -1) {
		literal(template[end:m[0]])
		end = m[1]
		name := template[m[2]:m[3]]
		first, some := strings.CutPrefix(name, "tok<")
		switch {
		case name == "seq":
			parts = append(parts, func(b []byte, _ *state) []byte { return strconv.AppendInt(b, sequence.Add(1), 10) })
		case name == "tok", some:
			n, _ := strconv.Atoi(first)
			parts = append(parts, func(b []byte, s *state) []byte {
				of := s.tokens
				if some {
					of = of[:n]
				}
				return append(b, of[s.random.IntN(len(of))]...)
			})
		default:
			format := ""
			if m[8] >= 0 {
				format = template[m[8]:m[9]]
			}
			low, high := 0, -1
			if m[4] >= 0 {
				low, _ = strconv.Atoi(template[m[4]:m[5]])
				high, _ = strconv.Atoi(template[m[6]:m[7]])
			}
			parts = append(parts, func(b []byte, s *state) []byte {
				if high >= low {
					s.last = low + s.random.IntN(high-low+1)
				}
				if format == "" {
					return strconv.AppendInt(b, int64(s.last), 10)
				}
				return fmt.Appendf(b, format, s.last)
			})
		}
	}
	literal(template[end:])
	return parts
}

func fill(b []byte, parts []part, s *state) []byte {
	for _, p := range parts {
		b = p(b, s)
	}
	return b
}
