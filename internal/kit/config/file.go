package config

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"stoa/internal/kit/nearest"
)

// loadFile parses a YAML mapping of setting keys to scalars or lists of scalars.
func (s *Set) loadFile(name string, text []byte) error {
	// Editors on Windows begin files with a byte order mark, which YAML allows and the parser
	// takes for a part of the first key.
	tokens := lexer.Tokenize(string(bytes.TrimPrefix(text, []byte("\ufeff"))))
	if line := secondDocument(tokens); line > 0 {
		return fmt.Errorf("%s:%d: a second YAML document begins before this line: write all settings in one", name, line)
	}
	if line := tabWithin(tokens); line > 0 {
		return fmt.Errorf("%s:%d: the value contains a tab: write spaces, or put the value in quotes", name, line)
	}
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		return fmt.Errorf("%s is not YAML: %s", name, yamlFault(err))
	}
	for _, doc := range file.Docs {
		pairs, err := mappingOf(doc.Body)
		if err != nil {
			return fmt.Errorf("%s %w: write one `key: value` on each line", name, err)
		}
		for _, pair := range pairs {
			if err := s.loadPair(name, pair); err != nil {
				return err
			}
		}
	}
	return nil
}

// secondDocument returns the first line of settings that are not in the first document, or 0.
// The parser drops what follows an empty document, and otherwise the last one would win.
func secondDocument(tokens token.Tokens) int {
	var marks int
	var filled bool
	for _, t := range tokens {
		switch t.Type {
		case token.CommentType:
		case token.DocumentHeaderType, token.DocumentEndType:
			marks++
		default:
			if filled && marks > 0 || marks > 1 {
				return t.Position.Line
			}
			filled, marks = true, 0
		}
	}
	return 0
}

// tabWithin returns the first line of an unquoted value with a tab in it, or 0. The parser drops such
// tabs.
func tabWithin(tokens token.Tokens) int {
	block := false
	for _, t := range tokens {
		switch t.Type {
		case token.CommentType, token.SingleQuoteType, token.DoubleQuoteType:
		case token.LiteralType, token.FoldedType:
			block = true
			continue
		default:
			if text := strings.TrimSpace(t.Origin); !block && strings.Contains(text, "\t") {
				return t.Position.Line + strings.Count(text[:strings.Index(text, "\t")], "\n")
			}
		}
		block = block && t.Type == token.CommentType
	}
	return 0
}

func (s *Set) loadPair(fileName string, pair *ast.MappingValueNode) error {
	key := pair.Key.GetToken().Value
	place := fmt.Sprintf("%s:%d", fileName, pair.Key.GetToken().Position.Line)
	f := s.find(func(f *Field) bool { return f.key == key })
	if f == nil {
		return fmt.Errorf("%s: there is no setting %s%s", place, key, s.suggestion(key))
	}
	text, err := textOf(pair.Value, f)
	if err != nil {
		return fmt.Errorf("%s: %s %w", place, key, err)
	}
	return f.set(text, Source{File, place})
}

// Nested is implemented by settings that may be lists or mappings in the file. Such a value
// reaches UnmarshalText as YAML.
type Nested interface{ Nested() }

// textOf returns the text of a value.
func textOf(node ast.Node, f *Field) (string, error) {
	if _, ok := f.value.Addr().Interface().(Nested); ok {
		switch node.(type) {
		case *ast.SequenceNode, *ast.MappingNode, *ast.MappingValueNode:
			return node.String(), nil
		}
	}
	return scalars(node, isStrings(f.value.Type()))
}

// mappingOf returns the pairs of a mapping; none for an empty document.
func mappingOf(node ast.Node) ([]*ast.MappingValueNode, error) {
	switch n := node.(type) {
	case nil, *ast.NullNode, *ast.CommentGroupNode:
		return nil, nil
	case *ast.MappingNode:
		return n.Values, nil
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, nil
	default:
		return nil, errors.New("holds no settings")
	}
}

// scalars returns a scalar's text, or the texts of a list joined as in a flag.
func scalars(node ast.Node, list bool) (string, error) {
	switch n := node.(type) {
	case *ast.NullNode:
		return "", errors.New("has no value: write one, or remove the line")
	case *ast.StringNode:
		return n.Value, nil
	case *ast.LiteralNode:
		return n.Value.Value, nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, nil
	case *ast.SequenceNode:
		if !list {
			return "", errors.New("takes one value, not a list")
		}
		texts := make([]string, len(n.Values))
		for i, entry := range n.Values {
			text, err := scalars(entry, false)
			if err != nil {
				return "", err
			}
			texts[i] = text
		}
		return strings.Join(texts, ","), nil
	default:
		return "", errors.New("takes a plain value: settings do not nest")
	}
}

// suggestion returns the known key nearest to an unknown one.
func (s *Set) suggestion(key string) string {
	var keys []string
	for _, f := range s.fields {
		if f.Name == key {
			return fmt.Sprintf(": in the file it is written %s", f.key)
		}
		keys = append(keys, f.key)
	}
	if near := nearest.Word(key, keys); near != "" {
		return fmt.Sprintf(": did you mean %s?", near)
	}
	return ": remove the line"
}

// yamlFault returns the parser's message in one line, without its excerpt of the file.
func yamlFault(err error) string {
	first, _, _ := strings.Cut(yaml.FormatError(err, false, false), "\n")
	return first
}
