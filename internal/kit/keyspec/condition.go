package keyspec

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// expression is a condition in DynamoDB's notation, split at placeholders: a text before
// each operand and one after the last.
type expression struct {
	text     []string
	operands []operand
	// values is the number of values it takes, keys the number of map keys, raw its text
	// with placeholders in the form of raw.Condition.
	values, keys int
	raw          string
}

// operand is a named attribute or, without a name, the next given key or value.
type operand struct {
	attribute string
	key       bool
	// prefix comes before the value in the key attribute that contains both.
	prefix string
}

// words are the functions and operators of conditions. Every other word must be an
// attribute of the row and is always sent as a placeholder, so that conditions never
// conflict with reserved words.
var words = map[string]bool{
	"attribute_exists": true, "attribute_not_exists": true, "attribute_type": true,
	"begins_with": true, "contains": true, "size": true,
	"AND": true, "OR": true, "NOT": true, "BETWEEN": true, "IN": true,
}

// expressions caches parsed conditions of a row, by text. Texts are usually literals in
// source code, so they are few; if they are generated, at most maxExpressions are cached.
type expressions struct {
	mu     sync.RWMutex
	parsed map[string]*expression
}

const maxExpressions = 256

func (r *row) expression(text string) (*expression, error) {
	known := &r.expressions
	known.mu.RLock()
	e := known.parsed[text]
	known.mu.RUnlock()
	if e != nil {
		return e, nil
	}
	e, err := r.parseExpression(text)
	if err != nil {
		return nil, err
	}
	known.mu.Lock()
	defer known.mu.Unlock()
	if known.parsed == nil {
		known.parsed = map[string]*expression{}
	}
	if len(known.parsed) < maxExpressions {
		known.parsed[text] = e
	}
	return e, nil
}

func (r *row) parseExpression(text string) (*expression, error) {
	e := &expression{}
	start := 0
	cut := func(from, to int, o operand) {
		e.text = append(e.text, text[start:from])
		e.operands = append(e.operands, o)
		start = to
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '?':
			cut(i, i+1, operand{})
		case c == '@':
			cut(i, i+1, operand{key: true})
		case c == ':' || c == '#':
			return nil, fmt.Errorf("condition %q: write ? for a value, @ for the key of a map, and the bare name of an attribute", text)
		case isWordStart(c):
			end := i + 1
			for end < len(text) && isWord(text[end]) {
				end++
			}
			word := text[i:end]
			switch {
			case i > 0 && text[i-1] == '.': // a nested attribute
				cut(i, end, operand{attribute: word})
			case !words[word]:
				if r.codec.byName[word] == nil && word != versionAttribute {
					return nil, fmt.Errorf("condition %q: %q is no attribute of %s", text, word, r.codec.typ)
				}
				o := operand{attribute: word}
				if f := r.codec.byName[word]; f != nil && f.keyOnly {
					if o = r.sortKeyWith(f); o.attribute == "" {
						return nil, fmt.Errorf("condition %q: %q is stored only inside keys", text, word)
					}
				}
				cut(i, end, o)
			}
			i = end - 1
		}
	}
	e.text = append(e.text, text[start:])
	e.assemble()
	return e, nil
}

// sortKeyWith returns the sort key of an index that contains only a number of the row, or a time
// after a prefix. The operand has no attribute if there is none.
func (r *row) sortKeyWith(f *field) operand {
	for _, k := range r.keys[1:] {
		if len(k.skSlots) != 1 || k.skSlots[0].field != f || k.skSlots[0].part != nil {
			continue
		}
		if k.numeric() || f.isStamp && k.sk.literals[1] == "" && k.sk.instead == "" {
			return operand{attribute: k.skName, prefix: k.sk.literals[0]}
		}
	}
	return operand{}
}

// assemble builds the text with its placeholders.
func (e *expression) assemble() {
	var w strings.Builder
	for i, o := range e.operands {
		w.WriteString(e.text[i])
		switch {
		case o.attribute != "":
			w.WriteString("#" + o.attribute)
		case o.key:
			e.keys++
		default:
			w.WriteString(":" + strconv.Itoa(e.values))
			e.values++
		}
	}
	w.WriteString(e.text[len(e.operands)])
	e.raw = w.String()
}

func isWordStart(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

func isWord(c byte) bool { return isWordStart(c) || c >= '0' && c <= '9' }

// writer combines the expressions of one action, whose placeholders share a namespace.
// Placeholders are stable, so that the server can cache parsed texts.
type writer struct {
	strings.Builder
	names  map[string]string
	values map[string]types.AttributeValue
	// keys is the number of map keys with placeholders.
	keys int
}

// name writes the placeholder of an attribute.
func (w *writer) name(attribute string) {
	if w.names == nil {
		w.names = map[string]string{}
	}
	placeholder := "#" + attribute
	w.names[placeholder] = attribute
	w.WriteString(placeholder)
}

// value writes a placeholder for a value.
func (w *writer) value(av types.AttributeValue) {
	if w.values == nil {
		w.values = map[string]types.AttributeValue{}
	}
	placeholder := ":" + strconv.Itoa(len(w.values))
	w.values[placeholder] = av
	w.WriteString(placeholder)
}

// test is a condition with its values.
type test struct {
	*expression
	values []types.AttributeValue
	within []string // keys of nested maps
}

func (w *writer) test(t test) {
	value, key := 0, 0
	for i, o := range t.operands {
		w.WriteString(t.text[i])
		switch {
		case o.attribute != "":
			w.name(o.attribute)
		case o.key:
			w.key(t.within[key])
			key++
		default:
			w.value(t.values[value])
			value++
		}
	}
	w.WriteString(t.text[len(t.operands)])
}

// test parses a condition and encodes its values.
func (r *row) test(text string, args []any) (test, error) {
	e, err := r.expression(text)
	if err != nil {
		return test{}, err
	}
	t := test{expression: e}
	if len(args) > 0 {
		t.values = make([]types.AttributeValue, 0, len(args))
	}
	if e.values+e.keys != len(args) {
		return test{}, fmt.Errorf("condition %q: takes %d values, got %d", text, e.values+e.keys, len(args))
	}
	next, prefix := 0, ""
	for _, o := range e.operands {
		if o.attribute != "" {
			prefix = o.prefix
			continue
		}
		arg := args[next]
		next++
		if o.key {
			key, ok := arg.(string)
			if !ok {
				return test{}, fmt.Errorf("condition %q: the key of a map is a %T, expected a string", text, arg)
			}
			t.within = append(t.within, key)
			continue
		}
		if arg == nil {
			return test{}, fmt.Errorf("condition %q: a value is nil: ask with attribute_not_exists", text)
		}
		g, err := r.codec.valueIn(arg)
		if err != nil {
			return test{}, fmt.Errorf("condition %q: %w", text, err)
		}
		if g.isNil() {
			return test{}, fmt.Errorf("condition %q: a value is nil: ask with attribute_not_exists", text)
		}
		v := g.stored()
		if s, ok := v.(*types.AttributeValueMemberS); ok && prefix != "" {
			s.Value = prefix + s.Value
		}
		t.values = append(t.values, v)
	}
	return t, nil
}
