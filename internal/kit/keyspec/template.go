package keyspec

import (
	"fmt"
	"strings"
)

// alternative precedes the text that replaces an absent slot.
const alternative = " or "

// template is one compiled key template: literals[0] slots[0] literals[1] …, with one more
// literal than slots.
type template struct {
	// text is the template as declared.
	text     string
	literals []string
	slots    []string
	// separator is the table's separator.
	separator string
	// instead replaces an absent slot if it is the only one; if "", the key is absent.
	instead string
	// strict forbids separators even in a slot that ends the key.
	strict bool
	// size is DynamoDB's maximum length of the key.
	size int
}

// Maximum lengths of key attributes in bytes.
const (
	maxPartitionKey = 2048
	maxSortKey      = 1024
)

func parseTemplate(text, separator string, size int) (template, error) {
	t := template{text: text, separator: separator, size: size}
	body, instead, _ := strings.Cut(text, alternative)
	t.instead = instead
	for {
		literal, rest, open := strings.Cut(body, "{")
		if strings.Contains(literal, "}") {
			return t, fmt.Errorf("template %q: } without {", text)
		}
		t.literals = append(t.literals, literal)
		if !open {
			break
		}
		slot, after, closed := strings.Cut(rest, "}")
		if !closed || slot == "" {
			return t, fmt.Errorf("template %q: a slot needs a name and a closing brace", text)
		}
		if after != "" && !strings.HasPrefix(after, separator) {
			return t, fmt.Errorf("template %q: slot {%s} must end at %q or at the end of the key", text, slot, separator)
		}
		t.slots = append(t.slots, slot)
		body = after
	}
	switch {
	case text == "":
		return t, fmt.Errorf("template is empty: write %q for a key that needs no text", "-")
	case t.instead != "" && (len(t.slots) != 1 || t.literals[0] != "" || t.literals[1] != ""):
		return t, fmt.Errorf("template %q: only a lone slot can have an alternative", text)
	}
	return t, nil
}

// isLiteral reports whether the template has no slots.
func (t *template) isLiteral() bool { return len(t.slots) == 0 }

// inner reports whether slot i must not contain a separator.
func (t *template) inner(i int) bool {
	return t.strict || i < len(t.slots)-1 || t.literals[i+1] != ""
}

// typicalKey is the total length of most partition and sort keys.
const typicalKey = 192

// build returns the output of append as a string.
func (t *template) build(n int, value func(i int) string) (text string, present bool, err error) {
	var buf [typicalKey]byte
	key, present, err := t.append(buf[:0], n, value)
	return string(key), present, err
}

// append appends the first n slots, followed by the literal before the next one, or the
// whole key if n is the number of slots. If a slot is absent, the key is absent and nothing
// is appended.
func (t *template) append(dst []byte, n int, value func(i int) string) (_ []byte, present bool, err error) {
	at := len(dst)
	for i := range n {
		v := value(i)
		if v == "" {
			return append(dst[:at], t.instead...), t.instead != "", nil
		}
		if t.inner(i) && strings.Contains(v, t.separator) {
			return dst[:at], false, &SlotError{Slot: t.slots[i], Reason: fmt.Sprintf("must not contain %q", t.separator)}
		}
		dst = append(append(dst, t.literals[i]...), v...)
	}
	// A prefix includes the separator of its last slot from the next one, so that status
	// DENIED does not find DENIED_FOREVER.
	dst = append(dst, t.literals[n]...)
	if size := len(dst) - at; size > t.size && n > 0 {
		return dst[:at], false, &SlotError{Slot: t.slots[n-1], Reason: fmt.Sprintf("makes a key of %d bytes, the limit is %d", size, t.size)}
	}
	return dst, true, nil
}

// match parses the slots of a key. An alternative matches with its slot absent.
func (t *template) match(text string, found func(i int, value string)) bool {
	if t.instead != "" && text == t.instead {
		return true
	}
	rest, ok := strings.CutPrefix(text, t.literals[0])
	if !ok {
		return false
	}
	for i := range t.slots {
		value := rest
		rest = ""
		if t.inner(i) {
			if at := strings.Index(value, t.separator); at >= 0 {
				value, rest = value[:at], value[at:]
			}
		}
		if value == "" {
			return false
		}
		if rest, ok = strings.CutPrefix(rest, t.literals[i+1]); !ok {
			return false
		}
		found(i, value)
	}
	return rest == ""
}

// pattern returns the template as tokens: bytes, and wildcards for slots.
func (t *template) pattern() []token {
	var p []token
	for i, literal := range t.literals {
		for j := range len(literal) {
			p = append(p, token{char: literal[j]})
		}
		if i < len(t.slots) {
			p = append(p, token{wild: true, bare: t.inner(i), separator: t.separator[0]})
		}
	}
	return p
}

// token is an element of a pattern: a byte, or a slot of one or more bytes. A bare slot
// contains no separator.
type token struct {
	char byte
	wild bool
	bare bool
	// separator is the byte that a bare slot does not contain.
	separator byte
}

// collide reports whether a key can match both templates.
func collide(a, b *template) bool {
	if a.instead != "" && b.match(a.instead, ignore) || b.instead != "" && a.match(b.instead, ignore) {
		return true
	}
	return overlap(a.pattern(), b.pattern())
}

// prefixFinds reports whether a query for all keys of template a can find a key of template
// b. Keys without slots are queried by equality.
func prefixFinds(a, b *template) bool {
	if a.isLiteral() {
		return collide(a, b)
	}
	prefix := template{literals: []string{a.literals[0], ""}, slots: []string{"rest"}, separator: a.separator}
	return collide(&prefix, b)
}

func ignore(int, string) {}

// overlap reports whether a text can match both patterns. Slots match at least one byte.
func overlap(a, b []token) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == 0 && len(b) == 0
	}
	x, y := a[0], b[0]
	if !fits(x, y) {
		return false
	}
	// Both consume one byte; a slot may then end or continue.
	if overlap(a[1:], b[1:]) {
		return true
	}
	if x.wild && overlap(a, b[1:]) {
		return true
	}
	return y.wild && overlap(a[1:], b)
}

// fits reports whether a byte can match both tokens.
func fits(x, y token) bool {
	switch {
	case x.wild && y.wild:
		return true
	case x.wild:
		return !x.bare || y.char != x.separator
	case y.wild:
		return !y.bare || x.char != y.separator
	default:
		return x.char == y.char
	}
}
